// SPDX-License-Identifier: Apache-2.0
// A model as JSON: its tables, and what was done to it.
#pragma once

#include <cstddef>

#include "answers/json.hpp"
#include "credence/model.hpp"
#include "credence/scorer.hpp"

namespace credence {

// The prior and one table for each block; of long lists so many words.
Json to_json(const Model& model, const Scorer& scorer, std::size_t words);
// Which column depends on which, in one block.
Json structure_json(const ParameterTable& table);
// Calibration and novelty, where the model has them.
void add_extras(const Model& model, Json& json);
// The journal, the windows, and the checksum of the state.
Json history_json(const Model& model);

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// The page with a model inside it: one file that needs no server.
#pragma once

#include <string>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/model.hpp"

namespace credence::serve {

// The views that ask nobody: the page computes posteriors from the model's tables and curves.
// data: rows that say how far columns reach, or none. Throws Error where the program has no page.
std::string interactive_report(const std::string& name, const Model& model,
                               const std::vector<Chunk>& data);

// How many of a model's columns such a page can be asked about: numbers and words, each modelled
// on its own.
std::size_t askable_columns(const Model& model);

}  // namespace credence::serve

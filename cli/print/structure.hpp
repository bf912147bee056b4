// SPDX-License-Identifier: Apache-2.0
// Which column depends on which, as trees for people, or as JSON.
#pragma once

#include "answers/model.hpp"
#include "cli/options/common.hpp"
#include "credence/scorer.hpp"

namespace credence::cli {

// Both refuse a model whose columns are all independent given the class.
std::string structure_text(const Scorer& scorer);
Json structure_json(const Scorer& scorer);

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// compare A.credence B.credence DATA: two saved models on the same rows.
#pragma once

#include <string>
#include <vector>

#include "cli/options/common.hpp"

namespace credence::cli {

// data: the two models, then the files of rows. output: where to write the rows on which they
// disagree; "": nowhere.
void compare_saved(const Common& common, const DataOptions& data, const std::string& output);

}  // namespace credence::cli

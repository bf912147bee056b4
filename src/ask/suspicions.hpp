// SPDX-License-Identifier: Apache-2.0
// What in the rows of a model looks like a mistake of the table.
#pragma once

#include <string>
#include <vector>

#include "credence/model.hpp"

namespace credence {

// A sentence each: classes that are written in two ways, classes that were announced and have no
// row, and columns that say the class.
std::vector<std::string> suspicions(const Model& model);

}  // namespace credence

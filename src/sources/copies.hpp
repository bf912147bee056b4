// SPDX-License-Identifier: Apache-2.0
// Files that are given twice, under one name or two: most likely by mistake.
#pragma once

#include <string>
#include <vector>

namespace credence::data {

// A line for each that has the same bytes as one before it.
std::vector<std::string> notes_on_copies(const std::vector<std::string>& paths);

}  // namespace credence::data

// SPDX-License-Identifier: Apache-2.0
// Trees over columns: which column depends on which, beside the class.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "families/pairs/reading.hpp"

namespace credence {

struct ColumnTree {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::vector<std::size_t> parent;  // by column; none: a root
  std::vector<std::size_t> order;   // every column, behind its parent

  explicit ColumnTree(std::vector<std::size_t> parents);
};

// information(a, b), a < b: how much two columns tell of each other given the class.
// about_class[a]: how much a column tells of the class. Of what is equal in the first 7 digits the
// column that stands first is taken, so that rounding decides nothing.
std::vector<ColumnTree> trees_of(
    Reading::Kind kind, const std::vector<double>& about_class,
    const std::function<double(std::size_t, std::size_t)>& information);

}  // namespace credence

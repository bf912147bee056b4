// SPDX-License-Identifier: Apache-2.0
#include "families/cell_log.hpp"

#include <algorithm>

#include "core/exact_sums.hpp"

namespace credence {

void CellLog::add_up() {
  if (added_up()) return;
  // Sorted by counting, which keeps the order of what has the same word.
  std::uint32_t last = 0;
  for (const Cell& cell : cells_) last = std::max(last, cell.word);
  std::vector<std::size_t> next(std::size_t{last} + 2, 0);
  for (const Cell& cell : cells_) ++next[std::size_t{cell.word} + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<Cell> sorted(cells_.size());
  for (const Cell& cell : cells_) sorted[next[cell.word]++] = cell;
  const auto by_class = [](const Cell& a, const Cell& b) { return a.cls < b.cls; };
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    end = next[sorted[begin].word];
    const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto behind = sorted.begin() + static_cast<std::ptrdiff_t>(end);
    if (!std::is_sorted(first, behind, by_class)) std::stable_sort(first, behind, by_class);
    cells_[kept++] = *first;
    for (auto cell = first + 1; cell != behind; ++cell) {
      if (cell->cls == cells_[kept - 1].cls) {
        cells_[kept - 1].sums = cells_[kept - 1].sums + cell->sums;
      } else {
        cells_[kept++] = *cell;
      }
    }
  }
  cells_.resize(kept);
  sums_ = kept;
  limit_ = std::max(least_limit, 2 * kept);
}

std::vector<std::size_t> CellLog::ends(std::size_t words) const {
  std::vector<std::size_t> result(words + 1, 0);
  for (const Cell& cell : cells_) ++result[std::size_t{cell.word} + 1];
  for (std::size_t i = 1; i < result.size(); ++i) result[i] += result[i - 1];
  return result;
}

void CellLog::rearrange_classes(std::span<const std::size_t> to) {
  std::erase_if(cells_, [&](const Cell& cell) { return to[cell.cls] == ExactSums::npos; });
  for (Cell& cell : cells_) cell.cls = static_cast<std::uint32_t>(to[cell.cls]);
  sums_ = 0;
}

}  // namespace credence

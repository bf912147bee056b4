// SPDX-License-Identifier: Apache-2.0
#include "families/text/cell_log.hpp"

#include <algorithm>

#include "core/exact_sums.hpp"
#include "parallel/parallel.hpp"

namespace credence {
namespace {

// Sorts the cells [begin, end), all of one word, by class, and adds up those of the same class at
// the front. Returns how many there are.
std::size_t add_up_word(CellList& cells, std::size_t begin, std::size_t end) {
  bool in_order = true;
  for (std::size_t i = begin + 1; i < end; ++i) in_order &= cells.cls(i - 1) <= cells.cls(i);
  if (!in_order) {
    std::vector<CellList::Cell> own;
    for (std::size_t i = begin; i < end; ++i) own.push_back(cells[i]);
    std::stable_sort(own.begin(), own.end(),
                     [](const auto& a, const auto& b) { return a.cls < b.cls; });
    for (std::size_t i = begin; i < end; ++i) cells.set(i, own[i - begin]);
  }
  std::size_t last = begin;
  for (std::size_t i = begin + 1; i < end; ++i) {
    auto cell = cells[i];
    if (cell.cls == cells.cls(last)) {
      cell.sums = cells[last].sums + cell.sums;
    } else {
      ++last;
    }
    cells.set(last, cell);
  }
  return last + 1 - begin;
}

}  // namespace

// Sorted by counting, which keeps the order of what has the same word. A part of the words after
// the other has its cells copied and added up, several parts at a time.
void CellLog::add_up() {
  if (added_up()) return;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) last = std::max(last, cells_.word(i));
  const auto ends = this->ends(std::size_t{last} + 1);
  const std::size_t parts = cells_.size() < few ? 1 : std::min(8u, threads_here());
  std::vector<CellList> sorted(parts);
  parallel_for(0, parts, [&](std::size_t part) {
    const std::size_t share = cells_.size() / parts;
    const auto word_at = [&](std::size_t which) {
      if (which == parts) return ends.size() - 1;
      return static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), which * share) -
                                      ends.begin());
    };
    const std::size_t first = word_at(part), behind = word_at(part + 1);
    const std::size_t start = ends[first];
    auto& own = sorted[part] = CellList::zeros(ends[behind] - start, cells_);
    std::vector<std::size_t> next(ends.begin() + static_cast<std::ptrdiff_t>(first),
                                  ends.begin() + static_cast<std::ptrdiff_t>(behind));
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const std::size_t word = cells_.word(i);
      if (word >= first && word < behind) own.set(next[word - first]++ - start, cells_[i]);
    }
    std::size_t kept = 0;
    for (std::size_t word = first; word < behind; ++word) {
      const std::size_t begin = ends[word] - start, end = ends[word + 1] - start;
      if (begin == end) continue;
      const std::size_t sums = add_up_word(own, begin, end);
      for (std::size_t i = 0; i < sums; ++i) own.set(kept++, own[begin + i]);
    }
    own.resize(kept);
  });
  std::size_t kept = 0;
  for (const auto& part : sorted) {
    for (std::size_t i = 0; i < part.size(); ++i) cells_.set(kept++, part[i]);
  }
  cells_.resize(kept);
  sums_ = kept;
  limit_ = std::max(least_limit, 2 * kept);
}

std::vector<std::size_t> CellLog::ends(std::size_t words) const {
  std::vector<std::size_t> result(words + 1, 0);
  for (std::size_t i = 0; i < cells_.size(); ++i) ++result[std::size_t{cells_.word(i)} + 1];
  for (std::size_t i = 1; i < result.size(); ++i) result[i] += result[i - 1];
  return result;
}

void CellLog::rearrange_classes(std::span<const std::size_t> to) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    auto cell = cells_[i];
    if (to[cell.cls] == ExactSums::npos) continue;
    cell.cls = static_cast<std::uint32_t>(to[cell.cls]);
    cells_.set(kept++, cell);
  }
  cells_.resize(kept);
  sums_ = 0;
}

void CellLog::drop_weightless() {
  const bool all = added_up();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (cells_.weight(i) != 0) cells_.set(kept++, cells_[i]);
  }
  cells_.resize(kept);
  sums_ = all ? kept : 0;
}

}  // namespace credence

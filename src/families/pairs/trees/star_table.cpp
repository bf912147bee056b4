// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/trees/star_table.hpp"

#include <algorithm>

namespace credence {
namespace {

constexpr std::size_t most_star_cells = std::size_t{1} << 24;  // 128 MB

}  // namespace

StarTable::StarTable(const ReadPairs& read) : classes_(read.classes) {
  if (read.trees.size() < 2) return;
  std::size_t states = 0;
  for (const auto column : read.kept) {
    first_.push_back(states * classes_);
    states += read.columns[column].states;
  }
  width_ = states * classes_;
  if (width_ > most_star_cells / states) return;
  table_.resize(states * width_);
  std::vector<double> room(classes_);
  for (std::size_t tree = 0; tree < read.trees.size(); ++tree) {
    // Tree number t hangs from column t. That column has its own shares where others have theirs
    // given it, so that one loop adds up all.
    for (std::size_t i = 0; i < read.kept.size(); ++i) {
      const auto& parent = read.columns[read.kept[tree]];
      for (std::size_t b = 0; b < parent.states; ++b) {
        double* const row = table_.data() + (first_[tree] / classes_ + b) * width_ + first_[i];
        const std::size_t children = read.columns[read.kept[i]].states;
        for (std::size_t a = 0; a < children; ++a) {
          const double* from = i == tree ? parent.log_shares.data() + a * classes_
                                         : read.table(tree, i)(b, a, room.data());
          std::copy(from, from + classes_, row + a * classes_);
        }
      }
    }
  }
}

template <std::size_t fixed>
void StarTable::add_up(std::span<const std::int32_t> row, double* out) const {
  const std::size_t classes = fixed ? fixed : classes_;
  for (std::size_t j = 0; j < row.size(); ++j, out += classes) {
    const double* const from =
        table_.data() + (first_[j] / classes + static_cast<std::size_t>(row[j])) * width_;
    std::fill(out, out + classes, 0.0);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double* log_p = from + first_[i] + static_cast<std::size_t>(row[i]) * classes;
      for (std::size_t c = 0; c < classes; ++c) out[c] += log_p[c];
    }
  }
}

void StarTable::score(std::span<const std::int32_t> row, std::span<double> of_trees) const {
  if (classes_ == 2) return add_up<2>(row, of_trees.data());
  if (classes_ == 3) return add_up<3>(row, of_trees.data());
  add_up<0>(row, of_trees.data());
}

}  // namespace credence

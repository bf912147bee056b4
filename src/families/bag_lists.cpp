// SPDX-License-Identifier: Apache-2.0
#include "families/bag_lists.hpp"

#include <algorithm>

#include "families/categorical.hpp"

namespace credence {

double imaginary_count(std::size_t values, const Rule& rule) {
  if (values == 0) return 0;
  const double count = imaginary_counts(values, {}, rule)[0];
  return rule.kind == Rule::Kind::map ? std::max(0.0, count - 1) : count;
}

std::vector<ParameterTable::WordList> bag_lists(const BagCells& cells,
                                                const std::vector<std::string>& classes,
                                                const std::vector<double>& class_weights) {
  constexpr std::size_t read_at_once = 40;
  if (cells.known.size() <= read_at_once) return {};
  ByteStrings words;
  std::vector<std::uint32_t> ends{0};
  std::vector<std::uint32_t> cell_classes;
  std::vector<double> own;
  for (std::size_t i = 0; i < cells.known.size(); ++i) {
    words.add(cells.known.name(i));
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const double count = cells.counts[i * classes.size() + c];
      if (count == 0) continue;
      cell_classes.push_back(static_cast<std::uint32_t>(c));
      own.push_back(count);
    }
    ends.push_back(static_cast<std::uint32_t>(own.size()));
  }
  return word_lists({words, ends, cell_classes, own, cells.totals, cells.prior, cells.coins},
                    classes, class_weights);
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "families/text/word_weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace credence {

void weigh_words(TextOptions::Counts counts, std::span<double> occurrences) {
  if (counts == TextOptions::Counts::raw) return;
  if (counts == TextOptions::Counts::binary) {
    for (double& n : occurrences) n = n > 0 ? 1 : 0;
    return;
  }
  static const auto small = [] {
    std::array<double, 256> table{};
    for (std::size_t n = 1; n < table.size(); ++n) table[n] = 1 + std::log(static_cast<double>(n));
    return table;
  }();
  double squares = 0;
  for (double& n : occurrences) {
    const auto whole = static_cast<std::size_t>(std::min(n, 255.0));
    n = static_cast<double>(whole) == n ? small[whole] : std::max(0.0, 1 + std::log(n));
    squares += n * n;
  }
  if (squares == 0) return;
  // Multiples of 2^-30 add up exactly in any order.
  const double unit = 0x1p30 / std::sqrt(squares);
  for (double& n : occurrences) n = std::nearbyint(n * unit) * 0x1p-30;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "families/text/word_weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace credence {

namespace {

// Multiples of 2^-30 add up exactly in any order.
double rounded(double number) { return std::nearbyint(number * 0x1p30) * 0x1p-30; }

void take_logarithms(std::span<double> occurrences) {
  static const auto small = [] {
    std::array<double, 256> table{};
    for (std::size_t n = 1; n < table.size(); ++n) table[n] = 1 + std::log(static_cast<double>(n));
    return table;
  }();
  for (double& n : occurrences) {
    const auto whole = static_cast<std::size_t>(std::min(n, 255.0));
    n = static_cast<double>(whole) == n ? small[whole] : std::max(0.0, 1 + std::log(n));
  }
}

double length_of(std::span<const double> weights) {
  double squares = 0;
  for (const double weight : weights) squares += weight * weight;
  return std::sqrt(squares);
}

}  // namespace

std::vector<char> several_words(const TextOptions& options, const std::vector<std::string>& words) {
  std::vector<char> result;
  if (options.pairs == 1) return result;
  result.reserve(words.size());
  for (const auto& word : words) result.push_back(word.find(' ') != std::string::npos);
  return result;
}

void weigh_words(const TextOptions& options, std::span<double> occurrences,
                 std::span<const char> several) {
  using Counts = TextOptions::Counts;
  if (options.counts == Counts::binary) {
    for (double& n : occurrences) n = n > 0 ? 1 : 0;
  }
  if (options.counts == Counts::log) take_logarithms(occurrences);
  for (std::size_t i = 0; i < several.size(); ++i) {
    if (several[i]) occurrences[i] *= options.pairs;
  }
  if (options.counts == Counts::log) {
    const double length = length_of(occurrences);
    if (length == 0) return;
    const double unit = 0x1p30 / length;
    for (double& n : occurrences) n = std::nearbyint(n * unit) * 0x1p-30;
  } else if (!several.empty()) {
    for (double& n : occurrences) n = rounded(n);
  }
}

void weigh_rarity(const TextOptions& options, std::span<double> weights,
                  std::span<const double> rarity) {
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] *= rarity[i];
  if (options.counts != TextOptions::Counts::log) return;
  const double length = length_of(weights);
  for (double& weight : weights) weight /= length == 0 ? 1 : length;
}

}  // namespace credence

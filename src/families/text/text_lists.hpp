// SPDX-License-Identifier: Apache-2.0
// Which words a text model goes by: what `show` prints of one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/interner.hpp"
#include "credence/parameters.hpp"

namespace credence {

struct TextCells {
  const ByteStrings& words;
  std::span<const std::uint32_t> ends;     // of a word's cells; one more than words
  std::span<const std::uint32_t> classes;  // of each cell
  std::span<const double> own;             // its count
  std::span<const double> totals;          // per class: draws, or documents
  double prior;                            // imaginary count of every word
  bool coins;                              // presence, not draws
};

// For every class the words that speak for it most and those that are most probable in it; and the
// words that tell the classes apart best, by mutual information.
std::vector<ParameterTable::WordList> word_lists(const TextCells& cells,
                                                 const std::vector<std::string>& classes,
                                                 const std::vector<double>& class_weights,
                                                 std::size_t most = 50);

}  // namespace credence

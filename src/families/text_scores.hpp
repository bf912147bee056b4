// SPDX-License-Identifier: Apache-2.0
// What scoring documents looks at, laid out for it: the memory is larger than the processor's
// caches, so a word should cost as few visits to it as can be, and each is asked for ahead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/interner.hpp"
#include "families/text_estimate.hpp"

namespace credence {

class TextScores {
 public:
  // `text` is read as long as there are documents to score.
  TextScores(const TextEstimate& text, std::size_t classes);

  // Of each word its number, or -1.
  std::vector<std::int32_t> numbers(const std::vector<std::string>& words) const;

  // score[c] += the sum of weight * correction of the words in class c.
  struct Sums {
    double weight = 0;
    double base = 0;  // of weight * base
  };
  Sums add(std::span<const std::int32_t> words, std::span<const double> weights,
           std::span<double> score) const;

 private:
  struct Word {
    double base;
    std::uint32_t first;  // cell; or the number of its row
    std::uint32_t cells;  // or in_row
  };
  static constexpr std::uint32_t in_row = 0xFFFFFFFFu;

  const double* row(const Word& word) const {
    return rows_.data() + std::size_t{word.first} * classes_;
  }
  void prefetch(const Word& word) const;

  std::size_t classes_;
  const std::vector<TextEstimate::Cell>& cells_;
  Interner index_;
  std::vector<Word> words_;
  // A word that most classes have is a row of numbers, which is faster to add than cell by cell.
  std::vector<double> rows_;
};

}  // namespace credence

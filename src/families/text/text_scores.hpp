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
#include "families/text/text_estimate.hpp"

namespace credence {

class TextScores {
 public:
  // `text` is read as long as there are documents to score.
  TextScores(const TextEstimate& text, std::size_t classes);

  // What is to be known of a word.
  struct Word {
    std::uint32_t first;  // cell; or the number of its row
    std::uint32_t cells;  // or in_row
  };
  // The words of a chunk: of each its number, or -1; and what is known of it, side by side for the
  // documents of the chunk, as it lies far apart for all words.
  struct Known {
    std::vector<std::int32_t> numbers;
    std::vector<Word> words;
  };
  Known look_up(const std::vector<std::string>& words) const;

  // score[c] += the sum of weight * correction of the words in class c.
  struct Sums {
    double weight = 0;
    double base = 0;  // of weight * base
  };
  struct Part {
    std::uint32_t first, cells;
    double weight;
  };
  struct Parts {  // room that is used again
    std::vector<Part> rows, others;
  };
  // places: of the document's words among those of the chunk, which are all known.
  Sums add(const Known& known, std::span<const std::int32_t> places,
           std::span<const double> weights, Parts& parts, std::span<double> score) const;

 private:
  static constexpr std::uint32_t in_row = 0xFFFFFFFFu;

  void add_rows(std::span<const Part> rows, std::span<double> score) const;

  std::size_t classes_;
  const TextEstimate& text_;
  StringIndex index_;
  std::vector<Word> words_;
  // A word that most classes have is a row of numbers, which is faster to add than cell by cell.
  std::vector<double> rows_;
};

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Weights over (word, class) that are complete: words in the order of their bytes, and the cells of
// each word together in the order of classes. docs/families/text.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/interner.hpp"
#include "core/narrow_numbers.hpp"
#include "core/tensors.hpp"

namespace credence {

struct CountedWords {
  ByteStrings words;
  std::vector<std::int32_t> ends{0};  // of each word's cells
  // Of every cell; the classes of a word's cells ascend.
  NarrowNumbers classes;
  NarrowSums weights;
  NarrowSums documents;  // that have the word

  std::size_t size() const { return words.size(); }
  std::size_t begin(std::size_t word) const { return static_cast<std::size_t>(ends[word]); }
  std::size_t end(std::size_t word) const { return static_cast<std::size_t>(ends[word + 1]); }
  std::size_t cls(std::size_t cell) const { return classes.whole(cell); }
  DoubleDouble exact_documents_with(std::size_t word) const;
  double documents_with(std::size_t word) const { return exact_documents_with(word).value(); }
  // Asks for the memory that the cells of a word lie in.
  void prefetch(std::size_t word) const {
    classes.prefetch(begin(word));
    weights.high.prefetch(begin(word));
  }

  void save(Tensors& tensors, const std::string& prefix) const;
  static CountedWords load(const Tensors& tensors, const std::string& prefix,
                           std::size_t class_count);
};

}  // namespace credence

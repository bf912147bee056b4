// SPDX-License-Identifier: Apache-2.0
// Weights over (word, class) where most are 0: the statistics of text. docs/families/text.md
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/tensors.hpp"
#include "families/text/cell_log.hpp"
#include "families/text/counted_words.hpp"

namespace credence {

// Three forms. Listed: the words of one chunk and their cells, one behind the other, to be merged.
// Open: words are numbered as they come and looked up by a hash, and cells are a log. Canonical:
// they are complete, and shared by all copies.
class WordCounts {
 public:
  WordCounts();
  WordCounts(const WordCounts& other);
  WordCounts(WordCounts&&) noexcept;
  WordCounts& operator=(WordCounts&&) noexcept;
  ~WordCounts();

  // The numbers, for add(), of these words, which are all different.
  std::vector<std::int32_t> place(const std::vector<std::string>& words);
  // At most once for every (word, class) after place().
  void add(std::int32_t word, std::size_t cls, const CellSums& sums);

  void rearrange_classes(std::span<const std::size_t> from);
  void merge(const WordCounts& other, std::span<const std::size_t> class_map, int sign);
  void scale(double factor);
  void canonicalise();
  bool canonical() const { return !open_ && !listed_; }
  std::string defect(const std::string& column, const std::vector<std::string>& classes) const;
  void save(Tensors& tensors, const std::string& prefix) const;
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes);

  // Of the canonical form.
  const std::shared_ptr<const CountedWords>& counted() const { return counted_; }

 private:
  struct Listed;
  struct Open;
  Open& open();
  template <typename Use>
  auto with_parts(const Use& use) const;

  std::unique_ptr<Listed> listed_;
  std::unique_ptr<Open> open_;
  std::size_t class_count_ = 0;
  std::shared_ptr<const CountedWords> counted_;
};

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Weights over (word, class) where most are 0: the statistics of text. docs/families/text.md
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/exact_sums.hpp"
#include "core/interner.hpp"
#include "core/tensors.hpp"
#include "families/cell_log.hpp"

namespace credence {

// Three forms. Listed: the words of one chunk and their cells, one behind the other, to be merged.
// Open: words are numbered as they come and looked up by a hash, and cells are a log. Canonical:
// words are in the order of their bytes, and the cells of each word together in the order of
// classes.
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
  struct Cells {
    std::span<const std::int32_t> classes;  // ascending
    std::span<const double> weights;
  };
  std::size_t size() const { return words_.size(); }
  const ByteStrings& words() const { return words_; }
  std::string_view word(std::size_t i) const { return words_[i]; }
  double documents(std::size_t i) const;  // weight of those that have it
  std::size_t cell_count() const { return classes_.size(); }
  Cells cells(std::size_t i) const {
    const auto begin = static_cast<std::size_t>(ends_[i]),
               end = static_cast<std::size_t>(ends_[i + 1]);
    return {std::span(classes_).subspan(begin, end - begin),
            std::span(sums_.high()).subspan(begin, end - begin)};
  }

 private:
  struct Listed;
  struct Open;
  Open& open();
  template <typename Use>
  auto with_parts(const Use& use) const;

  std::unique_ptr<Listed> listed_;
  std::unique_ptr<Open> open_;
  std::size_t class_count_ = 0;
  ByteStrings words_;
  std::vector<std::int32_t> ends_{0};
  // Of every cell.
  std::vector<std::int32_t> classes_;
  ExactSums sums_;
  ExactSums documents_;
};

}  // namespace credence

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

namespace credence {

// How much a word weighs in a class, and how much the documents of the class that have it do.
struct CellSums {
  DoubleDouble weight;
  DoubleDouble documents;
};

// Sums by (word, class), as they come: open addressing with linear probing.
class CellTable {
 public:
  void add(std::size_t word, std::size_t cls, const CellSums& sums);
  // use(word, class, sums) for every cell, in no order.
  template <typename Use>
  void for_each(const Use& use) const {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] == empty) continue;
      use(keys_[i] >> class_bits, keys_[i] & class_mask,
          CellSums{weights_.exact(i), documents_.exact(i)});
    }
  }
  void prefetch(std::size_t word, std::size_t cls) const {
    if (!keys_.empty()) __builtin_prefetch(&keys_[place(key(word, cls))], 1);
  }
  std::size_t size() const { return used_; }

 private:
  static constexpr int class_bits = 24;
  static constexpr std::uint64_t class_mask = (std::uint64_t{1} << class_bits) - 1;
  static constexpr std::uint64_t empty = ~std::uint64_t{0};

  static std::uint64_t key(std::size_t word, std::size_t cls) {
    return static_cast<std::uint64_t>(word) << class_bits | cls;
  }
  std::size_t place(std::uint64_t key) const {
    return detail::mix(key ^ 0x9E3779B97F4A7C15u, 0xD1B54A32D192ED03u) & (keys_.size() - 1);
  }
  void grow();

  std::vector<std::uint64_t> keys_;
  ExactSums weights_;
  ExactSums documents_;
  std::size_t used_ = 0;
};

// How much one word weighs in one document.
struct WordWeight {
  std::int32_t word;
  double weight;
};

// Three forms. Listed: the words of one chunk and their cells, one behind the other, to be merged.
// Open: words are numbered as they come and looked up by a hash, and so are cells. Canonical: words
// are in the order of their bytes, and the cells of each word together in the order of classes.
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
  std::string_view word(std::size_t i) const { return words_[i]; }
  double documents(std::size_t i) const;  // weight of those that have it
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
  template <typename Word, typename Cell>
  void for_each(const Word& word, const Cell& cell) const;

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

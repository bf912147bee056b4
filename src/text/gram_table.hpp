// SPDX-License-Identifier: Apache-2.0
// N-grams of words as a tree: an n-gram is a shorter one, its prefix, and one more term.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace credence::text {

class GramTable {
 public:
  // What a prefix is called: a single term, or an n-gram of this table.
  static std::uint32_t prefix_of_term(std::int32_t term) {
    return static_cast<std::uint32_t>(term) << 1;
  }
  static std::uint32_t prefix_of_gram(std::int32_t gram) {
    return static_cast<std::uint32_t>(gram) << 1 | 1;
  }

  struct Gram {
    std::uint64_t key = empty;  // prefix and term
    std::int32_t id = -1;
    std::int32_t feature = -1;  // for the caller to fill in; -1: it has none
  };

  GramTable() : slots_(first_slots) {}

  // The n-gram, and whether it is new. The reference is good until the next call.
  Gram& find_or_add(std::uint32_t prefix, std::int32_t term, bool& is_new);
  // The terms of a gram, first to last.
  void terms_of(std::uint32_t prefix, std::vector<std::int32_t>& terms) const;
  void clear();

 private:
  static constexpr std::size_t first_slots = 1024;
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  std::size_t place(std::uint64_t key) const;
  void grow();

  std::vector<Gram> slots_;
  std::vector<std::uint64_t> keys_;  // of each gram, by id
};

}  // namespace credence::text

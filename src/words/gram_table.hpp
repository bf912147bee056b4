// SPDX-License-Identifier: Apache-2.0
// N-grams of words as a tree: an n-gram is a shorter one, its prefix, and one more term.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/hash.hpp"

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

  static constexpr std::uint32_t no_prefix = ~std::uint32_t{0};

  struct Gram {
    std::uint64_t key = empty;  // prefix and term
    std::int32_t id = -1;
    std::int32_t feature = -1;  // for the caller to fill in; -1: it has none
  };

  GramTable() : slots_(first_slots) {}

  // The n-gram, and whether it is new. The reference is good until the next call.
  Gram& find_or_add(std::uint32_t prefix, std::int32_t term, bool& is_new);
  // Asks for the memory that find_or_add will read.
  void prefetch(std::uint32_t prefix, std::int32_t term) const {
    __builtin_prefetch(&slots_[place(key_of(prefix, term))], 1);
  }
  // The terms of a gram, first to last.
  void terms_of(std::uint32_t prefix, std::vector<std::int32_t>& terms) const;
  void clear();

 private:
  static constexpr std::size_t first_slots = 1024;
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  static std::uint64_t key_of(std::uint32_t prefix, std::int32_t term) {
    return std::uint64_t{prefix} << 32 | static_cast<std::uint32_t>(term);
  }
  std::size_t place(std::uint64_t key) const {
    return detail::mix(key ^ 0x9E3779B97F4A7C15u, 0xD1B54A32D192ED03u) & (slots_.size() - 1);
  }
  void grow();

  std::vector<Gram> slots_;
  std::vector<std::uint64_t> keys_;  // of each gram, by id
};

}  // namespace credence::text

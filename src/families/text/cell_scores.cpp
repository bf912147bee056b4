// SPDX-License-Identifier: Apache-2.0
#include "families/text/cell_scores.hpp"

#include <algorithm>
#include <bit>

namespace credence {

// no_place where the list is full.
std::uint32_t CellScores::place_of(double correction) {
  constexpr std::uint32_t slot_bits = place_bits + 1;
  if (slots_.empty()) slots_.assign(std::size_t{1} << slot_bits, no_place);
  const auto bits = std::bit_cast<std::uint64_t>(correction);
  auto slot = static_cast<std::size_t>(bits * 0x9E3779B97F4A7C15u >> (64 - slot_bits));
  for (;; slot = (slot + 1) & (slots_.size() - 1)) {
    if (slots_[slot] == no_place) break;
    if (std::bit_cast<std::uint64_t>(listed_[slots_[slot]]) == bits) return slots_[slot];
  }
  if (listed_.size() > place_mask) return no_place;
  listed_.push_back(correction);
  return slots_[slot] = static_cast<std::uint32_t>(listed_.size() - 1);
}

void CellScores::widen() {
  wide_.reserve(std::max(packed_.capacity(), packed_.size() + 1));
  for (std::size_t k = 0; k < packed_.size(); ++k) wide_.push_back({correction(k), cls(k)});
  is_packed_ = false;
  packed_ = {};
  listed_ = {};
  slots_ = {};
}

void CellScores::push_back(std::uint32_t cls, double correction) {
  if (is_packed_) {
    const std::uint32_t place = cls < most_classes ? place_of(correction) : no_place;
    if (place != no_place) {
      packed_.push_back(cls << place_bits | place);
      return;
    }
    widen();
  }
  wide_.push_back({correction, cls});
}

}  // namespace credence

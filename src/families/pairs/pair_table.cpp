// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/pair_table.hpp"

#include <algorithm>
#include <utility>

namespace credence {

std::size_t PairIndex::slot_of(std::uint64_t key) const {
  std::uint64_t mixed = key * 0x9E3779B97F4A7C15u;
  mixed ^= mixed >> 32;
  std::size_t slot = mixed & (slots_.size() - 1);
  while (slots_[slot] != 0 && keys_[slots_[slot] - 1] != key)
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

std::size_t PairIndex::find(std::size_t first, std::size_t second) const {
  if (slots_.empty()) return npos;
  const std::uint32_t number = slots_[slot_of(key(first, second))];
  return number == 0 ? npos : number - 1;
}

std::size_t PairIndex::insert(std::size_t first, std::size_t second) {
  if (2 * keys_.size() >= slots_.size()) grow();
  auto& number = slots_[slot_of(key(first, second))];
  if (number == 0) {
    keys_.push_back(key(first, second));
    number = static_cast<std::uint32_t>(keys_.size());
  }
  return number - 1;
}

void PairIndex::grow() {
  slots_.assign(slots_.empty() ? 16 : 4 * slots_.size(), 0);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    slots_[slot_of(keys_[i])] = static_cast<std::uint32_t>(i + 1);
  }
}

std::size_t PairTable::cell(std::size_t first, std::size_t second) {
  const std::size_t result = index_.insert(first, second);
  if (result * classes_ == counts_.size()) counts_.resize(counts_.size() + classes_);
  return result;
}

void PairTable::rearrange_classes(std::span<const std::size_t> from) {
  std::vector<std::size_t> places;
  places.reserve(cells() * from.size());
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    for (const auto c : from) {
      places.push_back(c == ExactSums::npos ? ExactSums::npos : cell * classes_ + c);
    }
  }
  counts_.rearrange(places);
  classes_ = from.size();
}

void PairTable::rearrange_values(std::span<const std::size_t> first,
                                 std::span<const std::size_t> second) {
  std::vector<std::size_t> order;
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    bool empty = true;
    for (std::size_t c = 0; c < classes_; ++c) empty = empty && (*this)(cell, c) == 0;
    if (!empty) order.push_back(cell);
  }
  const auto key = [&](std::size_t cell) {
    return std::pair(first[index_.first(cell)], second[index_.second(cell)]);
  };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
  PairIndex sorted;
  std::vector<std::size_t> places;
  for (const auto cell : order) {
    sorted.insert(key(cell).first, key(cell).second);
    for (std::size_t c = 0; c < classes_; ++c) places.push_back(cell * classes_ + c);
  }
  index_ = std::move(sorted);
  counts_.rearrange(places);
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "core/interner.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "credence/error.hpp"

namespace credence {

std::vector<std::string> ByteStrings::to_vector() const {
  std::vector<std::string> result;
  result.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) result.emplace_back((*this)[i]);
  return result;
}

void ByteStrings::clear() {
  bytes_.clear();
  ends_.assign(1, 0);
}

StringIndex::StringIndex(const ByteStrings& strings)
    : slots_(std::max(first_slots, std::bit_ceil(strings.size() * 3 / 2 + 1))) {
  // The slots are larger than the processor's caches: each is fetched some strings ahead.
  constexpr std::size_t ahead = 16;
  std::array<HashedBytes, ahead> hashes;
  for (std::size_t next = 0; next < strings.size() + ahead; ++next) {
    if (next >= ahead) {
      const auto& bytes = hashes[next % ahead];
      fill({bytes.head, bytes.tail, tag_of(bytes), static_cast<std::int32_t>(next - ahead)});
    }
    if (next >= strings.size()) continue;
    hashes[next % ahead] = hash(strings[next]);
    prefetch(hashes[next % ahead]);
  }
}

// Some at a time go through each step together: what a step reads was asked for in the one before.
std::vector<std::int32_t> StringIndex::find_all(const std::vector<std::string>& wanted,
                                                const ByteStrings& strings) const {
  constexpr std::size_t together = 64;
  std::array<HashedBytes, together> hashes;
  std::vector<std::int32_t> numbers(wanted.size());
  for (std::size_t begin = 0; begin < wanted.size(); begin += together) {
    const std::size_t many = std::min(together, wanted.size() - begin);
    for (std::size_t i = 0; i < many; ++i) {
      hashes[i] = hash(wanted[begin + i]);
      prefetch(hashes[i]);
    }
    for (std::size_t i = 0; i < many; ++i) numbers[begin + i] = find(hashes[i], strings);
  }
  return numbers;
}

void StringIndex::fill(const Slot& slot) {
  std::size_t i = place(slot.tag);
  while (slots_[i].id >= 0) i = (i + 1) & (slots_.size() - 1);
  slots_[i] = slot;
}

void StringIndex::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.id >= 0) fill(slot);
  }
}

bool StringIndex::wipe(std::size_t strings) {
  if (slots_.size() > first_slots && 16 * strings < slots_.size()) {
    slots_ = std::vector<Slot>(first_slots);
    return false;
  }
  slots_.assign(slots_.size(), Slot{});
  return true;
}

void Interner::clear() {
  if (index_.wipe(size())) {
    strings_.clear();
  } else {
    strings_ = ByteStrings();
  }
}

std::int32_t Interner::add(std::string_view text) {
  if (size() >= std::size_t{std::numeric_limits<std::int32_t>::max()} / 4) {
    throw Error(ErrorKind::data, "more than half a billion distinct words");
  }
  strings_.add(text);
  return static_cast<std::int32_t>(size() - 1);
}

}  // namespace credence

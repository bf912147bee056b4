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

Interner::Interner(ByteStrings strings) : strings_(std::move(strings)) {
  slots_.resize(std::max(first_slots, std::bit_ceil(strings_.size() * 3 / 2 + 1)));
  // The slots are larger than the processor's caches: each is fetched some strings ahead.
  constexpr std::size_t ahead = 16;
  std::array<HashedBytes, ahead> hashes;
  for (std::size_t next = 0; next < strings_.size() + ahead; ++next) {
    if (next >= ahead) fill(hashes[next % ahead], next - ahead);
    if (next >= strings_.size()) continue;
    hashes[next % ahead] = hash(strings_[next]);
    prefetch(hashes[next % ahead]);
  }
}

void Interner::fill(const HashedBytes& bytes, std::size_t id) {
  const std::uint32_t tag = tag_of(bytes);
  std::size_t i = place(tag);
  while (slots_[i].id >= 0) i = (i + 1) & (slots_.size() - 1);
  slots_[i] = {bytes.head, tag, static_cast<std::int32_t>(id)};
}

void Interner::clear() {
  if (slots_.size() > first_slots && 16 * size() < slots_.size()) {
    // Where few were used, wiping all would take longer than growing again.
    slots_ = std::vector<Slot>(first_slots);
    strings_ = ByteStrings();
    return;
  }
  slots_.assign(slots_.size(), Slot{});
  strings_.clear();
}

std::int32_t Interner::insert(const HashedBytes& bytes, std::uint32_t tag, std::size_t slot) {
  if (size() >= std::size_t{std::numeric_limits<std::int32_t>::max()} / 4) {
    throw Error(ErrorKind::data, "more than half a billion distinct words");
  }
  const auto id = static_cast<std::int32_t>(size());
  strings_.add(bytes.view());
  slots_[slot] = {bytes.head, tag, id};
  if (3 * size() > 2 * slots_.size()) grow();
  return id;
}

void Interner::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.id < 0) continue;
    std::size_t i = place(slot.tag);
    while (slots_[i].id >= 0) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
  }
}

}  // namespace credence

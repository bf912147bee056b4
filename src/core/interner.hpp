// SPDX-License-Identifier: Apache-2.0
// Distinct byte strings, numbered from 0 in order of first occurrence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hash.hpp"

namespace credence {

// Strings one behind the other in one piece of memory.
class ByteStrings {
 public:
  ByteStrings() = default;
  // ends: a 0, then where each string ends, ascending up to the last byte.
  ByteStrings(std::vector<char> bytes, std::vector<std::size_t> ends)
      : bytes_(std::move(bytes)), ends_(std::move(ends)) {}

  void reserve(std::size_t strings, std::size_t bytes) {
    bytes_.reserve(bytes);
    ends_.reserve(strings + 1);
  }
  void add(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    ends_.push_back(bytes_.size());
  }
  std::size_t size() const { return ends_.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return {bytes_.data() + ends_[i], ends_[i + 1] - ends_[i]};
  }
  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }
  const std::vector<std::size_t>& ends() const { return ends_; }
  std::vector<std::string> to_vector() const;
  void clear();

 private:
  std::vector<char> bytes_;
  std::vector<std::size_t> ends_{0};
};

// Open addressing with linear probing, at most two thirds full. A slot has the head of its string,
// so that strings of up to eight bytes, most words, are found without a look at the strings
// themselves. A string read from outside is checked to hold no NUL before it comes here.
class Interner {
 public:
  Interner() : slots_(first_slots) {}
  // Of strings that are all different, numbered as they are.
  explicit Interner(ByteStrings strings);

  // The string's number. No string may hold a NUL.
  std::int32_t operator()(const HashedBytes& bytes) {
    const std::uint32_t tag = tag_of(bytes);
    for (std::size_t i = place(tag);; i = (i + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[i];
      if (slot.head == bytes.head && slot.tag == tag && same_tail(slot, bytes)) return slot.id;
      if (slot.id < 0) return insert(bytes, tag, i);
    }
  }
  std::int32_t operator()(std::string_view text) { return (*this)(hash(text)); }

  // The same without adding it: -1 when it is not there.
  std::int32_t find(const HashedBytes& bytes) const {
    const std::uint32_t tag = tag_of(bytes);
    for (std::size_t i = place(tag);; i = (i + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[i];
      if (slot.head == bytes.head && slot.tag == tag && same_tail(slot, bytes)) return slot.id;
      if (slot.id < 0) return -1;
    }
  }

  // Asks for the memory that looking these bytes up will read.
  void prefetch(const HashedBytes& bytes) const {
    __builtin_prefetch(&slots_[place(tag_of(bytes))], 1);
  }

  // The same once more, when that has arrived: what tells longer strings apart.
  void prefetch_tail(const HashedBytes& bytes) const {
    if (bytes.size <= 8) return;
    const Slot& slot = slots_[place(tag_of(bytes))];
    if (slot.id >= 0) __builtin_prefetch(strings_[static_cast<std::size_t>(slot.id)].data());
  }

  const ByteStrings& strings() const { return strings_; }
  std::size_t size() const { return strings_.size(); }
  void clear();

 private:
  static constexpr std::size_t first_slots = 1024;
  struct Slot {
    std::uint64_t head = 0;  // no string has an empty head, so an empty slot matches none
    std::uint32_t tag = 0;   // 31 bits of the hash, and whether there is more than the head
    std::int32_t id = -1;
  };

  static std::uint32_t tag_of(const HashedBytes& bytes) {
    return (static_cast<std::uint32_t>(bytes.hash >> 32) & ~1u) | (bytes.size > 8 ? 1u : 0u);
  }
  std::size_t place(std::uint32_t tag) const { return (tag >> 1) & (slots_.size() - 1); }
  bool same_tail(const Slot& slot, const HashedBytes& bytes) const {
    if (bytes.size <= 8) return true;
    return strings_[static_cast<std::size_t>(slot.id)] == bytes.view();
  }
  void fill(const HashedBytes& bytes, std::size_t id);
  std::int32_t insert(const HashedBytes& bytes, std::uint32_t tag, std::size_t slot);
  void grow();

  std::vector<Slot> slots_;
  ByteStrings strings_;
};

}  // namespace credence

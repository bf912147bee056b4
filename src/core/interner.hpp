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

// Where strings that are kept elsewhere stand, all of them different. Open addressing with linear
// probing, at most two thirds full. A slot has the head and the tail of its string, so that strings
// of up to sixteen bytes, nearly all words, are found without a look at the strings themselves. No
// string may hold a NUL: one read from outside is checked before it comes here.
class StringIndex {
 public:
  StringIndex() : slots_(first_slots) {}
  explicit StringIndex(const ByteStrings& strings);

  // The string's number: -1 when it is not there.
  std::int32_t find(const HashedBytes& bytes, const ByteStrings& strings) const {
    return slots_[slot_of(bytes, strings)].id;
  }

  // Those of many strings.
  std::vector<std::int32_t> find_all(const std::vector<std::string>& wanted,
                                     const ByteStrings& strings) const;

  // The same, and if it is not there add() makes it so: it is called once, and gives the number.
  template <typename Add>
  std::int32_t find_or_add(const HashedBytes& bytes, const ByteStrings& strings, const Add& add) {
    const std::size_t slot = slot_of(bytes, strings);
    if (slots_[slot].id >= 0) return slots_[slot].id;
    const std::int32_t id = add();
    slots_[slot] = {bytes.head, bytes.tail, tag_of(bytes), id};
    if (3 * strings.size() > 2 * slots_.size()) grow();
    return id;
  }

  // Asks for the memory that looking these bytes up will read.
  void prefetch(const HashedBytes& bytes) const {
    __builtin_prefetch(&slots_[place(tag_of(bytes))], 1);
  }

  // False where little was in use: wiping all would take longer than growing again.
  bool wipe(std::size_t strings);

 private:
  static constexpr std::size_t first_slots = 1024;
  struct Slot {
    std::uint64_t head = 0;  // no string has an empty head, so an empty slot matches none
    std::uint64_t tail = 0;
    std::uint32_t tag = 0;  // 31 bits of the hash, and whether there is more than head and tail
    std::int32_t id = -1;
  };

  static std::uint32_t tag_of(const HashedBytes& bytes) {
    return (static_cast<std::uint32_t>(bytes.hash >> 32) & ~1u) | (bytes.is_long() ? 1u : 0u);
  }
  std::size_t place(std::uint32_t tag) const { return (tag >> 1) & (slots_.size() - 1); }
  // Its own or an empty one.
  std::size_t slot_of(const HashedBytes& bytes, const ByteStrings& strings) const {
    const std::uint32_t tag = tag_of(bytes);
    for (std::size_t i = place(tag);; i = (i + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[i];
      if (slot.head == bytes.head && slot.tail == bytes.tail && slot.tag == tag &&
          (!bytes.is_long() || strings[static_cast<std::size_t>(slot.id)] == bytes.view())) {
        return i;
      }
      if (slot.id < 0) return i;
    }
  }
  void fill(const Slot& slot);
  void grow();

  std::vector<Slot> slots_;
};

// Strings and their index.
class Interner {
 public:
  Interner() = default;
  // Of strings that are all different, numbered as they are.
  explicit Interner(ByteStrings strings) : index_(strings), strings_(std::move(strings)) {}

  // The string's number. No string may hold a NUL.
  std::int32_t operator()(const HashedBytes& bytes) {
    return index_.find_or_add(bytes, strings_, [&] { return add(bytes.view()); });
  }
  std::int32_t operator()(std::string_view text) { return (*this)(hash(text)); }

  // The same without adding it: -1 when it is not there.
  std::int32_t find(const HashedBytes& bytes) const { return index_.find(bytes, strings_); }

  void prefetch(const HashedBytes& bytes) const { index_.prefetch(bytes); }

  const ByteStrings& strings() const { return strings_; }
  std::size_t size() const { return strings_.size(); }
  void clear();

 private:
  std::int32_t add(std::string_view text);

  StringIndex index_;
  ByteStrings strings_;
};

}  // namespace credence

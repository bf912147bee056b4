// SPDX-License-Identifier: Apache-2.0
// JSON whose objects keep the order of their keys, and find one among a million at once: nlohmann's
// own ordered map looks at every key, which for 100,000 columns is the square of it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hash.hpp"

namespace credence {

// What nlohmann's basic_json asks of a map. Keys are texts.
template <class Key, class T, class IgnoredLess = std::less<Key>,
          class Allocator = std::allocator<std::pair<const Key, T>>>
class IndexedMap : public std::vector<std::pair<const Key, T>, Allocator> {
 public:
  using Entries = std::vector<std::pair<const Key, T>, Allocator>;
  using key_type = Key;
  using mapped_type = T;
  using key_compare = std::equal_to<>;
  using typename Entries::const_iterator;
  using typename Entries::iterator;
  using typename Entries::size_type;
  using typename Entries::value_type;

  IndexedMap() = default;
  template <class Iterator>
  IndexedMap(Iterator first, Iterator last) {
    insert(first, last);
  }

  std::pair<iterator, bool> emplace(std::string_view key, T&& value) {
    const size_type place = place_of(key);
    const bool is_new = place == this->size();
    if (is_new) {
      this->emplace_back(Key(key), std::move(value));
      index_last();
    }
    return {this->begin() + static_cast<std::ptrdiff_t>(place), is_new};
  }
  std::pair<iterator, bool> insert(const value_type& value) {
    return emplace(value.first, T(value.second));
  }
  template <class Iterator>
  void insert(Iterator first, Iterator last) {
    for (; first != last; ++first) emplace(first->first, T(first->second));
  }

  iterator find(std::string_view key) {
    return this->begin() + static_cast<std::ptrdiff_t>(place_of(key));
  }
  const_iterator find(std::string_view key) const {
    return this->begin() + static_cast<std::ptrdiff_t>(place_of(key));
  }
  size_type count(std::string_view key) const { return place_of(key) < this->size() ? 1 : 0; }
  T& operator[](std::string_view key) { return emplace(key, T()).first->second; }
  T& at(std::string_view key) { return Entries::at(place_of(key)).second; }
  const T& at(std::string_view key) const { return Entries::at(place_of(key)).second; }

  void clear() {
    Entries::clear();
    slots_.clear();
  }
  iterator erase(const_iterator first, const_iterator last) {
    // A key cannot be moved, so what is kept is gathered anew.
    const auto begin = this->cbegin();
    const auto from = first - begin, to = last - begin;
    IndexedMap kept;
    for (std::ptrdiff_t i = 0; i < this->cend() - begin; ++i) {
      auto& entry = Entries::operator[](static_cast<size_type>(i));
      if (i < from || i >= to) kept.emplace(entry.first, std::move(entry.second));
    }
    *this = std::move(kept);
    return this->begin() + from;
  }
  iterator erase(const_iterator place) { return erase(place, place + 1); }
  size_type erase(std::string_view key) {
    const auto found = find(key);
    if (found == this->end()) return 0;
    erase(found);
    return 1;
  }

 private:
  static constexpr size_type few = 16;  // are looked through one by one

  const value_type& entry(size_type place) const { return Entries::operator[](place); }

  // That of the key, or one behind the last.
  size_type place_of(std::string_view key) const {
    if (slots_.empty()) {
      size_type place = 0;
      while (place < this->size() && entry(place).first != key) ++place;
      return place;
    }
    for (size_type slot = hash(key).hash;; ++slot) {
      const size_type place = slots_[slot & (slots_.size() - 1)];
      if (place == free || entry(place).first == key) return std::min(place, this->size());
    }
  }

  void index_last() {
    if (this->size() <= few) return;
    size_type first = this->size() - 1;
    if (2 * this->size() > slots_.size()) {
      slots_.assign(std::bit_ceil(4 * this->size()), free);
      first = 0;
    }
    for (size_type place = first; place < this->size(); ++place) {
      size_type slot = hash(entry(place).first).hash;
      while (slots_[slot & (slots_.size() - 1)] != free) ++slot;
      slots_[slot & (slots_.size() - 1)] = static_cast<std::uint32_t>(place);
    }
  }

  static constexpr std::uint32_t free = ~std::uint32_t{0};
  std::vector<std::uint32_t> slots_;  // by hash, the place of an entry; empty: they are few
};

using OrderedJson = nlohmann::basic_json<IndexedMap>;

}  // namespace credence

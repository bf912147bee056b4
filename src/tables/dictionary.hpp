// SPDX-License-Identifier: Apache-2.0
// Codes for words, in order of first appearance: an open-addressing table without deletion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hash.hpp"

namespace credence::data {

class Dictionary {
 public:
  // The code of the word and whether it is new. The caller keeps the words, so that a chunk's
  // dictionary needs no copy; every call must pass the same vector.
  std::pair<std::int32_t, bool> insert(std::string_view word, std::vector<std::string>& words) {
    return insert(hash(word), words);
  }
  std::pair<std::int32_t, bool> insert(const HashedBytes& bytes, std::vector<std::string>& words) {
    std::size_t at = bytes.hash & mask();
    for (; cells_[at].code >= 0; at = (at + 1) & mask()) {
      if (same(cells_[at], bytes, words)) return {cells_[at].code, false};
    }
    const auto code = static_cast<std::int32_t>(words.size());
    words.emplace_back(bytes.view());
    cells_[at] = cell_of(bytes, code);
    if (words.size() * 2 > cells_.size()) grow(words);
    return {code, true};
  }

 private:
  // A short word is all in its cell; of a long one the two ends are.
  struct Cell {
    std::uint64_t head = 0, tail = 0;
    std::uint32_t size = 0;
    std::int32_t code = -1;
  };

  static Cell cell_of(const HashedBytes& bytes, std::int32_t code) {
    return {bytes.head, bytes.tail, static_cast<std::uint32_t>(bytes.size), code};
  }

  static bool same(const Cell& cell, const HashedBytes& bytes,
                   const std::vector<std::string>& words) {
    if (cell.head != bytes.head || cell.tail != bytes.tail || cell.size != bytes.size) return false;
    return !bytes.is_long() || words[static_cast<std::size_t>(cell.code)] == bytes.view();
  }

  std::size_t mask() const { return cells_.size() - 1; }

  void grow(const std::vector<std::string>& words) {
    cells_.assign(cells_.size() * 2, {});
    for (std::size_t code = 0; code < words.size(); ++code) {
      const HashedBytes bytes = hash(words[code]);
      std::size_t at = bytes.hash & mask();
      while (cells_[at].code >= 0) at = (at + 1) & mask();
      cells_[at] = cell_of(bytes, static_cast<std::int32_t>(code));
    }
  }

  std::vector<Cell> cells_ = std::vector<Cell>(64);
};

}  // namespace credence::data

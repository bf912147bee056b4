// SPDX-License-Identifier: Apache-2.0
// Codes for words, in order of first appearance: an open-addressing table without deletion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace credence::data {

class Dictionary {
 public:
  // The code of the word and whether it is new. The caller keeps the words, so that a chunk's
  // dictionary needs no copy; every call must pass the same vector.
  std::pair<std::int32_t, bool> insert(std::string_view word, std::vector<std::string>& words) {
    const std::size_t hash = std::hash<std::string_view>{}(word);
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    std::size_t at = hash & mask();
    for (; cells_[at].code >= 0; at = (at + 1) & mask()) {
      const Cell& cell = cells_[at];
      if (cell.tag == tag && same(words[static_cast<std::size_t>(cell.code)], word)) {
        return {cell.code, false};
      }
    }
    const auto code = static_cast<std::int32_t>(words.size());
    words.emplace_back(word);
    cells_[at] = {tag, code};
    if (words.size() * 2 > cells_.size()) grow(words);
    return {code, true};
  }

 private:
  struct Cell {
    std::uint32_t tag = 0;
    std::int32_t code = -1;
  };

  // Written out, as the comparison of the standard library is not always inlined.
  static bool same(const std::string& a, std::string_view b) {
    return a.size() == b.size() &&
           std::char_traits<char>::compare(a.data(), b.data(), b.size()) == 0;
  }

  std::size_t mask() const { return cells_.size() - 1; }

  void grow(const std::vector<std::string>& words) {
    std::vector<Cell> larger(cells_.size() * 2);
    cells_.swap(larger);
    for (std::size_t code = 0; code < words.size(); ++code) {
      const std::size_t hash = std::hash<std::string_view>{}(words[code]);
      std::size_t at = hash & mask();
      while (cells_[at].code >= 0) at = (at + 1) & mask();
      cells_[at] = {static_cast<std::uint32_t>(hash >> 32), static_cast<std::int32_t>(code)};
    }
  }

  std::vector<Cell> cells_ = std::vector<Cell>(64);
};

}  // namespace credence::data

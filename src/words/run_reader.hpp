// SPDX-License-Identifier: Apache-2.0
// The words of a stretch of text that is not all ASCII, code point by code point.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "words/characters.hpp"
#include "words/options.hpp"

namespace credence::text {

class RunReader {
 public:
  // What next() found.
  enum class Found { end, word, overlong };

  RunReader(TokenPattern pattern, bool fold) : pattern_(pattern), fold_(fold) {}

  // Valid UTF-8, with no word character, and nothing that is read as none, on either side.
  void start(std::string_view run) {
    at_ = run.data();
    end_ = run.data() + run.size();
  }
  Found next();
  // The word found. At least eight bytes from its beginning can be read.
  std::string_view word() const { return {folded_.data(), size_}; }
  // What it was found in, from its first character to its last.
  std::string_view source() const { return {first_, static_cast<std::size_t>(last_ - first_)}; }

 private:
  // Folding makes no word shorter than a third of what it was (the Kelvin sign becomes a k, three
  // parts of Korean a syllable): what is longer than this needs no folding to be too long.
  static constexpr std::size_t longest_unfolded = 4 * TokenOptions::longest;

  Found finish();

  bool joins(std::uint32_t point) const;

  TokenPattern pattern_;
  bool fold_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  const char* first_ = nullptr;
  const char* last_ = nullptr;  // behind the word
  Folder folder_;
  bool alone_ = true;         // every character of the word so far folds alone
  std::size_t raw_size_ = 0;  // may exceed the room: the word is too long then
  std::size_t size_ = 0;
  std::array<char, longest_unfolded + 8> raw_{};
  std::array<char, longest_unfolded + 8> folded_{};
};

}  // namespace credence::text

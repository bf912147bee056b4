// SPDX-License-Identifier: Apache-2.0
// What a code point is to the tokeniser, and how it folds: a table made from utf8proc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace credence::text {

enum class Role : std::uint8_t {
  separator,
  word,       // a letter, mark, digit or other number, or "_"
  joiner,     // @ . - ' and U+2019: of the word when word characters are on both sides
  ignorable,  // read as if it were not there
};

class Characters {
 public:
  struct Entry {
    Role role;
    // Folding this character alone, as `folded`, is folding it in its word: it folds to one code
    // point that never composes with what comes before it.
    bool alone;
    std::uint16_t folded;
  };

  // Made at first use, in about a millisecond.
  static const Characters& table();

  Entry operator[](std::uint32_t point) const {
    if (point < basic_.size()) return basic_[point];
    return {role(point), false, 0};
  }

  static Role role(std::uint32_t point);

 private:
  Characters();
  std::vector<Entry> basic_;  // the basic multilingual plane
};

// Full case folding, then NFC. Room for the intermediate code points is kept between calls.
class Folder {
 public:
  // Good until the next call.
  std::string_view operator()(std::string_view utf8);

 private:
  std::vector<std::int32_t> points_;
};

}  // namespace credence::text

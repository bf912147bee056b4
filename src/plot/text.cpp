// SPDX-License-Identifier: Apache-2.0
#include "plot/text.hpp"

#include <cstdint>

namespace credence::plot {
namespace {

// The length of the valid UTF-8 sequence that starts here; 0: there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) {
      clean += "\uFFFD";
    } else if (length == 1 && (text[0] < ' ' || text[0] == 0x7F)) {
      clean += ' ';
    } else {
      clean += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return clean;
}

std::string shortened(std::string_view text, const std::function<bool(const std::string&)>& fits) {
  const std::string whole = clean_text(text);
  if (fits(whole)) return whole;
  std::size_t low = 0, high = whole.size();  // the beginning of `low` bytes fits, `high` does not
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (fits(whole.substr(0, middle) + "…") ? low : high) = middle;
  }
  // Not in the middle of a character, and no space before the dots.
  while (low > 0 && (static_cast<unsigned char>(whole[low]) & 0xC0) == 0x80) --low;
  while (low > 0 && whole[low - 1] == ' ') --low;
  return whole.substr(0, low) + "…";
}

}  // namespace credence::plot

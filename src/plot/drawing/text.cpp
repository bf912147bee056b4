// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/text.hpp"

#include "core/utf8.hpp"

namespace credence::plot {

std::string clean_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
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

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : clean_text(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
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

// SPDX-License-Identifier: Apache-2.0
#include "text/newsgroup.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "text/charset.hpp"

namespace credence::text {
namespace {

// The character set of Python's str.strip().
bool python_space(std::uint32_t c) {
  return (c >= 9 && c <= 13) || (c >= 28 && c <= 32) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

// The code of one UTF-8 character of at most three bytes; no space is longer.
std::uint32_t code(std::string_view c) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(c[i]) & 0xFF; };
  if (c.size() == 1) return byte(0);
  if (c.size() == 2) return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
  if (c.size() == 3) return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  return 0x10FFFF;
}

std::string_view python_strip(std::string_view text) {
  while (const std::size_t length = utf8_length(text, 0)) {
    if (!python_space(code(text.substr(0, length)))) break;
    text.remove_prefix(length);
  }
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (text[start] & 0xC0) == 0x80 && text.size() - start < 4) --start;
    if (utf8_length(text, start) != text.size() - start) break;
    if (!python_space(code(text.substr(start)))) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

bool introduces_or_is_quotation(std::string_view line) {
  constexpr std::array<std::string_view, 4> starts = {"In article", "Quoted from", "|", ">"};
  constexpr std::array<std::string_view, 5> phrases = {"writes in",
                                                       "writes:", "wrote:", "says:", "said:"};
  return std::ranges::any_of(starts, [&](auto start) { return line.starts_with(start); }) ||
         std::ranges::any_of(
             phrases, [&](auto phrase) { return line.find(phrase) != std::string_view::npos; });
}

}  // namespace

std::string strip_header(std::string_view text) {
  const auto blank_line = text.find("\n\n");
  return blank_line == std::string_view::npos ? std::string()
                                              : std::string(text.substr(blank_line + 2));
}

std::string strip_footer(std::string_view text) {
  const std::string_view body = python_strip(text);
  std::size_t end = body.size();
  while (true) {
    const auto newline = end == 0 ? std::string_view::npos : body.rfind('\n', end - 1);
    // Only the first line is left, and a footer does not begin there.
    if (newline == std::string_view::npos) return std::string(text);
    const std::string_view line = python_strip(body.substr(newline + 1, end - newline - 1));
    if (line.find_first_not_of('-') == std::string_view::npos) {
      return std::string(body.substr(0, newline));
    }
    end = newline;
  }
}

std::string strip_quotes(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  bool first = true;
  while (true) {
    const auto newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    if (!introduces_or_is_quotation(line)) {
      if (!first) kept += '\n';
      first = false;
      kept += line;
    }
    if (newline == std::string_view::npos) return kept;
    text.remove_prefix(newline + 1);
  }
}

}  // namespace credence::text

// SPDX-License-Identifier: Apache-2.0
#include "core/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace credence {
namespace {

bool commands_terminal(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x2028 || point == 0x2029 ||
         (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

void append_number(std::string& text, char kind, std::uint32_t number, int digits) {
  text.append("\\").push_back(kind);
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    text.push_back("0123456789abcdef"[number >> shift & 0xF]);
  }
}

// One character as printable() shows it.
void append_printable(std::string& result, std::string_view character) {
  const char* at = character.data();
  const auto point = decode_utf8(at);
  if (!commands_terminal(point)) {
    result.append(character);
  } else if (point == '\n' || point == '\r' || point == '\t') {
    result.append("\\").push_back(point == '\n' ? 'n' : point == '\r' ? 'r' : 't');
  } else if (point < 0x80) {
    append_number(result, 'x', point, 2);
  } else {
    append_number(result, 'u', point, 4);
  }
}

}  // namespace

std::string printable(std::string_view text, bool lines) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const char first = text.front();
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      append_number(result, 'x', static_cast<unsigned char>(first), 2);
    } else if (lines && (first == '\n' || first == '\t')) {
      result.push_back(first);
    } else {
      append_printable(result, text.substr(0, length));
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}
namespace {

// The place of the first byte from `at` on that is not ASCII, or the end.
std::size_t skip_ascii(std::string_view bytes, std::size_t at) {
  for (; at + 16 <= bytes.size(); at += 16) {
    std::uint64_t a, b;
    std::memcpy(&a, bytes.data() + at, 8);
    std::memcpy(&b, bytes.data() + at + 8, 8);
    if (((a | b) & 0x8080808080808080u) != 0) break;
  }
  while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
  return at;
}

}  // namespace

bool valid_utf8(std::string_view bytes) {
  std::size_t at = 0;
  while ((at = skip_ascii(bytes, at)) < bytes.size()) {
    // In text that is not ASCII the next character mostly is not either: stay until one is.
    do {
      const std::size_t length = utf8_length(bytes.substr(at));
      if (length == 0) return false;
      at += length;
    } while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) >= 0x80);
  }
  return true;
}

void append_utf8(std::string& text, std::uint32_t point) {
  if (point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) point = 0xFFFD;
  char encoded[4];
  text.append(encoded, encode_utf8(point, encoded));
}

std::string_view cut_utf8(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && !begins_code_point(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

std::uint32_t latin1_point(unsigned char byte) {
  // Windows-1252 from 0x80 on. The five bytes it leaves undefined stay control characters.
  static constexpr std::array<std::uint16_t, 32> windows_1252 = {
      0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
      0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
      0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};
  return byte >= 0x80 && byte < 0xA0 ? windows_1252[byte - 0x80u] : byte;
}

std::string latin1_to_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const std::size_t high = skip_ascii(bytes, at);
    text.append(bytes, at, high - at);
    at = high;
    if (at < bytes.size()) append_utf8(text, latin1_point(static_cast<unsigned char>(bytes[at])));
  }
  return text;
}

std::string to_utf8(std::string_view bytes) {
  std::string text;
  std::size_t copied = 0;  // everything before is in text
  std::size_t at = 0;
  while ((at = skip_ascii(bytes, at)) < bytes.size()) {
    if (const std::size_t length = utf8_length(bytes.substr(at))) {
      at += length;
      continue;
    }
    text.append(bytes, copied, at - copied);
    append_utf8(text, latin1_point(static_cast<unsigned char>(bytes[at])));
    copied = ++at;
  }
  return text.append(bytes, copied);
}

std::string_view as_utf8(std::string_view document, std::string& buffer) {
  if (valid_utf8(document)) return document;
  buffer = latin1_to_utf8(document);
  return buffer;
}

std::string_view without_utf16(std::string_view document, std::string& buffer) {
  const bool little = document.starts_with("\xFF\xFE"), big = document.starts_with("\xFE\xFF");
  const bool utf32 = document.starts_with(std::string_view("\xFF\xFE\0\0", 4));
  if ((!little && !big) || utf32) return document;
  const auto unit = [&](std::size_t at) -> std::uint32_t {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(document[i]); };
    return little ? byte(at) | byte(at + 1) << 8u : byte(at) << 8u | byte(at + 1);
  };
  buffer.clear();
  buffer.reserve(document.size());
  constexpr std::uint32_t no_character = 0xFFFD;
  std::size_t at = 2;
  while (at + 1 < document.size()) {
    std::uint32_t point = unit(at);
    at += 2;
    if (point >= 0xD800 && point < 0xDC00 && at + 1 < document.size()) {
      const std::uint32_t low = unit(at);
      if (low >= 0xDC00 && low < 0xE000) {
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
        at += 2;
      }
    }
    append_utf8(buffer, point);
  }
  if (at < document.size()) append_utf8(buffer, no_character);
  return buffer;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "text/encoding.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include "text/utf8.hpp"

namespace credence::text {

std::uint32_t windows_1252(unsigned char byte) {
  // From 0x80 on. The five bytes it leaves undefined stay control characters.
  static constexpr std::array<std::uint16_t, 32> points = {
      0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
      0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
      0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};
  return byte >= 0x80 && byte < 0xA0 ? points[byte - 0x80u] : byte;
}

namespace {

// The first byte that is not ASCII, or the end.
const unsigned char* skip_ascii(const unsigned char* at, const unsigned char* end) {
  while (end - at >= 16) {
    std::uint64_t a, b;
    std::memcpy(&a, at, 8);
    std::memcpy(&b, at + 8, 8);
    if (((a | b) & 0x8080808080808080u) != 0) break;
    at += 16;
  }
  while (at < end && *at < 0x80) ++at;
  return at;
}

}  // namespace

bool valid_utf8(std::string_view bytes) {
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto* const end = at + bytes.size();
  const auto continues = [](unsigned char byte) { return (byte & 0xC0) == 0x80; };
  while ((at = skip_ascii(at, end)) < end) {
    // In text that is not ASCII the next character mostly is not either: stay until one is.
    do {
      const unsigned lead = *at;
      const auto left = end - at;
      if (lead < 0xE0) {
        if (lead < 0xC2 || left < 2 || !continues(at[1])) return false;
        at += 2;
      } else if (lead < 0xF0) {
        if (left < 3 || !continues(at[1]) || !continues(at[2])) return false;
        if (lead == 0xE0 && at[1] < 0xA0) return false;   // overlong
        if (lead == 0xED && at[1] >= 0xA0) return false;  // surrogate
        at += 3;
      } else {
        if (lead > 0xF4 || left < 4 || !continues(at[1]) || !continues(at[2]) || !continues(at[3]))
          return false;
        if (lead == 0xF0 && at[1] < 0x90) return false;   // overlong
        if (lead == 0xF4 && at[1] >= 0x90) return false;  // above U+10FFFF
        at += 4;
      }
    } while (at < end && *at >= 0x80);
  }
  return true;
}

std::string latin1_to_utf8(std::string_view bytes) {
  std::string result;
  result.reserve(bytes.size() + bytes.size() / 8);
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto* const end = at + bytes.size();
  while (at < end) {
    const auto* const high = skip_ascii(at, end);
    result.append(reinterpret_cast<const char*>(at), static_cast<std::size_t>(high - at));
    for (at = high; at < end && *at >= 0x80; ++at) {
      char encoded[4];
      const std::uint32_t point = windows_1252(*at);
      result.append(encoded, encode_utf8(point, encoded));
    }
  }
  return result;
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
  constexpr std::uint32_t replacement = 0xFFFD;
  std::size_t at = 2;
  while (at + 1 < document.size()) {
    std::uint32_t point = unit(at);
    at += 2;
    if (point >= 0xD800 && point < 0xE000) {
      const std::uint32_t low = point < 0xDC00 && at + 1 < document.size() ? unit(at) : 0;
      const bool pair = low >= 0xDC00 && low < 0xE000;
      point = pair ? 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00) : replacement;
      if (pair) at += 2;
    }
    char encoded[4];
    buffer.append(encoded, encode_utf8(point, encoded));
  }
  char encoded[4];
  if (at < document.size()) buffer.append(encoded, encode_utf8(replacement, encoded));
  return buffer;
}

}  // namespace credence::text

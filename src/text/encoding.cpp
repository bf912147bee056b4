// SPDX-License-Identifier: Apache-2.0
#include "text/encoding.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include "text/utf8.hpp"

namespace credence::text {
namespace {

// Windows-1252 from 0x80 on. The five bytes it leaves undefined stay control characters.
constexpr std::array<std::uint16_t, 32> windows_1252 = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

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
      const std::uint32_t point = *at < 0xA0 ? windows_1252[*at - 0x80] : *at;
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

}  // namespace credence::text

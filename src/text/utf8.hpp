// SPDX-License-Identifier: Apache-2.0
// Code points in and out of UTF-8 that is known to be valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace credence::text {

// The code point at `at`, which is moved behind it.
inline std::uint32_t decode_utf8(const char*& at) {
  const auto byte = [&](int i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(at[i]));
  };
  const std::uint32_t lead = byte(0);
  std::uint32_t point = lead;
  if (lead < 0x80) {
    at += 1;
  } else if (lead < 0xE0) {
    point = (lead & 0x1F) << 6 | (byte(1) & 0x3F);
    at += 2;
  } else if (lead < 0xF0) {
    point = (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    at += 3;
  } else {
    point = (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    at += 4;
  }
  return point;
}

// Writes one to four bytes, and says how many.
inline std::size_t encode_utf8(std::uint32_t point, char* out) {
  if (point < 0x80) {
    out[0] = static_cast<char>(point);
    return 1;
  }
  if (point < 0x800) {
    out[0] = static_cast<char>(0xC0 | point >> 6);
    out[1] = static_cast<char>(0x80 | (point & 0x3F));
    return 2;
  }
  if (point < 0x10000) {
    out[0] = static_cast<char>(0xE0 | point >> 12);
    out[1] = static_cast<char>(0x80 | (point >> 6 & 0x3F));
    out[2] = static_cast<char>(0x80 | (point & 0x3F));
    return 3;
  }
  out[0] = static_cast<char>(0xF0 | point >> 18);
  out[1] = static_cast<char>(0x80 | (point >> 12 & 0x3F));
  out[2] = static_cast<char>(0x80 | (point >> 6 & 0x3F));
  out[3] = static_cast<char>(0x80 | (point & 0x3F));
  return 4;
}

inline bool begins_code_point(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

inline std::size_t count_code_points(std::string_view utf8) {
  std::size_t count = 0;
  for (const char byte : utf8) count += begins_code_point(byte) ? 1 : 0;
  return count;
}

}  // namespace credence::text

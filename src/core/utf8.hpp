// SPDX-License-Identifier: Apache-2.0
// UTF-8: which bytes are it, code points in and out of it, and other bytes as it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace credence {

// The length of the character at the front of bytes that are not empty; 0: there is none. Strict:
// no surrogates, no overlong forms, nothing above U+10FFFF.
inline std::size_t utf8_length(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const auto continues = [&](std::size_t i) {
    return i < bytes.size() && (byte(i) & 0xC0) == 0x80;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4 || !continues(1)) return 0;
  if (lead < 0xE0) return 2;
  const unsigned second = byte(1);
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
      (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F) || !continues(2)) {
    return 0;
  }
  if (lead < 0xF0) return 3;
  return continues(3) ? 4 : 0;
}

bool valid_utf8(std::string_view bytes);

// The text as a terminal may be shown it, in UTF-8: what would command it, or turn the order of
// what is read, and bytes that are no text are told by their numbers (\x1b, \u202e). All in one
// line, unless ends of lines and tabs are to stay.
std::string printable(std::string_view text, bool lines = false);

// The code point at `at`, in valid UTF-8; `at` is moved behind it.
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

// U+FFFD for what is no character: a surrogate, or beyond U+10FFFF.
void append_utf8(std::string& text, std::uint32_t point);

inline bool begins_code_point(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

inline std::size_t count_code_points(std::string_view utf8) {
  std::size_t count = 0;
  for (const char byte : utf8) count += begins_code_point(byte) ? 1 : 0;
  return count;
}

// The longest beginning of at most `bytes` bytes that ends between two characters.
std::string_view cut_utf8(std::string_view text, std::size_t bytes);

// The code point of a byte of Latin-1. 0x80 to 0x9F are read as Windows-1252 where it defines them,
// as browsers do: text labelled Latin-1 that uses them is nearly always that.
std::uint32_t latin1_point(unsigned char byte);
std::string latin1_to_utf8(std::string_view bytes);

// Valid UTF-8 stays as it is; every other byte is taken as Latin-1. So mislabelled Latin-1 reads
// right, and one broken character spoils nothing else.
std::string to_utf8(std::string_view bytes);

// The document itself when it is valid UTF-8, else its Latin-1 reading, which is put in buffer.
std::string_view as_utf8(std::string_view document, std::string& buffer);

// A document that begins with the byte order mark of UTF-16, as some programs on Windows write it,
// as UTF-8, which is put in buffer; any other as it is. What is no character becomes U+FFFD.
std::string_view without_utf16(std::string_view document, std::string& buffer);

}  // namespace credence

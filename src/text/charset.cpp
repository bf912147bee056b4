// SPDX-License-Identifier: Apache-2.0
#include "text/charset.hpp"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace credence::text {
namespace {

bool continues(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// Where the run of ASCII that starts here ends.
std::size_t end_of_ascii(std::string_view bytes, std::size_t at) {
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    if (word & 0x8080808080808080U) break;
  }
  while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
  return at;
}

std::string from_latin1(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) append_utf8(text, static_cast<unsigned char>(c));
  return text;
}

std::string lower_name(std::string_view charset) {
  std::string name;
  for (const char c : charset) name += (c >= 'A' && c <= 'Z') ? static_cast<char>(c + 32) : c;
  return name;
}

// iconv_open takes options after slashes, and an empty name as the locale's: neither is for
// senders to choose. "internal" and "wchar_t" are memory layouts, not character sets.
bool may_be_opened(std::string_view name) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789-_.:+()";
  return !name.empty() && name.size() <= 40 &&
         name.find_first_not_of(allowed) == std::string_view::npos && name != "wchar_t" &&
         name.find("internal") == std::string_view::npos;
}

struct CloseIconv {
  void operator()(void* converter) const { iconv_close(converter); }
};
using Iconv = std::unique_ptr<void, CloseIconv>;

std::string convert(iconv_t converter, std::string_view bytes) {
  std::string text;
  std::array<char, 4096> buffer;
  // iconv reads only; its parameter lacks the const.
  char* in = const_cast<char*>(bytes.data());
  std::size_t left = bytes.size();
  const auto step = [&](char** from, std::size_t* size) {
    char* out = buffer.data();
    std::size_t room = buffer.size();
    errno = 0;
    const std::size_t result = iconv(converter, from, size, &out, &room);
    text.append(buffer.data(), static_cast<std::size_t>(out - buffer.data()));
    return result == static_cast<std::size_t>(-1) ? errno : 0;
  };
  while (left > 0) {
    const int problem = step(&in, &left);
    if (problem == E2BIG || left == 0) continue;
    // Not of this character set, or cut off in the middle.
    append_utf8(text, static_cast<unsigned char>(*in));
    ++in;
    --left;
  }
  step(nullptr, nullptr);
  return to_utf8(text);
}

}  // namespace

std::size_t utf8_length(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
  };
  const unsigned first = byte(at);
  const unsigned second = byte(at + 1);
  if (first < 0x80) return at < bytes.size() ? 1 : 0;
  if (first < 0xC2 || first > 0xF4 || !continues(static_cast<unsigned char>(second))) return 0;
  if (first < 0xE0) return 2;
  // No overlong forms, no surrogates, nothing beyond U+10FFFF.
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
    return 0;
  }
  if (!continues(static_cast<unsigned char>(byte(at + 2)))) return 0;
  if (first < 0xF0) return 3;
  return continues(static_cast<unsigned char>(byte(at + 3))) ? 4 : 0;
}

void append_utf8(std::string& text, std::uint32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = 0xFFFD;
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xC0 | (c >> 6));
    add(0x80 | (c & 0x3F));
  } else {
    if (c < 0x10000) {
      add(0xE0 | (c >> 12));
    } else {
      add(0xF0 | (c >> 18));
      add(0x80 | ((c >> 12) & 0x3F));
    }
    add(0x80 | ((c >> 6) & 0x3F));
    add(0x80 | (c & 0x3F));
  }
}

std::string to_utf8(std::string_view bytes) {
  std::string text;
  std::size_t copied = 0;  // everything before is in text
  std::size_t at = 0;
  while ((at = end_of_ascii(bytes, at)) < bytes.size()) {
    if (const std::size_t length = utf8_length(bytes, at)) {
      at += length;
      continue;
    }
    text.append(bytes, copied, at - copied);
    append_utf8(text, static_cast<unsigned char>(bytes[at]));
    copied = ++at;
  }
  text.append(bytes, copied);
  return text;
}

std::string to_utf8(std::string_view bytes, std::string_view charset) {
  const std::string name = lower_name(charset);
  // What says ASCII and is not is UTF-8 or Latin-1 more often than anything else.
  if (name.empty() || name == "utf-8" || name == "utf8" || name == "us-ascii" || name == "ascii") {
    return to_utf8(bytes);
  }
  if (name == "iso-8859-1") return from_latin1(bytes);
  if (!may_be_opened(name)) return to_utf8(bytes);
  const iconv_t opened = iconv_open("UTF-8", name.c_str());
  if (opened == reinterpret_cast<iconv_t>(-1)) return to_utf8(bytes);
  const Iconv converter(opened);
  return convert(converter.get(), bytes);
}

std::string_view cut_utf8(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && continues(static_cast<unsigned char>(text[bytes]))) --bytes;
  return text.substr(0, bytes);
}

}  // namespace credence::text

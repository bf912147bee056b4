// SPDX-License-Identifier: Apache-2.0
#include "mail/charset.hpp"

#include <iconv.h>

#include <array>
#include <cerrno>
#include <memory>

#include "core/strings.hpp"

namespace credence::text {
namespace {

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
    append_utf8(text, latin1_point(static_cast<unsigned char>(*in)));
    ++in;
    --left;
  }
  step(nullptr, nullptr);
  return to_utf8(text);
}

}  // namespace

std::string to_utf8(std::string_view bytes, std::string_view charset) {
  const std::string name = ascii_lower(charset);
  // What says ASCII and is not is UTF-8 or Latin-1 more often than anything else.
  if (name.empty() || name == "utf-8" || name == "utf8" || name == "us-ascii" || name == "ascii") {
    return to_utf8(bytes);
  }
  for (const char* latin1 : {"iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1"}) {
    if (name == latin1) return latin1_to_utf8(bytes);
  }
  if (!may_be_opened(name)) return to_utf8(bytes);
  const iconv_t opened = iconv_open("UTF-8", name.c_str());
  if (opened == reinterpret_cast<iconv_t>(-1)) return to_utf8(bytes);
  const Iconv converter(opened);
  return convert(converter.get(), bytes);
}

}  // namespace credence::text

// SPDX-License-Identifier: Apache-2.0
// Bytes in any character set as UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace credence::text {

// Valid UTF-8 stays as it is; every other byte is taken as Latin-1. So mislabelled Latin-1 reads
// right, and one broken character spoils nothing else.
std::string to_utf8(std::string_view bytes);

// From a named character set; as above when nobody knows the name.
std::string to_utf8(std::string_view bytes, std::string_view charset);

// The length of the valid UTF-8 character at this place, 0 when there is none.
std::size_t utf8_length(std::string_view bytes, std::size_t at);

// U+FFFD for what is no character: a surrogate, or beyond U+10FFFF.
void append_utf8(std::string& text, std::uint32_t character);

// The longest beginning of at most `bytes` bytes that ends between two characters.
std::string_view cut_utf8(std::string_view text, std::size_t bytes);

}  // namespace credence::text

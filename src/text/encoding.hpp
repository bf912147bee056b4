// SPDX-License-Identifier: Apache-2.0
// Which encoding a document is in: UTF-8 where its bytes are that, UTF-16 where it says so, else
// Latin-1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace credence::text {

// Strict: no surrogates, no overlong forms, nothing above U+10FFFF.
bool valid_utf8(std::string_view bytes);

// The character of a byte in Windows-1252, which is Latin-1 but for 0x80 to 0x9F.
std::uint32_t windows_1252(unsigned char byte);

// Every byte is a character. 0x80 to 0x9F are read as Windows-1252 where it defines them, as
// browsers do: text labelled Latin-1 that uses them is nearly always that.
std::string latin1_to_utf8(std::string_view bytes);

// The document itself when it is valid UTF-8, else its Latin-1 reading, which is put in buffer.
std::string_view as_utf8(std::string_view document, std::string& buffer);

// A document that begins with the byte order mark of UTF-16, as some programs on Windows write it,
// as UTF-8, which is put in buffer; any other as it is. What is no character becomes U+FFFD.
std::string_view without_utf16(std::string_view document, std::string& buffer);

}  // namespace credence::text

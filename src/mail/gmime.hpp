// SPDX-License-Identifier: Apache-2.0
// What GMime is used for: encoded words, parameters, and the decoding of contents. All of it may be
// called from several threads at once.
//
// GMime's own parser of whole messages is not used. It parses addresses by recursion, so that one
// header line a:a:a:... overflows the stack, and compares every line with up to 1024 boundaries.
#pragma once

#include <string>
#include <string_view>

namespace credence::text {

// A header value, UTF-8, unfolded, with its encoded words (RFC 2047) decoded.
std::string decode_words(const std::string& value);

struct ContentType {
  std::string type = "text";  // in lower case, as is the subtype
  std::string subtype = "plain";
  std::string charset, boundary, name;
};

// text/plain for what cannot be read.
ContentType parse_content_type(const std::string& value);

// The file name in a Content-Disposition; empty when there is none.
std::string parse_file_name(const std::string& value);

// Undoes base64, quoted-printable and uuencode; the bytes themselves under any other name.
std::string decode_content(std::string_view bytes, const std::string& encoding);

}  // namespace credence::text

// SPDX-License-Identifier: Apache-2.0
// A mail passed on with one more header, every other byte as it came.
#pragma once

#include <string>
#include <string_view>

namespace credence::text {

// What classify calls its header.
inline constexpr std::string_view verdict_header = "X-Credence";

// "spam 0.9987" as the value of a header: words that are not plain ASCII are encoded (RFC 2047).
std::string header_value(std::string_view label, std::string_view probability);

// The mail with the header `name: value` at the end of its headers, and without any of that name
// that came with it, which its sender may have forged. Lines end as the mail's do. A line "From "
// stays first. What has no headers gets this one and a blank line before it.
std::string with_header(std::string_view mail, std::string_view name, std::string_view value);

// A mail that begins with its headers without those of that name. Where there are any, what is left
// is put in buffer.
std::string_view without_header(std::string_view mail, std::string_view name, std::string& buffer);

}  // namespace credence::text

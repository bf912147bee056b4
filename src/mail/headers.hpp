// SPDX-License-Identifier: Apache-2.0
// The header lines at the beginning of a mail or of one of its parts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace credence::text {

// Raw values as they stand, folds included; of headers that are repeated, the first.
struct Headers {
  std::optional<std::string_view> subject, from, to;
  std::optional<std::string_view> content_type, content_encoding, content_disposition;
  bool any = false;        // at least one line is a header
  bool known = false;      // one of those that every mail has some of: From, Date, Received, ...
  bool separated = false;  // a blank line ends them
  bool cut = false;        // they end with the bytes, perhaps within a line
};

// Takes the headers off the front of `bytes`, which keeps the body. A line "From ..." of an mbox or
// the rest of a folded header may come first. Headers end at a blank line, at the end, or before a
// line that is none.
Headers take_headers(std::string_view& bytes);

// The line at this place with its line end; empty at the end.
std::string_view line_at(std::string_view bytes, std::size_t at);
bool is_blank_line(std::string_view line);
// The name before the colon, blanks between the two passed over; empty: the line is no header.
std::string_view header_name(std::string_view line);

// Whether a line is one that mailboxes put before a mail: "From ...", or ">From ..." behind it.
bool is_envelope_line(std::string_view line);
// The bytes of such lines at the beginning; 0 where no header follows, so that they are text.
std::size_t envelope_size(std::string_view bytes);

}  // namespace credence::text

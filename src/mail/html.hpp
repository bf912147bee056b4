// SPDX-License-Identifier: Apache-2.0
// The words of an HTML page, for counting: no layout, no links to follow.
#pragma once

#include <string>
#include <string_view>

namespace credence::text {

// Text as a browser would show it, one line per block. Scripts, styles and comments are dropped;
// the title stays; of links and images the host stays as a word, for it tells a lot about a mail.
// Accepts anything, takes time proportional to the size, returns valid UTF-8.
std::string html_to_text(std::string_view html);

}  // namespace credence::text

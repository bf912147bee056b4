// SPDX-License-Identifier: Apache-2.0
// What scikit-learn's fetch_20newsgroups removes on request, removed in the same way, so that
// results on that data set can be compared. Texts are UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace credence::text {

// remove="headers": what follows the first blank line; nothing when there is none.
std::string strip_header(std::string_view text);

// remove="footers": without the last paragraph, or what follows the last line of hyphens. A text
// of one paragraph stays as it is.
std::string strip_footer(std::string_view text);

// remove="quotes": without lines that begin with > or | and lines that introduce a quotation.
std::string strip_quotes(std::string_view text);

}  // namespace credence::text

// SPDX-License-Identifier: Apache-2.0
// Bytes in a character set that a mail names.
#pragma once

#include <string>
#include <string_view>

#include "core/utf8.hpp"

namespace credence::text {

using credence::to_utf8;

// From a named character set; where nobody knows the name as UTF-8, and what is not that as
// Latin-1.
std::string to_utf8(std::string_view bytes, std::string_view charset);

}  // namespace credence::text

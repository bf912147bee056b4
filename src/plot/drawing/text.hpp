// SPDX-License-Identifier: Apache-2.0
// Names from data files as text that can be drawn: valid, short enough.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace credence::plot {

// Valid UTF-8 without control characters; what is neither becomes U+FFFD or a space.
std::string clean_text(std::string_view text);

// Text between tags or in a quoted attribute.
std::string escaped(std::string_view text);

// The text, or the longest beginning of it that fits with … after it.
std::string shortened(std::string_view text, const std::function<bool(const std::string&)>& fits);

}  // namespace credence::plot

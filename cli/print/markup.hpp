// SPDX-License-Identifier: Apache-2.0
// A document's text with its words shaded by their weight of evidence.
#pragma once

#include <string>
#include <vector>

#include "answers/marked.hpp"

namespace credence::cli {

// The largest weight of any word, either way: what shades are measured by.
double largest_weight(const std::vector<MarkedText>& texts);

// Blue speaks for, orange and underlined against. Nothing in the text can command the terminal.
std::string to_terminal(const MarkedText& text, double largest);
std::string to_html(const MarkedText& text, double largest);

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// Small helpers for text: trimming, splitting, numbers and lists of names.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace credence {

// Letters of ASCII in lower case; every other byte as it is.
inline char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
std::string ascii_lower(std::string_view text);
inline bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}
std::string_view trim(std::string_view text);
// Splits at every separator; pieces are trimmed, and "quoted" pieces may hold separators.
std::vector<std::string> split(std::string_view text, char separator);
// A finite number that fills the whole text.
std::optional<double> to_number(std::string_view text);
// A finite number or a fraction such as 3/8.
std::optional<double> to_number_or_fraction(std::string_view text);
// Above and below the line: the fraction with the least denominator, up to 10,000, that a positive
// number is within a relative tolerance. By continued fractions.
std::optional<std::pair<double, double>> as_fraction(double value, double tolerance);
// The shortest text that reads back as the same double; whole numbers without ".0".
std::string format_number(double value);
void append_number(double value, std::string& to);
// Sorts as numbers when all of them are, else by bytes.
bool natural_less(std::string_view a, std::string_view b);
std::string join(const std::vector<std::string>& names, std::string_view separator);
// For messages: the first of them, and how many there are if there are more.
std::string join_some(const std::vector<std::string>& names, std::size_t most = 100);
// Whether a name is what the pattern says, in which * stands for anything.
bool glob_matches(std::string_view pattern, std::string_view name);

}  // namespace credence

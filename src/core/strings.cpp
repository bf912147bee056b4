// SPDX-License-Identifier: Apache-2.0
#include "core/strings.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace credence {

std::string ascii_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = ascii_lower(c);
  return result;
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  bool quoted = false;
  std::string piece;
  const auto finish = [&] {
    std::string_view cleaned = trim(piece);
    if (cleaned.size() >= 2 && cleaned.front() == '"' && cleaned.back() == '"') {
      cleaned = cleaned.substr(1, cleaned.size() - 2);
    }
    pieces.emplace_back(cleaned);
    piece.clear();
  };
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (c == separator && !quoted) {
      finish();
    } else {
      piece += c;
    }
  }
  finish();
  return pieces;
}

std::optional<double> to_number(std::string_view text) {
  text = trim(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<double> to_number_or_fraction(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return to_number(text);
  const auto numerator = to_number(text.substr(0, slash));
  const auto denominator = to_number(text.substr(slash + 1));
  if (!numerator || !denominator || *denominator == 0) return {};
  return *numerator / *denominator;
}

std::optional<std::pair<double, double>> as_fraction(double value, double tolerance) {
  constexpr double largest = 10000;
  double above = 1, below = 0, above_before = 0, below_before = 1;
  double rest = value;
  for (int i = 0; i < 20; ++i) {
    const double whole = std::floor(rest);
    above_before = std::exchange(above, whole * above + above_before);
    below_before = std::exchange(below, whole * below + below_before);
    if (below > largest) return std::nullopt;
    if (std::abs(above / below - value) <= tolerance * std::abs(value)) {
      return std::pair(above, below);
    }
    rest = 1 / (rest - whole);
  }
  return std::nullopt;
}

void append_number(double value, std::string& to) {
  if (std::isnan(value)) {
    to += "NaN";
  } else if (value == 0) {
    to += '0';
  } else {
    // fmt writes whole numbers up to 1e16 in full and the shortest round-trip digits otherwise.
    char digits[32];
    to.append(digits, fmt::format_to(digits, FMT_COMPILE("{}"), value));
  }
}

std::string format_number(double value) {
  std::string text;
  append_number(value, text);
  return text;
}

bool natural_less(std::string_view a, std::string_view b) {
  const auto x = to_number(a);
  const auto y = to_number(b);
  if (x && y && *x != *y) return *x < *y;
  if (x.has_value() != y.has_value()) return x.has_value();
  return a < b;
}

std::string join(const std::vector<std::string>& names, std::string_view separator) {
  return fmt::format("{}", fmt::join(names, separator));
}

std::string join_some(const std::vector<std::string>& names, std::size_t most) {
  if (names.size() <= most) return join(names, ", ");
  return fmt::format(
      "{}, … ({} in all)",
      fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(most), ", "),
      names.size());
}

bool glob_matches(std::string_view pattern, std::string_view name) {
  // Only the last star is ever widened: those before it took as little as they could, and to take
  // more would leave less for the rest.
  std::size_t at = 0, next = 0, star = pattern.npos, after_star = 0;
  while (at < name.size()) {
    if (next < pattern.size() && pattern[next] == '*') {
      star = next++;
      after_star = at;
    } else if (next < pattern.size() && pattern[next] == name[at]) {
      ++next;
      ++at;
    } else if (star != pattern.npos) {
      next = star + 1;
      at = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', next) == pattern.npos;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "notation/cell_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/strings.hpp"
#include "core/utf8.hpp"
#include "credence/error.hpp"
#include "notation/plain_decimal.hpp"

namespace credence::data {
namespace {

// Whether a number that does not fit a double is too large rather than too near 0:
// the sign of the decimal exponent of its first digit that is not 0.
bool too_large(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, e);
  long long exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view tail = text.substr(e + 1);
    const bool negative = tail.starts_with('-');
    if (negative || tail.starts_with('+')) tail.remove_prefix(1);
    const auto [end, problem] = std::from_chars(tail.data(), tail.data() + tail.size(), exponent);
    if (problem == std::errc::result_out_of_range) exponent = 1LL << 60;
    if (negative) exponent = -exponent;
  }
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  return exponent + static_cast<long long>(point) - static_cast<long long>(first) > 0;
}

}  // namespace

NumberState parse_number(std::string_view text, double& value) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return NumberState::not_a_number;
  }
  if (text.size() < decimal_padding) {
    char padded[2 * decimal_padding] = {};
    std::memcpy(padded, text.data(), text.size());
    if (!text.empty() && plain_decimal({padded, text.size()}, value)) return NumberState::finite;
  }
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (stop != end || problem == std::errc::invalid_argument) return NumberState::not_a_number;
  if (problem == std::errc::result_out_of_range) {
    if (too_large(text)) return NumberState::not_finite;
    number = 0;
  }
  if (!std::isfinite(number)) return NumberState::not_finite;
  value = number;
  return NumberState::finite;
}

std::optional<bool> parse_binary(std::string_view text) {
  for (const char* word : {"1", "true", "yes", "y", "t"}) {
    if (equal_ignoring_case(text, word)) return true;
  }
  for (const char* word : {"0", "false", "no", "n", "f"}) {
    if (equal_ignoring_case(text, word)) return false;
  }
  double number = 0;
  if (parse_number(text, number) == NumberState::finite) return number > 0;
  return std::nullopt;
}

std::string shown(std::string_view text, std::size_t limit) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= limit) return out + "…";
    const auto character = text.substr(0, std::max<std::size_t>(utf8_length(text), 1));
    out += printable(character);
    text.remove_prefix(character.size());
  }
  return out;
}

std::string in_quotes(std::string_view text) { return '"' + shown(text) + '"'; }

MissingTokens::MissingTokens(const std::vector<std::string>& tokens) {
  for (const std::string& token : tokens) {
    const std::string_view text = trimmed(token);
    tokens_.emplace_back(text);
    starts_[text.empty() ? 0 : static_cast<unsigned char>(text.front())] = true;
  }
}

bool MissingTokens::listed(std::string_view text) const {
  return std::find(tokens_.begin(), tokens_.end(), text) != tokens_.end();
}

void fail(const std::string& file, std::size_t line, const std::string& message) {
  throw Error(ErrorKind::data, fmt::format("{}:{}: {}", file, line, message));
}

}  // namespace credence::data

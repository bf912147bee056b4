// SPDX-License-Identifier: Apache-2.0
#include "notation/written_numbers.hpp"

#include <algorithm>
#include <array>

namespace credence::data {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (at + count < text.size() && is_digit(text[at + count])) ++count;
  return count;
}

// Longer ones first: "R$" is not a dollar.
constexpr std::array<std::string_view, 40> units = {
    "US$", "CA$", "A$",  "R$",  "CHF", "EUR", "USD", "GBP", "JPY", "CNY",
    "INR", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "CAD", "AUD",
    "NZD", "BRL", "MXN", "ZAR", "KRW", "TRY", "RUB", "SGD", "HKD", "ILS",
    "THB", "zł",  "Kč",  "kr",  "€",   "$",   "£",   "¥",   "₹",   "%"};

// Spaces of every width that stand between a number and its unit, or between thousands.
constexpr std::array<std::string_view, 5> spaces = {" ", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89",
                                                    "\t"};
constexpr std::array<std::string_view, 2> apostrophes = {"'", "\xE2\x80\x99"};

template <class List>
std::string_view starting(std::string_view text, const List& list) {
  for (const std::string_view item : list) {
    if (text.starts_with(item)) return item;
  }
  return {};
}

std::string_view without_spaces(std::string_view text) {
  for (auto space = starting(text, spaces); !space.empty(); space = starting(text, spaces)) {
    text.remove_prefix(space.size());
  }
  const auto ending = [&] {
    for (const std::string_view space : spaces) {
      if (text.ends_with(space)) return space;
    }
    return std::string_view();
  };
  for (auto space = ending(); !space.empty(); space = ending()) text.remove_suffix(space.size());
  return text;
}

// "-", "+" or the minus of typographers, or nothing.
std::string_view sign_of(std::string_view text) {
  return starting(text, std::array<std::string_view, 3>{"-", "+", "\xE2\x88\x92"});
}

std::string_view group_mark(std::string_view text, DecimalMark mark) {
  if (text.starts_with(mark == DecimalMark::point ? ',' : '.')) return text.substr(0, 1);
  const auto space = starting(text, spaces);
  return space.empty() ? starting(text, apostrophes) : space;
}

}  // namespace

NumberState parse_written(std::string_view text, DecimalMark mark, double& value) {
  std::string plain;
  if (const auto sign = sign_of(text); !sign.empty()) {
    if (sign != "+") plain = "-";
    text.remove_prefix(sign.size());
  }
  std::size_t count = digits_at(text, 0);
  plain.append(text.substr(0, count));
  const bool may_group = count >= 1 && count <= 3 && text[0] != '0';
  text.remove_prefix(count);
  const auto group = may_group ? group_mark(text, mark) : std::string_view();
  while (!group.empty() && text.starts_with(group) && digits_at(text, group.size()) == 3) {
    plain.append(text.substr(group.size(), 3));
    text.remove_prefix(group.size() + 3);
    count += 3;
  }
  if (text.starts_with(mark == DecimalMark::point ? '.' : ',')) {
    const std::size_t decimals = digits_at(text, 1);
    if (decimals == 0) return NumberState::not_a_number;
    plain.append(".").append(text.substr(1, decimals));
    text.remove_prefix(1 + decimals);
    count += decimals;
  }
  if (count == 0) return NumberState::not_a_number;
  if (!text.empty()) {
    if (text[0] != 'e' && text[0] != 'E') return NumberState::not_a_number;
    plain.append(text);
  }
  return parse_number(plain, value);
}

UnitAndNumber take_unit(std::string_view text) {
  text = without_spaces(text);
  const auto sign = sign_of(text);
  const auto body = text.substr(sign.size());
  // A percent sign stands behind its number.
  const auto before = starting(body, units);
  if (!before.empty() && before != "%") {
    const auto number = without_spaces(body.substr(before.size()));
    if (!sign.empty() && !sign_of(number).empty()) return {{}, std::string(text)};
    return {before, std::string(sign).append(number)};
  }
  for (const std::string_view unit : units) {
    if (!text.ends_with(unit)) continue;
    return {unit, std::string(without_spaces(text.substr(0, text.size() - unit.size())))};
  }
  return {{}, std::string(text)};
}

bool is_unit(std::string_view text) {
  return std::find(units.begin(), units.end(), text) != units.end();
}

}  // namespace credence::data

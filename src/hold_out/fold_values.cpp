// SPDX-License-Identifier: Apache-2.0
// The values of the column that groups rows or says when they were.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/statistics/domain.hpp"
#include "hold_out/folds.hpp"

namespace credence {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// By bytes, but a run of digits is a number.
bool less_with_digits(std::string_view a, std::string_view b) {
  const auto take = [](std::string_view& text) {
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end])) ++end;
    auto digits = text.substr(0, end);
    text.remove_prefix(end);
    while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
    return digits;
  };
  const auto whole_a = a, whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const auto left = take(a), right = take(b);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else {
      if (a[0] != b[0]) return static_cast<unsigned char>(a[0]) < static_cast<unsigned char>(b[0]);
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;
}

// The place of every value among the values in order; equal numbers share one.
std::vector<std::size_t> ranks(const std::vector<std::string>& values) {
  std::vector<double> numbers;
  for (const auto& value : values) {
    const auto number = to_number(value);
    if (number && std::isfinite(*number)) numbers.push_back(*number);
  }
  const bool numeric = numbers.size() == values.size();
  const auto less = [&](std::size_t a, std::size_t b) {
    return numeric ? numbers[a] < numbers[b] : less_with_digits(values[a], values[b]);
  };
  std::vector<std::size_t> order(values.size()), rank(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), less);
  for (std::size_t i = 1; i < order.size(); ++i) {
    rank[order[i]] = rank[order[i - 1]] + (less(order[i - 1], order[i]) ? 1 : 0);
  }
  return rank;
}

}  // namespace

namespace {

// "" where there is none.
std::string cell_text(const Chunk& chunk, std::size_t column, std::size_t row,
                      const std::string& name) {
  const auto& cells = chunk.columns[column];
  if (const auto* words = std::get_if<Categories>(&cells)) {
    const auto code = words->codes[row];
    return code < 0 ? "" : words->dictionary[static_cast<std::size_t>(code)];
  }
  if (const auto* numbers = std::get_if<Numbers>(&cells)) {
    return std::isnan(numbers->values[row]) ? "" : format_number(numbers->values[row]);
  }
  throw Error(ErrorKind::usage,
              fmt::format("column \"{}\": a set of words neither groups nor orders rows", name));
}

}  // namespace

std::vector<std::size_t> values_of(const std::vector<Chunk>& chunks,
                                   const std::vector<ScoredRows::Row>& rows,
                                   const std::string& name, std::size_t column, bool in_order) {
  std::vector<std::size_t> before(chunks.size() + 1, 0);
  for (std::size_t i = 0; i < chunks.size(); ++i) before[i + 1] = before[i] + chunks[i].rows;
  Domain values;
  std::vector<std::size_t> result;
  for (const auto& row : rows) {
    const auto value = cell_text(chunks[row.chunk], column, row.row, name);
    const bool needed = in_order || row.cls != Outcome::no_label;
    if (value.empty() && needed) {
      throw Error(ErrorKind::data,
                  fmt::format("row {}: column \"{}\" has no value, so the row's {} is not known "
                              "(fill it in, or leave out the rows without one)",
                              before[row.chunk] + row.row + 1, name, in_order ? "time" : "group"));
    }
    result.push_back(value.empty() ? Domain::npos : values.insert(value));
  }
  if (!in_order) return result;
  const auto rank = ranks(values.values());
  for (auto& value : result) value = rank[value];
  return result;
}

}  // namespace credence

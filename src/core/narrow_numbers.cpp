// SPDX-License-Identifier: Apache-2.0
#include "core/narrow_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace credence {
namespace {

template <typename Narrow, typename T>
std::vector<Narrow> narrowed(const std::vector<T>& numbers) {
  std::vector<Narrow> result(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) result[i] = static_cast<Narrow>(numbers[i]);
  return result;
}

template <typename T>
std::vector<T> from_bytes(std::string_view bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

// In the order of NarrowNumbers' types.
constexpr std::array<std::string_view, 4> types = {"U8", "U16", "I32", "F64"};

}  // namespace

NarrowNumbers::NarrowNumbers(const std::vector<double>& numbers) {
  bool whole = true;  // without a branch: many at a time
  double largest = 0;
  for (const double value : numbers) {
    const double kept = value >= 0 && value < 0x1p31 ? value : -1;
    whole &= static_cast<double>(static_cast<std::int32_t>(kept)) == value && !std::signbit(value);
    largest = std::max(largest, value);
  }
  if (whole && largest <= 0xFF) {
    values_ = narrowed<std::uint8_t>(numbers);
  } else if (whole && largest <= 0xFFFF) {
    values_ = narrowed<std::uint16_t>(numbers);
  } else if (whole) {
    values_ = narrowed<std::int32_t>(numbers);
  } else {
    values_ = numbers;
  }
}

NarrowNumbers::NarrowNumbers(const std::vector<std::int32_t>& numbers) {
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  if (numbers.empty() || (*least >= 0 && *most <= 0xFF)) {
    values_ = narrowed<std::uint8_t>(numbers);
  } else if (*least >= 0 && *most <= 0xFFFF) {
    values_ = narrowed<std::uint16_t>(numbers);
  } else {
    values_ = numbers;
  }
}

// A file may have been written by a program that does not take the narrowest type.
NarrowNumbers::NarrowNumbers(std::string_view type, std::string_view bytes) {
  if (type == "U8") {
    values_ = from_bytes<std::uint8_t>(bytes);
  } else if (type == "U16") {
    auto values = from_bytes<std::uint16_t>(bytes);
    std::uint16_t all = 0;
    for (const auto value : values) all |= value;
    if (all > 0xFF) {
      values_ = std::move(values);
    } else {
      values_ = narrowed<std::uint8_t>(values);
    }
  } else if (type == "I32") {
    *this = NarrowNumbers(from_bytes<std::int32_t>(bytes));
  } else {
    *this = NarrowNumbers(from_bytes<double>(bytes));
  }
}

std::string_view NarrowNumbers::type() const { return types[values_.index()]; }

std::string_view NarrowNumbers::bytes() const {
  return std::visit(
      [](const auto& values) -> std::string_view {
        return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]};
      },
      values_);
}

}  // namespace credence

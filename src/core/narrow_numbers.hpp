// SPDX-License-Identifier: Apache-2.0
// Numbers of which most are small and whole, such as counts, in a fraction of the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "core/double_double.hpp"
#include "core/exact_sums.hpp"

namespace credence {

// In the narrowest type that has them all: they cannot be changed.
class NarrowNumbers {
 public:
  NarrowNumbers() = default;
  explicit NarrowNumbers(const std::vector<double>& numbers);
  explicit NarrowNumbers(const std::vector<std::int32_t>& numbers);
  // Of the type "U8", "U16", "I32" or "F64", as in safetensors.
  NarrowNumbers(std::string_view type, std::string_view bytes);

  std::size_t size() const {
    return std::visit([](const auto& values) { return values.size(); }, values_);
  }
  double operator[](std::size_t i) const { return get<double>(i); }
  // Of whole numbers.
  std::size_t whole(std::size_t i) const { return get<std::size_t>(i); }
  void prefetch(std::size_t i) const {
    std::visit([&](const auto& values) { __builtin_prefetch(values.data() + i); }, values_);
  }
  // The numbers themselves where no narrower type has them, else a null pointer.
  const std::vector<double>* doubles() const { return std::get_if<3>(&values_); }
  std::string_view type() const;
  std::string_view bytes() const;
  template <typename T = double>
  std::vector<T> widened() const {
    return std::visit(
        [](const auto& values) { return std::vector<T>(values.begin(), values.end()); }, values_);
  }

 private:
  template <typename T>
  [[gnu::always_inline]] T get(std::size_t i) const {
    switch (values_.index()) {
      case 0:
        return static_cast<T>((*std::get_if<0>(&values_))[i]);
      case 1:
        return static_cast<T>((*std::get_if<1>(&values_))[i]);
      case 2:
        return static_cast<T>((*std::get_if<2>(&values_))[i]);
      default:
        return static_cast<T>((*std::get_if<3>(&values_))[i]);
    }
  }

  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::int32_t>,
               std::vector<double>>
      values_;
};

// Sums that are complete.
struct NarrowSums {
  NarrowNumbers high;
  std::vector<double> low = {};  // empty: all zero

  NarrowSums() = default;
  explicit NarrowSums(const ExactSums& sums) : high(sums.high()), low(sums.low()) {}
  NarrowSums(NarrowNumbers numbers, std::vector<double> rest)
      : high(std::move(numbers)), low(std::move(rest)) {}

  std::size_t size() const { return high.size(); }
  double operator[](std::size_t i) const { return high[i]; }
  DoubleDouble exact(std::size_t i) const { return {high[i], low.empty() ? 0.0 : low[i]}; }
  ExactSums widened() const { return {high.widened(), low}; }
};

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "core/narrow_numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/tensors.hpp"

namespace credence {
namespace {

TEST(NarrowNumbers, take_the_narrowest_type_that_has_them_all) {
  const std::pair<std::vector<double>, std::string_view> cases[] = {
      {{}, "U8"},       {{0, 1, 255}, "U8"},   {{0, 256}, "U16"},         {{65535, 3}, "U16"},
      {{65536}, "I32"}, {{2147483647}, "I32"}, {{2147483648}, "F64"},     {{1, 0.5}, "F64"},
      {{-1}, "F64"},    {{-0.0}, "F64"},       {{1e300, -1e-300}, "F64"},
  };
  for (const auto& [numbers, type] : cases) {
    const NarrowNumbers narrow(numbers);
    EXPECT_EQ(narrow.type(), type);
    ASSERT_EQ(narrow.size(), numbers.size());
    const NarrowNumbers again(narrow.type(), narrow.bytes());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_EQ(narrow[i], numbers[i]);
      EXPECT_EQ(std::signbit(narrow[i]), std::signbit(numbers[i]));
      EXPECT_EQ(again[i], numbers[i]);
    }
    EXPECT_EQ(narrow.widened(), numbers);
  }
}

TEST(NarrowNumbers, are_as_narrow_when_they_are_read_from_a_wider_type) {
  const auto type_of = [](std::string_view type, const auto& values) {
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof values[0]);
    const NarrowNumbers narrow(type, bytes);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(narrow[i], values[i]);
    return narrow.type();
  };
  EXPECT_EQ(type_of("F64", std::vector<double>{1, 300}), "U16");
  EXPECT_EQ(type_of("I32", std::vector<std::int32_t>{1, 70000}), "I32");
  EXPECT_EQ(type_of("I32", std::vector<std::int32_t>{1, 7}), "U8");
  EXPECT_EQ(type_of("U16", std::vector<std::uint16_t>{1, 255}), "U8");
  EXPECT_EQ(type_of("U16", std::vector<std::uint16_t>{1, 256}), "U16");
}

TEST(NarrowNumbers, of_integers_are_as_narrow) {
  const std::pair<std::vector<std::int32_t>, std::string_view> cases[] = {
      {{}, "U8"}, {{0, 255}, "U8"}, {{256}, "U16"}, {{65536, 1}, "I32"}, {{-1, 1}, "I32"}};
  for (const auto& [integers, type] : cases) {
    const NarrowNumbers narrow(integers);
    EXPECT_EQ(narrow.type(), type);
    ASSERT_EQ(narrow.size(), integers.size());
    for (std::size_t i = 0; i < integers.size(); ++i) {
      EXPECT_EQ(narrow[i], integers[i]);
      EXPECT_EQ(narrow.whole(i), static_cast<std::size_t>(integers[i]));
    }
  }
}

TEST(NarrowSums, go_through_a_file_with_their_low_halves) {
  ExactSums sums(2);
  sums.add(0, 0.1);
  sums.add(0, 0.2);
  sums.add(1, 7);
  Tensors tensors;
  tensors.put("sums", NarrowSums(sums), {2});
  const NarrowSums back = tensors.narrow_sums("sums", {2});
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(back.exact(i), sums.exact(i));
  EXPECT_EQ(tensors.sums("sums", {2}).exact(0), sums.exact(0));
  EXPECT_EQ(back.widened().exact(0), sums.exact(0));
}

}  // namespace
}  // namespace credence

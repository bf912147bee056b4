// SPDX-License-Identifier: Apache-2.0
#include "notation/written_numbers.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace credence::data {
namespace {

std::optional<double> written(std::string_view text, DecimalMark mark) {
  double value = 0;
  if (parse_written(text, mark, value) != NumberState::finite) return std::nullopt;
  return value;
}

TEST(WrittenNumbers, groups_are_of_three_digits_and_of_one_mark) {
  EXPECT_EQ(written("1,234.5", DecimalMark::point), 1234.5);
  EXPECT_EQ(written("1.234,5", DecimalMark::comma), 1234.5);
  EXPECT_EQ(written("1 234 567,25", DecimalMark::comma), 1234567.25);
  EXPECT_EQ(written("1\xC2\xA0"
                    "234",
                    DecimalMark::comma),
            1234);
  EXPECT_EQ(written("1'234.50", DecimalMark::point), 1234.5);
  EXPECT_EQ(written("-1,234", DecimalMark::point), -1234);
  EXPECT_EQ(written("\xE2\x88\x92"
                    "3,5",
                    DecimalMark::comma),
            -3.5);
  EXPECT_EQ(written("1,5e-3", DecimalMark::comma), 0.0015);
  for (const char* bad : {"1,23", "12,34.5", "1,2345", "0,123", "1.234.5", "1,234 567", "1,", "",
                          ",", "-", "1,234,56", "1 23", "e5", "1,234x"}) {
    EXPECT_EQ(written(bad, DecimalMark::point), std::nullopt) << bad;
  }
  for (const char* bad : {"1.5", "1.23", "0.123", "1,2,3", "12.34,5", "1,5x"}) {
    EXPECT_EQ(written(bad, DecimalMark::comma), std::nullopt) << bad;
  }
}

TEST(WrittenNumbers, a_unit_stands_before_or_behind_its_number) {
  const auto expect = [](std::string_view text, std::string_view unit, std::string_view number) {
    const auto found = take_unit(text);
    EXPECT_EQ(found.unit, unit) << text;
    EXPECT_EQ(found.number, number) << text;
  };
  expect("12 %", "%", "12");
  expect("$1,234.50", "$", "1,234.50");
  expect("-$5", "$", "-5");
  expect("$-5", "$", "-5");
  expect("5,00 \xE2\x82\xAC", "\xE2\x82\xAC", "5,00");
  expect("EUR 5", "EUR", "5");
  expect("R$ 5", "R$", "5");
  expect("US$5", "US$", "5");
  expect("5", "", "5");
  expect("%5", "", "%5");
}

}  // namespace
}  // namespace credence::data

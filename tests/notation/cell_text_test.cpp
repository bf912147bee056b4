// SPDX-License-Identifier: Apache-2.0
#include "notation/cell_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <random>

#include "core/utf8.hpp"
#include "notation/plain_decimal.hpp"

namespace credence::data {
namespace {

TEST(Text, every_decimal_reads_as_the_nearest_double) {
  std::mt19937_64 random(3);
  const std::string letters = "0123456789.-0123456789e";
  std::size_t numbers = 0;
  for (int i = 0; i < 2000000; ++i) {
    std::string text;
    for (std::size_t n = 1 + random() % (i % 2 ? 5 : 20); n > 0; --n) {
      text += letters[random() % (i % 3 ? 12 : letters.size())];
    }
    double expected = 0, found = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), expected);
    const bool number = end == text.data() + text.size() && problem == std::errc();
    if (parse_number(text, found) == NumberState::finite && problem == std::errc()) {
      ASSERT_TRUE(number) << text;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(expected))
          << text;
      ++numbers;
    } else {
      ASSERT_TRUE(!number) << text;
    }
  }
  EXPECT_GT(numbers, 100000);
}

// As cells lie in a table: with something behind them.
bool reads_plainly(std::string text, double& value) {
  const std::size_t size = text.size();
  text.append(decimal_padding, '7');
  return plain_decimal(std::string_view(text).substr(0, size), value);
}

RC_GTEST_PROP(PlainDecimal, what_it_takes_is_what_from_chars_says, ()) {
  const auto text = *rc::gen::suchThat(
      rc::gen::resize(
          18,
          rc::gen::container<std::string>(rc::gen::weightedElement<char>(
              {{4, '0'}, {4, '7'}, {4, '9'}, {2, '.'}, {1, '-'}, {1, 'e'}, {1, '/'}, {1, ':'}}))),
      [](const std::string& t) { return !t.empty(); });
  double ours = 0, theirs = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), theirs);
  const bool number = problem == std::errc() && end == text.data() + text.size();
  if (!reads_plainly(text, ours)) return;
  RC_ASSERT(number);
  RC_ASSERT(std::bit_cast<std::uint64_t>(ours) == std::bit_cast<std::uint64_t>(theirs));
}

TEST(PlainDecimal, takes_all_plain_decimals_of_up_to_sixteen_characters) {
  const std::string digits = "1234567890123456";
  for (std::size_t size = 1; size <= 16; ++size) {
    for (std::size_t point = 0; point <= size; ++point) {
      for (const std::string sign : {"", "-"}) {
        std::string text = digits.substr(0, size);
        if (point < size) text[point] = '.';
        if (text == ".") continue;
        double value = 0;
        ASSERT_TRUE(reads_plainly(sign + text, value)) << text;
        EXPECT_EQ(value, std::strtod((sign + text).c_str(), nullptr)) << text;
      }
    }
  }
  for (const char* text :
       {"", "-", ".", "-.", "--1", "1.2.3", "1..2", "+1", "1e3", "12345678901234567",
        "9234567890123456", "1/2", "1:2", " 1", "1 ", "123456789.12345678"}) {
    double value = 0;
    EXPECT_FALSE(*text && reads_plainly(text, value)) << text;
  }
}

TEST(Text, utf8_is_valid_only_in_its_shortest_form) {
  for (const char* good : {"", "abc", "é", "€", "😀", "\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(valid_utf8(good)) << good;
  }
  for (const char* bad : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80",
                          "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80",
                          "a\xE9"
                          "b"}) {
    EXPECT_FALSE(valid_utf8(bad)) << shown(bad);
  }
}

}  // namespace
}  // namespace credence::data

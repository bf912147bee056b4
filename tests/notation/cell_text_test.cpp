// SPDX-License-Identifier: Apache-2.0
#include "notation/cell_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <random>

#include "core/utf8.hpp"

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

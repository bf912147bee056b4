// SPDX-License-Identifier: Apache-2.0
// Which bytes are UTF-8, and how others are read.
#include "core/utf8.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "words/reference_tokens.hpp"

namespace credence::text {
namespace {

TEST(Utf8, is_told_from_other_bytes_whatever_the_first_two_are) {
  reference::Points points;
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      for (const std::string rest : {"", "\x80", "\xbf", "\x80\x80", "\xbf\xbf", "a", "\x80\x61"}) {
        const std::string bytes =
            std::string{static_cast<char>(first), static_cast<char>(second)} + rest;
        ASSERT_EQ(valid_utf8(bytes), reference::decode(bytes, points)) << first << " " << second;
      }
    }
  }
}

TEST(Printable, is_text_as_it_is) {
  for (const std::string text : {"", "a b", "caf\u00e9 \u65e5\u672c \U0001F600", "\\x1b"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable(text, true), text);
  }
}

TEST(Printable, shows_what_would_command_a_terminal) {
  EXPECT_EQ(printable("\x1b[31m\x07\x7f\n\t\r"), "\\x1b[31m\\x07\\x7f\\n\\t\\r");
  EXPECT_EQ(printable("a\n\tb\r\x1b", true), "a\n\tb\\r\\x1b");
  EXPECT_EQ(printable("\u009b31m \u202egpj.exe \u2028"), "\\u009b31m \\u202egpj.exe \\u2028");
  EXPECT_EQ(printable("\xe9\xff\xed\xa0\x80z"), "\\xe9\\xff\\xed\\xa0\\x80z");
}

RC_GTEST_PROP(Printable, is_utf8_of_one_line_whatever_the_bytes, (const std::string& bytes)) {
  const auto text = printable(bytes);
  RC_ASSERT(valid_utf8(text));
  for (const char c : text) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

TEST(Utf8, has_every_code_point_but_the_surrogates) {
  for (std::uint32_t point = 0; point <= 0x10FFFF; ++point) {
    if (point >= 0xD800 && point <= 0xDFFF) continue;
    ASSERT_TRUE(valid_utf8(reference::encode({static_cast<std::int32_t>(point)}))) << point;
  }
  EXPECT_FALSE(valid_utf8("\xed\xa0\x80"));
  EXPECT_FALSE(valid_utf8("\xf4\x90\x80\x80"));
  EXPECT_FALSE(valid_utf8("\xc1\xbf"));
}

TEST(Utf8, is_refused_wherever_the_bad_byte_lies) {
  for (std::size_t size = 1; size < 70; ++size) {
    for (std::size_t place = 0; place < size; ++place) {
      std::string text(size, 'a');
      ASSERT_TRUE(valid_utf8(text));
      text[place] = '\xff';
      ASSERT_FALSE(valid_utf8(text)) << size << " " << place;
    }
  }
}

RC_GTEST_PROP(Utf8, of_arbitrary_bytes_is_what_the_reference_takes, (const std::string& bytes)) {
  reference::Points points;
  RC_ASSERT(valid_utf8(bytes) == reference::decode(bytes, points));
}

TEST(Latin1, is_read_as_windows_does) {
  EXPECT_EQ(latin1_to_utf8("a\x80\x92\x9f\xa0\xe9\xff"), "a\u20ac\u2019\u0178\u00a0\u00e9\u00ff");
  EXPECT_EQ(latin1_to_utf8("\x81\x8d\x8f\x90\x9d"), "\u0081\u008d\u008f\u0090\u009d");
}

RC_GTEST_PROP(Latin1, becomes_valid_utf8, (const std::string& bytes)) {
  RC_ASSERT(latin1_to_utf8(bytes) == reference::encode(reference::read(bytes)) ||
            valid_utf8(bytes));
  RC_ASSERT(valid_utf8(latin1_to_utf8(bytes)));
}

TEST(Documents, are_not_copied_when_they_are_utf8) {
  std::string buffer;
  const std::string good = "d\u00e9j\u00e0 vu", bad = "d\xe9j\xe0 vu";
  EXPECT_EQ(as_utf8(good, buffer).data(), good.data());
  EXPECT_EQ(as_utf8(bad, buffer), good);
}

std::string read_utf16(std::string_view bytes) {
  std::string buffer;
  return std::string(without_utf16(bytes, buffer));
}

TEST(Utf16, with_a_mark_becomes_utf8) {
  using namespace std::string_view_literals;
  EXPECT_EQ(read_utf16("\xFF\xFEh\0\xE9\0"sv), "h\xC3\xA9");
  EXPECT_EQ(read_utf16("\xFE\xFF\0h\0\xE9"sv), "h\xC3\xA9");
  EXPECT_EQ(read_utf16("\xFF\xFE\x3D\xD8\x00\xDE"sv), "\xF0\x9F\x98\x80");
  EXPECT_EQ(read_utf16("\xFF\xFE"), "");
}

TEST(Utf16, that_is_broken_keeps_the_rest) {
  using namespace std::string_view_literals;
  EXPECT_EQ(read_utf16("\xFF\xFE\x3D\xD8h\0"sv), "\xEF\xBF\xBDh");  // half a pair
  EXPECT_EQ(read_utf16("\xFF\xFE\x00\xDEh\0"sv), "\xEF\xBF\xBDh");  // the other half
  EXPECT_EQ(read_utf16("\xFF\xFE\x3D\xD8"sv), "\xEF\xBF\xBD");
  EXPECT_EQ(read_utf16("\xFF\xFEh\0i"sv), "h\xEF\xBF\xBD");  // half a character
}

TEST(Utf16, without_a_mark_and_other_encodings_stay_as_they_are) {
  using namespace std::string_view_literals;
  for (const auto bytes : {"h\0i\0"sv, "plain"sv, ""sv, "\xFF"sv, "\xFF\xFE\0\0h\0\0\0"sv}) {
    EXPECT_EQ(read_utf16(bytes), bytes);
  }
}

RC_GTEST_PROP(Utf16, of_any_bytes_is_valid_utf8, (std::string bytes)) {
  RC_ASSERT(valid_utf8(read_utf16("\xFF\xFEx" + bytes)));
  RC_ASSERT(valid_utf8(read_utf16("\xFE\xFF" + bytes)));
}

}  // namespace
}  // namespace credence::text

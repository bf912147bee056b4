// SPDX-License-Identifier: Apache-2.0
#include "mail/charset.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace credence::text {
namespace {

TEST(Charset, valid_utf8_stays) {
  const std::string text = "a é € 😀 \xF4\x8F\xBF\xBF \xED\x9F\xBF \xEE\x80\x80";
  EXPECT_EQ(to_utf8(text), text);
  EXPECT_EQ(to_utf8(text, "UTF-8"), text);
}

TEST(Charset, bytes_that_are_not_utf8_are_latin_1_each) {
  EXPECT_EQ(to_utf8("caf\xE9 cr\xE8me"), "café crème");
  EXPECT_EQ(to_utf8("\xC3\xA9 \xC3"), "é Ã");
  EXPECT_EQ(to_utf8("\xC0\xAF"), "À¯");                      // overlong
  EXPECT_EQ(to_utf8("\xED\xA0\x80"), "í\u00A0€");            // surrogate
  EXPECT_EQ(to_utf8("\xF4\x90\x80\x80").substr(0, 2), "ô");  // beyond U+10FFFF
  EXPECT_EQ(to_utf8("\xE2\x82"), "â‚");                      // cut off
}

TEST(Charset, named_sets_are_converted) {
  EXPECT_EQ(to_utf8("\xC3\xA9", "ISO-8859-1"), "Ã©");
  EXPECT_EQ(to_utf8("\xA4", "iso-8859-15"), "€");
  EXPECT_EQ(to_utf8("\x93hi\x94", "windows-1252"), "“hi”");
  EXPECT_EQ(to_utf8("\xF0\xD2\xC9\xD7\xC5\xD4", "KOI8-R"), "Привет");
  EXPECT_EQ(to_utf8("\x1B$B$3$s\x1B(B", "iso-2022-jp"), "こん");
  EXPECT_EQ(to_utf8(std::string("a\0\xAC\x20", 4), "utf-16le"), "a€");
}

// As a document without a label is read, and as browsers do: 0x9C is a letter.
TEST(Charset, latin_1_is_windows_1252_whether_it_is_named_or_not) {
  for (const auto* name : {"", "us-ascii", "ISO-8859-1", "iso8859-1", "latin1", "windows-1252"}) {
    EXPECT_EQ(to_utf8("c\x9Cur \x93\xE9\x94", name), "cœur “é”") << name;
  }
  std::string buffer;
  EXPECT_EQ(as_utf8("c\x9Cur \x93\xE9\x94", buffer), "cœur “é”");
}

TEST(Charset, what_a_set_does_not_have_is_latin_1) {
  EXPECT_EQ(to_utf8("a\xFF"
                    "b",
                    "gb2312"),
            "aÿb");
  EXPECT_EQ(to_utf8("a\xC4", "gb2312"), "aÄ");
}

TEST(Charset, unknown_names_and_tricks_are_utf8_or_latin_1) {
  for (const auto* name : {"x-unknown", "", "utf-16//translit", "internal", "wchar_t", "../x"}) {
    EXPECT_EQ(to_utf8("caf\xE9", name), "café") << name;
  }
  EXPECT_EQ(to_utf8("caf\xE9", std::string(100000, 'a')), "café");
}

TEST(Charset, characters_that_do_not_exist_are_replaced) {
  std::string text;
  append_utf8(text, 0x110000);
  append_utf8(text, 0xD800);
  append_utf8(text, 0x10FFFF);
  EXPECT_EQ(text, "\uFFFD\uFFFD\U0010FFFF");
}

TEST(Charset, a_cut_is_between_characters) {
  EXPECT_EQ(cut_utf8("aé€", 6), "aé€");
  EXPECT_EQ(cut_utf8("aé€", 5), "aé");
  EXPECT_EQ(cut_utf8("aé€", 2), "a");
  EXPECT_EQ(cut_utf8("€", 2), "");
}

RC_GTEST_PROP(Charset, converting_twice_is_converting_once, (const std::string& bytes)) {
  for (const auto* name : {"utf-8", "iso-8859-1", "windows-1252", "utf-16", "utf-7", "big5",
                           "iso-2022-kr", "gb18030", "euc-jp", "ibm1364", "none-such"}) {
    const std::string text = to_utf8(bytes, name);
    RC_ASSERT(to_utf8(text) == text);
  }
}

}  // namespace
}  // namespace credence::text

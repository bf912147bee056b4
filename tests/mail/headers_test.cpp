// SPDX-License-Identifier: Apache-2.0
#include "mail/headers.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace credence::text {
namespace {

TEST(Headers, values_stand_as_they_are_with_their_folds) {
  std::string_view bytes = "SUBJECT: a\n b\r\n\tc\nContent-Type:x\n\nbody";
  const Headers headers = take_headers(bytes);
  EXPECT_EQ(headers.subject, " a\n b\r\n\tc\n");
  EXPECT_EQ(headers.content_type, "x\n");
  EXPECT_FALSE(headers.from);
  EXPECT_TRUE(headers.separated);
  EXPECT_EQ(bytes, "body");
}

TEST(Headers, only_the_blank_line_goes) {
  std::string_view bytes = "A: b\r\n\r\n\r\nbody";
  EXPECT_TRUE(take_headers(bytes).separated);
  EXPECT_EQ(bytes, "\r\nbody");
}

TEST(Headers, a_line_that_is_no_header_ends_them) {
  for (const std::string_view line :
       {"no colon\n", ": no name\n", "two words: x\n", "\x7F: x\n", "caf\xE9: x\n"}) {
    const std::string mail = "A: b\n" + std::string(line) + "C: d\n\n";
    std::string_view bytes = mail;
    const Headers headers = take_headers(bytes);
    EXPECT_TRUE(headers.any);
    EXPECT_FALSE(headers.separated);
    EXPECT_FALSE(headers.cut);
    EXPECT_EQ(bytes, std::string(line) + "C: d\n\n");
  }
}

TEST(Headers, what_has_none_is_left_alone) {
  for (const std::string_view whole :
       {"text\n", " From: x\n", "From a\ntext", "", "\xEF\xBB\xBFx"}) {
    std::string_view bytes = whole;
    EXPECT_FALSE(take_headers(bytes).any);
    EXPECT_EQ(bytes, whole);
  }
}

TEST(Headers, a_byte_order_mark_and_an_envelope_line_may_come_first) {
  for (std::string_view bytes :
       {"\xEF\xBB\xBFTo: x\n\n", "From a\nTo: x\n\n", ">From a\nTo: x\n\n"}) {
    EXPECT_EQ(take_headers(bytes).to, " x\n");
  }
}

TEST(Headers, come_behind_an_envelope_only_where_there_are_any) {
  EXPECT_EQ(envelope_size("From a Mon\nTo: x\n"), 11u);
  EXPECT_EQ(envelope_size("From a Mon\n>From b remote\nTo: x\n"), 26u);
  for (const char* text :
       {"", "From a", "From a\n", "From now on\nit is text\n", "To: x\n", "From a\n\nTo: x\n"}) {
    EXPECT_EQ(envelope_size(text), 0u) << text;
  }
}

TEST(Headers, the_rest_of_a_lost_header_may_come_first) {
  std::string_view bytes = " x.example!ada\n\ty\nFrom: ada\n\nbody";
  EXPECT_EQ(take_headers(bytes).from, " ada\n");
  EXPECT_EQ(bytes, "body");
  for (const std::string_view whole :
       {"  Indented\ntext\n\nbody", " x\n\nFrom: a", " x\nNote: y\n\nz"}) {
    bytes = whole;
    EXPECT_FALSE(take_headers(bytes).any);
    EXPECT_EQ(bytes, whole);
  }
}

TEST(Headers, bytes_may_end_within_them) {
  for (std::string_view bytes : {"To: x", "To: x\n", "To: x\nSub"}) {
    EXPECT_TRUE(take_headers(bytes).cut);
  }
}

}  // namespace
}  // namespace credence::text

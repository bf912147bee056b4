// SPDX-License-Identifier: Apache-2.0
#include "mail/mbox.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace credence::text {
namespace {

using Messages = std::vector<std::string>;

Messages split_in_pieces(std::string_view bytes, std::size_t size) {
  Messages messages;
  MboxSplitter splitter;
  const auto take = [&] {
    while (auto message = splitter.next()) messages.push_back(*message);
  };
  while (!bytes.empty()) {
    splitter.feed(bytes.substr(0, size));
    bytes.remove_prefix(std::min(size, bytes.size()));
    take();
  }
  splitter.finish();
  take();
  return messages;
}

Messages split(std::string_view bytes) { return split_in_pieces(bytes, bytes.size() + 1); }

TEST(Mbox, from_lines_after_blank_lines_start_messages_and_belong_to_none) {
  EXPECT_EQ(split("From a@b Mon\nSubject: 1\n\none\n\nFrom c@d Tue\nSubject: 2\n\ntwo\n"),
            (Messages{"Subject: 1\n\none\n", "Subject: 2\n\ntwo\n"}));
}

TEST(Mbox, a_from_line_within_a_paragraph_is_text) {
  EXPECT_EQ(split("From a\n\nx\nFrom here on\ny\n"), (Messages{"\nx\nFrom here on\ny\n"}));
}

TEST(Mbox, a_word_that_begins_with_From_is_no_from_line) {
  EXPECT_EQ(split("From a\n\nx\n\nFromage\n\nFrom: b\n"),
            (Messages{"\nx\n\nFromage\n\nFrom: b\n"}));
}

TEST(Mbox, one_bracket_is_taken_off_quoted_from_lines) {
  EXPECT_EQ(split("From a\n\n>From b\n\n>>From c\n>> From d\n>Fro\n"),
            (Messages{"\nFrom b\n\n>From c\n>> From d\n>Fro\n"}));
}

TEST(Mbox, windows_line_ends_stay_and_blank_lines_are_seen) {
  EXPECT_EQ(split("From a\r\nS: 1\r\n\r\none\r\n\r\nFrom b\r\nS: 2\r\n\r\n>From\r\n>From x\r\n"),
            (Messages{"S: 1\r\n\r\none\r\n", "S: 2\r\n\r\n>From\r\nFrom x\r\n"}));
}

TEST(Mbox, what_has_no_from_line_is_one_message) {
  EXPECT_EQ(split("\n\nSubject: 1\n\none"), (Messages{"Subject: 1\n\none"}));
}

TEST(Mbox, nothing_holds_no_message) {
  EXPECT_EQ(split(""), Messages{});
  EXPECT_EQ(split("\n\n"), Messages{});
}

TEST(Mbox, empty_messages_are_messages) {
  EXPECT_EQ(split("From a\n\nFrom b\n\nFrom c"), (Messages{"\n", "\n", ""}));
}

TEST(Mbox, a_message_comes_as_soon_as_the_next_has_begun) {
  MboxSplitter splitter;
  splitter.feed("From a\n\none\n\nFrom b");
  EXPECT_FALSE(splitter.next());
  splitter.feed("\n");
  EXPECT_EQ(splitter.next(), "\none\n");
  EXPECT_FALSE(splitter.next());
  splitter.feed("\ntwo");
  splitter.finish();
  EXPECT_EQ(splitter.next(), "\ntwo");
}

TEST(Mbox, a_splitter_can_be_used_again_after_the_end) {
  MboxSplitter splitter;
  for (int file = 0; file < 2; ++file) {
    splitter.feed("From a\n\none");
    splitter.finish();
    EXPECT_EQ(splitter.next(), "\none");
    EXPECT_FALSE(splitter.next());
  }
}

RC_GTEST_PROP(Mbox, the_size_of_the_pieces_does_not_matter, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "From ", "\n", "\n", "\r\n", ">", ">From ", "x", "Subject: y\n"));
  std::string bytes;
  for (const auto& word : words) bytes += word;
  const auto size = *rc::gen::inRange<std::size_t>(1, 8);
  RC_ASSERT(split_in_pieces(bytes, size) == split(bytes));
}

RC_GTEST_PROP(Mbox, messages_written_by_the_rules_come_back, ()) {
  const auto messages = *rc::gen::container<Messages>(
      rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                       "From x\n", ">From y\n", ">>From z\n", "text\n", "\n")),
                   [](const std::vector<std::string>& lines) {
                     std::string message = "Subject: s\n\n";
                     for (const auto& line : lines) message += line;
                     return message;
                   }));
  std::string mbox;
  for (const auto& message : messages) {
    mbox += "From a@b Mon Jan  1 00:00:00 2001\n";
    std::string_view rest = message;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n') + 1);
      if (line.substr(std::min(line.find_first_not_of('>'), line.size())).starts_with("From ")) {
        mbox += '>';
      }
      mbox += line;
      rest.remove_prefix(line.size());
    }
    mbox += '\n';
  }
  RC_ASSERT(split(mbox) == messages);
}

}  // namespace
}  // namespace credence::text

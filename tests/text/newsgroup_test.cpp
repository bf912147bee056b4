// SPDX-License-Identifier: Apache-2.0
#include "text/newsgroup.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace credence::text {
namespace {

// Expected texts are scikit-learn's: see newsgroup_reference.py.
nlohmann::json reference() {
  std::ifstream file(std::string(CREDENCE_TESTS) + "/text/newsgroup_reference.json");
  return nlohmann::json::parse(file);
}

TEST(Newsgroup, strips_headers_footers_and_quotes_as_scikit_learn_does) {
  const auto cases = reference();
  ASSERT_GT(cases.size(), 150);
  for (const auto& item : cases) {
    const std::string text = item["text"];
    EXPECT_EQ(strip_header(text), item["header"]) << item["text"];
    EXPECT_EQ(strip_footer(text), item["footer"]) << item["text"];
    EXPECT_EQ(strip_quotes(text), item["quotes"]) << item["text"];
    EXPECT_EQ(strip_quotes(strip_footer(strip_header(text))), item["all"]) << item["text"];
  }
}

TEST(Newsgroup, a_post_loses_all_but_what_its_author_wrote_in_it) {
  const std::string post =
      "From: ada\nSubject: Re: Notes\n\nCharles wrote:\n> Cards.\nWeave.\n\n--\nAda\n";
  EXPECT_EQ(strip_quotes(strip_footer(strip_header(post))), "Weave.\n");
}

TEST(Newsgroup, broken_utf8_is_no_white_space_and_is_kept) {
  EXPECT_EQ(strip_footer("\xA0 a\n\nb \xE3\x80"), "\xA0 a");
  EXPECT_EQ(strip_footer("a\n\xC2\nb\n"), "a\n\xC2\nb\n");
}

}  // namespace
}  // namespace credence::text

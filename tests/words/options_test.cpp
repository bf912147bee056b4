// SPDX-License-Identifier: Apache-2.0
// The written form of token options, and what is said of lists that cannot be read.
#include "words/options.hpp"

#include <gtest/gtest.h>

#include <string>

#include "credence/error.hpp"
#include "words/tokeniser.hpp"

namespace credence::text {
namespace {

TEST(TokenOptions, read_back_as_written) {
  for (const std::string list : {"", "ngrams=1-2", "ngrams=2", "chars=3-5, stop=english",
                                 "tokens=parts", "tokens=plain, fold=no, hash=18",
                                 "stop=english, stop-list=re subject, stem=english, shortest=2"}) {
    EXPECT_EQ(to_string(parse_token_options(list)), list);
  }
  EXPECT_EQ(parse_token_options(" stem = none , stop=none,tokens=words, fold=yes, ngrams=1 - 1 "),
            TokenOptions{});
  EXPECT_EQ(parse_token_options({{"hash", "18"}, {"ngrams", "2"}}),
            parse_token_options("ngrams=2-2, hash=18"));
  EXPECT_FALSE(parse_token_options("stem=english") == parse_token_options("stem=german"));
}

std::string error_of(const std::string& list) {
  try {
    parse_token_options(list);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(TokenOptions, that_cannot_be_read_are_named_with_the_way_out) {
  EXPECT_EQ(error_of("ngrams=2-1"),
            "text(ngrams=2-1): from how many words to how many is wanted, such as 1-2, at most 8");
  EXPECT_EQ(error_of("ngrams=many"),
            "text(ngrams=many): from how many words to how many is wanted, such as 1-2, at most 8");
  EXPECT_EQ(error_of("ngrams=1-9"),
            "text(ngrams=1-9): from how many words to how many is wanted, such as 1-2, at most 8");
  EXPECT_EQ(error_of("chars=-3"),
            "text(chars=-3): from how many characters to how many is wanted, such as 3-5, at most "
            "32");
  EXPECT_EQ(error_of("chars=2, ngrams=1-2"),
            "text(ngrams=1-2): chars takes the place of words; give one of the two");
  EXPECT_EQ(error_of("stop=klingon"),
            "text(stop=klingon): no such list of stop words; there is english, and stop-list=a the "
            "takes your own");
  EXPECT_TRUE(
      error_of("stem=englsh")
          .starts_with(
              "text(stem=englsh): no such language (did you mean \"english\"?); there are "));
  EXPECT_EQ(error_of("tokens=all"), "text(tokens=all): words, parts or plain is wanted");
  EXPECT_EQ(error_of("fold=maybe"), "text(fold=maybe): yes or no is wanted");
  EXPECT_EQ(error_of("shortest=0"), "text(shortest=0): a whole number from 1 to 64 is wanted");
  EXPECT_EQ(error_of("hash=32"),
            "text(hash=32): a whole number from 1 to 31 is wanted (bits), or 0 for names in full");
  EXPECT_EQ(error_of("hash="), "text(hash=): a whole number from 1 to 31 is wanted");
  EXPECT_EQ(error_of("hash=3, hash=4"), "text(hash=4): given twice; leave one out");
  EXPECT_EQ(
      error_of("ngram=2"),
      "text(ngram): no parameter \"ngram\" (did you mean \"ngrams\"?); it takes tokens, fold, "
      "ngrams, chars, stop, stem, stop-list, shortest, hash");
}

TEST(TokenOptions, made_by_hand_are_checked_by_the_tokeniser) {
  TokenOptions options;
  options.stop_words = {"two words"};
  EXPECT_THROW(Tokeniser{options}, Error);
  options = {};
  options.chars_high = 3;
  EXPECT_THROW(Tokeniser{options}, Error);
}

}  // namespace
}  // namespace credence::text

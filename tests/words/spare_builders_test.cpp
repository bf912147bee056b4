// SPDX-License-Identifier: Apache-2.0
#include "words/spare_builders.hpp"

#include <gtest/gtest.h>

namespace credence::text {
namespace {

Bags bags_of(BagBuilder& builder, const std::vector<std::string>& documents) {
  for (const auto& document : documents) builder.add_document(document);
  return builder.finish();
}

TEST(SpareBuilders, give_the_bags_that_new_ones_give) {
  for (const std::string tokens : {"", "ngrams=1-2, stem=english", "chars=2-3", "hash=6"}) {
    std::vector<std::string> large;
    for (int i = 0; i < 3000; ++i) large.push_back("word" + std::to_string(i) + " the words");
    auto used = take_builder(tokens);
    const BagBuilder* const before = used.get();
    bags_of(*used, large);
    give_back(tokens, std::move(used));
    auto again = take_builder(tokens);
    ASSERT_EQ(again.get(), before) << "no new one is made";
    BagBuilder fresh(parse_token_options(tokens));
    const std::vector<std::string> documents = {"the words of one", "", "word7 word7 of the other"};
    const Bags a = bags_of(*again, documents), b = bags_of(fresh, documents);
    EXPECT_EQ(a.dictionary, b.dictionary) << tokens;
    EXPECT_EQ(a.features, b.features) << tokens;
    EXPECT_EQ(a.counts, b.counts) << tokens;
    EXPECT_EQ(a.offsets, b.offsets) << tokens;
    EXPECT_EQ(a.missing, b.missing) << tokens;
  }
}

TEST(SpareBuilders, of_other_tokens_are_others) {
  auto words = take_builder("");
  give_back("", std::move(words));
  const Bags bags = bags_of(*take_builder("chars=2"), {"ab"});
  EXPECT_EQ(bags.dictionary, (std::vector<std::string>{" a", "ab", "b "}));
}

TEST(SpareBuilders, are_not_made_of_those_that_have_grown_too_large) {
  BagBuilder builder;
  builder.add_document("few words");
  builder.finish();
  EXPECT_FALSE(builder.outgrown());
  std::string document;
  for (int i = 0; i < 600'000; ++i) document += "w" + std::to_string(i) + " ";
  builder.add_document(document);
  builder.finish();
  EXPECT_TRUE(builder.outgrown());
}

TEST(SpareBuilders, are_few) {
  std::vector<const BagBuilder*> given;
  for (int i = 1; i <= 9; ++i) {
    const auto tokens = "shortest=" + std::to_string(i);
    auto builder = take_builder(tokens);
    given.push_back(builder.get());
    give_back(tokens, std::move(builder));
  }
  EXPECT_EQ(take_builder("shortest=9").get(), given.back());
  EXPECT_EQ(take_builder("shortest=8").get(), given[7]);
}

}  // namespace
}  // namespace credence::text

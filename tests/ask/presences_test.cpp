// SPDX-License-Identifier: Apache-2.0
// Words of sets and texts as columns.
#include "ask/presences.hpp"

#include <gtest/gtest.h>

#include "credence/error.hpp"
#include "error_of.hpp"

namespace credence {
namespace {

TEST(Presences, a_word_is_a_column_with_the_values_yes_and_no) {
  Presences presences({"tags"}, {});
  const auto asked =
      presences.asked(parse_question("P(tags has free or not tags has \"a b\" | y)"));
  ASSERT_EQ(presences.words().size(), 2u);
  EXPECT_EQ(presences.words()[0].name, "tags has free");
  EXPECT_EQ(presences.words()[1].word, "a b");
  EXPECT_EQ(columns_of(asked), (std::vector<std::string>{"tags has free", "tags has a b", "y"}));
  EXPECT_EQ(asked.event.parts[0].kind, Expression::Kind::equals);
  EXPECT_EQ(asked.event.parts[0].value, "yes");
}

TEST(Presences, the_words_of_a_text_are_what_texts_are_cut_into) {
  Presences presences({}, {"text"});
  presences.asked(parse_question("P(text has Free)"));
  EXPECT_EQ(presences.words()[0].word, "free");
  EXPECT_EQ(error_of([&] { presences.asked(parse_question("P(text has \"so free\")")); },
                     ErrorKind::usage),
            "P(text has \"so free\"): \"so free\" is not one word");
}

TEST(Presences, a_text_that_is_asked_for_as_a_whole_is_none) {
  Presences presences({}, {"text"});
  const auto question = parse_question("P(text=free, text has free)");
  presences.leave_whole(question);
  EXPECT_EQ(presences.asked(question).event, question.event);
  EXPECT_TRUE(presences.words().empty());
}

TEST(Presences, rows_have_a_word_or_not_or_no_set) {
  Bags bags;
  bags.dictionary = {"a", "b"};
  bags.features = {0, 1, 1, 0};
  bags.counts = {1, 1, 2, 0};
  bags.offsets = {0, 2, 3, 4, 4, 4};
  bags.missing = {0, 0, 0, 0, 1};
  EXPECT_EQ(presence_of(bags, "a").codes, (std::vector<std::int32_t>{1, 0, 0, 0, -1}));
  EXPECT_EQ(presence_of(bags, "c").codes, (std::vector<std::int32_t>{0, 0, 0, 0, -1}));
}

}  // namespace
}  // namespace credence

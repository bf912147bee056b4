// SPDX-License-Identifier: Apache-2.0
#include "ask/question.hpp"

#include <gtest/gtest.h>

#include "credence/error.hpp"
#include "error_of.hpp"

namespace credence {
namespace {

// An expression with its parentheses written out.
std::string written(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::equals:
      return e.column + "=" + e.value;
    case Expression::Kind::opposite:
      return "!" + written(e.parts[0]);
    default:
      break;
  }
  std::string text = e.kind == Expression::Kind::all ? "all[" : "any[";
  for (const auto& part : e.parts) text += (text.back() == '[' ? "" : "; ") + written(part);
  return text + "]";
}

std::string event(const std::string& text) { return written(parse_question(text).event); }

std::string question_error(const std::string& text) {
  return error_of([&] { parse_question(text); }, ErrorKind::usage);
}

TEST(Question, not_binds_closer_than_and_which_binds_closer_than_or) {
  EXPECT_EQ(event("P(a=1 or b=2, not c=3)"), "any[a=1; all[b=2; !c=3]]");
  EXPECT_EQ(event("P(a=1 and b=2 or c=3 and d=4)"), "any[all[a=1; b=2]; all[c=3; d=4]]");
  EXPECT_EQ(event("P((a=1 or b=2), not (c=3 or d=4))"), "all[any[a=1; b=2]; !any[c=3; d=4]]");
  EXPECT_EQ(event("P(a!=1)"), "!a=1");
  EXPECT_EQ(event("P(not not not a = 1)"), "!a=1");
  EXPECT_EQ(event("P(a=1, b=2 and c=3)"), "all[a=1; b=2; c=3]");
}

TEST(Question, numbers_may_stand_on_both_sides_of_a_column) {
  const auto first = [](const std::string& text) { return parse_question(text).event; };
  EXPECT_EQ(first("P(60 < height)"), first("P(height > 60)"));
  EXPECT_EQ(first("P(60 <= height < 70)"), first("P(height >= 60, height < 70)"));
  EXPECT_EQ(first("P(70 > height >= 60)"), first("P(height < 70, height >= 60)"));
  EXPECT_EQ(first("P(3 < 4)").column, "3");
  EXPECT_EQ(first("P(\"3\" < 4)").column, "3");
}

TEST(Question, has_asks_for_a_word) {
  const auto one = parse_question("P(has it has free)").event;
  EXPECT_EQ(one.kind, Expression::Kind::has);
  EXPECT_EQ(one.column, "has it");
  EXPECT_EQ(one.value, "free");
  EXPECT_EQ(spelled("she has it", true), "\"she has it\"");
}

TEST(Question, a_small_p_is_a_density) {
  EXPECT_TRUE(parse_question("p(height=70 | sex=m)").density);
  EXPECT_FALSE(parse_question("P(height=70)").density);
}

TEST(Question, the_part_after_the_bar_is_the_condition) {
  const auto question = parse_question("  P(class=positive | color=red or shape=circle ) ");
  EXPECT_EQ(question.text, "P(class=positive | color=red or shape=circle )");
  EXPECT_EQ(written(question.event), "class=positive");
  EXPECT_EQ(written(*question.condition), "any[color=red; shape=circle]");
  EXPECT_EQ(question.condition_text, "color=red or shape=circle");
  EXPECT_EQ(columns_of(question), (std::vector<std::string>{"class", "color", "shape"}));
}

TEST(Question, words_may_hold_spaces_and_the_letters_of_operators) {
  EXPECT_EQ(event("P(class=not spam)"), "class=not spam");
  EXPECT_EQ(event("P(class=not spam or class = ham and eggs=1)"),
            "any[class=not spam; all[class=ham; eggs=1]]");
  EXPECT_EQ(event("P(land of origin=Andorra, brand=sandor)"),
            "all[land of origin=Andorra; brand=sandor]");
  EXPECT_EQ(event("P(word=and and word=or or word=not)"), "any[all[word=and; word=or]; word=not]");
  EXPECT_EQ(event("P(not=1)"), "not=1");
  EXPECT_EQ(event("P(a=is not b)"), "a=is not b");
}

TEST(Question, quotes_protect_reserved_characters) {
  EXPECT_EQ(event(R"(P("a,b"="x (y) | ""z"" = !"))"), R"(a,b=x (y) | "z" = !)");
  EXPECT_EQ(event(R"(P(song="rock and roll"and year=1957))"), "all[song=rock and roll; year=1957]");
  EXPECT_EQ(event(R"(P(a=""))"), "a=");
}

TEST(Question, bare_columns_ask_for_their_distribution) {
  const auto question = parse_question("P(color, shape | class=positive)");
  EXPECT_EQ(question.kind, Question::Kind::distribution);
  EXPECT_EQ(question.columns, (std::vector<std::string>{"color", "shape"}));
  EXPECT_EQ(written(*question.condition), "class=positive");
  EXPECT_EQ(parse_question("P(color and \"a b\")").columns,
            (std::vector<std::string>{"color", "a b"}));
}

TEST(Question, independence_takes_columns_and_a_condition) {
  const auto question = parse_question("independent(a, b, c | d=x or e!=y)");
  EXPECT_EQ(question.kind, Question::Kind::independence);
  EXPECT_EQ(question.columns, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(written(*question.condition), "any[d=x; !e=y]");
  EXPECT_EQ(columns_of(question), (std::vector<std::string>{"a", "b", "c", "d", "e"}));
}

TEST(Question, what_cannot_be_read_is_named_with_its_position) {
  EXPECT_EQ(question_error(""),
            ": expected P(...) or independent(...) at position 1, found the end");
  EXPECT_EQ(question_error("Q(a=1)"),
            "Q(a=1): expected P(...) or independent(...) at position 1, found Q");
  EXPECT_EQ(question_error("P(color=red"),
            "P(color=red: expected and, or, a comma, | or ) at position 12, found the end");
  EXPECT_EQ(question_error("P(color=)"), "P(color=): expected a value at position 9, found )");
  EXPECT_EQ(question_error("P(=red)"), "P(=red): expected a column at position 3, found =");
  EXPECT_EQ(question_error("P(a=1,)"), "P(a=1,): expected a column at position 7, found )");
  EXPECT_EQ(question_error("P(a!1)"), "P(a!1): expected = after ! at position 5, found 1");
  EXPECT_EQ(question_error("P(a, b=1)"),
            "P(a, b=1): expected a comma, | or ) at position 7, found =");
  EXPECT_EQ(question_error("P(a=1, b)"),
            "P(a=1, b): expected =, !=, <, > or has after \"b\" at position 9, found )");
  EXPECT_EQ(question_error("P(a=1 | b=2 | c=3)"),
            "P(a=1 | b=2 | c=3): expected and, or, a comma or ) at position 13, found |");
  EXPECT_EQ(question_error("P(a=1) or b=2"),
            "P(a=1) or b=2: expected the end at position 8, found or");
  EXPECT_EQ(question_error("P(a=\"x)"),
            "P(a=\"x): expected a closing \" at position 8, found the end");
  EXPECT_EQ(question_error("P(größe=)"), "P(größe=): expected a value at position 9, found )");
  EXPECT_EQ(question_error("independent(a)"),
            "independent(a): expected a second column at position 14, found )");
  EXPECT_EQ(question_error("independent(a, a)"), "independent(a, a): column \"a\" is named twice");
}

TEST(Question, parentheses_without_end_are_refused_not_followed) {
  const std::string deep = "P(" + std::string(100000, '(');
  EXPECT_NE(question_error(deep).find("expected fewer parentheses within parentheses"),
            std::string::npos);
}

TEST(Question, a_spelled_word_reads_back) {
  for (const std::string word :
       {"red", "not spam", "rock and roll", "a,b", "x=\"1\"", " a ", "or"}) {
    const auto question = parse_question("P(a=" + spelled(word) + ", b=1)");
    EXPECT_EQ(question.event.parts[0].value, word);
  }
}

}  // namespace
}  // namespace credence

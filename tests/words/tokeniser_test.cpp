// SPDX-License-Identifier: Apache-2.0
// What tokens look like under every option. Lists said to be scikit-learn's are the output of
// CountVectorizer(...).build_analyzer() of scikit-learn, typed in.
#include "words/tokeniser.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "core/hash.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "words/bag_builder.hpp"

namespace credence::text {
namespace {

using Tokens = std::vector<std::string>;

Tokens tokens_of(std::string_view document, std::string_view options = "") {
  return tokens(document, parse_token_options(options));
}

TEST(Words, keep_hosts_addresses_and_contractions_whole) {
  EXPECT_EQ(tokens_of("Mail x.y@cs.example.edu, don't (e-mail) 3.14."),
            (Tokens{"mail", "x.y@cs.example.edu", "don't", "e-mail", "3.14"}));
  EXPECT_EQ(tokens_of("don\u2019t 'quoted' \u2018too\u2019"), (Tokens{"don't", "quoted", "too"}));
  EXPECT_EQ(tokens_of("a..b -c- @d a_b snake_ --"), (Tokens{"a", "b", "c", "d", "a_b", "snake_"}));
}

// What a sink is told of words: where they are, and what was made of them.
struct PlaceSink {
  std::string_view text;
  Tokens places = {}, words = {};
  void found(std::size_t begin, std::size_t end) {
    places.emplace_back(text.substr(begin, end - begin));
  }
  void word(const HashedBytes& bytes) { words.emplace_back(bytes.view()); }
  void settle() {}
  void gap() { words.emplace_back("(gap)"); }
};

TEST(Words, have_places_in_the_text) {
  const std::string wide(300, 'w'), high = "\u00e9" + wide;
  const std::string text =
      "The e-mail. -x- isn\u2019t STRA\u00dfE\u2026 a hy\u00adphen " + wide + " " + high;
  PlaceSink sink{text};
  Tokeniser(parse_token_options("shortest=2")).words(text, sink);
  EXPECT_EQ(sink.places, (Tokens{"The", "e-mail", "x", "isn\u2019t", "STRA\u00dfE", "a",
                                 "hy\u00adphen", wide, high}));
  EXPECT_EQ(sink.words, (Tokens{"the", "e-mail", "isn't", "strasse", "hyphen", "(gap)", "(gap)"}));
}

TEST(Words, fold_by_the_rules_of_unicode) {
  EXPECT_EQ(tokens_of("Stra\u00dfe STRASSE stra\u1e9ee"),
            (Tokens{"strasse", "strasse", "strasse"}));
  EXPECT_EQ(tokens_of("\u039f\u03a3 \u03bf\u03c2"), (Tokens{"\u03bf\u03c3", "\u03bf\u03c3"}));
  EXPECT_EQ(tokens_of("\u01c4 \u01c5 \u01c6"), (Tokens{"\u01c6", "\u01c6", "\u01c6"}));
  EXPECT_EQ(tokens_of("\u0130 I \u0131"), (Tokens{"i\u0307", "i", "\u0131"}));
  EXPECT_EQ(tokens_of("Cafe\u0301 CAF\u00c9"), (Tokens{"caf\u00e9", "caf\u00e9"}));
  EXPECT_EQ(tokens_of("Cafe\u0301 CAF\u00c9", "fold=no"), (Tokens{"Cafe\u0301", "CAF\u00c9"}));
}

TEST(Words, are_not_broken_by_characters_without_width) {
  EXPECT_EQ(tokens_of("hy\u00adphen a\u200db \ufeffc.\u2060d", "tokens=words"),
            (Tokens{"hyphen", "ab", "c.d"}));
  EXPECT_EQ(tokens_of("hy\u00adphen a\u200db", "tokens=plain"), (Tokens{"hyphen", "ab"}));
  EXPECT_EQ(tokens_of("two\u200bwords \u200d"), (Tokens{"two", "words"}));
}

TEST(Words, of_a_document_that_is_not_utf8_are_read_as_latin1) {
  EXPECT_EQ(tokens_of("Caf\xe9 don\x92t"), (Tokens{"caf\u00e9", "don't"}));
}

TEST(Words, of_other_scripts_end_where_letters_end) {
  EXPECT_EQ(tokens_of("\u05e9\u05b8\u05dc\u05d5\u05b9\u05dd, \u0645\u0631\u062d\u0628\u0627!"),
            (Tokens{"\u05e9\u05b8\u05dc\u05d5\u05b9\u05dd", "\u0645\u0631\u062d\u0628\u0627"}));
  EXPECT_EQ(tokens_of("\u4e2d\u6587\u3002\u5b57"), (Tokens{"\u4e2d\u6587", "\u5b57"}));
  EXPECT_EQ(tokens_of("\U0001f600ok\U0001f468\u200d\U0001f469"), (Tokens{"ok"}));
}

TEST(Parts, are_what_hyphens_and_apostrophes_join) {
  EXPECT_EQ(tokens_of("A well-known fox's den, don\u2019t: bob-smith@x.org 3.14 a@b. caf\u00e9-bar",
                      "tokens=parts"),
            (Tokens{"a", "well", "known", "fox", "s", "den", "don", "t", "bob", "smith@x.org",
                    "3.14", "a@b", "caf\u00e9", "bar"}));
}

TEST(Plain, words_are_those_of_scikit_learn) {
  EXPECT_EQ(tokens_of("The Quick brown fox's x1 a_b \u00e9lan \u00c9COLE na\u00efve 3.14 x@y.org, "
                      "don't I",
                      "tokens=plain"),
            (Tokens{"the", "quick", "brown", "fox", "x1", "a_b", "\u00e9lan", "\u00e9cole",
                    "na\u00efve", "14", "org", "don"}));
  EXPECT_EQ(tokens_of("aus Z\u00fcrich: \u00c4rger, \u00d6l & \u00dcbung; gar\u00e7on fa\u00e7ade "
                      "\u0153uvre \u0152UVRE 12\u00aa",
                      "tokens=plain"),
            (Tokens{"aus", "z\u00fcrich", "\u00e4rger", "\u00f6l", "\u00fcbung", "gar\u00e7on",
                    "fa\u00e7ade", "\u0153uvre", "\u0153uvre", "12\u00aa"}));
}

TEST(Shortest, counts_code_points_after_folding) {
  EXPECT_EQ(tokens_of("\u00e9 e\u0301 \u00e9t to", "shortest=2"), (Tokens{"\u00e9t", "to"}));
  EXPECT_EQ(tokens_of("a bb ccc", "shortest=3"), (Tokens{"ccc"}));
}

TEST(NGrams, are_those_of_scikit_learn) {
  EXPECT_EQ(tokens_of("the cat sat on the mat", "ngrams=1-2"),
            (Tokens{"the", "cat", "sat", "on", "the", "mat", "the cat", "cat sat", "sat on",
                    "on the", "the mat"}));
  EXPECT_EQ(tokens_of("the cat sat on the mat", "ngrams=2-3"),
            (Tokens{"the cat", "cat sat", "sat on", "on the", "the mat", "the cat sat",
                    "cat sat on", "sat on the", "on the mat"}));
}

TEST(NGrams, skip_stop_words_and_do_not_cross_a_word_that_is_too_long) {
  EXPECT_EQ(tokens_of("cats and the dogs", "ngrams=2, stop=english"), (Tokens{"cats dogs"}));
  const std::string longest(256, 'x');
  const std::string longer(257, 'x');
  EXPECT_EQ(tokens_of("a " + longest + " b", "ngrams=2"), (Tokens{"a " + longest, longest + " b"}));
  EXPECT_EQ(tokens_of("a " + longer + " b c", "ngrams=2"), (Tokens{"b c"}));
}

TEST(CharGrams, are_those_of_scikit_learn) {
  EXPECT_EQ(tokens_of("Jumpy fox \u00e9", "chars=3-5"),
            (Tokens{" ju", "jum", "ump", "mpy", "py ", " jum", "jump", "umpy", "mpy ", " jump",
                    "jumpy", "umpy ", " fo", "fox", "ox ", " fox", "fox ", " fox ", " \u00e9 "}));
  // But for single characters: the ends of a word are none.
  EXPECT_EQ(tokens_of("a bc", "chars=1-2"), (Tokens{"a", " a", "a ", "b", "c", " b", "bc", "c "}));
  EXPECT_EQ(tokens_of("\u00c9lan vital", "chars=2-3"),
            (Tokens{" \u00e9", "\u00e9l", "la",  "an",  "n ",  " \u00e9l", "\u00e9la",
                    "lan",     "an ",     " v",  "vi",  "it",  "ta",       "al",
                    "l ",      " vi",     "vit", "ita", "tal", "al "}));
}

TEST(StopWords, are_removed_whatever_their_case) {
  EXPECT_EQ(tokens_of("The end OF it, isn't it? Don\u2019t", "stop=english"), (Tokens{"end"}));
  EXPECT_EQ(tokens_of("Stra\u00dfe und Haus", "stop-list=STRASSE Und"), (Tokens{"haus"}));
  EXPECT_EQ(tokens_of("the end", "stop=english, stop-list=end"), Tokens{});
  EXPECT_EQ(tokens_of("The the", "stop=english, fold=no"), (Tokens{"The"}));
}

TEST(Stems, are_those_of_snowball) {
  EXPECT_EQ(tokens_of("Connections connected relational generously", "stem=english"),
            (Tokens{"connect", "connect", "relat", "generous"}));
  EXPECT_EQ(tokens_of("H\u00e4user aufeinander", "stem=german"), (Tokens{"haus", "aufeinand"}));
  EXPECT_EQ(tokens_of("running runs", "stem=english, ngrams=2"), (Tokens{"run run"}));
}

TEST(Stems, are_made_in_several_threads_at_once) {
  const auto work = [] {
    BagBuilder builder(parse_token_options("stem=english"));
    for (int i = 0; i < 2000; ++i) {
      builder.add_document("running connections " + std::to_string(i) + "ing");
    }
    return builder.finish().dictionary;
  };
  std::vector<Tokens> found(4);
  std::vector<std::thread> threads;
  for (auto& result : found) threads.emplace_back([&] { result = work(); });
  for (auto& thread : threads) thread.join();
  for (const auto& result : found) EXPECT_EQ(result, found[0]);
  EXPECT_EQ(found[0][0], "run");
}

TEST(Hashes, never_change) {
  // Computed apart, from the definition in hash.hpp.
  EXPECT_EQ(stable_hash(""), 0xefd01f60ba992926u);
  EXPECT_EQ(stable_hash("credence"), 0xb559a817cc826c21u);
  EXPECT_EQ(stable_hash("naive bayes"), 0xdf1deb4a30227f90u);
  EXPECT_EQ(tokens_of("\u00c9t\u00e9", "hash=18"), (Tokens{"#186939"}));
  EXPECT_EQ(tokens_of("Naive Bayes", "hash=18, ngrams=2"), (Tokens{"#163728"}));
}

TEST(Hashes, give_names_below_the_power_of_two) {
  BagBuilder builder(parse_token_options("hash=3"));
  std::string text;
  for (int i = 0; i < 500; ++i) text += "word" + std::to_string(i) + " ";
  builder.add_document(text);
  const auto bags = builder.finish();
  EXPECT_EQ(bags.dictionary.size(), 8u);
  for (const auto& name : bags.dictionary) {
    EXPECT_EQ(name[0], '#');
    EXPECT_LT(*to_number(std::string_view(name).substr(1)), 8);
  }
}

TEST(BagBuilder, counts_in_order_of_first_occurrence) {
  BagBuilder builder;
  builder.add_document("b a b");
  builder.add_missing();
  builder.add_document("");
  builder.add_document("c a A c c");
  EXPECT_EQ(builder.rows(), 4u);
  const auto bags = builder.finish();
  EXPECT_EQ(bags.dictionary, (Tokens{"b", "a", "c"}));
  EXPECT_EQ(bags.offsets, (std::vector<std::size_t>{0, 2, 2, 2, 4}));
  EXPECT_EQ(bags.features, (std::vector<std::int32_t>{0, 1, 2, 1}));
  EXPECT_EQ(bags.counts, (std::vector<double>{2, 1, 3, 2}));
  EXPECT_EQ(bags.missing, (std::vector<std::uint8_t>{0, 1, 0, 0}));
}

TEST(BagBuilder, begins_anew_after_finish) {
  for (const auto* list : {"", "ngrams=1-2", "chars=2", "stop=english", "hash=4"}) {
    BagBuilder builder(parse_token_options(list));
    builder.add_document("one two three two one");
    const auto first = builder.finish();
    EXPECT_EQ(builder.rows(), 0u);
    builder.add_document("one two three two one");
    const auto second = builder.finish();
    EXPECT_EQ(first.dictionary, second.dictionary);
    EXPECT_EQ(first.offsets, second.offsets);
    EXPECT_EQ(first.features, second.features);
    EXPECT_EQ(first.counts, second.counts);
  }
}

TEST(BagBuilder, tells_a_hundred_thousand_words_apart) {
  BagBuilder builder;
  std::string text;
  Tokens expected;
  for (int i = 0; i < 100000; ++i) {
    // Around eight bytes, where words begin to need more than their heads.
    expected.push_back("prefix" + std::to_string(i));
    text += expected.back() + " ";
  }
  builder.add_document(text);
  builder.add_document(text);
  const auto bags = builder.finish();
  EXPECT_EQ(bags.dictionary, expected);
  EXPECT_EQ(bags.features.size(), 200000u);
}

}  // namespace
}  // namespace credence::text

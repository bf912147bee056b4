// SPDX-License-Identifier: Apache-2.0
// The fast tokeniser and the reference find the same tokens in whatever they are given.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/utf8.hpp"
#include "words/bag_builder.hpp"
#include "words/byte_masks.hpp"
#include "words/reference_tokens.hpp"
#include "words/tokeniser.hpp"

namespace credence::text {
namespace {

// The words, with an empty one where a word that is too long was left out.
struct WordList {
  std::vector<std::string> words;
  void word(const HashedBytes& bytes) {
    words.emplace_back(bytes.view());
    ASSERT_EQ(bytes.hash, hash(words.back()).hash);
  }
  void settle() {}
  void gap() { words.emplace_back(); }
};

std::vector<std::string> fast_words(Tokeniser& tokeniser, std::string_view document) {
  WordList list;
  tokeniser.words(document, list);
  return std::move(list.words);
}

// Bytes as C++ would write them, so that a failure can be typed in again.
std::string escaped(std::string_view text) {
  std::string result;
  for (const unsigned char byte : text.substr(0, 400)) {
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02x", byte);
    result += code;
  }
  return result;
}

const std::vector<std::string>& option_lists() {
  static const std::vector<std::string> lists = {
      "",
      "fold=no",
      "tokens=plain",
      "tokens=parts",
      "tokens=parts, fold=no, ngrams=1-2",
      "tokens=plain, fold=no, shortest=3",
      "ngrams=1-2, stop=english",
      "ngrams=2-3, tokens=plain, shortest=2",
      "ngrams=3, hash=3",
      "chars=3-5",
      "chars=1-2, fold=no, stop=english, stop-list=STRASSE \u0130",
      "stem=english, stop=english, ngrams=1-3",
      "stem=german, hash=18",
      "stem=turkish, chars=2",
  };
  return lists;
}

// Every kind of character that some step treats in its own way.
const std::vector<std::string>& pieces() {
  static const std::vector<std::string> list = {
      "a", "b", "Z", "word", "WORD", "The", "of", "running", "x1", "7", "_", "0",
      // Separators, and what may join
      " ", " ", " ", "\n", "\t", ",", "@", ".", "-", "'", "\u2019", "\u2018", "--", "..", "\x7f",
      std::string(1, '\0'), "#", "\u00a0", "\u2028", "\u3000", "\u200b", "\u00b7", "\u30fb",
      // Latin, composed and not; marks alone and in unsorted order
      "\u00e9", "\u00c9", "e\u0301", "E\u0301", "\u0301", "\u0323", "\u0323\u0307", "\u0307\u0323",
      "o\u0302\u0301", "\u1e9b\u0323", "=\u0338", "\u20dd", "\u0340", "\u0344",
      // Case: German, Turkish, Greek, digraphs, ligatures, Kelvin, long s, Cherokee, Georgian
      "\u00df", "\u1e9e", "STRASSE", "\u0130", "\u0131", "I\u0307", "\u03a3", "\u03c3", "\u03c2",
      "\u0390", "\u03b9\u0308\u0301", "\u1fb7", "\u1f88", "\u0345", "\u03b1\u0345\u0301", "\u01c4",
      "\u01c5", "\u01c6", "\u0149", "\ufb01", "\ufb03", "\u212a", "\u212b", "\u2126", "\u017f",
      "\u13a0", "\uab70", "\u10d0", "\u1c90", "\u2160", "\u24b6", "\U00010400", "\U0001e900",
      // Numbers of other kinds
      "\u0661", "\u00b2", "\u00bd", "\u3007", "\U0001d7d8",
      // Read as if absent
      "\u00ad", "\u200c", "\u200d", "\u2060", "\ufeff", "\ufe0f", "\u034f", "\u115f", "\u3164",
      "\u061c", "\u180e", "\U000e0001", "\U000e0100",
      // Right to left, with controls
      "\u05d0\u05b8", "\u0627\u0644", "\u064e", "\u200f", "\u202e", "\u2067", "\u0640",
      // Indic marks that compose, Hangul whole and in parts, CJK and its compatibility forms
      "\u0915\u094d", "\u09c7\u09be", "\u09be", "\u0bc6\u0bbe", "\uac00", "\u1100\u1161\u11a8",
      "\u1161", "\u11a8", "\u11a7", "\u4e2d\u6587", "\uf900", "\U0002f800", "\u3042",
      "\U00011131\U00011127", "\U0001d15e",
      // Emoji
      "\U0001f600", "\U0001f468\u200d\U0001f469", "\U0001f1e9\U0001f1ea", "1\ufe0f\u20e3",
      // Unassigned, private use, the ends of planes
      "\u0378", "\ue000", "\uffff", "\U0010ffff", "\ud7ff", "\ufffd",
      // Not UTF-8: surrogates, overlong, too large, alone, cut
      "\xed\xa0\x80", "\xed\xbf\xbf", "\xc0\x80", "\xe0\x80\x80", "\xf4\x90\x80\x80", "\x80",
      "\x92", "\xff", "\xe2\x82", "\xf0\x9f\x98", "\xc3",
      // Long
      "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnopq", std::string(63, 'q'),
      std::string(64, 'r'), std::string(255, 's'), std::string(257, 'T')};
  return list;
}

std::string random_text(Random& random) {
  std::string text;
  // Only some texts may hold what is not UTF-8; else nearly all would be read as Latin-1.
  const bool broken = random.below(8) == 0;
  const std::size_t kinds = random.below(4) == 0 ? 30 : pieces().size();
  const std::size_t count = 1 + random.below(random.below(20) == 0 ? 120 : 10);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& piece = pieces()[random.below(kinds)];
    if (broken || valid_utf8(piece)) text += piece;
    if (broken && random.below(8) == 0) text += static_cast<char>(random.below(256));
  }
  if (broken && random.below(4) == 0) text.resize(random.below(text.size() + 1));
  return text;
}

std::size_t wanted_strings() {
  const char* given = std::getenv("CREDENCE_TOKEN_STRINGS");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 200000;
}

void expect_same(const Bags& expected, const Bags& found) {
  ASSERT_EQ(expected.dictionary, found.dictionary);
  ASSERT_EQ(expected.offsets, found.offsets);
  ASSERT_EQ(expected.features, found.features);
  ASSERT_EQ(expected.counts, found.counts);
  ASSERT_EQ(expected.missing, found.missing);
}

// CREDENCE_TOKEN_STRINGS=10000000 tries more of them.
TEST(Tokens, of_random_strings_are_those_of_the_reference) {
  Random random(20261115);
  std::vector<TokenOptions> options;
  std::vector<Tokeniser> tokenisers;
  std::vector<BagBuilder> builders;
  for (const auto& list : option_lists()) {
    options.push_back(parse_token_options(list));
    tokenisers.emplace_back(options.back());
    builders.emplace_back(options.back());
  }
  const std::size_t count = wanted_strings();
  for (std::size_t i = 0; i < count; ++i) {
    const auto text = random_text(random);
    const std::size_t which = random.below(options.size());
    SCOPED_TRACE(to_string(options[which]) + ": " + escaped(text));
    ASSERT_EQ(reference::words(text, options[which]), fast_words(tokenisers[which], text));
    if (i % 8 != 0) continue;
    const auto second = random_text(random);
    const auto expected = reference::reference_tokens(text, options[which]);
    ASSERT_EQ(expected, tokens(text, options[which]));
    builders[which].add_document(text);
    builders[which].add_document(second);
    expect_same(reference::bags_of({expected, reference::reference_tokens(second, options[which])}),
                builders[which].finish());
    if (HasFatalFailure()) return;
  }
}

RC_GTEST_PROP(Tokens, of_arbitrary_bytes_are_those_of_the_reference, (const std::string& bytes)) {
  for (const auto& list : option_lists()) {
    const auto options = parse_token_options(list);
    RC_ASSERT(tokens(bytes, options) == reference::reference_tokens(bytes, options));
  }
}

TEST(Tokens, agree_for_every_separator_between_every_two_neighbours) {
  for (const auto& list : {"", "tokens=plain", "tokens=parts", "fold=no"}) {
    const auto options = parse_token_options(list);
    Tokeniser tokeniser(options);
    for (const auto& left : pieces()) {
      for (const auto& right : pieces()) {
        for (const char* separator : {"@", ".", "-", "'", "\u2019", "\u00ad", ".\u200d", "", " "}) {
          const auto text = left + separator + right;
          ASSERT_EQ(reference::words(text, options), fast_words(tokeniser, text)) << escaped(text);
        }
      }
    }
  }
}

TEST(Tokens, agree_when_a_text_is_cut_at_any_byte) {
  std::string text;
  for (const auto& piece : pieces()) {
    if (valid_utf8(piece) && piece.size() < 60) text += piece + (text.size() % 3 == 0 ? " " : "");
  }
  Tokeniser tokeniser;
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const auto begin = text.substr(0, size);
    const auto rest = text.substr(size);
    ASSERT_EQ(reference::words(begin, {}), fast_words(tokeniser, begin)) << size;
    ASSERT_EQ(reference::words(rest, {}), fast_words(tokeniser, rest)) << size;
  }
}

TEST(Tokens, agree_wherever_a_word_lies_in_a_block_of_bytes) {
  Tokeniser tokeniser;
  for (const std::string word : {"a", "don't", "a.b-c", "\u00e9t\u00e9", "x\u00adY", "a.", ".a"}) {
    for (std::size_t before = 0; before < 140; ++before) {
      const auto text = std::string(before, ' ') + word + " " + word + "." + word;
      ASSERT_EQ(reference::words(text, {}), fast_words(tokeniser, text)) << word << before;
    }
  }
}

TEST(Tokens, of_ten_megabytes_are_left_out) {
  const std::size_t size = 10'000'000;
  std::string accents;
  while (accents.size() < size) accents += "\u00c9";
  std::string unsorted_marks = "a";  // sorting these in full would take minutes
  while (unsorted_marks.size() < size) unsorted_marks += "\u0301\u0323";
  std::string soft_hyphens = "a";
  while (soft_hyphens.size() < size) soft_hyphens += "\u00ad";
  Tokeniser tokeniser;
  using Words = std::vector<std::string>;
  EXPECT_EQ(fast_words(tokeniser, "x " + std::string(size, 'A') + " y"), (Words{"x", "", "y"}));
  EXPECT_EQ(fast_words(tokeniser, "x " + accents + " y"), (Words{"x", "", "y"}));
  EXPECT_EQ(fast_words(tokeniser, "x " + unsorted_marks + " y"), (Words{"x", "", "y"}));
  EXPECT_EQ(fast_words(tokeniser, "x " + soft_hyphens + "b y"), (Words{"x", "ab", "y"}));
  EXPECT_EQ(fast_words(tokeniser, std::string(size, '\0') + "z"), (Words{"z"}));
}

// Folding makes these shorter or longer, around the limit of 256 bytes.
TEST(Tokens, are_measured_after_folding) {
  Tokeniser tokeniser;
  for (const std::string piece : {"\u212a", "\u1100\u1161\u11a8", "\u0390", "\u00df", "\u1e9e",
                                  "\u023a", "o\u0302\u0301", "\ufb03", "\u03b9\u0308\u0301", "e"}) {
    std::string text;
    for (int i = 0; i < 400; ++i) {
      text += piece;
      ASSERT_EQ(reference::words(text, {}), fast_words(tokeniser, text)) << piece << i;
    }
  }
}

template <bool fold, bool parts = false>
void expect_same_masks(const std::string& block) {
  std::string by_table(block_bytes, ' '), at_once(block_bytes, ' ');
  const auto expected = byte_masks_by_table<fold, parts>(block.data(), by_table.data());
  ASSERT_EQ(expected, (byte_masks<fold, parts>(block.data(), at_once.data())));
  ASSERT_EQ(by_table, at_once);
}

TEST(ByteMasks, are_those_of_the_table_for_every_byte_in_every_place) {
  for (std::size_t place = 0; place < block_bytes; ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string block(block_bytes, ' ');
      block[place] = static_cast<char>(byte);
      expect_same_masks<true>(block);
      expect_same_masks<false>(block);
      expect_same_masks<true, true>(block);
      expect_same_masks<false, true>(block);
    }
  }
}

}  // namespace
}  // namespace credence::text

// SPDX-License-Identifier: Apache-2.0
// From documents to the bags of a chunk: which tokens each has, and how often.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "credence/chunk.hpp"
#include "text/gram_table.hpp"
#include "text/interner.hpp"
#include "text/options.hpp"
#include "text/terms.hpp"
#include "text/tokeniser.hpp"

namespace credence::text {

// A word is looked up once per occurrence. What it stands for (a feature, a term of n-grams, a list
// of n-grams of characters) is worked out once per distinct word. An n-gram of words is looked up
// by the numbers of its parts; its text is made when it is new.
class BagBuilder {
 public:
  explicit BagBuilder(TokenOptions options = {});

  // UTF-8 or, if it is not that, Latin-1.
  void add_document(std::string_view document);
  void add_missing();

  std::size_t rows() const { return bags_.missing.size(); }
  // The bags of the rows so far. The dictionary and each row are in order of first occurrence. The
  // builder is empty afterwards.
  Bags finish();

 private:
  enum class Mode {
    words,  // a word's number is its feature
    terms,  // words through stop list, stemmer, n-grams or hash
    chars,  // n-grams of characters
  };
  template <auto mode>
  struct Sink;

  void count(std::int32_t feature);
  void count_grams(std::int32_t term);
  std::int32_t feature_of(std::string_view token);
  std::int32_t feature_of_gram(std::uint32_t gram);
  void learn_word(std::string_view word);

  Tokeniser tokeniser_;
  TermMaker term_maker_;
  Mode mode_;
  Interner words_;
  // Of each word: its term (-1: removed), or where its list of features begins.
  std::vector<std::int32_t> terms_of_words_;
  std::vector<std::size_t> lists_of_words_{0};
  std::vector<std::int32_t> listed_features_;
  Interner terms_;
  std::vector<std::int32_t> features_of_terms_;
  GramTable grams_;
  Interner features_;  // but for Mode::words
  // The n-grams that end at the last word, by their number of words; for the next word to extend.
  std::array<std::uint32_t, 16> recent_{};
  std::size_t recent_words_ = 0;     // since the document's beginning or the last gap
  std::vector<std::int32_t> parts_;  // room for the text of a new n-gram
  std::string text_;

  Bags bags_;
  std::size_t row_begin_ = 0;
  std::vector<std::size_t> behind_;  // of each feature: 1 + its last place in bags_.features
};

}  // namespace credence::text

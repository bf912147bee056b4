// SPDX-License-Identifier: Apache-2.0
// From documents to the bags of a chunk: which tokens each has, and how often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/interner.hpp"
#include "credence/chunk.hpp"
#include "words/gram_table.hpp"
#include "words/options.hpp"
#include "words/terms.hpp"
#include "words/tokeniser.hpp"

namespace credence::text {

// A word is looked up once per occurrence. What it stands for (a feature, a term of n-grams, a list
// of n-grams of characters) is worked out once per distinct word. An n-gram of words is looked up
// by the numbers of its parts; its text is made when it is new. The tables are larger than the
// processor's caches, so a document goes through each step as a whole, and what an item will need
// is fetched some items ahead.
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
  // Whether the bags finished last were so large that the tables are not worth keeping.
  bool outgrown() const { return outgrown_; }

 private:
  enum class Mode {
    words,  // a word's number is its feature
    terms,  // words go through stop list, stemmer, n-grams or hash
    chars,  // n-grams of characters
  };
  class Sink;

  void learn_word(std::string_view word);
  std::int32_t feature_of(std::string_view token);
  std::int32_t feature_of_gram(std::uint32_t gram);
  void count_terms();
  void find_grams(std::size_t words_in_gram);
  void count(std::span<const std::int32_t> features);

  Tokeniser tokeniser_;
  TermMaker term_maker_;
  Mode mode_;
  Interner words_;
  // Of each word: its term (-1: removed), and where its list of features ends.
  std::vector<std::int32_t> terms_of_words_;
  std::vector<std::size_t> list_ends_;
  std::vector<std::int32_t> listed_features_;
  Interner terms_;
  std::vector<std::int32_t> features_of_terms_;
  GramTable grams_;
  // Names of features, but for Mode::words. Those that may come about in several ways (hashes,
  // n-grams of characters) are looked up, the others only listed.
  Interner shared_names_;
  ByteStrings own_names_;
  std::size_t feature_count_ = 0;

  // The document at hand.
  std::vector<std::int32_t> document_;    // words, later terms; -1 is a word left out
  std::vector<std::uint32_t> prefixes_;   // the n-gram that ends at each
  std::vector<std::int32_t> found_;       // features of the n-grams of one length
  std::vector<std::int32_t> gram_terms_;  // of a new n-gram
  std::string gram_text_;

  bool outgrown_ = false;
  Bags bags_;
  std::vector<std::uint32_t> behind_;  // of each feature: 1 + its last place in bags_.features
};

}  // namespace credence::text

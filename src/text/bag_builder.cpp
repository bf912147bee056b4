// SPDX-License-Identifier: Apache-2.0
#include "text/bag_builder.hpp"

#include <algorithm>
#include <utility>

namespace credence::text {

// What the tokeniser hands words to.
template <auto mode>
struct BagBuilder::Sink {
  BagBuilder& builder;

  void word(const HashedBytes& bytes) {
    const std::int32_t word = builder.words_(bytes);
    if constexpr (mode == Mode::words) {
      if (static_cast<std::size_t>(word) == builder.behind_.size()) builder.behind_.push_back(0);
      builder.count(word);
      return;
    }
    const auto index = static_cast<std::size_t>(word);
    if (index == builder.terms_of_words_.size()) builder.learn_word(bytes.view());
    if constexpr (mode == Mode::terms) {
      const std::int32_t term = builder.terms_of_words_[index];
      if (term >= 0) builder.count_grams(term);
    } else {
      const std::size_t end = builder.lists_of_words_[index + 1];
      for (std::size_t i = builder.lists_of_words_[index]; i < end; ++i) {
        builder.count(builder.listed_features_[i]);
      }
    }
  }
  void gap() { builder.recent_words_ = 0; }
};

BagBuilder::BagBuilder(TokenOptions options)
    : tokeniser_(std::move(options)), term_maker_(tokeniser_.options()) {
  const TokenOptions& given = tokeniser_.options();
  const bool as_found = given.stop.empty() && given.stop_words.empty() && given.stem.empty() &&
                        given.hash_bits == 0 && given.ngrams_high == 1;
  mode_ = given.chars_high > 0 ? Mode::chars : as_found ? Mode::words : Mode::terms;
}

void BagBuilder::add_document(std::string_view document) {
  row_begin_ = bags_.features.size();
  recent_words_ = 0;
  switch (mode_) {
    case Mode::words:
      tokeniser_.words(document, Sink<Mode::words>{*this});
      break;
    case Mode::terms:
      tokeniser_.words(document, Sink<Mode::terms>{*this});
      break;
    case Mode::chars:
      tokeniser_.words(document, Sink<Mode::chars>{*this});
      break;
  }
  bags_.missing.push_back(0);
  bags_.offsets.push_back(bags_.features.size());
}

void BagBuilder::add_missing() {
  bags_.missing.push_back(1);
  bags_.offsets.push_back(bags_.features.size());
}

Bags BagBuilder::finish() {
  bags_.dictionary = (mode_ == Mode::words ? words_ : features_).strings().to_vector();
  words_.clear();
  terms_of_words_.clear();
  lists_of_words_.assign(1, 0);
  listed_features_.clear();
  terms_.clear();
  features_of_terms_.clear();
  grams_.clear();
  features_.clear();
  behind_.clear();
  return std::exchange(bags_, Bags{});
}

void BagBuilder::count(std::int32_t feature) {
  std::size_t& behind = behind_[static_cast<std::size_t>(feature)];
  // Places only grow, so one from an earlier row lies before this row's first.
  if (behind > row_begin_) {
    bags_.counts[behind - 1] += 1;
    return;
  }
  bags_.features.push_back(feature);
  bags_.counts.push_back(1);
  behind = bags_.features.size();
}

void BagBuilder::count_grams(std::int32_t term) {
  const auto low = static_cast<std::size_t>(tokeniser_.options().ngrams_low);
  const auto high = static_cast<std::size_t>(tokeniser_.options().ngrams_high);
  if (low == 1) count(features_of_terms_[static_cast<std::size_t>(term)]);
  // recent_[n - 1] ends at the word before; it is extended before it is replaced.
  std::uint32_t shorter = recent_[0];
  recent_[0] = GramTable::prefix_of_term(term);
  for (std::size_t n = 2; n <= high && n <= recent_words_ + 1; ++n) {
    bool is_new = false;
    auto& gram = grams_.find_or_add(shorter, term, is_new);
    const std::uint32_t prefix = GramTable::prefix_of_gram(gram.id);
    if (n >= low) {
      if (is_new) gram.feature = feature_of_gram(prefix);
      count(gram.feature);
    }
    shorter = std::exchange(recent_[n - 1], prefix);
  }
  recent_words_ = std::min(recent_words_ + 1, high);
}

std::int32_t BagBuilder::feature_of(std::string_view token) {
  const int bits = tokeniser_.options().hash_bits;
  const std::int32_t feature = bits > 0 ? features_(hashed_name(token, bits)) : features_(token);
  if (static_cast<std::size_t>(feature) == behind_.size()) behind_.push_back(0);
  return feature;
}

std::int32_t BagBuilder::feature_of_gram(std::uint32_t gram) {
  grams_.terms_of(gram, parts_);
  text_.clear();
  for (const std::int32_t part : parts_) {
    if (!text_.empty()) text_ += ' ';
    text_ += terms_.strings()[static_cast<std::size_t>(part)];
  }
  return feature_of(text_);
}

void BagBuilder::learn_word(std::string_view word) {
  const TokenOptions& options = tokeniser_.options();
  const std::string_view text = term_maker_(word);
  std::int32_t term = -1;
  if (!text.empty() && mode_ == Mode::chars) {
    for (const auto& gram : char_grams(text, options.chars_low, options.chars_high)) {
      listed_features_.push_back(feature_of(gram));
    }
  } else if (!text.empty()) {
    term = terms_(text);
    if (static_cast<std::size_t>(term) == features_of_terms_.size()) {
      features_of_terms_.push_back(options.ngrams_low == 1 ? feature_of(text) : -1);
    }
  }
  terms_of_words_.push_back(term);
  lists_of_words_.push_back(listed_features_.size());
}

}  // namespace credence::text

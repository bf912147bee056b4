// SPDX-License-Identifier: Apache-2.0
#include "words/bag_builder.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "credence/error.hpp"

namespace credence::text {
namespace {

constexpr std::size_t items_ahead = 12;

}  // namespace

// Looks words up some at a time, so that the table's memory arrives in the meantime.
class BagBuilder::Sink {
 public:
  explicit Sink(BagBuilder& builder) : builder_(builder) {}

  void word(const HashedBytes& bytes) {
    builder_.words_.prefetch(bytes);
    waiting_[count_++] = bytes;
    if (count_ == waiting_.size()) settle();
  }
  void settle() {
    for (std::size_t i = 0; i < count_; ++i) {
      const std::int32_t word = builder_.words_(waiting_[i]);
      builder_.document_.push_back(word);
      if (builder_.mode_ != Mode::words &&
          static_cast<std::size_t>(word) == builder_.terms_of_words_.size()) {
        builder_.learn_word(waiting_[i].view());
      }
    }
    count_ = 0;
  }
  // Matters to n-grams of words alone.
  void gap() {
    if (builder_.mode_ == Mode::terms) builder_.document_.push_back(-1);
  }

 private:
  BagBuilder& builder_;
  std::array<HashedBytes, items_ahead> waiting_;
  std::size_t count_ = 0;
};

BagBuilder::BagBuilder(TokenOptions options)
    : tokeniser_(std::move(options)), term_maker_(tokeniser_.options()) {
  const TokenOptions& given = tokeniser_.options();
  const bool as_found = given.stop.empty() && given.stop_words.empty() && given.stem.empty() &&
                        given.hash_bits == 0 && given.ngrams_high == 1;
  mode_ = given.chars_high > 0 ? Mode::chars : as_found ? Mode::words : Mode::terms;
}

void BagBuilder::add_document(std::string_view document) {
  document_.clear();
  tokeniser_.words(document, Sink(*this));
  switch (mode_) {
    case Mode::words:
      feature_count_ = words_.size();
      count(document_);
      break;
    case Mode::terms:
      count_terms();
      break;
    case Mode::chars:
      for (const std::int32_t word : document_) {
        const auto index = static_cast<std::size_t>(word);
        const std::size_t begin = index == 0 ? 0 : list_ends_[index - 1];
        count(std::span(listed_features_).subspan(begin, list_ends_[index] - begin));
      }
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
  const auto& names = mode_ == Mode::words       ? words_.strings()
                      : shared_names_.size() > 0 ? shared_names_.strings()
                                                 : own_names_;
  constexpr std::size_t many_features = std::size_t{1} << 19, many_items = std::size_t{1} << 22;
  outgrown_ = std::max(words_.size(), names.size()) > many_features ||
              std::max(document_.capacity(), bags_.features.size()) > many_items;
  bags_.dictionary = names.to_vector();
  words_.clear();
  terms_of_words_.clear();
  list_ends_.clear();
  listed_features_.clear();
  terms_.clear();
  features_of_terms_.clear();
  grams_.clear();
  shared_names_.clear();
  own_names_.clear();
  feature_count_ = 0;
  behind_.clear();
  // The next chunk is likely about as large.
  Bags next;
  if (!outgrown_) {
    next.features.reserve(bags_.features.size() + bags_.features.size() / 8);
    next.counts.reserve(next.features.capacity());
  }
  return std::exchange(bags_, std::move(next));
}

void BagBuilder::learn_word(std::string_view word) {
  const TokenOptions& options = tokeniser_.options();
  const std::string_view text = term_maker_(word);
  std::int32_t term = -1;
  if (!text.empty() && mode_ == Mode::chars) {
    const auto grams = char_grams(text, options.chars_low, options.chars_high);
    if (options.hash_bits == 0) {
      for (const auto& gram : grams) shared_names_.prefetch(hash(gram));
    }
    for (const auto& gram : grams) listed_features_.push_back(feature_of(gram));
  } else if (!text.empty()) {
    term = terms_(text);
    if (static_cast<std::size_t>(term) == features_of_terms_.size()) {
      features_of_terms_.push_back(options.ngrams_low == 1 ? feature_of(text) : -1);
    }
  }
  terms_of_words_.push_back(term);
  list_ends_.push_back(listed_features_.size());
}

std::int32_t BagBuilder::feature_of(std::string_view token) {
  const int bits = tokeniser_.options().hash_bits;
  if (bits == 0 && mode_ == Mode::terms) {
    own_names_.add(token);
    return static_cast<std::int32_t>(feature_count_++);
  }
  const std::int32_t feature =
      bits > 0 ? shared_names_(hashed_name(token, bits)) : shared_names_(token);
  feature_count_ = shared_names_.size();
  return feature;
}

std::int32_t BagBuilder::feature_of_gram(std::uint32_t gram) {
  grams_.terms_of(gram, gram_terms_);
  gram_text_.clear();
  for (const std::int32_t term : gram_terms_) {
    if (!gram_text_.empty()) gram_text_ += ' ';
    gram_text_ += terms_.strings()[static_cast<std::size_t>(term)];
  }
  return feature_of(gram_text_);
}

void BagBuilder::count_terms() {
  // From words to terms, without those that are removed.
  std::size_t kept = 0;
  for (const std::int32_t word : document_) {
    const std::int32_t term = word < 0 ? -1 : terms_of_words_[static_cast<std::size_t>(word)];
    if (word < 0 || term >= 0) document_[kept++] = term;
  }
  document_.resize(kept);
  const auto low = static_cast<std::size_t>(tokeniser_.options().ngrams_low);
  const auto high = static_cast<std::size_t>(tokeniser_.options().ngrams_high);
  if (low == 1) {
    found_.clear();
    for (const std::int32_t term : document_) {
      if (term >= 0) found_.push_back(features_of_terms_[static_cast<std::size_t>(term)]);
    }
    count(found_);
  }
  if (high == 1) return;
  prefixes_.clear();
  for (const std::int32_t term : document_) {
    prefixes_.push_back(term < 0 ? GramTable::no_prefix : GramTable::prefix_of_term(term));
  }
  for (std::size_t n = 2; n <= high; ++n) {
    find_grams(n);
    if (n >= low) count(found_);
  }
}

// Extends the n-grams that end at the items by the items behind them.
void BagBuilder::find_grams(std::size_t words_in_gram) {
  const bool wanted = words_in_gram >= static_cast<std::size_t>(tokeniser_.options().ngrams_low);
  found_.clear();
  std::uint32_t shorter = GramTable::no_prefix;
  for (std::size_t i = 0; i < document_.size(); ++i) {
    if (i + items_ahead < document_.size()) {
      grams_.prefetch(prefixes_[i + items_ahead - 1], document_[i + items_ahead]);
    }
    std::uint32_t longer = GramTable::no_prefix;
    if (shorter != GramTable::no_prefix && document_[i] >= 0) {
      bool is_new = false;
      auto& gram = grams_.find_or_add(shorter, document_[i], is_new);
      longer = GramTable::prefix_of_gram(gram.id);
      if (wanted && is_new) gram.feature = feature_of_gram(longer);
      if (wanted) found_.push_back(gram.feature);
    }
    shorter = std::exchange(prefixes_[i], longer);
  }
}

void BagBuilder::count(std::span<const std::int32_t> features) {
  behind_.resize(feature_count_, 0);
  // Places only grow, so one from an earlier row lies before this row's first.
  const std::size_t row_begin = bags_.offsets.back();
  std::size_t end = bags_.features.size();
  if (end + features.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorKind::data, "more than four billion words in one piece of the data");
  }
  bags_.features.resize(end + features.size());
  bags_.counts.resize(end + features.size());
  std::int32_t* const kinds = bags_.features.data();
  double* const counts = bags_.counts.data();
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (i + items_ahead < features.size()) {
      __builtin_prefetch(&behind_[static_cast<std::size_t>(features[i + items_ahead])], 1);
    }
    // Without a branch: whether a word is the document's first of its kind cannot be foreseen.
    std::uint32_t& behind = behind_[static_cast<std::size_t>(features[i])];
    const std::uint32_t is_new = behind <= row_begin ? 1 : 0;
    kinds[end] = features[i];
    end += is_new;
    behind += is_new * (static_cast<std::uint32_t>(end) - behind);
    counts[behind - 1] += 1;
  }
  bags_.features.resize(end);
  bags_.counts.resize(end);
}

}  // namespace credence::text

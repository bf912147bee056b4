// SPDX-License-Identifier: Apache-2.0
#include "words/tokeniser.hpp"

#include <utility>

#include "core/strings.hpp"
#include "words/terms.hpp"

namespace credence::text {
namespace {

// The terms of a document; an empty one is a word left out.
struct TermList {
  TermMaker make;
  std::vector<std::string> terms;

  void word(const HashedBytes& word) {
    const auto term = make(word.view());
    if (!term.empty()) terms.emplace_back(term);
  }
  void settle() {}
  void gap() { terms.emplace_back(); }
};

// The n-grams of so many words, but for those with a gap.
void add_word_grams(const std::vector<std::string>& terms, std::size_t n,
                    std::vector<std::string>& tokens) {
  for (std::size_t end = n; end <= terms.size(); ++end) {
    const auto first = terms.begin() + static_cast<std::ptrdiff_t>(end - n);
    const auto last = terms.begin() + static_cast<std::ptrdiff_t>(end);
    if (std::find(first, last, "") == last) tokens.push_back(join({first, last}, " "));
  }
}

}  // namespace

Tokeniser::Tokeniser(TokenOptions options)
    : options_(std::move(options)), runs_(options_.pattern, options_.fold) {
  check(options_);
  const int pattern_shortest = options_.pattern == TokenPattern::plain ? 2 : 1;
  shortest_ = static_cast<std::size_t>(std::max(options_.shortest, pattern_shortest));
}

std::vector<std::string> tokens(std::string_view document, const TokenOptions& options) {
  Tokeniser tokeniser(options);
  TermList list{TermMaker(options), {}};
  tokeniser.words(document, list);
  std::vector<std::string> result;
  if (options.chars_high > 0) {
    std::erase(list.terms, "");
    for (const auto& term : list.terms) {
      for (auto& gram : char_grams(term, options.chars_low, options.chars_high)) {
        result.push_back(std::move(gram));
      }
    }
  } else {
    for (int n = options.ngrams_low; n <= options.ngrams_high; ++n) {
      add_word_grams(list.terms, static_cast<std::size_t>(n), result);
    }
  }
  if (options.hash_bits > 0) {
    for (auto& token : result) token = hashed_name(token, options.hash_bits);
  }
  return result;
}

}  // namespace credence::text

// SPDX-License-Identifier: Apache-2.0
#include "text/tokeniser.hpp"

#include <utility>

#include "text/terms.hpp"

namespace credence::text {
namespace {

// Forms the tokens as text, one by one.
struct TokenList {
  const TokenOptions& options;
  TermMaker term;
  std::vector<std::string> tokens;
  std::vector<std::string> recent;  // terms since the beginning or the last gap

  void add(std::string token) {
    tokens.push_back(options.hash_bits > 0 ? hashed_name(token, options.hash_bits)
                                           : std::move(token));
  }
  void word(const HashedBytes& word) {
    const auto text = term(word.view());
    if (text.empty()) return;
    if (options.chars_high > 0) {
      for (auto& gram : char_grams(text, options.chars_low, options.chars_high))
        add(std::move(gram));
      return;
    }
    recent.emplace_back(text);
    const auto high = std::min(recent.size(), static_cast<std::size_t>(options.ngrams_high));
    for (auto n = static_cast<std::size_t>(options.ngrams_low); n <= high; ++n) {
      std::string gram = recent[recent.size() - n];
      for (std::size_t i = recent.size() - n + 1; i < recent.size(); ++i) {
        gram.append(" ").append(recent[i]);
      }
      add(std::move(gram));
    }
  }
  void gap() { recent.clear(); }
};

}  // namespace

Tokeniser::Tokeniser(TokenOptions options)
    : options_(std::move(options)), runs_(options_.pattern, options_.fold) {
  check(options_);
  const int pattern_shortest = options_.pattern == TokenPattern::plain ? 2 : 1;
  shortest_ = static_cast<std::size_t>(std::max(options_.shortest, pattern_shortest));
}

std::vector<std::string> tokens(std::string_view document, const TokenOptions& options) {
  Tokeniser tokeniser(options);
  TokenList list{options, TermMaker(options), {}, {}};
  tokeniser.words(document, list);
  return std::move(list.tokens);
}

}  // namespace credence::text

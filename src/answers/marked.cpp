// SPDX-License-Identifier: Apache-2.0
#include "answers/marked.hpp"

#include "core/utf8.hpp"
#include "words/terms.hpp"
#include "words/tokeniser.hpp"

namespace credence {
namespace {

// A word that became a term; no term: nothing reaches across it.
struct Place {
  std::string term;
  std::size_t word;
};

// Takes what the tokeniser finds: where each word is, and what terms they make.
struct PlaceSink {
  text::TermMaker make;
  std::vector<MarkedWord> words = {};
  std::vector<Place> places = {};

  void found(std::size_t begin, std::size_t end) { words.push_back({begin, end, 0}); }
  void word(const HashedBytes& bytes) {
    const auto term = make(bytes.view());
    if (!term.empty()) places.push_back({std::string(term), words.size() - 1});
  }
  void settle() {}
  void gap() { places.push_back({"", words.size() - 1}); }
};

void spread(const std::string& token, const std::vector<std::size_t>& over,
            const text::TokenOptions& options, const TokenWeights& weights, MarkedText& text) {
  const auto found =
      weights.find(options.hash_bits > 0 ? text::hashed_name(token, options.hash_bits) : token);
  if (found == weights.end()) return;
  for (const auto word : over) {
    text.words[word].weight += found->second / static_cast<double>(over.size());
  }
}

}  // namespace

MarkedText mark_words(const std::string& column, std::string_view document,
                      const text::TokenOptions& options, const TokenWeights& weights) {
  std::string buffer;
  MarkedText result{column, std::string(as_utf8(document, buffer)), {}};
  PlaceSink sink{text::TermMaker(options)};
  text::Tokeniser(options).words(result.text, sink);
  result.words = std::move(sink.words);
  const auto& places = sink.places;
  if (options.chars_high > 0) {
    for (const auto& place : places) {
      if (place.term.empty()) continue;
      for (const auto& gram : text::char_grams(place.term, options.chars_low, options.chars_high)) {
        spread(gram, {place.word}, options, weights, result);
      }
    }
    return result;
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::string token;
    std::vector<std::size_t> over;
    for (int n = 1; n <= options.ngrams_high; ++n) {
      const std::size_t k = i + static_cast<std::size_t>(n) - 1;
      if (k >= places.size() || places[k].term.empty()) break;
      token += (n > 1 ? " " : "") + places[k].term;
      over.push_back(places[k].word);
      if (n >= options.ngrams_low) spread(token, over, options, weights, result);
    }
  }
  return result;
}

}  // namespace credence

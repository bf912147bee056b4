// SPDX-License-Identifier: Apache-2.0
// How a document becomes tokens, and the list in which that is written:
// "ngrams=1-2, stop=english, stem=english".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace credence::text {

// A word character is a letter, a mark, a digit or other number, or "_". Default-ignorable
// characters (soft hyphen, joiners, variation selectors) are read as if they were not there, except
// the zero width space, which is written to separate words.
enum class TokenPattern {
  words,  // word characters; one of @ . - ' within them stays, and U+2019 is read as '
  parts,  // the same with @ and . alone: what hyphens and apostrophes join is several words
  plain,  // word characters only, two at least: scikit-learn's \w\w+
};

// The steps, in this order: find words, fold, leave out what is too long or too short, remove stop
// words, stem, form n-grams, hash.
struct TokenOptions {
  // Longer words, in bytes after folding, are left out, and no n-gram reaches across them. They are
  // encoded files and the like.
  static constexpr std::size_t longest = 256;

  TokenPattern pattern = TokenPattern::words;
  bool fold = true;  // full Unicode case folding, and NFC
  // n-grams of so many words, joined by a space; all short ones before longer ones.
  int ngrams_low = 1;
  int ngrams_high = 1;
  // Above 0: in place of words, n-grams of so many code points of a word with a space at both ends.
  // A padded word that has no more than n gives itself, once, and no longer ones.
  int chars_low = 0;
  int chars_high = 0;
  std::string stop;                     // "" or the name of a built-in list: "english"
  std::vector<std::string> stop_words;  // others to remove
  std::string stem;                     // "" or the name of a Snowball language: "english"
  int shortest = 1;                     // code points, after folding
  int hash_bits = 0;                    // n > 0: the token becomes "#k", k = stable_hash mod 2^n

  bool operator==(const TokenOptions&) const = default;
};

// What may stand before the = in such a list.
const std::vector<std::string>& token_option_names();

// Throws a usage error that names the value and what is wanted in its place.
TokenOptions parse_token_options(std::string_view list);
TokenOptions parse_token_options(
    const std::vector<std::pair<std::string, std::string>>& names_and_values);

// The list that is read back as these options; what has its default is not in it.
std::string to_string(const TokenOptions& options);

// For options that were not parsed: throws the same usage errors.
void check(const TokenOptions& options);

}  // namespace credence::text

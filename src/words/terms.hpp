// SPDX-License-Identifier: Apache-2.0
// What becomes of a word once it is found: stop words, stems, n-grams of characters, hashes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "words/options.hpp"
#include "words/stemmer.hpp"

namespace credence::text {

class TermMaker {
 public:
  explicit TermMaker(const TokenOptions& options);
  // The word's stem, or the word itself; empty when it is removed. Good until the next call.
  std::string_view operator()(std::string_view word);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const {
      return std::hash<std::string_view>()(word);
    }
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> stop_words_;
  std::optional<Stemmer> stemmer_;
};

// The n-grams of the characters of " term ", shorter ones first.
std::vector<std::string> char_grams(std::string_view term, int low, int high);

// "#k", k = stable_hash(token) mod 2^bits.
std::string hashed_name(std::string_view token, int bits);

}  // namespace credence::text

// SPDX-License-Identifier: Apache-2.0
// A document's text with the weight of evidence of each of its words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "words/options.hpp"

namespace credence {

struct MarkedWord {
  std::size_t begin = 0, end = 0;  // bytes of the text
  double weight = 0;               // of all tokens it is a part of
};

struct MarkedText {
  std::string column;
  std::string text;  // UTF-8
  std::vector<MarkedWord> words;
};

// Of each token, what one occurrence of it weighs.
using TokenWeights = std::unordered_map<std::string, double>;

// A token of several words is spread evenly over them.
MarkedText mark_words(const std::string& column, std::string_view document,
                      const text::TokenOptions& options, const TokenWeights& weights);

}  // namespace credence

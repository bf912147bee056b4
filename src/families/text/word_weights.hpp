// SPDX-License-Identifier: Apache-2.0
// Which words of a document count, and for how much. docs/families/text.md
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "families/text/text.hpp"

namespace credence {

// Which words of a chunk are several together; empty where that does not matter.
std::vector<char> several_words(const TextOptions& options, const std::vector<std::string>& words);

// Replaces how often each word of a document occurs by how much it weighs. several: of each word
// whether it is several together, or empty.
void weigh_words(const TextOptions& options, std::span<double> occurrences,
                 std::span<const char> several);

// The weights of a document times how rare its words are; a document that has unit length keeps it.
void weigh_rarity(const TextOptions& options, std::span<double> weights,
                  std::span<const double> rarity);

// What the number of documents that have a word decides, given the weight of all documents.
struct WordChoice {
  const TextOptions& options;
  double all;

  bool keeps(double documents) const {
    return documents >= options.least_documents &&
           (options.most_share >= 1 || documents <= options.most_share * all);
  }
  double rarity(double documents) const {
    return options.idf ? 1 + std::log((1 + all) / (1 + documents)) : 1;
  }
};

}  // namespace credence

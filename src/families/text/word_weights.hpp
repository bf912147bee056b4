// SPDX-License-Identifier: Apache-2.0
// Which words of a document count, and for how much. docs/families/text.md
#pragma once

#include <cmath>
#include <span>

#include "families/text/text.hpp"

namespace credence {

// Replaces how often each word of a document occurs by how much it weighs.
void weigh_words(TextOptions::Counts counts, std::span<double> occurrences);

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

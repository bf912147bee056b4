// SPDX-License-Identifier: Apache-2.0
// From counts of words to the parameters of a text's density. Whatever the model, a document's
// score is a constant plus a sum over its words, and a word says the same of all classes but those
// in which it was seen.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/interner.hpp"
#include "families/text.hpp"
#include "families/word_counts.hpp"

namespace credence {

struct TextData {
  std::size_t column;
  const std::string& name;
  const TextOptions& options;
  const WordCounts& counts;
  const std::vector<double>& documents;  // weight of documents, per class
};

// Replaces how often each word of a document occurs by how much it weighs.
void weigh_words(TextOptions::Counts counts, std::span<double> occurrences);

struct TextEstimate {
  // What a word says of a class in which it was seen, beyond what it says of the others.
  struct Cell {
    double correction;
    std::uint32_t cls;
  };

  TextOptions options;  // with a scale that is not 0
  ByteStrings words;
  std::vector<double> rarity;        // of each word; empty: all 1
  std::vector<double> constant;      // per class, of every document
  std::vector<double> per_word;      // per class, for each unit of weight
  std::vector<double> base;          // per word, the same for all classes
  std::vector<std::size_t> ends{0};  // of a word's cells
  std::vector<Cell> cells;
  std::vector<double> own;     // of each cell: what was counted
  std::vector<double> totals;  // per class: draws, or documents
  std::vector<double> mean_length;
  double prior = 0;  // imaginary count of every word
  bool unsmoothed = false;
  std::vector<std::vector<std::int32_t>> certain;  // per class; empty: none in any
  std::size_t parameters = 0;
  double log_likelihood = 0;
  double log_prior = std::numeric_limits<double>::quiet_NaN();  // as Density::log_prior
};

TextEstimate estimate_text(const TextData& data, const Estimation& estimation);

}  // namespace credence

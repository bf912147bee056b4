// SPDX-License-Identifier: Apache-2.0
// From counts of words to the parameters of a text's density. Whatever the model, a document's
// score is a constant plus a sum over its words, and a word says the same of all classes but those
// in which it was seen.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/interner.hpp"
#include "families/dirichlet.hpp"
#include "families/text/cell_scores.hpp"
#include "families/text/counted_words.hpp"
#include "families/text/text.hpp"

namespace credence {

struct TextData {
  const std::vector<std::size_t>& columns;
  const std::string& name;
  const TextOptions& options;
  std::shared_ptr<const CountedWords> counts;
  const std::vector<double>& documents;  // weight of documents, per class
};

struct TextEstimate {
  TextOptions options;  // with a scale that is not 0
  std::shared_ptr<const CountedWords> counts;
  std::vector<std::size_t> kept;  // of each word its place in counts; empty: they are all
  std::shared_ptr<const ByteStrings> words;  // those kept
  std::vector<double> rarity;                // of each word; empty: all 1
  std::vector<double> constant;              // per class, of every document
  std::vector<double> per_word;              // per class, for each unit of weight
  std::vector<double> bases;                 // per word, the same for all classes; or empty:
  double common_base = 0;                    // of all words
  std::vector<std::uint32_t> ends{0};        // of a word's cells
  CellScores cells;  // what a word says of a class in which it was seen, beyond what of the others
  ImaginaryCount imaginary;
  std::vector<double> totals;  // per class: draws, or documents
  std::vector<double> mean_length;
  bool unsmoothed = false;
  std::vector<std::vector<std::int32_t>> certain;  // per class; empty: none in any
  std::size_t parameters = 0;
  double log_likelihood = 0;
  double log_prior = std::numeric_limits<double>::quiet_NaN();  // as Density::log_prior

  std::size_t size() const { return words->size(); }
  std::size_t place(std::size_t word) const { return kept.empty() ? word : kept[word]; }
  double rarity_of(std::size_t word) const { return rarity.empty() ? 1 : rarity[word]; }
  double base_of(std::size_t word) const { return bases.empty() ? common_base : bases[word]; }
  // Of each cell: what was counted.
  std::vector<double> own_counts() const;
};

TextEstimate estimate_text(const TextData& data, const Estimation& estimation);

}  // namespace credence

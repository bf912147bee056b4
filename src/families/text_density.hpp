// SPDX-License-Identifier: Apache-2.0
// From counts of words to log densities. Whatever the model, a document's score is a constant plus
// a sum over its words, and a word says the same of all classes but those in which it was seen.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

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

// Nothing for complements and weighed counts, which give no probabilities of documents.
std::optional<double> log_marginal_of_texts(const TextData& data, const Estimation& estimation);

std::unique_ptr<Density> fit_text(const TextData& data, const Estimation& estimation);

// Replaces how often each word of a document occurs by how much it weighs.
void weigh_words(TextOptions::Counts counts, std::span<double> occurrences);

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// The probability of documents whose words' probabilities are integrated out. Derivation:
// docs/evidence.md
#include <cmath>
#include <numeric>

#include "core/special.hpp"
#include "families/text/text_density.hpp"
#include "families/text/word_weights.hpp"

namespace credence {

std::optional<double> log_marginal_of_texts(const TextData& data, const Estimation& estimation) {
  const auto& options = data.options;
  const auto& rule = estimation.rule;
  const bool coins = options.model == TextOptions::Model::bernoulli;
  // Weighed counts are not draws, and a complement is not a distribution.
  if (options.model == TextOptions::Model::complement || options.idf || options.smooth != 0 ||
      options.pairs != 1 || options.counts == TextOptions::Counts::log ||
      (options.scale != 0 && options.scale != 1)) {
    return std::nullopt;
  }
  const WordChoice choice{options,
                          std::accumulate(data.documents.begin(), data.documents.end(), 0.0)};
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < data.counts->size(); ++i) {
    if (choice.keeps(data.counts->documents_with(i))) kept.push_back(i);
  }
  const double words = static_cast<double>(kept.size());
  const double a = coins ? dirichlet_parameter(rule, 2, rule.strength / 2)
                         : dirichlet_parameter(rule, words, rule.strength * options.alpha);
  if (kept.empty()) return rule.has_prior() ? std::optional(0.0) : std::nullopt;
  if (a == 0) return std::nullopt;
  // Words that a class does not have add nothing to an urn; a coin that never shows heads does.
  std::vector<double> draws(data.documents.size(), 0.0);
  double sum = 0;
  for (const auto i : kept) {
    for (std::size_t k = data.counts->begin(i); k < data.counts->end(i); ++k) {
      const std::size_t c = data.counts->cls(k);
      const double n = data.counts->weights[k], rows = data.documents[c];
      sum += log_rising(a, n);
      draws[c] += n;
      if (coins) sum += log_rising(a, std::max(0.0, rows - n)) - log_rising(a, rows);
    }
  }
  for (std::size_t c = 0; c < draws.size(); ++c) {
    sum += coins ? words * (log_rising(a, data.documents[c]) - log_rising(2 * a, data.documents[c]))
                 : -log_rising(a * words, draws[c]);
  }
  return sum;
}

}  // namespace credence

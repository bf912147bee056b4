// SPDX-License-Identifier: Apache-2.0
#include "credence/classifier.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "families/family.hpp"
#include "parallel/stream.hpp"

namespace credence {

bool Posterior::undecidable() const { return log_evidence == -infinity; }

Posterior posterior(std::span<const double> log_joint) {
  Posterior result;
  posterior(log_joint, result);
  return result;
}

void posterior(std::span<const double> log_joint, Posterior& result) {
  result.probabilities.assign(log_joint.size(), not_a_number);
  result.log_evidence = -infinity;
  double top = -infinity;
  for (const double value : log_joint) top = value > top ? value : top;
  if (top == -infinity) return;
  // Normalised against the largest, so that probabilities near 1 keep all their digits.
  double total = 0;
  for (std::size_t c = 0; c < log_joint.size(); ++c) {
    result.probabilities[c] = std::exp(log_joint[c] - top);
    total += result.probabilities[c];
  }
  if (!(total < infinity)) {  // some class has no number: nothing can be said
    result.probabilities.assign(log_joint.size(), not_a_number);
    return;
  }
  for (auto& p : result.probabilities) p /= total;
  result.log_evidence = top + std::log(total);
}

Explanation Classifier::explain(const Chunk& chunk, std::size_t row) const {
  std::vector<double> joint(classes().size(), 0.0);
  for (const auto& term : terms(chunk, row)) {
    for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += term.log_density[c];
  }
  std::vector<std::size_t> order(classes().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return joint[a] > joint[b]; });
  return explain(chunk, row, order[0], order.size() > 1 ? order[1] : order[0]);
}

Explanation Classifier::explain(const Chunk& chunk, std::size_t row, std::size_t winner,
                                std::size_t other) const {
  Explanation result;
  result.winner = winner;
  result.other = other;
  std::vector<double> joint(classes().size(), 0.0);
  for (const auto& term : terms(chunk, row)) {
    for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += term.log_density[c];
    const double a = term.log_density[winner];
    const double b = term.log_density[other];
    // Impossible under both: it tells them apart in no way.
    const double weight = a == b ? 0.0 : a - b;
    result.lines.push_back({term.column, term.value, weight, a, b, term.ignored, term.trust});
    if (term.ignored) result.lines.back().value += " (unseen: no evidence)";
    result.log_odds += weight;
  }
  result.posterior = posterior(joint);
  if (result.posterior.undecidable()) result.undecidable_because = zero_factors(chunk, row);
  return result;
}

std::string Classifier::zero_factors(const Chunk& chunk, std::size_t row) const {
  const auto all = terms(chunk, row);
  std::vector<std::string> per_class;
  for (std::size_t c = 0; c < classes().size(); ++c) {
    std::vector<std::string> zeros;
    for (const auto& term : all) {
      if (term.log_density[c] != -infinity) continue;
      zeros.push_back(term.value.empty() ? term.column : term.column + "=" + term.value);
    }
    per_class.push_back(classes()[c] + ": " + join(zeros, ", "));
  }
  return join(per_class, "; ");
}

std::vector<double> log_scores(const Classifier& classifier, Source& source, unsigned threads) {
  std::vector<double> all;
  source.select(classifier.schema(), false);
  if (classifier.reads_rows()) source.lend_rows();
  stream_chunks<std::vector<double>>(
      source, threads, {}, [&](const Chunk& chunk) { return classifier.log_scores(chunk); },
      [&](const std::vector<double>& part) { all.insert(all.end(), part.begin(), part.end()); });
  return all;
}

std::vector<Posterior> posteriors(const Classifier& classifier, const Chunk& chunk) {
  const auto scores = classifier.log_scores(chunk);
  const std::size_t classes = classifier.classes().size();
  std::vector<Posterior> result;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    result.push_back(posterior(std::span(scores).subspan(r * classes, classes)));
  }
  return result;
}

}  // namespace credence

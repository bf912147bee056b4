// SPDX-License-Identifier: Apache-2.0
// With L the likelihood of row i under class c, the shares π that make the rows most probable solve
// π_c = mean over i of π_c L_ic / Σ_k π_k L_ik. Each step is that mean, and none lets Σ log Σ π L
// fall.
#include "credence/adapt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "core/stream.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

// Likelihoods relative to the largest of a row, which `log_top` keeps: nothing underflows.
struct Rows {
  std::vector<double> likelihoods, weights, log_top;
  double impossible = 0;
};

Rows relative_likelihoods(const Scorer& scorer, const Chunk& chunk) {
  Rows result;
  const auto joint = scorer.log_joint(chunk);
  const auto& log_prior = scorer.log_prior();
  const std::size_t many = log_prior.size();
  std::vector<double> row(many);
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    double top = -infinity;
    for (std::size_t c = 0; c < many; ++c) {
      row[c] = log_prior[c] == -infinity ? -infinity : joint[r * many + c] - log_prior[c];
      top = std::max(top, row[c]);
    }
    const double weight = chunk.weights.empty() ? 1.0 : chunk.weights[r];
    if (top == -infinity) {
      result.impossible += weight;
      continue;
    }
    for (const double value : row) result.likelihoods.push_back(std::exp(value - top));
    result.log_top.push_back(top);
    result.weights.push_back(weight);
  }
  return result;
}

void append(Rows& to, Rows&& from) {
  to.likelihoods.insert(to.likelihoods.end(), from.likelihoods.begin(), from.likelihoods.end());
  to.weights.insert(to.weights.end(), from.weights.begin(), from.weights.end());
  to.log_top.insert(to.log_top.end(), from.log_top.begin(), from.log_top.end());
  to.impossible += from.impossible;
}

// The next shares; returns the log evidence under the present ones.
double step(const Rows& rows, std::vector<double>& shares) {
  const std::size_t many = shares.size();
  std::vector<double> next(many, 0.0);
  double evidence = 0, total = 0;
  for (std::size_t r = 0; r < rows.weights.size(); ++r) {
    const double* likelihood = rows.likelihoods.data() + r * many;
    double sum = 0;
    for (std::size_t c = 0; c < many; ++c) sum += shares[c] * likelihood[c];
    evidence += rows.weights[r] * (rows.log_top[r] + std::log(sum));
    if (sum == 0) continue;
    const double weight = rows.weights[r] / sum;
    for (std::size_t c = 0; c < many; ++c) next[c] += weight * shares[c] * likelihood[c];
    total += rows.weights[r];
  }
  if (total > 0) {
    for (std::size_t c = 0; c < many; ++c) shares[c] = next[c] / total;
  }
  return evidence;
}

}  // namespace

AdaptedPrior adapt_prior(const Scorer& scorer, Source& source, unsigned threads,
                         const Progress& progress) {
  Rows rows;
  stream_chunks<Rows>(
      source, threads, progress,
      [&](const Chunk& chunk) { return relative_likelihoods(scorer, chunk); },
      [&](Rows part) { append(rows, std::move(part)); });
  AdaptedPrior result;
  for (const double log_p : scorer.log_prior()) result.before.push_back(std::exp(log_p));
  for (const double weight : rows.weights) result.rows += weight;
  result.impossible = rows.impossible;
  if (result.rows == 0) {
    throw Error(ErrorKind::data, "no row to adapt to: every row is impossible under every class");
  }
  result.after = result.before;
  constexpr int most_steps = 10000;
  for (int i = 0; i < most_steps; ++i) {
    const auto last = result.after;
    result.evidence.push_back(step(rows, result.after));
    double moved = 0;
    for (std::size_t c = 0; c < last.size(); ++c) {
      moved = std::max(moved, std::abs(result.after[c] - last[c]));
    }
    if (moved < 1e-9) break;
  }
  result.prior.kind = ClassPrior::Kind::given;
  for (std::size_t c = 0; c < result.after.size(); ++c) {
    result.prior.shares.emplace_back(scorer.classes()[c], result.after[c]);
  }
  return result;
}

}  // namespace credence

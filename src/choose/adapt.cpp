// SPDX-License-Identifier: Apache-2.0
// With L the likelihood of row i under class c, the shares π that make the rows most probable solve
// π_c = mean over i of π_c L_ic / Σ_k π_k L_ik. Each step is that mean, and none lets Σ log Σ π L
// fall.
#include "credence/adapt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/log_math.hpp"
#include "credence/error.hpp"
#include "parallel/stream.hpp"

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
  const auto& log_prior = scorer.log_prior();  // equal for all classes that have rows
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

double log_evidence(const Rows& rows, const std::vector<double>& shares) {
  double result = 0;
  for (std::size_t r = 0; r < rows.weights.size(); ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < shares.size(); ++c) {
      sum += shares[c] * rows.likelihoods[r * shares.size() + c];
    }
    result += rows.weights[r] * (rows.log_top[r] + std::log(sum));
  }
  return result;
}

// Moves on to the next shares. Returns by how much the mean log evidence may still be below its
// maximum: the objective is concave, and its largest slope bounds what is left.
double step(const Rows& rows, double total, std::vector<double>& shares) {
  const std::size_t many = shares.size();
  std::vector<double> slope(many, 0.0);
  for (std::size_t r = 0; r < rows.weights.size(); ++r) {
    const double* likelihood = rows.likelihoods.data() + r * many;
    double sum = 0;
    for (std::size_t c = 0; c < many; ++c) sum += shares[c] * likelihood[c];
    if (sum == 0) continue;
    const double weight = rows.weights[r] / (sum * total);
    for (std::size_t c = 0; c < many; ++c) slope[c] += weight * likelihood[c];
  }
  for (std::size_t c = 0; c < many; ++c) shares[c] *= slope[c];
  return *std::max_element(slope.begin(), slope.end()) - 1;
}

}  // namespace

AdaptedPrior adapt_prior(const Model& model, Source& source, unsigned threads,
                         const Progress& progress) {
  AdaptedPrior result;
  const Scorer own(model);
  for (const double log_p : own.log_prior()) result.before.push_back(std::exp(log_p));
  Model level = model;
  level.settings().prior = {ClassPrior::Kind::uniform, 1, {}};
  const Scorer scorer(level);
  Rows rows;
  stream_chunks<Rows>(
      source, threads, progress,
      [&](const Chunk& chunk) { return relative_likelihoods(scorer, chunk); },
      [&](Rows part) { append(rows, std::move(part)); });
  for (const double weight : rows.weights) result.rows += weight;
  result.impossible = rows.impossible;
  if (result.rows == 0) {
    throw Error(ErrorKind::data, "no row to adapt to: every row is impossible under every class");
  }
  result.evidence_before = log_evidence(rows, result.before);
  for (const double log_p : scorer.log_prior()) result.after.push_back(std::exp(log_p));
  constexpr int most_steps = 10000;
  for (int i = 0; i < most_steps && !result.converged; ++i) {
    result.evidence.push_back(log_evidence(rows, result.after));
    result.converged = step(rows, result.rows, result.after) < 1e-8;
  }
  const double sum = std::accumulate(result.after.begin(), result.after.end(), 0.0);
  for (double& share : result.after) share /= sum;
  result.evidence.push_back(log_evidence(rows, result.after));
  result.prior.kind = ClassPrior::Kind::given;
  for (std::size_t c = 0; c < result.after.size(); ++c) {
    result.prior.shares.emplace_back(scorer.classes()[c], result.after[c]);
  }
  return result;
}

}  // namespace credence

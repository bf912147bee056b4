// SPDX-License-Identifier: Apache-2.0
// How sure the probabilities of the classes are, given that parameters are estimated: the posterior
// of P(c | x) under the posterior of the parameters. docs/uncertainty.md
#pragma once

#include <cstdint>
#include <vector>

#include "credence/interval.hpp"
#include "credence/model.hpp"
#include "credence/scorer.hpp"

namespace credence {

struct UncertaintyOptions {
  std::size_t draws = 1000;
  std::uint64_t seed = 1;
  double level = 0.95;
};

// Immutable, and safe to use from several threads.
class Uncertainty {
 public:
  // Throws a usage error where a family knows no posterior, or the model was written by hand.
  Uncertainty(const Model& model, const UncertaintyOptions& options);

  // The credible interval of P(c | x), the same share left out at both ends: rows x classes. Of a
  // row without any value it is exact.
  std::vector<Interval> intervals(const Chunk& chunk) const;
  // Of the log-odds of two classes, for a chunk of one row.
  Interval log_odds(const Chunk& row, std::size_t a, std::size_t b) const;

 private:
  UncertaintyOptions options_;
  std::vector<Scorer> draws_;
  std::vector<double> prior_;  // the Dirichlet's parameters; empty: the prior is given
};

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// How sure the probabilities of the classes are, given that parameters are estimated: the posterior
// of P(c | x) under the posterior of the parameters. docs/uncertainty.md
#pragma once

#include <cstdint>
#include <vector>

#include "credence/interval.hpp"
#include "credence/model.hpp"
#include "credence/scorer.hpp"
#include "families/family.hpp"

namespace credence {

struct UncertaintyOptions {
  std::size_t draws = 1000;
  std::uint64_t seed = 1;
  double level = 0.95;
};

// Immutable, and safe to use from several threads.
class Uncertainty {
 public:
  // Throws a usage error where a family knows no posterior, the model was written by hand, or there
  // are too many parameters to draw them so often.
  Uncertainty(const Model& model, const UncertaintyOptions& options);

  // The credible interval of P(c | x), the same share left out at both ends: rows x classes. Of a
  // row without any value it is exact.
  std::vector<Interval> intervals(const Chunk& chunk) const;
  // Of the log-odds of two classes, for a chunk of one row.
  Interval log_odds(const Chunk& row, std::size_t a, std::size_t b) const;

 private:
  std::vector<Scorer> drawn(const Chunk& rows) const;
  std::vector<Interval> intervals_of(const std::vector<Scorer>& draws, const Chunk& rows) const;

  UncertaintyOptions options_;
  Model model_;
  std::vector<BlockStatistics::Draw> blocks_;
  bool by_row_ = false;
  std::vector<Scorer> draws_;  // for all rows, where these are not drawn row by row
  std::vector<double> prior_;  // the Dirichlet's parameters; empty: the prior is given
};

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// A scorer is a model turned into probabilities: immutable, and safe to use from several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/model.hpp"
#include "credence/parameters.hpp"

namespace credence {

class Density;
struct Term;

// The posterior of one row, and the log of its evidence p(x).
struct Posterior {
  std::vector<double> probabilities;  // NaN when every class has probability 0
  double log_evidence = 0;            // then -inf
  bool undecidable() const;
};

// Turns a row of log joints log P(c, x) into the posterior by Bayes' rule.
Posterior posterior(std::span<const double> log_joint);

// Why a row is more probable under one class than under another: weights that sum to the log-odds.
struct Explanation {
  struct Line {
    std::string column;  // "prior" for the classes' own odds
    std::string value;
    double weight;  // log of P(value | winner) / P(value | other)
    double winner;  // log density under the winner,
    double other;   // and under the other class
  };
  std::size_t winner = 0;  // places in Scorer::classes()
  std::size_t other = 0;
  std::vector<Line> lines;
  double log_odds = 0;  // the sum of the weights
  Posterior posterior;
  // Undecidable rows: for each class the factors that are zero.
  std::string undecidable_because;
};

class Scorer {
 public:
  // tell: hears, a line at a time, how estimation by steps goes (families such as mixture).
  explicit Scorer(const Model& model, const std::function<void(const std::string&)>& tell = {});
  Scorer(Scorer&&) noexcept;
  ~Scorer();

  const std::vector<std::string>& classes() const { return classes_; }
  const std::vector<double>& log_prior() const { return log_prior_; }

  // log P(c, x) for every row and class: rows x classes.
  std::vector<double> log_joint(const Chunk& chunk) const;

  // Of a row: the most probable class against the second (or against `other`).
  Explanation explain(const Chunk& chunk, std::size_t row) const;
  Explanation explain(const Chunk& chunk, std::size_t row, std::size_t winner,
                      std::size_t other) const;
  // "pos: size=medium; neg: size=medium, color=blue" for a row that no class allows.
  std::string zero_factors(const Chunk& chunk, std::size_t row) const;

  // Draws rows: classes from the prior, then every column given the class.
  Chunk sample(std::size_t rows, std::uint64_t seed) const;

  std::size_t parameters() const { return parameters_; }     // free ones, the prior's included
  double log_likelihood() const { return log_likelihood_; }  // of the rows observed
  // The softmax form of the model. Throws a usage error that says why where it has none.
  LinearForm linear_form() const;
  std::vector<ParameterTable> tables() const;  // one per block

 private:
  std::vector<Term> terms(const Chunk& chunk, std::size_t row) const;

  Schema schema_;
  std::vector<std::string> classes_;
  std::vector<double> log_prior_;
  std::vector<std::unique_ptr<Density>> densities_;
  std::vector<double> block_weights_;
  std::size_t parameters_ = 0;
  double log_likelihood_ = 0;
};

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// What every classifier gives, generative or not: probabilities of the classes, and reasons.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/schema.hpp"

namespace credence {

class Source;
struct Term;

// The posterior of one row, and the log of its evidence p(x).
struct Posterior {
  std::vector<double> probabilities;  // NaN when every class has probability 0
  double log_evidence = 0;            // then -inf
  bool undecidable() const;
};

// Turns a row of log joints log P(c, x) into the posterior by Bayes' rule.
Posterior posterior(std::span<const double> log_joint);
// The same into one that has been used before.
void posterior(std::span<const double> log_joint, Posterior& result);

// Why a row is more probable under one class than under another: weights that sum to the log-odds.
struct Explanation {
  struct Line {
    std::string
        column;  // "prior" for the classes' own odds, "intercept" where it is not known apart
    std::string value;
    double weight;  // log of P(value | winner) / P(value | other): what it adds to the log-odds
    double winner;  // log density (or score) under the winner,
    double other;   // and under the other class
    bool ignored = false;  // the model has never seen the value: it is no evidence
    double trust = 1;      // by which the three numbers have been multiplied
  };
  std::size_t winner = 0;  // places in Classifier::classes()
  std::size_t other = 0;
  std::vector<Line> lines;
  double log_odds = 0;  // the sum of the weights
  Posterior posterior;
  // Undecidable rows: for each class the factors that are zero.
  std::string undecidable_because;
};

// Immutable, and safe to use from several threads.
class Classifier {
 public:
  virtual ~Classifier() = default;

  virtual const Schema& schema() const = 0;
  virtual const std::vector<std::string>& classes() const = 0;
  // Does it say how usual a row is? Then log_scores() are log P(c, x), else log P(c | x).
  virtual bool knows_evidence() const = 0;
  // Whether chunks may be rows as they lie in memory (Chunk::matrix).
  virtual bool reads_rows() const { return false; }
  // For every row of a chunk that was selected with schema(): rows x classes.
  virtual std::vector<double> log_scores(const Chunk& chunk) const = 0;

  // Of a row: the most probable class against the second (or against `other`).
  Explanation explain(const Chunk& chunk, std::size_t row) const;
  Explanation explain(const Chunk& chunk, std::size_t row, std::size_t winner,
                      std::size_t other) const;
  // "pos: size=medium; neg: size=medium, color=blue" for a row that no class allows.
  std::string zero_factors(const Chunk& chunk, std::size_t row) const;

 protected:
  // What the scores of a row are a sum of, up to what all classes share.
  friend struct Steps steps(const Classifier& classifier, const Chunk& chunk, std::size_t row);
  virtual std::vector<Term> terms(const Chunk& chunk, std::size_t row) const = 0;
};

// log_scores() of all rows of a source, which is selected here, in their order: rows x classes.
std::vector<double> log_scores(const Classifier& classifier, Source& source, unsigned threads = 0);
// The posterior of every row of a chunk.
std::vector<Posterior> posteriors(const Classifier& classifier, const Chunk& chunk);

}  // namespace credence

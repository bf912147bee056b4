// SPDX-License-Identifier: Apache-2.0
// Novelty: how unusual a row is beside rows of the kind the model learned. docs/novelty.md
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/rule.hpp"
#include "credence/scorer.hpp"

namespace credence {

struct ScoredRows;

// The log evidences of rows that the model had not seen.
struct Novelty {
  // Of all blocks, or of one. Rows with gaps and short texts have fewer factors, so evidence is
  // taken relative to what a row of that size has on average, and rows are compared with rows of
  // like expectation.
  struct Reference {
    std::vector<double> expected;  // ascending; empty: of every row the same
    std::vector<double> surplus;   // evidence minus expected; ascending where those are equal

    // The share of the reference that is as unusual or more: low where evidence is low.
    double p_value(double expected, double surplus) const;
    // No row can have less.
    double least() const;
  };
  // A mean over the size of a row's part: the tokens of a text, the share of columns present.
  struct Line {
    double intercept = 0, slope = 0;
    double at(double size) const { return intercept + slope * size; }
  };
  struct Block {
    Line own;           // the evidence of the block's columns alone
    Line contribution;  // what the evidence of all columns has more with the block than without
    Reference reference;
    // Blocks of several columns: mean and standard deviation of each column's surprise
    // -log p(column | the block's other columns) among rows learned.
    std::vector<double> mean, deviation;
  };

  std::vector<std::string> classes;
  std::vector<double> log_prior;  // mixes the classes, whatever the model's prior becomes
  Rule rule;
  double rows = 0;
  Reference all;
  std::vector<Block> blocks;

  bool fits(const Model& model) const;
};

// held: with its blocks, made under `log_prior`; its rows are those of the chunks.
Novelty make_novelty(const Model& model, const std::vector<Chunk>& chunks, const ScoredRows& held,
                     const std::vector<double>& log_prior);

// Judges rows by the model's own reference. Immutable; keeps references to model and scorer.
class NoveltyTest {
 public:
  // Throws a usage error where the model has no reference, or one of another rule.
  NoveltyTest(const Model& model, const Scorer& scorer);

  // What no row can fall below, as the reference has only so many rows.
  double least() const { return novelty_->all.least(); }
  // For every row of a chunk.
  std::vector<double> p_values(const Chunk& chunk) const;
  // The columns of these rows that are strange by themselves, the strangest first; at most three.
  // None: each is usual, together they are not.
  std::vector<std::vector<std::string>> strange_columns(const Chunk& chunk,
                                                        std::span<const std::size_t> rows) const;

 private:
  const Model& model_;
  const Scorer& scorer_;
  std::shared_ptr<const Novelty> novelty_;
};

}  // namespace credence

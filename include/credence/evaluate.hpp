// SPDX-License-Identifier: Apache-2.0
// How good a model's decisions and probabilities are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "credence/model.hpp"
#include "credence/scorer.hpp"

namespace credence {

struct Metrics {
  double rows = 0;
  double accuracy = 0;
  double log_loss = 0;    // mean of -log P(true class); infinite if it was ever given probability 0
  double brier = 0;       // mean of sum over classes of (P - truth)^2
  double ece = 0;         // expected calibration error, 15 bins of the winner's probability
  double undecided = 0;   // rows without a label
  double impossible = 0;  // rows whose true class was given probability 0
  std::vector<std::string> labels;
  std::vector<std::vector<double>> confusion;  // [true][predicted], by weight
};

// What one row's posterior was worth.
struct Outcome {
  std::size_t truth = 0;       // place in `labels` of summarise()
  std::size_t prediction = 0;  // the same; no_label: none
  double weight = 1;
  double log_probability = 0;  // of the true class
  double confidence = 0;
  double brier = 0;

  static constexpr std::size_t no_label = static_cast<std::size_t>(-1);
};

// Of a row's log joints; truth: the true class's place among them (no_label: the model does not
// know it).
Outcome judge(std::span<const double> log_joint, std::size_t truth, double weight);

// Sums in the order of the outcomes.
Metrics summarise(const std::vector<Outcome>& outcomes, const std::vector<std::string>& labels);

// Scores every labelled row of the source, which must have been selected with the model's schema.
Metrics evaluate(const Classifier& classifier, Source& source, unsigned threads = 0,
                 const Progress& progress = {});
Metrics evaluate(const Model& model, Source& source, unsigned threads = 0,
                 const Progress& progress = {});

struct Folds {
  std::size_t count = 10;
  bool leave_one_out = false;
  bool stratified = true;
  std::uint64_t seed = 1;
};

// Every labelled row, and what a model that has not seen it says of it.
struct HeldOut {
  struct Row {
    std::size_t chunk = 0, row = 0;  // where it is
    std::size_t cls = 0;             // its class, a place in `classes`
    std::size_t fold = 0;
    double weight = 1;
  };
  std::vector<std::string> classes;
  std::vector<Row> rows;          // in the order of the chunks
  std::vector<double> log_joint;  // log P(c, x): rows x classes
  std::vector<std::vector<double>>
      blocks;  // if asked for, log p(block's columns | c) of each block
};

// Cross-validation without refitting: a fold's statistics are subtracted from the whole.
// `model` is the model before any row; a calibration of its is not applied.
HeldOut hold_out(const Model& model, const std::vector<Chunk>& chunks, const Folds& folds,
                 unsigned threads = 0, bool by_block = false);

// The same rows judged by the model as it is: for rows it has not learned.
HeldOut score_rows(const Model& model, const std::vector<Chunk>& chunks, unsigned threads = 0,
                   bool by_block = false);

struct CrossValidation {
  Metrics all;
  std::vector<double> fold_accuracy;  // empty for leave-one-out
};

// What the rows held out are worth.
CrossValidation cross_validate(const Model& model, const std::vector<Chunk>& chunks,
                               const Folds& folds, unsigned threads = 0);

// Reads all that is left of a source.
std::vector<Chunk> read_all(Source& source, unsigned threads = 0, const Progress& progress = {});

}  // namespace credence

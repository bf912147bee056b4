// SPDX-License-Identifier: Apache-2.0
// How good a model's decisions and probabilities are.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "credence/decision.hpp"
#include "credence/interval.hpp"
#include "credence/model.hpp"
#include "credence/scorer.hpp"

namespace credence {

// How often which class was taken for which: only the pairs that occur, by weight.
class Confusion {
 public:
  struct Cell {
    std::size_t truth = 0, prediction = 0;  // places among the labels
    double weight = 0;

    bool operator==(const Cell&) const = default;
  };
  Confusion() = default;
  Confusion(std::size_t labels, std::vector<Cell> cells);  // sorted by truth, then prediction

  const std::vector<Cell>& cells() const { return cells_; }
  double at(std::size_t truth, std::size_t prediction) const;
  // [true][predicted]: labels squared, so for few of them.
  std::vector<std::vector<double>> table() const;
  bool operator==(const Confusion&) const = default;

 private:
  std::size_t labels_ = 0;
  std::vector<Cell> cells_;
};

// One class against all others. NaN: undefined, as the precision of a class never predicted.
struct ClassMetrics {
  double support = 0;   // weight of its rows
  double no_label = 0;  // of these, the weight of those that got no label
  double precision = 0, recall = 0, f1 = 0;
  double roc_auc = 0;            // the chance that one of its rows scores above another's
  double average_precision = 0;  // area under precision over recall
  Interval precision_interval, recall_interval, f1_interval, roc_auc_interval,
      average_precision_interval;
};

// What becomes of the rows when those below a probability get no label.
struct RejectPoint {
  double threshold = 0;
  double coverage = 0;  // share of the rows that get a label
  double error = 0;     // share of these that is wrong; NaN: none is left
};

// Rows of which the most probable class had about this probability, by weight.
struct ConfidenceBin {
  double weight = 0;
  double right = 0;       // of those of which it was the class
  double confidence = 0;  // the sum of the probabilities
};

// docs/judge.md says what each means and where it misleads. A label not given counts as wrong.
struct Metrics {
  double rows = 0;
  double accuracy = 0;
  double log_loss = 0;  // mean of -log P(true class); infinite if it was ever given probability 0
  double brier = 0;     // mean of sum over classes of (P - truth)^2
  double ece = 0;       // expected calibration error, 15 bins of the winner's probability
  double weight = 0;    // of all rows: what the means above are divided by
  std::vector<ConfidenceBin> bins = {};  // those of ece
  double undecided = 0;                  // rows without a label
  double impossible = 0;                 // rows whose true class was given probability 0
  std::vector<std::string> labels;
  Confusion confusion;

  double balanced_accuracy = 0;       // mean recall of the classes that have rows
  double macro_f1 = 0;                // mean of the classes' F1
  double mcc = 0;                     // Matthews' correlation, Gorodkin's for several classes
  std::vector<ClassMetrics> classes;  // in the order of the labels
  // Of rows whose scores were kept; NaN otherwise.
  double roc_auc = std::numeric_limits<double>::quiet_NaN();  // means over the classes
  double average_precision = std::numeric_limits<double>::quiet_NaN();
  double roc_auc_error = 0;  // at most so far from the exact value, where scores were put in bins
  double reject_area = std::numeric_limits<double>::quiet_NaN();  // mean error over all coverages
  std::vector<RejectPoint> reject;
  // With costs: what the decisions cost, and what the probabilities said they would.
  double mean_cost = std::numeric_limits<double>::quiet_NaN();
  double expected_cost = std::numeric_limits<double>::quiet_NaN();

  double confidence = 0;  // of the intervals; 0: they were not asked for
  Interval accuracy_interval, log_loss_interval, brier_interval, balanced_accuracy_interval,
      macro_f1_interval, mcc_interval, roc_auc_interval, average_precision_interval,
      mean_cost_interval;
};

// What one row's posterior was worth.
struct Outcome {
  static constexpr std::size_t no_label = static_cast<std::size_t>(-1);

  std::size_t truth = 0;       // place in `labels` of summarise()
  std::size_t prediction = 0;  // the same; no_label: none
  std::size_t most_probable =
      no_label;  // the same; the prediction unless costs or thresholds spoke
  double weight = 1;
  double log_probability = 0;  // of the true class
  double confidence = 0;       // of the most probable class
  double brier = 0;
  double cost = std::numeric_limits<double>::quiet_NaN();  // NaN: no costs, or an unknown class
  double expected_cost = std::numeric_limits<double>::quiet_NaN();
};

// Of a row's log joints; truth: the true class's place among them (no_label: the model does not
// know it).
Outcome judge(std::span<const double> log_joint, std::size_t truth, double weight,
              const DecisionRule& rule = {});

// log P(c | x) / (1 - P(c | x)) for every class: ranks rows where probabilities are all 0 or 1.
// Rounded to 2^-32, so that rounding errors do not part what is equal; -inf if undecidable.
std::vector<double> log_odds(std::span<const double> log_joint);

// Rows of chunks, and what a classifier says of each of them.
struct ScoredRows {
  struct Row {
    std::size_t chunk = 0, row = 0;  // where it is
    // Its class, a place in `classes`, or beyond them in `unknown`; no_label: the row has none.
    std::size_t cls = 0;
    std::size_t fold = 0;  // of rows that were held out
    double weight = 1;
  };
  std::vector<std::string> classes;       // the classifier's
  std::vector<std::string> unknown = {};  // classes of rows that the classifier does not know
  std::vector<Row> rows = {};             // in the order of the chunks
  std::vector<double> log_joint = {};     // log P(c, x): rows x classes
  // If asked for, log p(block's columns | c) of each block; 0 where c has no row left to learn
  // from, whose log joint is -inf.
  std::vector<std::vector<double>> blocks = {};

  std::span<const double> scores(std::size_t row) const {
    return std::span(log_joint).subspan(row * classes.size(), classes.size());
  }
};

// Which rows: those of the classifier's classes, those of any class, or all.
enum class WhichRows { known, labelled, all };

ScoredRows score_rows(const Classifier& classifier, std::span<const Chunk> chunks,
                      WhichRows which = WhichRows::labelled, unsigned threads = 0);

// What each row is worth, in the order of the rows, all of which must have a class.
std::vector<Outcome> judge(const ScoredRows& rows, const DecisionRule& rule = {});
std::vector<double> log_odds(const ScoredRows& rows);  // rows x classes

// Sums in the order of the outcomes. Without scores there are no areas, and no intervals.
Metrics summarise(const std::vector<Outcome>& outcomes, const std::vector<std::string>& labels);

struct MeasureOptions {
  double confidence = 0.95;  // of the intervals; 0: none
  std::uint64_t seed = 1;    // of the bootstrap
  // Scores (rows times classes) kept one by one; from there on in bins that agree in sign,
  // exponent and 8 bits.
  std::size_t exact_scores = 20'000'000;
  DecisionRule rule = {};
};

// Scores every labelled row of the source, which must have been selected with the model's schema.
Metrics evaluate(const Classifier& classifier, Source& source, unsigned threads = 0,
                 const Progress& progress = {}, const MeasureOptions& options = {});
Metrics evaluate(const Model& model, Source& source, unsigned threads = 0,
                 const Progress& progress = {}, const MeasureOptions& options = {});

// Reads all that is left of a source.
std::vector<Chunk> read_all(Source& source, unsigned threads = 0, const Progress& progress = {});

}  // namespace credence

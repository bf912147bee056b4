// SPDX-License-Identifier: Apache-2.0
// Labelled rows and what a classifier made of them: what the pictures of its quality are drawn
// from.
#pragma once

#include <string>
#include <vector>

#include "credence/decision.hpp"
#include "credence/hold_out.hpp"
#include "plot/drawing/canvas.hpp"

namespace credence::plot {

struct Judged {
  std::string target;
  std::size_t classes = 0;          // the classifier's; they come first among the labels
  std::vector<std::string> labels;  // then classes that it does not know
  std::vector<Outcome> outcomes;    // of the labelled rows
  std::vector<double> winners;      // the log-odds of their most probable classes
  std::vector<double> odds;  // those of all classes, rows x classes; none if too many to draw
  Metrics metrics;
};

// So many classes fit a picture in which each has something of its own.
constexpr std::size_t most_classes = 60;

Judged judge_rows(const Classifier& classifier, const std::vector<Chunk>& data,
                  const DecisionRule& rule = {}, unsigned threads = 0);

// How often which class is taken for which, cells shaded by their share of the row.
std::string confusion(const Judged& judged, const Look& look);
// True against false positives over all thresholds, each class against the rest.
std::string roc(const Judged& judged, const Look& look);
// How often the most probable class is right, by how probable it is said to be.
std::string reliability(const Judged& judged, const Look& look);
// The error of the rows that get a label, by how many do.
std::string reject(const Judged& judged, const Look& look);
// What deciding for the second of two classes from a threshold on costs; without costs every
// mistake costs 1.
std::string cost(const Judged& judged, const Costs& costs, const Look& look);

struct Drift {
  std::size_t blocks = 20;                     // of about as many rows
  std::size_t time_column = Folds::no_column;  // of the chunks; none: the order of the rows
  Schema schema = {};                          // names the column
};
// Accuracy, log-loss and log evidence over time.
std::string drift(const Classifier& classifier, const std::vector<Chunk>& data,
                  const Drift& options, const Look& look);

}  // namespace credence::plot

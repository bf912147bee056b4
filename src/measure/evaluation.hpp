// SPDX-License-Identifier: Apache-2.0
// Labelled rows judged by a classifier, some at a time: what evaluate() and the pictures of a
// model's quality share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "credence/evaluate.hpp"
#include "families/statistics/domain.hpp"
#include "measure/tally.hpp"

namespace credence {

class Evaluation {
 public:
  struct Part {
    std::vector<Outcome> outcomes;
    std::vector<double> odds;          // outcomes x classes
    std::vector<std::string> unknown;  // classes that the classifier does not know
  };

  Evaluation(const Classifier& classifier, const MeasureOptions& options)
      : classifier_(classifier),
        options_(options),
        labels_(classifier.classes()),
        classes_(labels_.size()),
        tally_(options, classes_) {}

  std::size_t classes() const { return classes_; }
  // The classifier's classes, then those it does not know, as they come.
  const Domain& labels() const { return labels_; }
  const Tally& tally() const { return tally_; }

  // What the labelled rows are worth; several threads may ask at once.
  Part judge(const Chunk& chunk) const {
    auto rows = score_rows(classifier_, {&chunk, 1});
    Part part{credence::judge(rows, options_.rule), {}, std::move(rows.unknown)};
    part.odds = log_odds(rows);
    return part;
  }

  // In the order of the rows; see(outcome, odds) for each.
  template <typename See>
  void take(Part part, const See& see) {
    std::vector<std::size_t> numbers;
    for (auto& outcome : part.outcomes) {
      numbers.push_back(rows_++);
      if (outcome.truth < classes_) continue;
      outcome.truth = labels_.insert(part.unknown[outcome.truth - classes_]);
    }
    tally_.rank(numbers, part.outcomes, part.odds);
    for (std::size_t i = 0; i < part.outcomes.size(); ++i) {
      tally_.add(part.outcomes[i]);
      see(part.outcomes[i], std::span(part.odds).subspan(i * classes_, classes_));
    }
  }

 private:
  const Classifier& classifier_;
  const MeasureOptions& options_;
  Domain labels_;
  std::size_t classes_;
  std::size_t rows_ = 0;  // taken so far
  Tally tally_;
};

// As evaluate() of a source, of chunks that are in memory.
Metrics evaluate_chunks(const Classifier& classifier, std::span<const Chunk> chunks,
                        const MeasureOptions& options = {});

}  // namespace credence

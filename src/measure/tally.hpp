// SPDX-License-Identifier: Apache-2.0
// Outcomes row by row, and what they come to.
#pragma once

#include <array>
#include <optional>
#include <unordered_map>

#include "measure/confusion.hpp"
#include "measure/intervals.hpp"
#include "measure/ranking.hpp"

namespace credence {

class Tally {
 public:
  // classes: of the scores that will be given; 0: none will.
  Tally(const MeasureOptions& options, std::size_t classes);

  // In the order of the rows.
  void add(const Outcome& outcome);
  // The same with the row's log-odds.
  void add(const Outcome& outcome, std::span<const double> scores) {
    const auto number = static_cast<std::size_t>(rows_);
    rank({&number, 1}, {&outcome, 1}, scores);
    add(outcome);
  }
  // The log-odds of some rows, rows x classes, alone. Rows have numbers, for these may come in
  // another order.
  void rank(std::span<const std::size_t> numbers, std::span<const Outcome> outcomes,
            std::span<const double> scores);

  // places: for each class, as outcomes named it, its place among the labels.
  Metrics finish(std::vector<std::string> labels, const std::vector<std::size_t>& places,
                 unsigned threads = 1) const;
  Metrics finish(std::vector<std::string> labels, unsigned threads = 1) const;

 private:
  struct Answered {
    double weight = 0, wrong = 0;
  };
  std::vector<WeighedCell> cells(const std::vector<std::size_t>& places) const;
  void add_rankings(const std::vector<std::size_t>& places, unsigned threads,
                    Metrics& metrics) const;

  MeasureOptions options_;
  std::size_t classes_;
  double rows_ = 0, right_ = 0, undecided_ = 0, impossible_ = 0;
  WeightedMean log_loss_, brier_, cost_, expected_cost_;
  bool infinite_loss_ = false, infinite_cost_ = false, infinite_expected_cost_ = false;
  bool priced_ = false;  // there are costs
  std::array<ConfidenceBin, 15> bins_;
  std::vector<Answered> answered_;  // by reject threshold
  std::unordered_map<std::uint64_t, WeighedCell> cells_;
  std::optional<Scores> scores_;
  std::optional<Scores> winners_;  // the most probable class's score: right or wrong
};

}  // namespace credence

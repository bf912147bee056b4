// SPDX-License-Identifier: Apache-2.0
#include "plot/judged/judged.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "credence/error.hpp"
#include "measure/evaluation.hpp"
#include "parallel/stream.hpp"

namespace credence::plot {

Judged judge_rows(const Classifier& classifier, const std::vector<Chunk>& data,
                  const DecisionRule& rule, unsigned threads) {
  MeasureOptions options;
  options.rule = rule;
  Evaluation evaluation(classifier, options);
  Judged result;
  result.target = classifier.schema().target;
  result.classes = evaluation.classes();
  stream_slices<Evaluation::Part>(
      data, result.classes, threads, [&](const Chunk& chunk) { return evaluation.judge(chunk); },
      [&](Evaluation::Part part) {
        evaluation.take(std::move(part), [&](const Outcome& outcome, std::span<const double> odds) {
          result.outcomes.push_back(outcome);
          result.winners.push_back(*std::max_element(odds.begin(), odds.end()));
          if (odds.size() > most_classes) return;
          result.odds.insert(result.odds.end(), odds.begin(), odds.end());
        });
      });
  if (result.outcomes.empty()) {
    throw Error(ErrorKind::data,
                fmt::format("no row has a value of \"{}\", which says how good the model is",
                            result.target));
  }
  result.labels = evaluation.labels().values();
  result.metrics = evaluation.tally().finish(result.labels);
  return result;
}

}  // namespace credence::plot

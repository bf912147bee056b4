// SPDX-License-Identifier: Apache-2.0
#include "plot/judged.hpp"

#include <fmt/format.h>

#include "credence/error.hpp"
#include "measure/tally.hpp"

namespace credence::plot {

Judged judge_rows(const Classifier& classifier, const std::vector<Chunk>& data,
                  const DecisionRule& rule, unsigned threads) {
  const auto rows = score_rows(classifier, data, WhichRows::labelled, threads);
  Judged result;
  result.target = classifier.schema().target;
  result.classes = rows.classes.size();
  if (rows.rows.empty()) {
    throw Error(ErrorKind::data,
                fmt::format("no row has a value of \"{}\", which says how good the model is",
                            result.target));
  }
  result.labels = rows.classes;
  result.labels.insert(result.labels.end(), rows.unknown.begin(), rows.unknown.end());
  result.outcomes = judge(rows, rule);
  result.odds = log_odds(rows);
  MeasureOptions options;
  options.rule = rule;
  Tally tally(options, result.classes);
  for (std::size_t i = 0; i < result.outcomes.size(); ++i) {
    tally.add(result.outcomes[i],
              std::span(result.odds).subspan(i * result.classes, result.classes));
  }
  result.metrics = tally.finish(result.labels);
  return result;
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
#include "plot/judged.hpp"

#include <fmt/format.h>

#include "core/parallel.hpp"
#include "credence/error.hpp"
#include "families/domain.hpp"
#include "measure/tally.hpp"

namespace credence::plot {

Judged judge_rows(const Classifier& classifier, const std::vector<Chunk>& data,
                  const DecisionRule& rule, unsigned threads) {
  const std::size_t classes = classifier.classes().size();
  std::vector<std::vector<double>> joints(data.size());
  parallel_for(threads, data.size(),
               [&](std::size_t i) { joints[i] = classifier.log_scores(data[i]); });
  Judged result;
  result.target = classifier.schema().target;
  result.classes = classes;
  Domain labels;
  for (const auto& label : classifier.classes()) labels.insert(label);
  MeasureOptions options;
  options.rule = rule;
  Tally tally(options, classes);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto& names = data[i].labels;
    for (std::size_t r = 0; r < names.codes.size(); ++r) {
      if (names.codes[r] < 0) continue;
      const auto joint = std::span(joints[i]).subspan(r * classes, classes);
      const std::size_t truth =
          labels.insert(names.dictionary[static_cast<std::size_t>(names.codes[r])]);
      auto outcome = judge(joint, truth < classes ? truth : Outcome::no_label,
                           data[i].weights.empty() ? 1.0 : data[i].weights[r], rule);
      outcome.truth = truth;
      const auto odds = log_odds(joint);
      tally.add(outcome, odds);
      result.outcomes.push_back(outcome);
      result.odds.insert(result.odds.end(), odds.begin(), odds.end());
    }
  }
  if (result.outcomes.empty()) {
    throw Error(ErrorKind::data,
                fmt::format("no row has a value of \"{}\", which says how good the model is",
                            result.target));
  }
  result.labels = labels.values();
  result.metrics = tally.finish(result.labels);
  return result;
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/strings.hpp"
#include "families/statistics/domain.hpp"
#include "measure/tally.hpp"
#include "parallel/stream.hpp"

namespace credence {

Metrics summarise(const std::vector<Outcome>& outcomes, const std::vector<std::string>& labels) {
  MeasureOptions options;
  options.confidence = 0;
  Tally tally(options, 0);
  for (const auto& outcome : outcomes) tally.add(outcome);
  return tally.finish(labels);
}

Metrics evaluate(const Model& model, Source& source, unsigned threads, const Progress& progress,
                 const MeasureOptions& options) {
  return evaluate(Scorer(model), source, threads, progress, options);
}

Metrics evaluate(const Classifier& classifier, Source& source, unsigned threads,
                 const Progress& progress, const MeasureOptions& options) {
  struct Part {
    std::vector<Outcome> outcomes;
    std::vector<double> odds;          // outcomes x classes
    std::vector<std::string> unknown;  // classes that the classifier does not know
  };
  Domain labels(classifier.classes());
  const std::size_t classes = labels.size();
  Tally tally(options, classes);
  stream_chunks<Part>(
      source, threads, progress,
      [&](const Chunk& chunk) {
        auto rows = score_rows(classifier, {&chunk, 1});
        return Part{judge(rows, options.rule), log_odds(rows), std::move(rows.unknown)};
      },
      [&](Part part) {
        for (std::size_t i = 0; i < part.outcomes.size(); ++i) {
          auto& outcome = part.outcomes[i];
          if (outcome.truth >= classes) {
            outcome.truth = labels.insert(part.unknown[outcome.truth - classes]);
          }
          tally.add(outcome, std::span(part.odds).subspan(i * classes, classes));
        }
      });
  // Classes the model does not know take their places among the sorted labels.
  auto sorted = labels.values();
  std::sort(sorted.begin(), sorted.end(), natural_less);
  const Domain in_order(sorted);
  std::vector<std::size_t> place;
  for (const auto& label : labels.values()) place.push_back(in_order.find(label));
  return tally.finish(sorted, place, threads);
}

std::vector<Chunk> read_all(Source& source, unsigned threads, const Progress& progress) {
  std::vector<Chunk> chunks;
  for_each_chunk(source, threads, progress,
                 [&](Chunk chunk) { chunks.push_back(std::move(chunk)); });
  return chunks;
}

}  // namespace credence

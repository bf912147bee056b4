// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/stream.hpp"
#include "core/text.hpp"
#include "families/domain.hpp"
#include "measure/tally.hpp"

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

namespace {

struct JudgedChunk {
  std::vector<Outcome> outcomes;  // truth: place in `dictionary`
  std::vector<double> scores;     // outcomes x classes
  std::vector<std::string> dictionary;
};

JudgedChunk judge_chunk(const Classifier& classifier, const Domain& labels, const Chunk& chunk,
                        const DecisionRule& rule) {
  const auto joints = classifier.log_scores(chunk);
  const std::size_t classes = classifier.classes().size();
  JudgedChunk part{{}, {}, chunk.labels.dictionary};
  std::vector<std::size_t> known;  // by code: the class, or no_label
  for (const auto& label : part.dictionary) {
    const std::size_t place = labels.find(label);
    known.push_back(place == Domain::npos ? Outcome::no_label : place);
  }
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    if (chunk.labels.codes.empty() || chunk.labels.codes[r] < 0) continue;
    const auto code = static_cast<std::size_t>(chunk.labels.codes[r]);
    const auto joint = std::span(joints).subspan(r * classes, classes);
    auto outcome = judge(joint, known[code], chunk.weights.empty() ? 1.0 : chunk.weights[r], rule);
    outcome.truth = code;
    part.outcomes.push_back(outcome);
    const auto scores = log_odds(joint);
    part.scores.insert(part.scores.end(), scores.begin(), scores.end());
  }
  return part;
}

}  // namespace

Metrics evaluate(const Classifier& classifier, Source& source, unsigned threads,
                 const Progress& progress, const MeasureOptions& options) {
  Domain labels;
  for (const auto& label : classifier.classes()) labels.insert(label);
  const Domain labels_of_model = labels;
  const std::size_t classes = classifier.classes().size();
  Tally tally(options, classes);
  stream_chunks<JudgedChunk>(
      source, threads, progress,
      [&](const Chunk& chunk) {
        return judge_chunk(classifier, labels_of_model, chunk, options.rule);
      },
      [&](const JudgedChunk& part) {
        std::vector<std::size_t> place(part.dictionary.size(), Domain::npos);
        for (std::size_t i = 0; i < part.outcomes.size(); ++i) {
          auto outcome = part.outcomes[i];
          auto& truth = place[outcome.truth];
          if (truth == Domain::npos) truth = labels.insert(part.dictionary[outcome.truth]);
          outcome.truth = truth;
          tally.add(outcome, std::span(part.scores).subspan(i * classes, classes));
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

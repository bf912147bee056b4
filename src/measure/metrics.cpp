// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/strings.hpp"
#include "measure/evaluation.hpp"
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

namespace {

// Classes the model does not know take their places among its own where these are sorted; else they
// follow.
Metrics finished(const Evaluation& evaluation, unsigned threads) {
  const auto& labels = evaluation.labels().values();
  auto ordered = labels;
  const auto unknown = ordered.begin() + static_cast<std::ptrdiff_t>(evaluation.classes());
  std::sort(unknown, ordered.end(), natural_less);
  if (std::is_sorted(ordered.begin(), unknown, natural_less)) {
    std::inplace_merge(ordered.begin(), unknown, ordered.end(), natural_less);
  }
  const Domain in_order(ordered);
  std::vector<std::size_t> place;
  for (const auto& label : labels) place.push_back(in_order.find(label));
  return evaluation.tally().finish(ordered, place, threads);
}

}  // namespace

Metrics evaluate(const Classifier& classifier, Source& source, unsigned threads,
                 const Progress& progress, const MeasureOptions& options) {
  Evaluation evaluation(classifier, options);
  stream_slices<Evaluation::Part>(
      source, evaluation.classes(), threads, progress,
      [&](const Chunk& chunk) { return evaluation.judge(chunk); },
      [&](Evaluation::Part part) { evaluation.take(std::move(part), [](const auto&, auto) {}); });
  return finished(evaluation, threads);
}

Metrics evaluate_chunks(const Classifier& classifier, std::span<const Chunk> chunks,
                        const MeasureOptions& options) {
  Evaluation evaluation(classifier, options);
  stream_slices<Evaluation::Part>(
      chunks, evaluation.classes(), 0, [&](const Chunk& chunk) { return evaluation.judge(chunk); },
      [&](Evaluation::Part part) { evaluation.take(std::move(part), [](const auto&, auto) {}); });
  return finished(evaluation, 0);
}

std::vector<Chunk> read_all(Source& source, unsigned threads, const Progress& progress) {
  std::vector<Chunk> chunks;
  for_each_chunk(source, threads, progress,
                 [&](Chunk chunk) { chunks.push_back(std::move(chunk)); });
  return chunks;
}

}  // namespace credence

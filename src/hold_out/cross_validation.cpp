// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "hold_out/folds.hpp"
#include "measure/tally.hpp"

namespace credence {
namespace {

struct Round {
  Metrics all;
  std::vector<Metrics> folds;
};

Round judge_all(const HeldOut& held, const MeasureOptions& options, bool by_fold,
                unsigned threads) {
  const std::size_t classes = held.classes.size();
  Tally all(options, classes);
  MeasureOptions plain = options;
  plain.confidence = 0;
  std::vector<Tally> parts;
  for (std::size_t i = 0; i < held.rows.size(); ++i) {
    const auto& row = held.rows[i];
    const auto joint = std::span(held.log_joint).subspan(i * classes, classes);
    const auto outcome = judge(joint, row.cls, row.weight, options.rule);
    all.add(outcome, log_odds(joint));
    if (!by_fold) continue;
    while (parts.size() <= row.fold) parts.emplace_back(plain, 0);
    parts[row.fold].add(outcome);
  }
  std::vector<std::size_t> same(classes);
  for (std::size_t c = 0; c < classes; ++c) same[c] = c;
  Round result{all.finish(held.classes, same, threads), {}};
  for (const auto& part : parts) result.folds.push_back(part.finish(held.classes));
  return result;
}

}  // namespace

CrossValidation cross_validate(const Model& model, const std::vector<Chunk>& chunks,
                               const Folds& folds, unsigned threads,
                               const MeasureOptions& options) {
  CrossValidation result;
  for (std::size_t i = 0; i < folds.repeats; ++i) {
    Folds shuffled = folds;
    shuffled.seed += i;
    const HeldOut held = hold_out(model, chunks, shuffled, threads);
    const bool by_fold = !folds.leave_one_out && folds.count < held.rows.size();
    MeasureOptions wanted = options;
    if (i > 0) wanted.confidence = 0;
    auto round = judge_all(held, wanted, by_fold && i == 0, threads);
    if (folds.repeats > 1) result.repeats.push_back(round.all);
    if (i > 0) continue;
    result.all = std::move(round.all);
    result.folds = std::move(round.folds);
    for (const auto& fold : result.folds) result.fold_accuracy.push_back(fold.accuracy);
    const auto rare = rare_classes(held.rows, held.classes, folds);
    if (!rare.empty()) result.notes.push_back(rare);
    if (folds.time_column != Folds::no_column) {
      std::size_t labelled = 0;
      for (const auto& chunk : chunks) {
        for (const auto code : chunk.labels.codes) labelled += code >= 0;
      }
      result.notes.push_back(
          fmt::format("the first {} of {} rows are only learnt from: nothing is before them",
                      labelled - held.rows.size(), labelled));
    }
  }
  return result;
}

}  // namespace credence

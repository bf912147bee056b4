// SPDX-License-Identifier: Apache-2.0
#include "hold_out/dealt.hpp"
#include "measure/tally.hpp"

namespace credence {
namespace {

struct Round {
  Metrics all;
  std::vector<Metrics> folds;
};

Round measure(const ScoredRows& held, const MeasureOptions& options, bool by_fold,
              unsigned threads) {
  Tally all(options, held.classes.size());
  MeasureOptions plain = options;
  plain.confidence = 0;
  std::vector<Tally> parts;
  const auto outcomes = judge(held, options.rule);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    all.add(outcomes[i], log_odds(held.scores(i)));
    if (!by_fold) continue;
    while (parts.size() <= held.rows[i].fold) parts.emplace_back(plain, 0);
    parts[held.rows[i].fold].add(outcomes[i]);
  }
  Round result{all.finish(held.classes, threads), {}};
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
    const Dealt dealt = deal_out(chunks, model.schema(), shuffled);
    const ScoredRows held = hold_out(model, dealt, threads);
    MeasureOptions wanted = options;
    if (i > 0) wanted.confidence = 0;
    const bool by_fold = i == 0 && !folds.leave_one_out && !dealt.one_by_one;
    auto round = measure(held, wanted, by_fold, threads);
    if (folds.repeats > 1) result.repeats.push_back(round.all);
    if (i > 0) continue;
    result.all = std::move(round.all);
    result.folds = std::move(round.folds);
    for (const auto& fold : result.folds) result.fold_accuracy.push_back(fold.accuracy);
    result.notes = notes_on(dealt, folds);
  }
  return result;
}

}  // namespace credence

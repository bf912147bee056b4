// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <numeric>

#include "hold_out/held_out.hpp"
#include "measure/tally.hpp"

namespace credence {
namespace {

struct Round {
  Metrics all;
  std::vector<Metrics> folds;
};

struct JudgedSlice {
  std::vector<std::size_t> places;
  std::vector<Outcome> outcomes;
  std::vector<double> odds;  // rows x classes
};

// Scores all rows, some at a time: whatever makes a slice of scores, and whatever takes what was
// judged of it.
using Judge = std::function<JudgedSlice(ScoredSlice)>;
using Take = std::function<void(const JudgedSlice&)>;
using ScoreAll = std::function<void(const Dealt&, const Judge&, const Take&)>;

Round measure(const ScoreAll& score_all, const Dealt& dealt, const MeasureOptions& options,
              bool by_fold, unsigned threads) {
  const std::size_t classes = dealt.classes.size();
  Tally all(options, classes);
  std::vector<Outcome> outcomes(dealt.rows.size());
  score_all(
      dealt,
      [&](ScoredSlice slice) {
        JudgedSlice judged{std::move(slice.places), {}, std::move(slice.log_joint)};
        for (std::size_t i = 0; i < judged.places.size(); ++i) {
          const auto& row = dealt.rows[judged.places[i]];
          const auto joint = std::span(judged.odds).subspan(i * classes, classes);
          judged.outcomes.push_back(judge(joint, row.cls, row.weight, options.rule));
          const auto odds = log_odds(joint);
          std::copy(odds.begin(), odds.end(), joint.begin());
        }
        return judged;
      },
      [&](const JudgedSlice& judged) {
        for (std::size_t i = 0; i < judged.places.size(); ++i) {
          outcomes[judged.places[i]] = judged.outcomes[i];
        }
        all.rank(judged.places, judged.outcomes, judged.odds);
      });
  MeasureOptions plain = options;
  plain.confidence = 0;
  std::vector<Tally> parts;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    all.add(outcomes[i]);
    if (!by_fold) continue;
    while (parts.size() <= dealt.rows[i].fold) parts.emplace_back(plain, 0);
    parts[dealt.rows[i].fold].add(outcomes[i]);
  }
  Round result{all.finish(dealt.classes, threads), {}};
  for (const auto& part : parts) result.folds.push_back(part.finish(dealt.classes));
  return result;
}

CrossValidation in_rounds(const ScoreAll& score_all, const Schema& schema,
                          const std::vector<Chunk>& chunks, const Folds& folds, unsigned threads,
                          const MeasureOptions& options) {
  CrossValidation result;
  for (std::size_t i = 0; i < folds.repeats; ++i) {
    Folds shuffled = folds;
    shuffled.seed += i;
    const Dealt dealt = deal_out(chunks, schema, shuffled);
    MeasureOptions wanted = options;
    if (i > 0) wanted.confidence = 0;
    const bool by_fold = i == 0 && !folds.leave_one_out && !dealt.one_by_one;
    auto round = measure(score_all, dealt, wanted, by_fold, threads);
    if (folds.repeats > 1) result.repeats.push_back(round.all);
    if (i > 0) continue;
    result.all = std::move(round.all);
    result.folds = std::move(round.folds);
    for (const auto& fold : result.folds) result.fold_accuracy.push_back(fold.accuracy);
    result.notes = notes_on(dealt, folds);
  }
  return result;
}

}  // namespace

CrossValidation cross_validate(const Model& model, const std::vector<Chunk>& chunks,
                               const Folds& folds, unsigned threads,
                               const MeasureOptions& options) {
  const ScoreAll by_subtraction = [&](const Dealt& dealt, const Judge& judge, const Take& take) {
    HeldOutScores(model, dealt, threads).stream<JudgedSlice>(judge, take);
  };
  return in_rounds(by_subtraction, model.schema(), chunks, folds, threads, options);
}

CrossValidation cross_validate(const Learner& learn, const Schema& schema,
                               const std::vector<Chunk>& chunks, const Folds& folds,
                               unsigned threads, const MeasureOptions& options) {
  const ScoreAll by_learning = [&](const Dealt& dealt, const Judge& judge, const Take& take) {
    auto held = hold_out(learn, dealt, threads);
    std::vector<std::size_t> places(held.rows.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    take(judge({std::move(places), std::move(held.log_joint), {}}));
  };
  return in_rounds(by_learning, schema, chunks, folds, threads, options);
}

}  // namespace credence

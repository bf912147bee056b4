// SPDX-License-Identifier: Apache-2.0
// How much a row without a class should count: what rows held out say.
#include <algorithm>
#include <limits>

#include "credence/scorer.hpp"
#include "credence/semi_supervised.hpp"
#include "hold_out/dealt.hpp"

namespace credence {
namespace {

// The mean of -log P(true class). A class that nobody else has cannot be found under any weight,
// and says nothing of it.
double mean_loss(const ScoredRows& held, const Dealt& dealt) {
  // Ruled out, or undecidable: as wrong as a double can tell.
  constexpr double least = -745;
  double sum = 0, weight = 0;
  const auto outcomes = judge(held);
  for (const auto& fold : dealt.folds) {
    std::vector<bool> known(dealt.classes.size() + 1, false);
    for (const auto* rows : {&dealt.rows, &dealt.learnt}) {
      for (const auto& row : *rows) {
        if (dealt.learns(held.rows[fold[0]].fold, row))
          known[std::min(row.cls, known.size() - 1)] = true;
      }
    }
    for (const auto place : fold) {
      const auto& outcome = outcomes[place];
      if (!known[outcome.truth]) continue;
      sum -= outcome.weight * (outcome.log_probability >= least ? outcome.log_probability : least);
      weight += outcome.weight;
    }
  }
  return weight > 0 ? sum / weight : 0;
}

}  // namespace

UnlabelledWeight choose_unlabelled_weight(
    const Model& model, const std::vector<Chunk>& chunks, const Folds& folds,
    const std::vector<double>& weights, unsigned threads,
    const std::function<void(double weight, double log_loss)>& progress) {
  Folds possible = folds;
  possible.at_most = true;
  const Dealt dealt = deal_out(chunks, model.schema(), possible, true);
  UnlabelledWeight result;
  double best = std::numeric_limits<double>::infinity();
  for (const double weight : weights) {
    UnlabelledOptions options;
    options.weight = weight;
    // One fold after the other: each is learnt on all threads.
    const auto held = hold_out(
        [&](const std::vector<Chunk>& rows) {
          // Of a single class nothing can be learned from rows without one.
          Model labelled = model.empty();
          for (const auto& chunk : rows) labelled.observe(chunk);
          if (labelled.classes().size() < 2) return std::make_unique<Scorer>(labelled);
          return std::make_unique<Scorer>(learn_unlabelled(model, rows, options, threads).model);
        },
        dealt, 1);
    const double loss = mean_loss(held, dealt);
    result.log_loss.emplace_back(weight, loss);
    if (progress) progress(weight, loss);
    if (loss >= best) continue;
    best = loss;
    result.weight = weight;
  }
  return result;
}

}  // namespace credence

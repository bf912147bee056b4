// SPDX-License-Identifier: Apache-2.0
// How much a row without a class should count: what rows held out say.
#include <algorithm>
#include <cmath>

#include "core/chunk_rows.hpp"
#include "credence/scorer.hpp"
#include "credence/semi_supervised.hpp"
#include "hold_out/folds.hpp"

namespace credence {
namespace {

// The sum of -log P(true class), and how many rows it is of. A class that nobody else has cannot be
// found under any weight, and says nothing of it.
struct Loss {
  double sum = 0, rows = 0;

  void add(const Scorer& scorer, const Chunk& chunk) {
    const auto joint = scorer.log_joint(chunk);
    const auto& classes = scorer.classes();
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const auto& label = chunk.labels.dictionary[static_cast<std::size_t>(chunk.labels.codes[r])];
      const auto found = std::find(classes.begin(), classes.end(), label);
      if (found == classes.end()) continue;
      const auto outcome = judge({joint.data() + r * classes.size(), classes.size()},
                                 static_cast<std::size_t>(found - classes.begin()),
                                 chunk.weights.empty() ? 1.0 : chunk.weights[r]);
      // Ruled out, or undecidable: as wrong as a double can tell.
      constexpr double least = -745;
      const double log_p = outcome.log_probability >= least ? outcome.log_probability : least;
      sum -= outcome.weight * log_p;
      rows += outcome.weight;
    }
  }
};

}  // namespace

UnlabelledWeight choose_unlabelled_weight(
    const Model& model, const std::vector<Chunk>& chunks, const Folds& folds,
    const std::vector<double>& weights, unsigned threads,
    const std::function<void(double weight, double log_loss)>& progress) {
  const auto labelled = with_class(chunks, true), unlabelled = with_class(chunks, false);
  std::vector<std::string> classes;
  for (const auto& chunk : labelled) {
    for (const auto& label : chunk.labels.dictionary) {
      if (std::find(classes.begin(), classes.end(), label) == classes.end())
        classes.push_back(label);
    }
  }
  std::sort(classes.begin(), classes.end());
  const auto rows = labelled_rows(labelled, classes);
  std::vector<std::size_t> class_of;
  for (const auto& row : rows) class_of.push_back(row.cls);
  Folds dealt = folds;
  dealt.count = std::min(folds.count, rows.size());
  const auto fold_of = deal(class_of, dealt);
  std::vector<Loss> losses(weights.size());
  for (std::size_t fold = 0; fold < dealt.count; ++fold) {
    std::vector<std::vector<std::size_t>> held(labelled.size()), rest(labelled.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      (fold_of[i] == fold ? held : rest)[rows[i].chunk].push_back(rows[i].row);
    }
    std::vector<Chunk> learnt = unlabelled;
    for (std::size_t i = 0; i < labelled.size(); ++i) {
      if (!rest[i].empty()) learnt.push_back(select_rows(labelled[i], rest[i]));
    }
    for (std::size_t w = 0; w < weights.size(); ++w) {
      UnlabelledOptions options;
      options.weight = weights[w];
      const Scorer scorer(learn_unlabelled(model, learnt, options, threads).model);
      for (std::size_t i = 0; i < labelled.size(); ++i) {
        if (!held[i].empty()) losses[w].add(scorer, select_rows(labelled[i], held[i]));
      }
    }
  }
  UnlabelledWeight result;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t w = 0; w < weights.size(); ++w) {
    const double loss = losses[w].rows > 0 ? losses[w].sum / losses[w].rows : 0;
    result.log_loss.emplace_back(weights[w], loss);
    if (progress) progress(weights[w], loss);
    if (loss >= best) continue;
    best = loss;
    result.weight = weights[w];
  }
  return result;
}

}  // namespace credence

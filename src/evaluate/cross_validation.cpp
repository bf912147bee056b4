// SPDX-License-Identifier: Apache-2.0
// The statistics of all rows minus those of the rows held out are, exactly, the statistics of the
// rest: no fold is ever fitted again.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/chunk_rows.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "credence/error.hpp"
#include "credence/evaluate.hpp"
#include "model/statistics.hpp"

namespace credence {
namespace {

struct Row {
  std::size_t chunk, row, cls;
};

// The labelled rows, their classes as places in the whole model.
std::vector<Row> labelled_rows(const std::vector<Chunk>& chunks,
                               const std::vector<std::string>& classes) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto& labels = chunks[i].labels;
    std::vector<std::size_t> place;
    for (const auto& label : labels.dictionary) {
      place.push_back(static_cast<std::size_t>(std::find(classes.begin(), classes.end(), label) -
                                               classes.begin()));
    }
    for (std::size_t r = 0; r < labels.codes.size(); ++r) {
      if (labels.codes[r] < 0) continue;
      const std::size_t cls = place[static_cast<std::size_t>(labels.codes[r])];
      if (cls < classes.size()) rows.push_back({i, r, cls});
    }
  }
  return rows;
}

// Shuffled, then dealt out in turn; class after class when stratified, so that every fold gets
// its share of each.
std::vector<std::size_t> deal(const std::vector<Row>& rows, std::size_t classes,
                              const Folds& folds) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(folds.seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  if (folds.stratified && classes > 1) {
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return rows[a].cls < rows[b].cls; });
  }
  std::vector<std::size_t> fold(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) fold[order[i]] = i % folds.count;
  return fold;
}

Model without(const Model& whole, const Statistics& part) {
  Model rest = whole;
  rest.statistics().merge(part, -1);
  return rest;
}

void judge_rows(const Scorer& scorer, const Chunk& chunk, const std::vector<std::size_t>& truths,
                std::vector<Outcome>& outcomes) {
  const auto joint = scorer.log_joint(chunk);
  const std::size_t classes = scorer.classes().size();
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    outcomes.push_back(judge(std::span(joint).subspan(r * classes, classes), truths[r],
                             chunk.weights.empty() ? 1.0 : chunk.weights[r]));
  }
}

void leave_one_out(const Model& whole, const std::vector<Chunk>& chunks,
                   const std::vector<Row>& rows, unsigned threads, std::vector<Outcome>& outcomes) {
  outcomes.resize(rows.size());
  parallel_for(threads, rows.size(), [&](std::size_t i) {
    const std::size_t only[] = {rows[i].row};
    const Chunk row = select_rows(chunks[rows[i].chunk], only);
    Statistics part = whole.statistics().empty();
    part.observe(row);
    std::vector<Outcome> one;
    judge_rows(Scorer(without(whole, part)), row, {rows[i].cls}, one);
    outcomes[i] = one[0];
  });
}

}  // namespace

CrossValidation cross_validate(const Model& model, const std::vector<Chunk>& chunks,
                               const Folds& folds, unsigned threads) {
  Model whole = model.empty();
  for (const auto& chunk : chunks) {
    Statistics part = whole.statistics().empty();
    part.observe(chunk);
    whole.statistics().merge(part, 1);
  }
  if (const auto text = whole.statistics().defect(); !text.empty()) {
    throw Error(ErrorKind::data, text);
  }
  whole.statistics().canonicalise();
  const auto rows = labelled_rows(chunks, whole.classes());
  if (whole.classes().size() < 2) {
    throw Error(
        ErrorKind::data,
        fmt::format(
            "column \"{}\": {}; a classifier needs at least two classes (is --target right?)",
            model.schema().target,
            whole.classes().empty() ? "no class at all"
                                    : "only the class \"" + whole.classes()[0] + "\""));
  }
  CrossValidation result;
  std::vector<Outcome> outcomes;
  if (folds.leave_one_out || folds.count == rows.size()) {
    leave_one_out(whole, chunks, rows, threads, outcomes);
    result.all = summarise(outcomes, whole.classes());
    return result;
  }
  if (folds.count < 2 || folds.count > rows.size()) {
    throw Error(ErrorKind::usage,
                fmt::format("--folds {}: with {} rows, 2 to {} folds are possible", folds.count,
                            rows.size(), rows.size()));
  }
  const auto fold_of = deal(rows, whole.classes().size(), folds);
  // The rows of every (fold, chunk), each a small chunk of its own.
  std::vector<std::vector<std::vector<std::size_t>>> picked(
      folds.count, std::vector<std::vector<std::size_t>>(chunks.size()));
  std::vector<std::vector<std::size_t>> truths(folds.count);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    picked[fold_of[i]][rows[i].chunk].push_back(rows[i].row);
    truths[fold_of[i]].push_back(rows[i].cls);
  }
  std::vector<std::vector<Outcome>> fold_outcomes(folds.count);
  parallel_for(threads, folds.count, [&](std::size_t f) {
    std::vector<Chunk> held_out;
    Statistics part = whole.statistics().empty();
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      if (picked[f][i].empty()) continue;
      held_out.push_back(select_rows(chunks[i], picked[f][i]));
      Statistics piece = part.empty();
      piece.observe(held_out.back());
      part.merge(piece, 1);
    }
    const Scorer scorer(without(whole, part));
    auto truth = truths[f].begin();
    for (const auto& chunk : held_out) {
      const auto end = truth + static_cast<std::ptrdiff_t>(chunk.rows);
      judge_rows(scorer, chunk, {truth, end}, fold_outcomes[f]);
      truth = end;
    }
  });
  for (const auto& part : fold_outcomes) {
    result.fold_accuracy.push_back(summarise(part, whole.classes()).accuracy);
    outcomes.insert(outcomes.end(), part.begin(), part.end());
  }
  result.all = summarise(outcomes, whole.classes());
  return result;
}

}  // namespace credence

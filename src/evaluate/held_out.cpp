// SPDX-License-Identifier: Apache-2.0
// The statistics of all rows minus those of the rows held out are, exactly, the statistics of the
// rest: no fold is ever fitted again.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/chunk_rows.hpp"
#include "core/parallel.hpp"
#include "credence/error.hpp"
#include "credence/evaluate.hpp"
#include "evaluate/folds.hpp"
#include "evaluate/learn_all.hpp"
#include "model/statistics.hpp"

namespace credence {
namespace {

// Rows of one chunk that are judged together, by their places in HeldOut::rows.
struct Batch {
  std::size_t chunk = 0;
  std::vector<std::size_t> places;

  Chunk select(const std::vector<Chunk>& chunks, const HeldOut& held) const {
    std::vector<std::size_t> rows;
    for (const auto place : places) rows.push_back(held.rows[place].row);
    return select_rows(chunks[chunk], rows);
  }
};

// Cuts rows, given in order, where their chunk ends, and after `limit` of them.
std::vector<Batch> batches(const HeldOut& held, const std::vector<std::size_t>& places,
                           std::size_t limit) {
  std::vector<Batch> result;
  for (const auto place : places) {
    const std::size_t chunk = held.rows[place].chunk;
    if (result.empty() || result.back().chunk != chunk || result.back().places.size() == limit) {
      result.push_back({chunk, {}});
    }
    result.back().places.push_back(place);
  }
  return result;
}

// Puts what was computed for the rows of a batch in their places.
void put(const Batch& batch, const std::vector<double>& scores, std::size_t classes,
         std::vector<double>& all) {
  for (std::size_t i = 0; i < batch.places.size(); ++i) {
    std::copy_n(scores.begin() + static_cast<std::ptrdiff_t>(i * classes), classes,
                all.begin() + static_cast<std::ptrdiff_t>(batch.places[i] * classes));
  }
}

// One block of one batch, each row judged by the statistics of all other rows.
std::vector<double> leave_each_out(const Model& whole, std::size_t block, const Chunk& rows,
                                   const std::vector<std::int32_t>& classes) {
  const Estimation estimation{whole.settings().rule,   whole.settings().reserve_unseen,
                              whole.classes(),         whole.class_weights(),
                              whole.settings().shares, {}};
  std::vector<double> scores(rows.rows * whole.classes().size(), 0.0);
  whole.statistics().block(block).add_held_out(estimation, rows, classes, 1, scores);
  return scores;
}

void leave_one_out(const Model& whole, const std::vector<Chunk>& chunks, unsigned threads,
                   HeldOut& held) {
  std::vector<std::size_t> all(held.rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (const auto place : all) held.rows[place].fold = place;
  const std::size_t classes = held.classes.size();
  const auto work = batches(held, all, 1024);
  parallel_for(threads, work.size(), [&](std::size_t i) {
    const Chunk rows = work[i].select(chunks, held);
    std::vector<std::int32_t> truths;
    std::vector<double> joint;
    for (const auto place : work[i].places) {
      const auto& row = held.rows[place];
      truths.push_back(static_cast<std::int32_t>(row.cls));
      auto weights = whole.class_weights();
      weights[row.cls] -= row.weight;
      const auto prior = class_shares(whole.settings().prior, held.classes, weights);
      for (const double share : prior) joint.push_back(std::log(share));
    }
    for (std::size_t b = 0; b < whole.blocks().size(); ++b) {
      const double weight = whole.blocks()[b].weight;
      if (weight == 0 && held.blocks.empty()) continue;
      const auto scores = leave_each_out(whole, b, rows, truths);
      for (std::size_t k = 0; k < joint.size() && weight != 0; ++k) joint[k] += weight * scores[k];
      if (!held.blocks.empty()) put(work[i], scores, classes, held.blocks[b]);
    }
    put(work[i], joint, classes, held.log_joint);
  });
}

void leave_fold_out(const Model& whole, const std::vector<Chunk>& chunks, std::size_t fold,
                    HeldOut& held) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < held.rows.size(); ++i) {
    if (held.rows[i].fold == fold) places.push_back(i);
  }
  const auto work = batches(held, places, held.rows.size());
  std::vector<Chunk> rows;
  Statistics part = whole.statistics().empty();
  for (const auto& batch : work) {
    rows.push_back(batch.select(chunks, held));
    Statistics piece = part.empty();
    piece.observe(rows.back());
    part.merge(piece, 1);
  }
  Model rest = whole;
  rest.statistics().merge(part, -1);
  const Scorer scorer(rest);
  for (std::size_t i = 0; i < work.size(); ++i) {
    put(work[i], scorer.log_joint(rows[i]), held.classes.size(), held.log_joint);
    for (std::size_t b = 0; b < held.blocks.size(); ++b) {
      put(work[i], scorer.log_density(b, rows[i]), held.classes.size(), held.blocks[b]);
    }
  }
}

}  // namespace

Model learn_all(const Model& model, const std::vector<Chunk>& chunks, unsigned threads) {
  Model whole = model.empty();
  std::vector<std::unique_ptr<Statistics>> parts(chunks.size());
  parallel_for(threads, chunks.size(), [&](std::size_t i) {
    parts[i] = std::make_unique<Statistics>(whole.statistics().empty());
    parts[i]->observe(chunks[i]);
  });
  for (const auto& part : parts) whole.statistics().merge(*part, 1);
  if (const auto text = whole.statistics().defect(); !text.empty()) {
    throw Error(ErrorKind::data, text);
  }
  whole.statistics().canonicalise();
  if (whole.classes().size() < 2) {
    throw Error(
        ErrorKind::data,
        fmt::format(
            "column \"{}\": {}; a classifier needs at least two classes (is --target right?)",
            model.schema().target,
            whole.classes().empty() ? "no class at all"
                                    : "only the class \"" + whole.classes()[0] + "\""));
  }
  return whole;
}

HeldOut hold_out(const Model& model, const std::vector<Chunk>& chunks, const Folds& folds,
                 unsigned threads, bool by_block) {
  const Model whole = learn_all(model, chunks, threads);
  HeldOut held;
  held.classes = whole.classes();
  held.rows = labelled_rows(chunks, held.classes);
  const std::size_t cells = held.rows.size() * held.classes.size();
  held.log_joint.resize(cells);
  if (by_block) held.blocks.assign(whole.blocks().size(), std::vector<double>(cells));
  if (folds.leave_one_out || folds.count == held.rows.size()) {
    leave_one_out(whole, chunks, threads, held);
    return held;
  }
  std::vector<std::size_t> classes;
  for (const auto& row : held.rows) classes.push_back(row.cls);
  const auto fold_of = deal(classes, folds);
  for (std::size_t i = 0; i < fold_of.size(); ++i) held.rows[i].fold = fold_of[i];
  parallel_for(threads, folds.count,
               [&](std::size_t f) { leave_fold_out(whole, chunks, f, held); });
  return held;
}

}  // namespace credence

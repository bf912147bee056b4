// SPDX-License-Identifier: Apache-2.0
// The statistics of all rows minus those of the rows held out are, exactly, the statistics of the
// rest: no fold is ever fitted again.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "core/parallel.hpp"
#include "credence/error.hpp"
#include "credence/evaluate.hpp"
#include "hold_out/folds.hpp"
#include "hold_out/learn_all.hpp"
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

void leave_one_out(const Model& whole, const std::vector<Chunk>& chunks, unsigned threads,
                   HeldOut& held) {
  std::vector<std::size_t> all(held.rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (const auto place : all) held.rows[place].fold = place;
  const std::size_t classes = held.classes.size();
  const auto work = batches(held, all, 1024);
  const auto estimation = estimation_of(whole.statistics(), whole.settings());
  std::vector<BlockStatistics::AddHeldOut> add_held_out;
  for (std::size_t b = 0; b < whole.blocks().size(); ++b) {
    add_held_out.push_back(whole.statistics().block(b).held_out(estimation));
  }
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
      std::vector<double> scores(joint.size(), 0.0);
      add_held_out[b](rows, truths, 1, scores);
      for (std::size_t k = 0; k < joint.size() && weight != 0; ++k) joint[k] += weight * scores[k];
      if (!held.blocks.empty()) put(work[i], scores, classes, held.blocks[b]);
    }
    put(work[i], joint, classes, held.log_joint);
  });
}

// The rows of one fold.
struct Fold {
  std::vector<Batch> work;
  std::vector<Chunk> rows;  // of each batch

  Fold(const std::vector<Chunk>& chunks, const HeldOut& held, std::size_t fold) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < held.rows.size(); ++i) {
      if (held.rows[i].fold == fold) places.push_back(i);
    }
    work = batches(held, places, held.rows.size());
    for (const auto& batch : work) rows.push_back(batch.select(chunks, held));
  }

  Statistics observed(const Model& whole) const {
    Statistics all = whole.statistics().empty();
    for (const auto& chunk : rows) {
      Statistics piece = all.empty();
      piece.observe(chunk);
      all.merge(piece, 1);
    }
    return all;
  }

  void judge(Model rest, HeldOut& held) const {
    // A class all of whose rows are held out is not known to the rest, and must not count among its
    // classes: covariances are pooled over these.
    const auto weights = rest.class_weights();
    if (std::find(weights.begin(), weights.end(), 0.0) != weights.end()) {
      rest.statistics().canonicalise();
    }
    const Scorer scorer(rest);
    for (std::size_t i = 0; i < work.size(); ++i) {
      put(work[i], among_all(scorer.log_joint(rows[i]), rest, held, -infinity), held.classes.size(),
          held.log_joint);
      for (std::size_t b = 0; b < held.blocks.size(); ++b) {
        put(work[i], among_all(scorer.log_density(b, rows[i]), rest, held, 0), held.classes.size(),
            held.blocks[b]);
      }
    }
  }

  // Scores of the rest's classes as those of all classes; `unknown` for the others.
  static std::vector<double> among_all(std::vector<double> scores, const Model& rest,
                                       const HeldOut& held, double unknown) {
    const std::size_t all = held.classes.size(), known = rest.classes().size();
    if (known == all) return scores;
    std::vector<double> result(scores.size() / std::max<std::size_t>(known, 1) * all, unknown);
    for (std::size_t c = 0; c < known; ++c) {
      const auto place = static_cast<std::size_t>(
          std::find(held.classes.begin(), held.classes.end(), rest.classes()[c]) -
          held.classes.begin());
      for (std::size_t r = 0; r * all < result.size(); ++r) {
        result[r * all + place] = scores[r * known + c];
      }
    }
    return result;
  }
};

void leave_fold_out(const Model& whole, const std::vector<Chunk>& chunks, std::size_t fold,
                    HeldOut& held) {
  const Fold part(chunks, held, fold);
  Model rest = whole;
  rest.statistics().merge(part.observed(whole), -1);
  part.judge(std::move(rest), held);
}

// Every fold is judged by what came before it: the whole without itself and all that follows.
void leave_future_out(const Model& whole, const std::vector<Chunk>& chunks, std::size_t folds,
                      unsigned threads, HeldOut& held) {
  std::vector<std::unique_ptr<Statistics>> parts(folds);
  parallel_for(threads, folds, [&](std::size_t f) {
    parts[f] = std::make_unique<Statistics>(Fold(chunks, held, f).observed(whole));
  });
  parallel_for(threads, folds, [&](std::size_t f) {
    Model rest = whole;
    for (std::size_t later = f; later < folds; ++later) rest.statistics().merge(*parts[later], -1);
    Fold(chunks, held, f).judge(std::move(rest), held);
  });
}

// Says for every row which fold it is in, and drops rows that no fold judges. Returns how many
// folds there are.
std::size_t set_folds(const Model& whole, const std::vector<Chunk>& chunks, const Folds& folds,
                      HeldOut& held) {
  const auto& schema = whole.schema();
  if (folds.time_column != Folds::no_column) {
    const auto times = values_of(chunks, held.rows, schema, folds.time_column, true);
    const auto parts = parts_in_time(times, folds);
    std::vector<HeldOut::Row> judged;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] == 0) continue;
      judged.push_back(held.rows[i]);
      judged.back().fold = parts[i] - 1;
    }
    held.rows = std::move(judged);
    return folds.count;
  }
  std::vector<std::size_t> classes;
  for (const auto& row : held.rows) classes.push_back(row.cls);
  const auto fold_of =
      folds.group_column == Folds::no_column
          ? deal(classes, folds)
          : deal_groups(classes, values_of(chunks, held.rows, schema, folds.group_column, false),
                        folds);
  std::size_t count = 0;
  for (std::size_t i = 0; i < fold_of.size(); ++i) {
    held.rows[i].fold = fold_of[i];
    count = std::max(count, fold_of[i] + 1);
  }
  return count;
}

}  // namespace

Model learn_all(const Model& model, const std::vector<Chunk>& chunks, unsigned threads) {
  Model whole = model.empty();
  // Made for another model than those of the folds.
  whole.settings().calibration.reset();
  whole.settings().novelty.reset();
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
        fmt::format("column \"{}\": {}; a classifier needs at least two classes (is {} right?)",
                    model.schema().target,
                    whole.classes().empty() ? "no class at all"
                                            : "only the class \"" + whole.classes()[0] + "\"",
                    setting("target")));
  }
  return whole;
}

HeldOut hold_out(const Model& model, const std::vector<Chunk>& chunks, const Folds& folds,
                 unsigned threads, bool by_block) {
  const Model whole = learn_all(model, chunks, threads);
  HeldOut held;
  held.classes = whole.classes();
  held.rows = labelled_rows(chunks, held.classes);
  const bool in_time = folds.time_column != Folds::no_column;
  const bool singly = folds.group_column == Folds::no_column && !in_time &&
                      (folds.leave_one_out || folds.count == held.rows.size());
  const std::size_t count = singly ? held.rows.size() : set_folds(whole, chunks, folds, held);
  const std::size_t cells = held.rows.size() * held.classes.size();
  held.log_joint.resize(cells);
  if (by_block) held.blocks.assign(whole.blocks().size(), std::vector<double>(cells));
  if (singly) {
    leave_one_out(whole, chunks, threads, held);
  } else if (in_time) {
    leave_future_out(whole, chunks, count, threads, held);
  } else {
    parallel_for(threads, count, [&](std::size_t f) { leave_fold_out(whole, chunks, f, held); });
  }
  return held;
}

HeldOut score_rows(const Model& model, const std::vector<Chunk>& chunks, unsigned threads,
                   bool by_block) {
  Model plain = model;
  plain.settings().calibration.reset();
  const Scorer scorer(plain);
  HeldOut held;
  held.classes = plain.classes();
  held.rows = labelled_rows(chunks, held.classes);
  const std::size_t cells = held.rows.size() * held.classes.size();
  held.log_joint.resize(cells);
  if (by_block) held.blocks.assign(plain.blocks().size(), std::vector<double>(cells));
  std::vector<std::size_t> all(held.rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto work = batches(held, all, 4096);
  parallel_for(threads, work.size(), [&](std::size_t i) {
    const Chunk rows = work[i].select(chunks, held);
    put(work[i], scorer.log_joint(rows), held.classes.size(), held.log_joint);
    for (std::size_t b = 0; b < held.blocks.size(); ++b) {
      put(work[i], scorer.log_density(b, rows), held.classes.size(), held.blocks[b]);
    }
  });
  return held;
}

}  // namespace credence

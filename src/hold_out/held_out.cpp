// SPDX-License-Identifier: Apache-2.0
// Rows held out are scored by subtraction where the learner is a model, by learning anew where it
// is anything else; who is judged by whom does not depend on it.
#include "hold_out/held_out.hpp"

#include <algorithm>

#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "families/statistics/domain.hpp"
#include "families/statistics/trusted.hpp"
#include "parallel/parallel.hpp"

namespace credence {
namespace {

// Puts what was computed for some rows, one after the other, in their places.
void put(std::span<const std::size_t> places, const std::vector<double>& scores,
         std::size_t classes, std::vector<double>& all) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::copy_n(scores.begin() + static_cast<std::ptrdiff_t>(i * classes), classes,
                all.begin() + static_cast<std::ptrdiff_t>(places[i] * classes));
  }
}

ScoredRows unscored(const Dealt& dealt) {
  ScoredRows result{dealt.classes, {}, dealt.rows};
  result.log_joint.assign(dealt.rows.size() * dealt.classes.size(), -infinity);
  return result;
}

// Of a class that has no row left nobody knows what its rows look like: nothing is expected of it.
void rule_out_empty(const Sheet& sheet, const std::vector<std::string>& classes,
                    std::vector<double>& scores) {
  if (!sheet.rest || sheet.rest->classes().size() == classes.size()) return;
  for (std::size_t c = 0, known = 0; c < classes.size(); ++c) {
    const auto& left = sheet.rest->classes();
    if (known < left.size() && left[known] == classes[c]) {
      ++known;
      continue;
    }
    for (std::size_t i = c; i < scores.size(); i += classes.size()) scores[i] = -infinity;
  }
}

void score_fold(const Dealt& dealt, std::size_t fold, const Classifier& classifier,
                ScoredRows& held) {
  const Domain all(held.classes);
  std::vector<std::size_t> place;  // of the classifier's classes among all
  for (const auto& cls : classifier.classes()) place.push_back(all.find(cls));
  auto next = dealt.folds[fold].begin();
  for (const auto& piece : dealt.pieces(dealt.folds[fold])) {
    const auto scores = classifier.log_scores(piece);
    for (std::size_t r = 0; r < piece.rows; ++r, ++next) {
      for (std::size_t c = 0; c < place.size(); ++c) {
        held.log_joint[*next * held.classes.size() + place[c]] = scores[r * place.size() + c];
      }
    }
  }
}

}  // namespace

HeldOutScores::HeldOutScores(const Model& model, const Dealt& dealt, unsigned threads,
                             bool by_block)
    : subtraction_(model, dealt, threads),
      classes_(dealt.classes),
      threads_(threads),
      by_block_(by_block) {
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    scores_.push_back(subtraction_.scores(b, subtraction_.whole().settings()));
  }
}

std::optional<HeldOutScores::Task> HeldOutScores::take(Task& next) const {
  next.first += next.count;
  if (next.ready && next.first == subtraction_.rows_of(next.sheet)) {
    next = {next.sheet + 1, 0, 0, nullptr};
  }
  while (next.sheet < subtraction_.size() && subtraction_.rows_of(next.sheet) == 0) ++next.sheet;
  if (next.sheet == subtraction_.size()) return std::nullopt;
  if (!next.ready) next.ready = std::make_shared<Ready>();
  next.count =
      std::min(rows_at_once(classes_.size()), subtraction_.rows_of(next.sheet) - next.first);
  return next;
}

ScoredSlice HeldOutScores::score(const Task& task) const {
  Ready& ready = *task.ready;
  std::call_once(ready.made, [&] {
    ready.sheet = subtraction_.sheet(task.sheet);
    for (const auto& scores : scores_) ready.add.push_back(scores(*ready.sheet));
  });
  const Sheet& sheet = *ready.sheet;
  const bool whole = task.count == sheet.places.size();
  const SheetRows part = whole ? SheetRows() : sheet.slice(task.first, task.count);
  const SheetRows& rows = whole ? sheet : part;
  const Model& model = subtraction_.whole();
  ScoredSlice result{rows.places, subtraction_.log_prior(sheet, rows, model.settings().prior), {}};
  auto& joint = result.log_joint;
  std::vector<double> scores(joint.size());
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const double weight = model.blocks()[b].weight;
    const bool added = (sheet.rest && weight > 0) || weight == 0;
    if (added && weight != 0) ready.add[b](rows, weight, joint);
    if (added && !by_block_) continue;
    std::fill(scores.begin(), scores.end(), 0.0);
    ready.add[b](rows, 1, scores);
    if (!added) add_trusted(scores, weight, joint);
    if (!by_block_) continue;
    rule_out_empty(sheet, classes_, scores);
    result.blocks.push_back(scores);
  }
  return result;
}

ScoredRows hold_out(const Model& model, const Dealt& dealt, unsigned threads, bool by_block) {
  const HeldOutScores scores(model, dealt, threads, by_block);
  ScoredRows held = unscored(dealt);
  const std::size_t classes = held.classes.size();
  if (by_block) {
    held.blocks.assign(model.blocks().size(), std::vector<double>(held.log_joint.size()));
  }
  // Each slice has places of its own: they are put there in parallel.
  scores.stream<bool>(
      [&](const ScoredSlice& slice) {
        put(slice.places, slice.log_joint, classes, held.log_joint);
        for (std::size_t b = 0; b < slice.blocks.size(); ++b) {
          put(slice.places, slice.blocks[b], classes, held.blocks[b]);
        }
        return true;
      },
      [](bool) {});
  return held;
}

ScoredRows hold_out(const Learner& learn, const Dealt& dealt, unsigned threads) {
  ScoredRows held = unscored(dealt);
  const auto judge_fold = [&](std::size_t fold) {
    score_fold(dealt, fold, *learn(dealt.learnt_for(fold)), held);
  };
  if (threads == 1) {
    for (std::size_t fold = 0; fold < dealt.folds.size(); ++fold) judge_fold(fold);
  } else {
    parallel_for(threads, dealt.folds.size(), judge_fold);
  }
  return held;
}

ScoredRows hold_out(const Model& model, const std::vector<Chunk>& chunks, const Folds& folds,
                    unsigned threads, bool by_block) {
  return hold_out(model, deal_out(chunks, model.schema(), folds), threads, by_block);
}

std::size_t place_beside(Schema& schema, const std::string& column) {
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (schema.columns[i].name == column) return i;
  }
  schema.columns.push_back({column, ColumnKind::category, {}, {}});
  return schema.columns.size() - 1;
}

}  // namespace credence

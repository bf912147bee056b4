// SPDX-License-Identifier: Apache-2.0
// Rows held out are scored by subtraction where the learner is a model, by learning anew where it
// is anything else; who is judged by whom does not depend on it.
#include <algorithm>

#include "core/log_math.hpp"
#include "hold_out/subtraction.hpp"
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

void score_sheet(const Subtraction& subtraction, const Sheet& sheet,
                 const std::vector<Subtraction::AddScores>& add, ScoredRows& held) {
  const std::size_t classes = held.classes.size();
  const Model& model = subtraction.whole();
  auto joint = subtraction.log_prior(sheet, model.settings().prior);
  std::vector<double> scores(joint.size());
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const double weight = model.blocks()[b].weight;
    const bool added = sheet.rest || weight == 0;
    if (added && weight != 0) add[b](sheet, weight, joint);
    if (added && held.blocks.empty()) continue;
    std::fill(scores.begin(), scores.end(), 0.0);
    add[b](sheet, 1, scores);
    for (std::size_t k = 0; k < joint.size() && !added; ++k) joint[k] += weight * scores[k];
    if (held.blocks.empty()) continue;
    rule_out_empty(sheet, held.classes, scores);
    put(sheet.places, scores, classes, held.blocks[b]);
  }
  put(sheet.places, joint, classes, held.log_joint);
}

void score_fold(const Dealt& dealt, std::size_t fold, const Classifier& classifier,
                ScoredRows& held) {
  std::vector<std::size_t> place;  // of the classifier's classes among all
  for (const auto& cls : classifier.classes()) {
    place.push_back(static_cast<std::size_t>(
        std::find(held.classes.begin(), held.classes.end(), cls) - held.classes.begin()));
  }
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

ScoredRows hold_out(const Model& model, const Dealt& dealt, unsigned threads, bool by_block) {
  const Subtraction subtraction(model, dealt, threads);
  ScoredRows held = unscored(dealt);
  if (by_block) {
    held.blocks.assign(model.blocks().size(), std::vector<double>(held.log_joint.size()));
  }
  std::vector<Subtraction::AddScores> add;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    add.push_back(subtraction.scores(b, subtraction.whole().settings()));
  }
  parallel_for(threads, subtraction.size(),
               [&](std::size_t i) { score_sheet(subtraction, *subtraction.sheet(i), add, held); });
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

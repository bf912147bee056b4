// SPDX-License-Identifier: Apache-2.0
#include "credence/evaluate.hpp"

namespace credence {

CrossValidation cross_validate(const Model& model, const std::vector<Chunk>& chunks,
                               const Folds& folds, unsigned threads) {
  const HeldOut held = hold_out(model, chunks, folds, threads);
  const std::size_t classes = held.classes.size();
  const bool in_folds = !folds.leave_one_out && folds.count < held.rows.size();
  std::vector<Outcome> outcomes;
  std::vector<std::vector<Outcome>> by_fold(in_folds ? folds.count : 0);
  for (std::size_t i = 0; i < held.rows.size(); ++i) {
    const auto& row = held.rows[i];
    outcomes.push_back(
        judge(std::span(held.log_joint).subspan(i * classes, classes), row.cls, row.weight));
    if (in_folds) by_fold[row.fold].push_back(outcomes.back());
  }
  CrossValidation result;
  result.all = summarise(outcomes, held.classes);
  for (const auto& part : by_fold) {
    result.fold_accuracy.push_back(summarise(part, held.classes).accuracy);
  }
  return result;
}

}  // namespace credence

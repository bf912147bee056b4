// SPDX-License-Identifier: Apache-2.0
#include "cli/choosing/nested.hpp"

#include "choose/race.hpp"
#include "cli/choosing/tuning.hpp"
#include "credence/calibrate.hpp"
#include "hold_out/learn_all.hpp"
#include "twin/model.hpp"

namespace credence::cli {
namespace {

// How rows are held out within the rows that a fold learns from.
Folds inner_folds(const FoldOptions& folds, std::size_t beside) {
  FoldOptions usual;
  usual.group = folds.group;
  usual.time = folds.time;
  Folds result = usual.parse(beside);
  result.at_most = true;
  return result;
}

// The race of tune, run anew for every fold.
Judged by_race(PlanOptions& plan, const NestedOptions& nested, const FoldOptions& folds,
               const Common& common) {
  TuneCommandOptions options;
  options.common = common;
  options.plan = plan;
  options.plan.beside = folds;
  options.folds = folds;
  auto source = open_source(plan.data.paths, plan.data.read());
  auto grid = std::make_shared<const Grid>(grid_of(options, *source, nested.trust));
  Judged result{grid->model.schema(), {}};
  if (!folds.column().empty()) result.beside = place_beside(result.schema, folds.column());
  source->select(result.schema, true);
  result.chunks = read_watched(*source, common);
  TuneOptions how;
  how.folds = inner_folds(folds, result.beside);
  how.threads = common.threads;
  how.calibrated = true;
  const Effort effort = parse_effort(nested.effort);
  result.learn = [grid, how, effort](const std::vector<Chunk>& rows) {
    const Race found = race(*grid, rows, how, effort);
    const auto& tuning = found.tuning;
    Model model = fit_candidate(tuning.whole, found.grid.candidates[tuning.best],
                                tuning.tried[tuning.best], true);
    RowSample sample;
    for (const auto& chunk : rows) sample.add(chunk);
    calibrate_by_sample(model, sample, how.threads);
    return std::make_unique<Scorer>(model);
  };
  return result;
}

Model trusted(const Model& model, const std::vector<Chunk>& rows, const TuneOptions& how) {
  const Candidate candidate = all_trusted(model);
  const auto tuning = tune(model, {candidate}, rows, how);
  return fit_candidate(tuning.whole, candidate, tuning.tried[0], true);
}

// One model, and what is found from rows held out beside it.
Learner learner_of(const Model& empty, const NestedOptions& nested, const Folds& folds,
                   unsigned threads) {
  TuneOptions how;
  how.folds = folds;
  how.threads = threads;
  CalibrationOptions calibration;
  calibration.folds = folds;
  if (!nested.calibrate.empty()) calibration.method = parse_calibration_method(nested.calibrate);
  LogisticModel::Options logistic;
  logistic.penalty = nested.penalty;
  const bool discriminative = nested.discriminative, trust = nested.trust;
  return [=](const std::vector<Chunk>& rows) -> std::unique_ptr<const Classifier> {
    Model model = trust ? trusted(empty, rows, how) : learn_all(empty, rows, threads);
    if (discriminative) {
      return std::make_unique<LogisticModel>(LogisticModel::fit(model, rows, logistic));
    }
    if (calibration.method) calibrate(model, rows, calibration, threads);
    return std::make_unique<Scorer>(model);
  };
}

}  // namespace

void NestedOptions::check() const {
  const bool fitted = !calibrate.empty() || trust;
  if (best && (discriminative || !calibrate.empty())) {
    throw Error(ErrorKind::usage,
                "--best chooses among generative models: it does not go with --discriminative or "
                "--calibrate");
  }
  if (discriminative && fitted) {
    throw Error(ErrorKind::usage,
                std::string(trust ? "--trust" : "--calibrate") +
                    " is for generative models: logistic regression fits its coefficients and "
                    "probabilities itself");
  }
}

void add_nested(CLI::App* command, NestedOptions& options) {
  command->add_flag("--best", options.best, "Judge fit --best: every fold has a race of its own");
  add_effort(command, options.effort);
  command->add_flag("--discriminative", options.discriminative, "Judge logistic regression");
  command->add_option("--penalty", options.penalty, "Of logistic regression (default: 1)");
  command
      ->add_option("--calibrate", options.calibrate,
                   "Calibrate in every fold, on the rows that it learns from: temperature, platt "
                   "or isotonic")
      ->check(one_of("method", {"temperature", "platt", "isotonic"}));
}

Judged to_be_judged(PlanOptions& plan_options, const NestedOptions& nested,
                    const FoldOptions& folds, const Common& common) {
  if (nested.best) return by_race(plan_options, nested, folds, common);
  auto planned = plan(plan_options, common);
  Judged result{planned.model.schema(), read_watched(*planned.source, common), planned.beside};
  if (nested.asked()) {
    result.learn =
        learner_of(planned.model, nested, inner_folds(folds, planned.beside), common.threads);
  } else {
    result.model = std::move(planned.model);
  }
  return result;
}

}  // namespace credence::cli

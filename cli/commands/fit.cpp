// SPDX-License-Identifier: Apache-2.0
// fit: a model learned from a table.
#include <algorithm>
#include <filesystem>

#include "ask/suspicions.hpp"
#include "cli/choosing/tuning.hpp"
#include "cli/commands/calibrate.hpp"
#include "cli/options/changed.hpp"
#include "cli/options/discriminative.hpp"
#include "cli/options/option_names.hpp"
#include "cli/options/plan.hpp"
#include "cli/options/semi.hpp"
#include "credence/io.hpp"
#include "model/statistics.hpp"

namespace credence::cli {
namespace {

struct FitOptions {
  Common common;
  PlanOptions plan;
  std::string output;
  std::string when;
  std::string window;
  bool best = false;
  std::string effort = "normal";
  bool discriminative = false;
  double penalty = 1;
  UnlabelledArguments unlabelled;
  FitCalibration calibration;
  FoldOptions folds;
};

void run_best(FitOptions& options) {
  if (options.discriminative || options.unlabelled.asked() || options.calibration.asked() ||
      !options.window.empty()) {
    throw Error(ErrorKind::usage,
                "--best chooses among models of rows that have a class: it does not go with "
                "--discriminative, --unlabelled, --calibrate, --novelty or --window");
  }
  TuneCommandOptions tune;
  tune.common = options.common;
  tune.plan = options.plan;
  tune.effort = options.effort;
  tune.folds = options.folds;
  tune.fewer_folds = true;
  tune.output = options.output;
  tune.when = options.when;
  run_tune(tune, "fit");
}

void check_folds(const FitOptions& options) {
  options.folds.parse();
  const auto& trust = options.plan.plan.trust;
  const bool holds_out = options.calibration.asked() || options.unlabelled.weight == "auto" ||
                         std::find(trust.begin(), trust.end(), "on") != trust.end();
  if (options.folds.column().empty() || holds_out) return;
  throw Error(ErrorKind::usage,
              options.folds.option() +
                  " says which rows are held out together: it needs --calibrate, --novelty, "
                  "--trust on or --unlabelled-weight auto");
}

void run_logistic(FitOptions& options) {
  if (!options.plan.plan.trust.empty()) {
    throw Error(ErrorKind::usage,
                "--trust: logistic regression has coefficients of its own for every column");
  }
  if (!options.window.empty() || !options.when.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: a logistic model keeps no rows apart and no journal",
                            options.window.empty() ? "--when" : "--window"));
  }
  run_discriminative(options.plan, options.common, options.output, options.penalty);
}

void run_fit(FitOptions& options) {
  if (options.best) return run_best(options);
  if (!options.unlabelled.asked() && !options.unlabelled.weight.empty()) {
    throw Error(
        ErrorKind::usage,
        "--unlabelled-weight: there are no rows without a class (see --unlabelled; a column of "
        "weights is --weights)");
  }
  if (options.discriminative && options.unlabelled.asked()) {
    throw Error(ErrorKind::usage,
                "--unlabelled: logistic regression does not say what rows look like, so it learns "
                "nothing from rows without a class");
  }
  options.calibration.check(options.plan.data, options.discriminative, options.unlabelled.asked());
  check_folds(options);
  if (options.discriminative) return run_logistic(options);
  refuse_same_file(options.output, options.plan.data.paths);
  refuse_same_file(options.output, options.unlabelled.paths);
  options.plan.beside = options.folds;
  if (options.plan.take_trust()) find_trust(options.plan, options.folds, options.common);
  auto planned = plan(options.plan, options.common);
  RowSample sample;
  const bool sampled = options.calibration.automatic() && !options.unlabelled.asked();
  if (options.unlabelled.asked()) {
    learn_with_unlabelled(planned, options.unlabelled, options.plan, options.common);
  } else {
    std::function<void(const Chunk&)> learnt;
    if (sampled) learnt = [&](const Chunk& chunk) { sample.add(chunk); };
    planned.model.learn(*planned.source, options.common.threads,
                        progress_bar(options.common, "learning"), learnt);
    finish_progress();
    note_oddities(options.common, *planned.source);
  }
  require_two_classes(planned.model.schema().target, planned.model.classes());
  auto& model = planned.model;
  for (const auto& line : suspicions(model)) note(options.common, "{}", worded(line));
  if (!options.window.empty()) model.put_into_window(options.window);
  model.record({"fit", model.rows(), options.when,
                options.window.empty() ? "" : "window " + options.window});
  // A rule that has nothing to go on is refused before writing.
  const Scorer checked(model, [&](const std::string& line) { note(options.common, "{}", line); });
  options.calibration.apply(model, options.plan.data, options.folds, options.common);
  if (sampled) {
    note_calibrated(options.common, calibrate_by_sample(model, sample, options.common.threads));
  }
  const auto path =
      options.output.empty() ? default_model_path(options.plan.data.paths) : options.output;
  const auto lock = lock_to_write(options.common, path);
  save(model, path);
  report(options.common, model, checked, path, planned.columns);
}

}  // namespace

void add_fit(CLI::App& app) {
  auto options = std::make_shared<FitOptions>();
  auto* command = add_command(
      app, "fit", "Learn a model from a table",
      "  credence fit tennis.csv --target PlayTennis -o tennis.credence\n"
      "  credence fit adult.csv.gz --target income --as 'age, hours: gaussian' --as 'id: ignore'\n"
      "  credence fit words.csv --target class --as 'good, bad, very: multinomial' --estimate "
      "laplace=1\n"
      "  credence fit some.csv --target y --unlabelled many.csv --unlabelled-weight auto\n"
      "  zcat rows.csv.gz | credence fit - --target y --prior uniform");
  add_plan(command, options->plan);
  command->add_option("-o,--output", options->output,
                      "Where to write (default: DATA's name + .credence)");
  command
      ->add_option("--window", options->window,
                   "Keep the rows apart under this name: forget --window takes them out")
      ->check(not_empty("a window"))
      ->check(one_line());
  add_writing(command, options->when, options->common);
  add_unlabelled(command, options->unlabelled);
  command->add_flag("--best", options->best,
                    "The best model that a race on rows held out finds; see tune");
  add_effort(command, options->effort);
  command->add_flag("--discriminative", options->discriminative, "Fit logistic regression instead");
  command->add_option("--penalty", options->penalty, "Of logistic regression (default: 1)");
  add_fit_calibration(command, options->calibration);
  add_fold_columns(command, options->folds);
  add_common(command, options->common, true);
  add_progress_lines(command, options->common);
  command->callback([=] { run_fit(*options); });
}

}  // namespace credence::cli

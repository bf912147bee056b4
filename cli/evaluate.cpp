// SPDX-License-Identifier: Apache-2.0
// evaluate and cv: how good decisions and probabilities are.
#include "credence/evaluate.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "models.hpp"
#include "planning.hpp"

namespace credence::cli {
namespace {

struct EvaluateOptions {
  Common common;
  DataOptions data;
  Overrides overrides;
  std::string model;
};

struct CvOptions {
  Common common;
  PlanOptions plan;
  std::string folds = "10";
  bool plain = false;
  std::uint64_t seed = 1;
};

Json to_json(const Metrics& metrics) {
  Json counts = Json::array();
  for (const auto& row : metrics.confusion) {
    counts.push_back(Json::array());
    for (const double value : row) counts.back().push_back(count(value));
  }
  return {{"rows", count(metrics.rows)},
          {"accuracy", metrics.accuracy},
          {"log_loss", number(metrics.log_loss)},
          {"brier", metrics.brier},
          {"ece", metrics.ece},
          {"undecided", count(metrics.undecided)},
          {"impossible", count(metrics.impossible)},
          {"confusion", {{"labels", metrics.labels}, {"counts", std::move(counts)}}}};
}

std::string to_text(const Metrics& metrics) {
  std::string text = aligned({{"rows", format_number(metrics.rows)},
                              {"accuracy", six_digits(metrics.accuracy)},
                              {"log-loss", six_digits(metrics.log_loss)},
                              {"Brier score", six_digits(metrics.brier)},
                              {"calibration error", six_digits(metrics.ece)}},
                             0);
  if (metrics.undecided > 0)
    text += fmt::format("undecided rows: {}\n", format_number(metrics.undecided));
  if (metrics.impossible > 0) {
    text += fmt::format("rows whose true class got probability 0: {}\n",
                        format_number(metrics.impossible));
  }
  std::vector<std::vector<std::string>> rows(1, {"truth \\ prediction"});
  for (const auto& label : metrics.labels) rows[0].push_back(label);
  for (std::size_t i = 0; i < metrics.labels.size(); ++i) {
    rows.push_back({metrics.labels[i]});
    for (const double count : metrics.confusion[i]) rows.back().push_back(format_number(count));
  }
  return text + "\n" + aligned(rows, 0);
}

void require_rows(const Metrics& metrics, const std::string& target) {
  if (metrics.rows == 0) {
    throw Error(ErrorKind::data, fmt::format("no row has a value of \"{}\"", target));
  }
}

void run_evaluate(const EvaluateOptions& options) {
  const Loaded loaded = load_any(options.model, options.overrides);
  const auto& classifier = loaded.classifier();
  auto source = open_rows({options.data, {}}, classifier.schema());
  const auto& target = classifier.schema().target;
  const auto& profile = source->profile();
  std::vector<std::string> names;
  for (const auto& column : profile) names.push_back(column.name);
  if (std::find(names.begin(), names.end(), target) == names.end()) {
    throw Error(ErrorKind::data,
                fmt::format("{}: no column \"{}\"{}, which holds the true class",
                            options.data.paths[0], target, suggestion(target, names)));
  }
  const auto metrics = evaluate(classifier, *source, options.common.threads,
                                progress_bar(options.common, "scoring"));
  finish_progress();
  note_oddities(options.common, *source);
  require_rows(metrics, target);
  for (const auto& label : metrics.labels) {
    const auto& known = classifier.classes();
    if (std::find(known.begin(), known.end(), label) == known.end()) {
      note(options.common, "the class \"{}\" is unknown to the model", label);
    }
  }
  if (options.common.json) return print(to_json(metrics));
  print(to_text(metrics));
}

Folds parse_folds(const CvOptions& options) {
  Folds folds;
  folds.stratified = !options.plain;
  folds.seed = options.seed;
  folds.leave_one_out = options.folds == "loo";
  if (folds.leave_one_out) return folds;
  const auto count = to_number(options.folds);
  if (!count || *count < 2 || *count != std::floor(*count) || *count > 1e9) {
    throw Error(ErrorKind::usage,
                fmt::format("--folds {}: a whole number from 2 on, or loo", options.folds));
  }
  folds.count = static_cast<std::size_t>(*count);
  return folds;
}

void run_cv(const CvOptions& options) {
  const Folds folds = parse_folds(options);
  auto planned = plan(options.plan, options.common);
  const auto chunks =
      read_all(*planned.source, options.common.threads, progress_bar(options.common, "reading"));
  finish_progress();
  note_oddities(options.common, *planned.source);
  const auto result = cross_validate(planned.model, chunks, folds, options.common.threads);
  if (options.common.json) {
    Json json = to_json(result.all);
    if (!result.fold_accuracy.empty()) json["fold_accuracy"] = result.fold_accuracy;
    return print(json);
  }
  print(to_text(result.all));
  if (result.fold_accuracy.empty()) return;
  std::vector<std::string> folds_text;
  for (const double accuracy : result.fold_accuracy)
    folds_text.push_back(fmt::format("{:.4f}", accuracy));
  print("\naccuracy by fold: " + join(folds_text, " ") + "\n");
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto options = std::make_shared<EvaluateOptions>();
  auto* command = add_command(app, "evaluate", "Measure a model on labelled rows",
                              "  credence evaluate tennis.credence test.csv\n"
                              "  credence evaluate adult.credence adult_test.csv.gz --json");
  command
      ->add_option("MODEL", options->model,
                   "A model file, a logistic model, or a hand-written JSON model")
      ->required();
  add_data(command, options->data);
  add_overrides(command, options->overrides);
  add_common(command, options->common, true);
  command->callback([=] { run_evaluate(*options); });
}

void add_cv(CLI::App& app) {
  auto options = std::make_shared<CvOptions>();
  auto* command =
      add_command(app, "cv", "Cross-validate: every row judged by a model that has not seen it",
                  "  credence cv tennis.csv --target PlayTennis --folds loo\n"
                  "  credence cv car.csv --target class --folds 10 --estimate laplace=1 --json");
  add_plan(command, options->plan);
  command->add_option("--folds", options->folds,
                      "How many parts, or loo: leave one row out (default: 10)");
  command->add_flag("--no-stratify", options->plain, "Deal rows out without regard to their class");
  command->add_option("--seed", options->seed, "Of the shuffling (default: 1)")
      ->check(whole_number(0));
  add_common(command, options->common, true);
  command->callback([=] { run_cv(*options); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// evaluate: how good a model's decisions and probabilities are on labelled rows. docs/judge.md
#include "credence/evaluate.hpp"

#include <algorithm>

#include "cli/options/decision_options.hpp"
#include "cli/options/models.hpp"
#include "cli/print/metrics.hpp"
#include "core/strings.hpp"
#include "families/statistics/domain.hpp"

namespace credence::cli {
namespace {

struct EvaluateOptions {
  Common common;
  DataOptions data;
  Overrides overrides;
  DecideOptions deciding;
  std::string model;
  double confidence = 0.95;
};

void run(const EvaluateOptions& options) {
  const Loaded loaded = load_any(options.model, options.overrides);
  const auto& classifier = loaded.classifier();
  MeasureOptions measure;
  measure.confidence = options.confidence;
  measure.rule = rule_of(options.deciding, classifier.classes());
  auto source = open_rows({options.data, {}}, classifier.schema());
  const auto& target = classifier.schema().target;
  std::vector<std::string> names;
  for (const auto& column : source->profile()) names.push_back(column.name);
  if (std::find(names.begin(), names.end(), target) == names.end()) {
    throw Error(ErrorKind::data,
                fmt::format("{}: no column \"{}\"{}, which holds the true class",
                            options.data.paths[0], target, suggestion(target, names)));
  }
  const auto metrics = evaluate(classifier, *source, options.common.threads,
                                progress_bar(options.common, "scoring"), measure);
  finish_progress();
  note_oddities(options.common, *source);
  if (metrics.rows == 0) {
    throw Error(ErrorKind::data, fmt::format("no row has a value of \"{}\"", target));
  }
  const Domain known(classifier.classes());
  for (const auto& label : metrics.labels) {
    if (known.find(label) == Domain::npos) {
      const auto& classes = classifier.classes();
      const auto same = [&](const auto& cls) { return ascii_lower(cls) == ascii_lower(label); };
      const auto other = std::find_if(classes.begin(), classes.end(), same);
      note(options.common, "the class \"{}\" is unknown to the model{}", label,
           other == classes.end() ? "" : fmt::format(" (did you mean \"{}\"?)", *other));
    }
  }
  options.common.json ? print(to_json(metrics)) : print(to_text(metrics));
  note_too_sure(options.common, metrics);
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto options = std::make_shared<EvaluateOptions>();
  auto* command = add_command(app, "evaluate", "Measure a model on labelled rows",
                              "  credence evaluate tennis.credence test.csv\n"
                              "  credence evaluate adult.credence adult_test.csv.gz --json\n"
                              "  credence evaluate mail.credence test.csv --costs costs.csv");
  command
      ->add_option("MODEL", options->model,
                   "A model file, a logistic model, or a hand-written JSON model")
      ->required();
  add_data(command, options->data);
  add_absent(command, options->data);
  add_confidence(command, options->confidence);
  add_deciding(command, options->deciding);
  add_overrides(command, options->overrides);
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// credence compare: generative models and logistic regression on the same rows.
#include "twin/compare.hpp"

#include <algorithm>
#include <cmath>

#include "cli/commands/compare/compare_saved.hpp"
#include "cli/options/models.hpp"
#include "cli/options/specification.hpp"
#include "cli/print/curve.hpp"
#include "cli/print/metrics.hpp"
#include "core/strings.hpp"
#include "io/file.hpp"
#include "measure/paired.hpp"

namespace credence::cli {
namespace {

struct CompareOptions {
  Common common;
  PlanOptions plan;
  std::string models;
  std::vector<std::string> specs;
  FoldOptions folds;
  double penalty = 1;
  bool curve = false;
  std::size_t repeats = 10;
  std::string output;
  std::string measure = "log-loss";
};

// Of infinite losses there is neither a spread nor a difference.
std::string four_digits(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.4f}", value);
}

std::string with_error(double value, double error) {
  return four_digits(value) + " ± " + four_digits(error);
}

// The place of the model with the lowest log-loss; the others are held against it.
std::size_t best_of(const std::vector<Comparison>& results) {
  const auto best = std::min_element(
      results.begin(), results.end(),
      [](const auto& a, const auto& b) { return a.all.log_loss < b.all.log_loss; });
  return static_cast<std::size_t>(best - results.begin());
}

std::vector<PairedTest> against(const Comparison& best, const std::vector<Comparison>& results) {
  std::vector<PairedTest> tests;
  for (const auto& r : results) {
    tests.push_back(compare_pairs(r.rows, best.rows, r.fold_log_loss, best.fold_log_loss));
  }
  return tests;
}

std::string p_value(double p) {
  return std::isnan(p) ? "-" : p < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", p);
}

std::string tests_text(const std::vector<Comparison>& results, std::size_t best,
                       const std::vector<PairedTest>& tests) {
  const auto& name = results[best].name;
  std::vector<std::vector<std::string>> rows{{"against " + name, "only it right",
                                              "only " + name + " right", "p", "log-loss difference",
                                              "p"}};
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (k == best) continue;
    const auto& test = tests[k];
    rows.push_back({results[k].name, format_number(test.only_one), format_number(test.only_other),
                    p_value(test.decisions_p), four_digits(test.log_loss_difference),
                    p_value(test.log_loss_p)});
  }
  return rows.size() == 1 ? "" : "\n" + aligned(rows, 0);
}

void print_folds(const CompareOptions& options, const std::vector<Comparison>& results) {
  const auto folds = static_cast<double>(options.folds.parse().count);
  const std::size_t best = best_of(results);
  const auto tests = against(results[best], results);
  if (options.common.json) {
    Json models = Json::object();
    for (std::size_t k = 0; k < results.size(); ++k) {
      const auto& r = results[k];
      models[r.name] = {{"accuracy", r.all.accuracy},
                        {"log_loss", number(r.all.log_loss)},
                        {"brier", r.all.brier},
                        {"ece", r.all.ece},
                        {"accuracy_se", number(r.error.accuracy)},
                        {"log_loss_se", number(r.error.log_loss)},
                        {"brier_se", number(r.error.brier)},
                        {"undecided", count(r.all.undecided)},
                        {"impossible", count(r.all.impossible)}};
      if (k == best) continue;
      models[r.name]["against_best"] = {
          {"only_it_right", count(tests[k].only_one)},
          {"only_best_right", count(tests[k].only_other)},
          {"mcnemar_p", tests[k].decisions_p},
          {"log_loss_difference", number(tests[k].log_loss_difference)},
          {"corrected_t_p", number(tests[k].log_loss_p)}};
    }
    return print(Json{{"rows", count(results[0].all.rows)},
                      {"folds", options.folds.folds == "loo" ? Json("loo") : count(folds)},
                      {"best", results[best].name},
                      {"models", std::move(models)}});
  }
  std::vector<std::vector<std::string>> rows{{"model", "accuracy", "log-loss", "Brier score"}};
  for (const auto& r : results) {
    rows.push_back({r.name, with_error(r.all.accuracy, r.error.accuracy),
                    with_error(r.all.log_loss, r.error.log_loss),
                    with_error(r.all.brier, r.error.brier)});
  }
  print(aligned(rows, 0) +
        fmt::format("{} rows, {} folds; ± one standard error over the folds\n",
                    format_number(results[0].all.rows), options.folds.folds) +
        baseline_line(baseline_of(results[0].all)) + tests_text(results, best, tests));
}

// Every specification may read the columns in its own way, so each reads the data anew; the rows,
// and therefore the folds, are the same.
Comparison run_spec(const CompareOptions& options, const Specified& spec,
                    const LogisticOptions& logistic) {
  Common quiet = options.common;
  quiet.quiet = true;
  auto planned = plan(spec.plan, quiet);
  const auto chunks = read_watched(*planned.source, options.common, false);
  std::vector<Contender> one;
  const Folds folds = options.folds.parse(planned.beside);
  one.push_back({spec.name, std::move(planned.model), spec.logistic});
  try {
    return std::move(compare(one, chunks, folds, logistic, options.common.threads)[0]);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", spec.name, error.message().marked()));
  }
}

std::vector<Comparison> run_folds(const CompareOptions& options,
                                  const std::vector<Specified>& specs,
                                  const LogisticOptions& logistic) {
  std::vector<Comparison> results;
  if (specs.empty() || !options.models.empty()) {
    auto planned = plan(options.plan, options.common);
    const auto models = contenders(options.models.empty() ? "naive,logistic" : options.models,
                                   options.plan, planned);
    const auto chunks = read_watched(*planned.source, options.common, false);
    results = compare(models, chunks, options.folds.parse(planned.beside), logistic,
                      options.common.threads);
  }
  for (const auto& spec : specs) {
    for (const auto& r : results) {
      if (r.name != spec.name) continue;
      throw Error(ErrorKind::usage, fmt::format("--spec: \"{}\" stands twice", spec.name));
    }
    results.push_back(run_spec(options, spec, logistic));
  }
  return results;
}

// The size from which on the twin has the lower log-loss than a generative model, 0: none.
struct Crossing {
  std::string other;
  std::size_t rows = 0;
  std::string text;
};

std::vector<Crossing> crossings(const std::vector<Contender>& models,
                                const std::vector<CurvePoint>& curve) {
  std::vector<Crossing> result;
  for (std::size_t twin = 0; twin < models.size(); ++twin) {
    for (std::size_t k = 0; k < models.size() && models[twin].logistic; ++k) {
      if (k == twin) continue;
      const auto& name = models[k].name;
      const std::size_t place = lower_from(curve, twin, k);
      Crossing crossing{name, place < curve.size() ? curve[place].rows : 0, ""};
      if (place == curve.size()) {
        crossing.text = fmt::format("does not cross: {} has the lower log-loss after {} rows", name,
                                    curve.back().rows);
      } else if (place == 0) {
        crossing.text = fmt::format(
            "does not cross: logistic has a lower log-loss than {} at every size", name);
      } else {
        crossing.text = fmt::format("from {} rows on, logistic has a lower log-loss than {}",
                                    crossing.rows, name);
      }
      result.push_back(std::move(crossing));
    }
  }
  return result;
}

Json curve_json(const CompareOptions& options, const std::vector<Contender>& models,
                const std::vector<CurvePoint>& curve, const std::vector<Crossing>& found) {
  Json sizes = Json::array(), figures = Json::object(), crossing = Json::object();
  for (const auto& point : curve) sizes.push_back(point.rows);
  for (std::size_t k = 0; k < models.size(); ++k) {
    auto& entry = figures[models[k].name];
    for (const auto& point : curve) {
      entry["accuracy"].push_back(point.mean[k].accuracy);
      entry["accuracy_se"].push_back(number(point.error[k].accuracy));
      entry["log_loss"].push_back(number(point.mean[k].log_loss));
      entry["log_loss_se"].push_back(number(point.error[k].log_loss));
    }
  }
  for (const auto& c : found) crossing[c.other] = c.rows > 0 ? Json(c.rows) : Json(nullptr);
  return {{"repeats", options.repeats},
          {"training_rows", std::move(sizes)},
          {"models", std::move(figures)},
          {"logistic_lower_log_loss_from", std::move(crossing)}};
}

std::string curve_text(const std::vector<Contender>& models, const std::vector<CurvePoint>& curve) {
  std::vector<std::vector<std::string>> rows{{"training rows"}};
  for (const auto* what : {"accuracy", "log-loss"}) {
    for (const auto& model : models) rows[0].push_back(fmt::format("{} {}", model.name, what));
  }
  for (const auto& point : curve) {
    rows.push_back({std::to_string(point.rows)});
    for (const auto member : {&Figures::accuracy, &Figures::log_loss}) {
      for (std::size_t k = 0; k < models.size(); ++k) {
        rows.back().push_back(with_error(point.mean[k].*member, point.error[k].*member));
      }
    }
  }
  return aligned(rows, 0);
}

void run(CompareOptions& options) {
  // Models stand first, wherever the rows were named.
  auto& paths = options.plan.data.paths;
  std::stable_partition(paths.begin(), paths.end(), looks_like_model);
  if (looks_like_model(paths[0])) {
    return compare_saved(options.common, options.plan.data, options.output);
  }
  options.folds.parse();  // what is wrong with it is said before anything is read
  options.plan.beside = options.folds;
  if (options.curve && !options.folds.column().empty()) {
    throw Error(
        ErrorKind::usage,
        options.folds.option() + " says which rows are in one fold: it does not go with --curve");
  }
  if (!options.output.empty() && !options.curve) {
    throw Error(ErrorKind::usage, "-o draws the learning curves: it needs --curve");
  }
  if (!options.output.empty()) plot::format_of(options.output);
  refuse_same_file(options.output, options.plan.data.paths);
  const auto specs = parse_specs(options.specs, options.plan);
  if (options.curve && !specs.empty()) {
    throw Error(ErrorKind::usage, "--spec compares on folds: it does not go with --curve");
  }
  LogisticOptions logistic;
  logistic.penalty = options.penalty;
  if (!options.curve) return print_folds(options, run_folds(options, specs, logistic));
  auto planned = plan(options.plan, options.common);
  const auto models =
      contenders(options.models.empty() ? "naive,logistic" : options.models, options.plan, planned);
  const auto chunks = read_watched(*planned.source, options.common, false);
  const auto curve = learning_curve(models, chunks, {options.repeats, options.folds.seed}, logistic,
                                    options.common.threads);
  const auto found = crossings(models, curve);
  if (options.common.json) {
    print(curve_json(options, models, curve, found));
  } else {
    std::string text = curve_text(models, curve);
    for (const auto& crossing : found) text += crossing.text + "\n";
    print(text);
  }
  if (options.output.empty()) return;
  plot::Look look;
  look.format = plot::format_of(options.output);
  write_atomically(options.output,
                   curve_chart(options.plan.plan.target, options.measure, models, curve, look));
  note(options.common, "wrote {}", options.output);
}

}  // namespace

void add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
  auto* command =
      add_command(app, "compare",
                  "Compare generative models with logistic regression on the same rows, or "
                  "two saved models",
                  "  credence compare iris.csv --target species --models naive,logistic,lda,qda\n"
                  "  credence compare adult.csv.gz --target income --curve -o curve.svg\n"
                  "  credence compare old.credence new.credence test.csv -o disagree.csv");
  add_plan(command, options->plan);
  command->add_option("--models", options->models,
                      "Which, of naive, logistic, lda, qda (default: naive,logistic)");
  command
      ->add_option(
          "--spec", options->specs,
          "A model with options of its own: 'NAME: OPTIONS OF FIT', as 'smooth: --estimate "
          "laplace=10'; several may be given")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--penalty", options->penalty, "Of logistic: λ of λ/2 |β|² (default: 1)")
      ->check(penalty_number());
  add_folds(command, options->folds);
  command->add_flag("--curve", options->curve, "Learning curves instead of folds");
  command
      ->add_option("--repeats", options->repeats, "Of the curves, on random splits (default: 10)")
      ->check(whole_number(2));
  command->add_option(
      "-o,--output", options->output,
      "Draw the curves: .svg, .png or .pdf; of saved models, the rows on which they disagree");
  command->add_option("--measure", options->measure, "What to draw (default: log-loss)")
      ->check(one_of("measure", curve_measures));
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// cv: every row judged by a model that has not seen it. docs/judge.md
#include <cmath>

#include "core/text.hpp"
#include "families/registry.hpp"
#include "metrics.hpp"
#include "plan.hpp"

namespace credence::cli {
namespace {

struct CvOptions {
  Common common;
  PlanOptions plan;
  std::string folds = "10";
  bool plain = false;
  std::uint64_t seed = 1;
  std::size_t repeats = 1;
  std::string group, time;
  double confidence = 0.95;
};

Folds parse_folds(const CvOptions& options) {
  Folds folds;
  folds.stratified = !options.plain;
  folds.seed = options.seed;
  folds.repeats = options.repeats;
  folds.leave_one_out = options.folds == "loo";
  if (!options.time.empty() && !options.group.empty()) {
    throw Error(ErrorKind::usage, "--time and --group-by do not go together: choose one");
  }
  if (!options.time.empty() && folds.leave_one_out) {
    throw Error(ErrorKind::usage,
                "--time: --folds loo would judge rows by later ones; give a number");
  }
  if (folds.repeats > 1 && (folds.leave_one_out || !options.time.empty())) {
    throw Error(ErrorKind::usage,
                fmt::format("--repeats {}: nothing is shuffled under {}, so every repeat would be "
                            "the same",
                            folds.repeats, folds.leave_one_out ? "--folds loo" : "--time"));
  }
  if (folds.leave_one_out) return folds;
  const auto count = to_number(options.folds);
  const double least = options.time.empty() ? 2 : 1;
  if (!count || *count < least || *count != std::floor(*count) || *count > 1e9) {
    throw Error(ErrorKind::usage,
                fmt::format("--folds {}: a whole number from {} on, or loo", options.folds, least));
  }
  folds.count = static_cast<std::size_t>(*count);
  return folds;
}

struct Spread {
  double mean = 0, deviation = 0;
};

// Over the repeats: the mean, and the standard deviation of one repeat.
Spread spread_of(const std::vector<Metrics>& repeats, double Metrics::*member) {
  Spread result;
  const auto count = static_cast<double>(repeats.size());
  for (const auto& one : repeats) result.mean += one.*member / count;
  double squares = 0;
  for (const auto& one : repeats) {
    squares += (one.*member - result.mean) * (one.*member - result.mean);
  }
  result.deviation = std::sqrt(squares / (count - 1));
  return result;
}

struct Measure {
  const char *key, *name;
  double Metrics::*member;
};
constexpr Measure measures[] = {
    {"accuracy", "accuracy", &Metrics::accuracy},
    {"log_loss", "log-loss", &Metrics::log_loss},
    {"brier", "Brier score", &Metrics::brier},
    {"ece", "calibration error", &Metrics::ece},
    {"balanced_accuracy", "balanced accuracy", &Metrics::balanced_accuracy},
    {"macro_f1", "macro F1", &Metrics::macro_f1},
    {"mcc", "MCC", &Metrics::mcc}};
constexpr Measure ranking_measures[] = {
    {"roc_auc", "ROC-AUC", &Metrics::roc_auc},
    {"average_precision", "average precision", &Metrics::average_precision}};

Json repeats_json(const CrossValidation& result) {
  Json json{{"count", result.repeats.size()}};
  const auto add = [&](const Measure& measure) {
    const auto spread = spread_of(result.repeats, measure.member);
    json[measure.key] = {{"mean", number(spread.mean)},
                         {"deviation", number(spread.deviation)},
                         {"values", Json::array()}};
    for (const auto& one : result.repeats) {
      json[measure.key]["values"].push_back(number(one.*measure.member));
    }
  };
  for (const auto& measure : measures) add(measure);
  for (const auto& measure : ranking_measures) add(measure);
  return json;
}

std::string repeats_text(const CrossValidation& result) {
  std::vector<std::vector<std::string>> rows;
  rows.push_back({fmt::format("over {} repeats", result.repeats.size()), "mean", "deviation"});
  const auto add = [&](const Measure& measure) {
    const auto spread = spread_of(result.repeats, measure.member);
    rows.push_back({measure.name, six_digits(spread.mean), six_digits(spread.deviation)});
  };
  for (const auto& measure : measures) add(measure);
  for (const auto& measure : ranking_measures) add(measure);
  return aligned(rows, 0);
}

Json json_of(const CrossValidation& result) {
  Json json = to_json(result.all);
  if (!result.folds.empty()) {
    json["fold_accuracy"] = result.fold_accuracy;
    json["folds"] = Json::array();
    for (const auto& fold : result.folds) {
      Json one{{"rows", count(fold.rows)}};
      for (const auto& measure : measures) one[measure.key] = number(fold.*measure.member);
      json["folds"].push_back(std::move(one));
    }
  }
  if (!result.repeats.empty()) json["repeats"] = repeats_json(result);
  return json;
}

std::string text_of(const CrossValidation& result) {
  std::string text = to_text(result.all);
  if (!result.folds.empty()) {
    std::vector<std::vector<std::string>> rows(1, {"fold", "rows", "accuracy", "log-loss"});
    constexpr std::size_t most = 30;
    for (std::size_t f = 0; f < std::min(most, result.folds.size()); ++f) {
      const auto& fold = result.folds[f];
      rows.push_back({std::to_string(f + 1), format_number(fold.rows), six_digits(fold.accuracy),
                      six_digits(fold.log_loss)});
    }
    text += "\n" + aligned(rows, 0);
    if (result.folds.size() > most) {
      text += fmt::format("… and {} more folds: --json\n", result.folds.size() - most);
    }
  }
  if (!result.repeats.empty()) text += "\n" + repeats_text(result);
  return text;
}

// What takes as long as fitting once for every row.
void note_long_way(const Common& common, const Model& model) {
  for (const auto& block : model.blocks()) {
    const std::string why = find_family(block.family).long_way(block.parameters);
    if (why.empty()) continue;
    note(common, "column \"{}\": {} is estimated anew for every row, as {} (--folds 10 is quicker)",
         model.schema().columns[block.columns[0]].name, block.family, why);
  }
}

void run(CvOptions& options) {
  Folds folds = parse_folds(options);
  if (!options.group.empty())
    options.plan.beside = {options.group, "--group-by", "groups the rows"};
  if (!options.time.empty()) options.plan.beside = {options.time, "--time", "orders the rows"};
  auto planned = plan(options.plan, options.common);
  if (!options.group.empty()) folds.group_column = planned.beside;
  if (!options.time.empty()) folds.time_column = planned.beside;
  const auto chunks =
      read_all(*planned.source, options.common.threads, progress_bar(options.common, "reading"));
  finish_progress();
  note_oddities(options.common, *planned.source);
  if (folds.leave_one_out) note_long_way(options.common, planned.model);
  MeasureOptions measure;
  measure.confidence = options.confidence;
  const auto result = cross_validate(planned.model, chunks, folds, options.common.threads, measure);
  for (const auto& text : result.notes) note(options.common, "{}", text);
  if (options.common.json) return print(json_of(result));
  print(text_of(result));
}

}  // namespace

void add_cv(CLI::App& app) {
  auto options = std::make_shared<CvOptions>();
  auto* command =
      add_command(app, "cv", "Cross-validate: every row judged by a model that has not seen it",
                  "  credence cv tennis.csv --target PlayTennis --folds loo\n"
                  "  credence cv car.csv --target class --folds 10 --estimate laplace=1 --json\n"
                  "  credence cv visits.csv --target ill --group-by patient --repeats 5\n"
                  "  credence cv mails.csv --target spam --time date --folds 5");
  add_plan(command, options->plan);
  command->add_option("--folds", options->folds,
                      "How many parts, or loo: leave one row (or group) out (default: 10)");
  command->add_flag("--no-stratify", options->plain, "Deal rows out without regard to their class");
  command->add_option("--seed", options->seed, "Of the shuffling (default: 1)")
      ->check(whole_number(0));
  command->add_option("--repeats", options->repeats, "Again with other shuffles (default: 1)")
      ->check(whole_number(1));
  command->add_option("--group-by", options->group,
                      "A column whose equal values are always in one fold, such as a patient's");
  command->add_option("--time", options->time,
                      "A column that orders rows: each part is judged by what came before");
  add_confidence(command, options->confidence);
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

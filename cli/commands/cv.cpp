// SPDX-License-Identifier: Apache-2.0
// cv: every row judged by a model that has not seen it. docs/judge.md
#include <cmath>

#include "cli/options/plan.hpp"
#include "cli/print/answers.hpp"
#include "cli/print/metrics.hpp"
#include "core/strings.hpp"
#include "families/registry.hpp"
#include "io/file.hpp"
#include "measure/measures.hpp"

namespace credence::cli {
namespace {

struct CvOptions {
  Common common;
  PlanOptions plan;
  FoldOptions folds;
  std::size_t repeats = 1;
  double confidence = 0.95;
  std::string predictions;
};

Folds parse_folds(const CvOptions& options, std::size_t place = 0) {
  Folds folds = options.folds.parse(place);
  folds.repeats = options.repeats;
  const bool in_time = folds.time_column != Folds::no_column;
  if (folds.repeats > 1 && (folds.leave_one_out || in_time)) {
    throw Error(ErrorKind::usage,
                fmt::format("--repeats {}: nothing is shuffled under {}, so every repeat would be "
                            "the same",
                            folds.repeats, folds.leave_one_out ? "--folds loo" : "--time"));
  }
  return folds;
}

std::string repeats_text(const CrossValidation& result) {
  std::vector<std::vector<std::string>> rows;
  rows.push_back({fmt::format("over {} repeats", result.repeats.size()), "mean", "deviation"});
  for (const auto& measure : measures) {
    const auto spread = spread_of(result.repeats, measure.value);
    rows.push_back({measure.name, six_digits(spread.mean), six_digits(spread.deviation)});
  }
  return aligned(rows, 0);
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

// Every row that was judged, by the model that had not seen it.
void write_predictions(const CvOptions& options, const Model& model,
                       const std::vector<Chunk>& chunks, const Folds& folds) {
  const auto rows = hold_out(model, chunks, folds, options.common.threads);
  std::vector<RowNumbers> numbers;
  std::size_t before = 0;
  for (const auto& chunk : chunks) {
    numbers.push_back({before, chunk.left_out});
    before += chunk.rows + chunk.left_out.size();
  }
  AtomicFile file(options.predictions);
  std::string text = "row,fold," + csv_cell(model.schema().target) + ",prediction";
  for (const auto& label : rows.classes) text += "," + csv_cell(label);
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const auto& row = rows.rows[i];
    const auto judged = posterior(rows.scores(i));
    const auto label = decide(judged);
    text +=
        fmt::format("\n{},{},{},{}", numbers[row.chunk].of(row.row), row.fold + 1,
                    csv_cell(rows.classes[row.cls]), label ? csv_cell(rows.classes[*label]) : "");
    for (const double p : judged.probabilities) text += "," + format_number(p);
    if (text.size() < (std::size_t{1} << 20)) continue;
    file.write(text);
    text.clear();
  }
  file.write(text + "\n");
  file.finish();
  note(options.common, "wrote {}", options.predictions);
}

void run(CvOptions& options) {
  parse_folds(options);  // what is wrong with it is said before anything is read
  if (!options.predictions.empty()) {
    refuse_same_file(options.predictions, options.plan.data.paths, "--predictions");
  }
  options.plan.beside = options.folds;
  auto planned = plan(options.plan, options.common);
  const auto chunks = read_watched(*planned.source, options.common);
  const Folds folds = parse_folds(options, planned.beside);
  if (folds.leave_one_out) note_long_way(options.common, planned.model);
  MeasureOptions measure;
  measure.confidence = options.confidence;
  const auto result = cross_validate(planned.model, chunks, folds, options.common.threads, measure);
  for (const auto& text : result.notes) note(options.common, "{}", text);
  options.common.json ? print(to_json(result)) : print(text_of(result));
  note_too_sure(options.common, result.all);
  if (!options.predictions.empty()) write_predictions(options, planned.model, chunks, folds);
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
  add_folds(command, options->folds);
  command->add_option("--repeats", options->repeats, "Again with other shuffles (default: 1)")
      ->check(whole_number(1));
  command->add_option(
      "--predictions", options->predictions,
      "Write every row's number, fold, class, label and probabilities to this file");
  add_confidence(command, options->confidence);
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// predict: labels and probabilities as CSV.
#include "core/stream.hpp"
#include "core/text.hpp"
#include "credence/decision.hpp"
#include "models.hpp"

namespace credence::cli {
namespace {

struct PredictOptions {
  Common common;
  RowOptions rows;
  Overrides overrides;
  std::string model;
  bool proba = false;
  bool evidence = false;
  double reject = 0;
};

struct Answers {
  std::string text;
  std::vector<std::pair<std::size_t, std::string>> undecidable;  // row in the chunk, why
  std::size_t rows = 0;
};

std::string header(const PredictOptions& options, const Scorer& scorer) {
  std::string line = "prediction";
  if (options.proba) {
    for (const auto& label : scorer.classes()) line += "," + csv_cell(label);
  }
  if (options.evidence) line += ",log_evidence";
  return line + "\n";
}

Answers answer(const PredictOptions& options, const Scorer& scorer, const Chunk& chunk) {
  const auto joint = scorer.log_joint(chunk);
  const std::size_t classes = scorer.classes().size();
  Answers result;
  result.rows = chunk.rows;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const auto row = posterior(std::span(joint).subspan(r * classes, classes));
    const auto label = decide(row, {options.reject});
    if (row.undecidable()) result.undecidable.emplace_back(r, scorer.zero_factors(chunk, r));
    if (label) result.text += csv_cell(scorer.classes()[*label]);
    if (options.proba) {
      for (const double p : row.probabilities) result.text += "," + format_number(p);
    }
    if (options.evidence) result.text += "," + format_number(row.log_evidence);
    result.text += "\n";
  }
  return result;
}

// A value typed by hand that the model has never seen is more likely a slip than news.
void note_unseen(const PredictOptions& options, const Scorer& scorer, const Chunk& rows) {
  for (std::size_t r = 0; r < rows.rows; ++r) {
    for (const auto& line : scorer.explain(rows, r).lines) {
      if (!line.value.ends_with("(unseen: no evidence)")) continue;
      note(options.common, "{}={}", line.column, line.value);
    }
  }
}

void run(const PredictOptions& options) {
  const Model model = load_model(options.model, options.overrides);
  const Scorer scorer(model);
  std::size_t before = 0, undecidable = 0;
  bool header_printed = false;
  const auto consume = [&](const Answers& answers) {
    // Only once the rows are known to be good, so that an error leaves stdout empty.
    if (!header_printed) print(header(options, scorer));
    header_printed = true;
    print(answers.text);
    for (const auto& [row, why] : answers.undecidable) {
      if (++undecidable > 5) break;
      note(options.common, "row {} is undecidable, every class has probability 0: {}",
           before + row + 1, why);
    }
    if (undecidable > 5) undecidable += answers.undecidable.size();
    before += answers.rows;
  };
  if (!options.rows.given.empty()) {
    const Chunk rows = parse_given(model.schema(), options.rows.given);
    note_unseen(options, scorer, rows);
    consume(answer(options, scorer, rows));
  }
  if (options.rows.given.empty() || !options.rows.data.paths.empty()) {
    auto source = open_rows(options.rows, model, false);
    stream_chunks<Answers>(
        *source, options.common.threads, progress_bar(options.common, "predicting"),
        [&](const Chunk& chunk) { return answer(options, scorer, chunk); }, consume);
    finish_progress();
  }
  if (undecidable > 5)
    note(options.common, "… and more undecidable rows (a prior helps: --estimate bayes)");
}

}  // namespace

void add_predict(CLI::App& app) {
  auto options = std::make_shared<PredictOptions>();
  auto* command =
      add_command(app, "predict", "Label rows: CSV with the column prediction",
                  "  credence predict tennis.credence new.csv --proba > answers.csv\n"
                  "  credence predict tennis.credence --proba --given 'Outlook=Sunny,Wind=Strong'\n"
                  "  credence predict lab_test.json --proba --evidence --given 'test=+'\n"
                  "  credence predict tennis.credence new.csv --prior uniform --reject 0.9");
  command->add_option("MODEL", options->model, "A model file, or a hand-written JSON model")
      ->required();
  add_rows(command, options->rows);
  command->add_flag("--proba", options->proba, "One more column per class: its probability");
  command->add_flag("--evidence", options->evidence,
                    "One more column: log p(x), how usual the row is");
  command->add_option("--reject", options->reject, "No label below this probability")
      ->check(probability());
  add_overrides(command, options->overrides);
  add_common(command, options->common, false);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// predict: labels and probabilities as CSV.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "credence/novelty.hpp"
#include "deciding.hpp"
#include "io/file.hpp"
#include "model/coordinates.hpp"
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
  bool coordinates = false;
  std::size_t top = 0;
  DecideOptions deciding;
  std::optional<std::string> novelty = {};  // --novelty; with a number, no label below it
  std::string output = "-";
};

// What the answers are made from.
struct Judge {
  const Classifier& classifier;
  std::optional<Coordinates> coordinates;  // --coordinates
  DecisionRule rule;                       // --reject, --threshold, --costs
  std::size_t top = 0;                     // --top, at most all classes
  std::optional<NoveltyTest> novelty = {};
  double novel_below = 0;
};

// Columns are named for rows that are this unusual, or as unusual as --novelty says.
constexpr double named_below = 0.05;

// The rows to judge, and what they are called where the source knows it.
struct Rows {
  const Chunk& chunk;
  bool named;
  std::vector<std::string> names;  // fewer than rows: the others have none
};

struct Answers {
  std::string text;
  std::vector<std::pair<std::size_t, std::string>> undecidable;  // row in the chunk, why
  std::size_t rows = 0;
};

std::string header(const PredictOptions& options, const Judge& judge, bool named) {
  std::string line = named ? "file,prediction" : "prediction";
  if (options.proba) {
    for (const auto& label : judge.classifier.classes()) line += "," + csv_cell(label);
  }
  for (std::size_t k = 1; k <= judge.top; ++k) line += fmt::format(",top{0},probability{0}", k);
  if (options.evidence) line += ",log_evidence";
  if (judge.rule.costs.given()) line += ",expected_cost";
  if (judge.novelty) line += ",novelty,strange";
  for (std::size_t k = 0; judge.coordinates && k < judge.coordinates->size(); ++k) {
    line += "," + Coordinates::name(k);
  }
  return line + "\n";
}

// The most probable classes and their probabilities, the first of equals first.
std::string top_cells(const Judge& judge, const Posterior& row) {
  if (row.undecidable()) return std::string(2 * judge.top, ',');
  const auto& p = row.probabilities;
  std::vector<std::size_t> order(p.size());
  for (std::size_t c = 0; c < p.size(); ++c) order[c] = c;
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(judge.top);
  std::partial_sort(order.begin(), end, order.end(),
                    [&](auto a, auto b) { return p[a] != p[b] ? p[a] > p[b] : a < b; });
  std::string text;
  for (std::size_t k = 0; k < judge.top; ++k) {
    text += "," + csv_cell(judge.classifier.classes()[order[k]]) + "," + format_number(p[order[k]]);
  }
  return text;
}

Answers answer(const PredictOptions& options, const Judge& judge, const Rows& rows) {
  const Chunk& chunk = rows.chunk;
  const auto& labels = judge.classifier.classes();
  const auto scores = judge.classifier.log_scores(chunk);
  const std::size_t axes = judge.coordinates ? judge.coordinates->size() : 0;
  const auto places = judge.coordinates ? judge.coordinates->of(chunk) : std::vector<double>();
  const auto p_values = judge.novelty ? judge.novelty->p_values(chunk) : std::vector<double>();
  std::vector<std::size_t> unusual;
  for (std::size_t r = 0; r < p_values.size(); ++r) {
    if (p_values[r] < std::max(named_below, judge.novel_below)) unusual.push_back(r);
  }
  const auto strange = unusual.empty() ? std::vector<std::vector<std::string>>()
                                       : judge.novelty->strange_columns(chunk, unusual);
  std::size_t next_unusual = 0;
  Answers result;
  result.rows = chunk.rows;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const auto row = posterior(std::span(scores).subspan(r * labels.size(), labels.size()));
    const auto [label, expected_cost] = decide_by_cost(row, judge.rule);
    if (row.undecidable()) {
      result.undecidable.emplace_back(r, judge.classifier.zero_factors(chunk, r));
    }
    if (rows.named) {
      result.text += (r < rows.names.size() ? csv_cell(rows.names[r]) : "") + ",";
    }
    const bool novel = judge.novelty && p_values[r] < judge.novel_below;
    if (label && !novel) result.text += csv_cell(labels[*label]);
    if (options.proba) {
      for (const double p : row.probabilities) result.text += "," + format_number(p);
    }
    result.text += top_cells(judge, row);
    if (options.evidence) result.text += "," + format_number(row.log_evidence);
    if (judge.rule.costs.given()) result.text += "," + format_number(expected_cost);
    if (judge.novelty) {
      result.text += "," + format_number(p_values[r]) + ",";
      if (next_unusual < unusual.size() && unusual[next_unusual] == r) {
        result.text += csv_cell(join(strange[next_unusual++], "; "));
      }
    }
    for (std::size_t k = 0; k < axes; ++k) {
      const double place = places[r * axes + k];
      result.text += ",";
      if (!std::isnan(place)) result.text += format_number(place);
    }
    result.text += "\n";
  }
  return result;
}

// A value typed by hand that the model has never seen is more likely a slip than news.
void note_unseen(const PredictOptions& options, const Classifier& classifier, const Chunk& rows) {
  for (std::size_t r = 0; r < rows.rows; ++r) {
    for (const auto& line : classifier.explain(rows, r).lines) {
      if (!line.value.ends_with("(unseen: no evidence)")) continue;
      note(options.common, "{}={}", line.column, line.value);
    }
  }
}

std::optional<Coordinates> coordinates_of(const PredictOptions& options, const Loaded& loaded) {
  if (loaded.logistic && (options.evidence || options.coordinates)) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: a logistic model does not say what the classes look like: {} does "
                            "not apply",
                            options.model, options.evidence ? "--evidence" : "--coordinates"));
  }
  if (!options.coordinates) return std::nullopt;
  return Coordinates(*loaded.model);
}

void add_novelty(const PredictOptions& options, const Loaded& loaded, Judge& judge) {
  if (!options.novelty) return;
  if (loaded.logistic) {
    throw Error(ErrorKind::usage,
                options.model +
                    ": a logistic model does not say what is usual: --novelty does "
                    "not apply");
  }
  if (!options.novelty->empty()) {
    const auto below = to_number(*options.novelty);
    if (!below || *below < 0 || *below > 1) {
      throw Error(ErrorKind::usage,
                  fmt::format("--novelty: \"{}\" is not a probability from 0 to 1 (DATA goes "
                              "before --novelty)",
                              *options.novelty));
    }
    judge.novel_below = *below;
  }
  judge.novelty.emplace(*loaded.model, *loaded.scorer);
}

std::vector<std::string> inputs_of(const PredictOptions& options) {
  auto inputs = options.rows.data.paths;
  inputs.push_back(options.model);
  return inputs;
}

void run(const PredictOptions& options) {
  const Loaded loaded = load_any(options.model, options.overrides);
  const auto& classes = loaded.classifier().classes();
  Judge judge{loaded.classifier(),
              coordinates_of(options, loaded),
              rule_of(options.deciding, classes),
              std::min(options.top, classes.size()),
              {},
              0};
  add_novelty(options, loaded, judge);
  const Schema& schema = judge.classifier.schema();
  refuse_same_file(options.output, inputs_of(options));
  std::optional<AtomicFile> file;
  if (options.output != "-") file.emplace(options.output);
  const auto write = [&](const std::string& text) { file ? file->write(text) : print(text); };
  std::unique_ptr<Source> source;
  if (options.rows.given.empty() || !options.rows.data.paths.empty()) {
    source = open_rows(options.rows, schema);
  }
  const bool named = source && source->names_rows();
  std::size_t before = 0, undecidable = 0;
  bool header_printed = false;
  const auto consume = [&](const Answers& answers) {
    // Only once the rows are known to be good, so that an error leaves stdout empty.
    if (!header_printed) write(header(options, judge, named));
    header_printed = true;
    write(answers.text);
    for (const auto& [row, why] : answers.undecidable) {
      if (++undecidable > 5) break;
      note(options.common, "row {} is undecidable, every class has probability 0: {}",
           before + row + 1, why);
    }
    if (undecidable > 5) undecidable += answers.undecidable.size();
    before += answers.rows;
  };
  if (!options.rows.given.empty()) {
    const Chunk rows = parse_given(schema, options.rows.given);
    note_unseen(options, judge.classifier, rows);
    consume(answer(options, judge, {rows, named, {}}));
  }
  if (source) {
    const auto progress = progress_bar(options.common, "predicting");
    ordered_pipeline<RawChunk, Answers>(
        options.common.threads,
        [&]() -> std::optional<RawChunk> {
          RawChunk raw;
          if (!source->read(raw)) return std::nullopt;
          if (progress) progress(source->bytes_read(), source->bytes_total());
          return raw;
        },
        [&](const RawChunk& raw) {
          const Chunk chunk = source->parse(raw);
          auto names = named ? source->row_names(raw) : std::vector<std::string>();
          return answer(options, judge, {chunk, named, std::move(names)});
        },
        consume);
    finish_progress();
    note_oddities(options.common, *source);
  }
  if (file) file->finish();
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
                  "  credence predict tennis.credence new.csv --prior uniform --reject 0.9\n"
                  "  credence predict iris.credence iris.csv --coordinates -o places.csv\n"
                  "  credence predict mail.credence inbox.mbox --proba\n"
                  "  credence predict digits.credence new.csv --novelty 0.01");
  command
      ->add_option("MODEL", options->model,
                   "A model file, a logistic model, or a hand-written JSON model")
      ->required();
  add_rows(command, options->rows);
  command->add_flag("--proba", options->proba, "One more column per class: its probability");
  command->add_flag("--evidence", options->evidence,
                    "One more column: log p(x), how usual the row is");
  command->add_flag("--coordinates", options->coordinates,
                    "More columns ld1, ld2, …: discriminant coordinates (--model lda)");
  command
      ->add_option("--top", options->top,
                   "More columns top1, probability1, …: the K most probable classes")
      ->check(whole_number(1));
  command
      ->add_option("--novelty", options->novelty,
                   "Two more columns: the p-value of the row's evidence, and the columns that are "
                   "strange; with a number P, no label where the p-value is below P")
      ->expected(0, 1)
      ->type_name("[P]");
  add_deciding(command, options->deciding);
  command->add_option("-o,--output", options->output, "Where to write (default: stdout)");
  add_overrides(command, options->overrides);
  add_common(command, options->common, false);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

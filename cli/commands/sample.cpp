// SPDX-License-Identifier: Apache-2.0
// sample: rows drawn from a model, as CSV (JSON lines where a column is a bag).
#include <algorithm>
#include <cmath>
#include <optional>

#include "answers/rows.hpp"
#include "cli/options/models.hpp"
#include "core/chunk_rows.hpp"
#include "core/strings.hpp"

namespace credence::cli {
namespace {

struct SampleOptions {
  Common common;
  Overrides overrides;
  std::string model;
  std::size_t rows = 10;
  std::uint64_t seed = 1;
  std::string given;
};

std::string csv_row(const Chunk& chunk, std::size_t row) {
  std::string line;
  for (const auto& column : chunk.columns) {
    if (const auto* numbers = std::get_if<Numbers>(&column)) {
      // What the model never saw a value of stays missing.
      if (!std::isnan(numbers->values[row])) line += format_number(numbers->values[row]);
    } else {
      line += csv_cell(word_of(std::get<Categories>(column), row));
    }
    line += ",";
  }
  return line + csv_cell(word_of(chunk.labels, row)) + "\n";
}

// Far apart for every piece of every seed, so that no two share rows; the first is the seed itself.
std::uint64_t piece_seed(std::uint64_t seed, std::uint64_t piece) {
  return piece == 0 ? seed : seed * 0x9E3779B97F4A7C15u + piece * 0xD1B54A32D192ED03u;
}

// "PlayTennis=No" among the values that are given: all rows are of that class. The piece is taken
// out, for it is no column.
void draw_class(std::string& given, Model& model) {
  const auto& target = model.schema().target;
  std::string rest;
  for (const auto& piece : split(given, ',')) {
    const auto equals = piece.find('=');
    if (target.empty() || equals == std::string::npos ||
        trim(std::string_view(piece).substr(0, equals)) != target) {
      rest += (rest.empty() ? "" : ",") + piece;
      continue;
    }
    const std::string wanted(trim(std::string_view(piece).substr(equals + 1)));
    const auto& classes = model.classes();
    if (std::find(classes.begin(), classes.end(), wanted) == classes.end()) {
      throw Error(ErrorKind::usage, fmt::format("--given '{}': the model has no class \"{}\"{}",
                                                given, wanted, suggestion(wanted, classes)));
    }
    auto& prior = model.settings().prior;
    prior = {ClassPrior::Kind::given, 1, {}};
    for (const auto& name : classes) prior.shares.emplace_back(name, name == wanted ? 1.0 : 0.0);
  }
  given = rest;
}

// The row that all draws agree with. A block is drawn as a whole: it is given whole, or not at all.
std::optional<Chunk> given_row(const SampleOptions& options, const Model& model,
                               const Scorer& scorer) {
  if (options.given.empty()) return std::nullopt;
  const auto& schema = model.schema();
  Chunk row = parse_given(schema, {options.given});
  for (const auto& block : model.blocks()) {
    std::vector<std::string> missing;
    for (const auto column : block.columns) {
      if (!has_value(row, column, 0)) missing.push_back(schema.columns[column].name);
    }
    if (missing.empty() || missing.size() == block.columns.size()) continue;
    throw Error(ErrorKind::usage,
                fmt::format("--given: columns of one block are drawn together: give {} too",
                            join(missing, ", ")));
  }
  if (posterior(scorer.log_joint(row)).undecidable()) {
    throw Error(ErrorKind::data, fmt::format("--given '{}': every class has probability 0: {}",
                                             options.given, scorer.zero_factors(row, 0)));
  }
  return row;
}

void run(SampleOptions options) {
  Model model = load_model(options.model, options.overrides);
  draw_class(options.given, model);
  const Scorer scorer(model);
  const auto& schema = model.schema();
  const auto given = given_row(options, model, scorer);
  const bool as_json =
      options.common.json ||
      std::any_of(schema.columns.begin(), schema.columns.end(), [](const auto& column) {
        return column.kind == ColumnKind::bag || column.kind == ColumnKind::text;
      });
  if (!as_json) {
    std::string header;
    for (const auto& column : schema.columns) header += csv_cell(column.name) + ",";
    print_data(header + csv_cell(schema.target) + "\n");
  }
  // In pieces, so that memory does not grow; each piece has a seed of its own.
  constexpr std::size_t piece = 65536;
  for (std::size_t done = 0; done < options.rows; done += piece) {
    const Chunk chunk =
        scorer.sample(std::min(piece, options.rows - done), piece_seed(options.seed, done / piece),
                      given ? &*given : nullptr);
    std::string text;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      text += as_json ? one_line(to_json(chunk, schema, r)) : csv_row(chunk, r);
    }
    print_data(text);
  }
}

}  // namespace

void add_sample(CLI::App& app) {
  auto options = std::make_shared<SampleOptions>();
  auto* command = add_command(app, "sample", "Draw rows from a model: CSV, or JSON lines",
                              "  credence sample tennis.credence -n 5 --seed 7\n"
                              "  credence sample tennis.credence --given 'Outlook=Sunny'\n"
                              "  credence sample urns.json -n 1000 > drawn.csv");
  command->add_option("MODEL", options->model, "A model file, or a hand-written JSON model")
      ->required();
  command->add_option("-n,--rows", options->rows, "How many rows (default: 10)")
      ->check(whole_number(0));
  command->add_option("--seed", options->seed, "The same seed draws the same rows (default: 1)")
      ->check(whole_number(0));
  command->add_option("--given", options->given,
                      "Values that all rows have, the class among them if you like: "
                      "'Outlook=Sunny, PlayTennis=No'; the rest is drawn given them");
  add_overrides(command, options->overrides);
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// show: the prior and one table per column, as a lecturer would write them on the board.
#include <algorithm>
#include <cmath>

#include "answers/model.hpp"
#include "cli/commands/calibrate.hpp"
#include "cli/options/changed.hpp"
#include "cli/options/models.hpp"
#include "cli/options/option_names.hpp"
#include "cli/print/board/equations.hpp"
#include "cli/print/board/model_tables.hpp"
#include "cli/print/coordinates.hpp"
#include "cli/print/evidence.hpp"
#include "cli/print/structure.hpp"
#include "core/strings.hpp"
#include "families/family.hpp"

namespace credence::cli {
namespace {

struct ShowOptions {
  Common common;
  Overrides overrides;
  std::string model;
  std::size_t top = 40;
  std::size_t words = 10;
  SheetOptions sheet;
  bool linear = false;
  bool equations = false;
  bool parameters = false;
  bool coordinates = false;
  bool history = false;
  bool evidence = false;
  bool structure = false;
};

// A model is read here, not learned: the rule has the name under which one reads it.
template <typename Read>
auto reworded(const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(error.kind(), worded(error.message(), "--rule"));
  }
}

void show_linear(const ShowOptions& options, Sheet sheet, const Scorer& scorer) {
  const auto form = reworded([&] { return scorer.linear_form(); });
  if (options.common.json) return print(linear_json(form, scorer.classes()));
  const char* what =
      "log P(class, x) = intercept + sum of coefficient x feature, up to what all classes share";
  print(heading_on(sheet, what) + linear_text(form, scorer.classes(), sheet));
}

void show_equations(const ShowOptions& options, Sheet sheet, const Model& model,
                    const Scorer& scorer) {
  if (options.common.json) {
    return print(reworded([&] { return equations_json(model, scorer); }));
  }
  print(reworded([&] { return equations_text(model, scorer, sheet); }));
}

// It is its linear form: --linear says nothing new.
void show_logistic(const ShowOptions& options, const LogisticModel& model) {
  if (options.history) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: a logistic model has no journal: --history does not apply",
                            options.model));
  }
  if (options.coordinates || options.evidence || options.equations || options.parameters ||
      options.structure) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: a logistic model does not say what the classes look like: "
                            "{} does not apply",
                            options.model,
                            options.evidence      ? "--evidence"
                            : options.coordinates ? "--coordinates"
                            : options.equations   ? "--equations"
                            : options.structure   ? "--structure"
                                                  : "--parameters"));
  }
  const auto form = model.linear_form();
  if (options.common.json) {
    Json json = {{"target", model.schema().target},
                 {"rows", count(model.rows())},
                 {"penalty", model.penalty()},
                 {"converged", model.converged()}};
    json.update(linear_json(form, model.classes()));
    return print(json);
  }
  print(fmt::format("{}: logistic regression, {} rows, penalty {}{}\n", model.schema().target,
                    format_number(model.rows()), format_number(model.penalty()),
                    model.converged() ? "" : ", not converged") +
        "log P(class | x) = intercept + sum of coefficient x feature, up to what all classes "
        "share\n" +
        linear_text(form, model.classes(), Sheet::plain));
}

std::string shared_text(const Model& model) {
  if (model.shared_rows() == 0) return "";
  return fmt::format(" ({} of them without a class)", format_number(model.shared_rows()));
}

// Counts of pairs do not always tell it.
std::string log_likelihood_text(const Scorer& scorer) {
  if (std::isnan(scorer.log_likelihood())) return "";
  return ", log-likelihood " + six_digits(scorer.log_likelihood());
}

// Each prints something else in the place of the tables.
void refuse_several(const ShowOptions& options) {
  std::vector<std::string> given;
  if (options.linear) given.emplace_back("--linear");
  if (options.equations) given.emplace_back("--equations");
  if (options.parameters) given.emplace_back("--parameters");
  if (options.coordinates) given.emplace_back("--coordinates");
  if (options.history) given.emplace_back("--history");
  if (options.evidence) given.emplace_back("--evidence");
  if (options.structure) given.emplace_back("--structure");
  if (given.size() < 2) return;
  throw Error(ErrorKind::usage, fmt::format("show: {} do not go together (run it once for each)",
                                            join(given, " and ")));
}

std::string tables_text(const ShowOptions& options, Sheet sheet, const Model& model,
                        const Scorer& scorer) {
  const bool hand_written = model.settings().hand_written;
  const TableOptions how{sheet, options.top, options.words, !hand_written};
  const std::string title =
      hand_written
          ? fmt::format("{}: written by hand", model.schema().target)
          : fmt::format("{}: {} rows{}, rule {}, prior {}, {} free parameters{}",
                        model.schema().target, format_number(model.rows()), shared_text(model),
                        to_string(model.settings().rule), to_string(model.settings().prior),
                        scorer.parameters(), log_likelihood_text(scorer));
  std::string text = heading_on(sheet, title) + prior_text(model, scorer, how) + extras_text(model);
  for (const auto& table : scorer.tables()) text += table_text(table, scorer.classes(), how);
  return text;
}

void run(const ShowOptions& options) {
  refuse_several(options);
  const Sheet sheet = sheet_of(options.sheet, options.common.json);
  if (sheet != Sheet::plain && (options.coordinates || options.history || options.evidence)) {
    throw Error(ErrorKind::usage,
                "--markdown and --latex are for tables, --linear, --equations and --parameters");
  }
  const Loaded loaded = load_any(options.model, options.overrides);
  if (loaded.logistic) return show_logistic(options, *loaded.logistic);
  const Model& model = *loaded.model;
  const Scorer& scorer = *loaded.scorer;
  if (options.history) {
    if (options.common.json) return print(history_json(model));
    return print(history_text(model));
  }
  if (options.coordinates) {
    const Coordinates coordinates(model);
    if (options.common.json) return print(coordinates_json(coordinates));
    return print(coordinates_text(coordinates));
  }
  if (options.evidence && options.common.json) return print(evidence_json(model));
  if (options.evidence) return print(evidence_text(model));
  if (options.structure && options.common.json) return print(structure_json(scorer));
  if (options.structure) return print(structure_text(scorer));
  if (options.linear) return show_linear(options, sheet, scorer);
  if (options.equations) return show_equations(options, sheet, model, scorer);
  if (options.parameters) {
    if (options.common.json) return print(parameters_json(model, scorer));
    return print(parameters_text(model, scorer, sheet));
  }
  if (options.common.json) return print(to_json(model, scorer, options.words));
  print(tables_text(options, sheet, model, scorer));
}

}  // namespace

void add_show(CLI::App& app) {
  auto options = std::make_shared<ShowOptions>();
  auto* command = add_command(app, "show", "Print a model: the prior and one table per column",
                              "  credence show tennis.credence\n"
                              "  credence show tennis.credence --rule m-estimate=1\n"
                              "  credence show iris.credence --rule mle --linear\n"
                              "  credence show heights.credence --rule mle --equations\n"
                              "  credence show tennis.credence --parameters\n"
                              "  credence show tennis.credence --latex\n"
                              "  credence show iris.credence --coordinates\n"
                              "  credence show cars.credence --structure\n"
                              "  credence show mail.credence --words 20\n"
                              "  credence show mail.credence --history\n"
                              "  credence show lab_test.json --json");
  command
      ->add_option("MODEL", options->model,
                   "A model file, a logistic model, or a hand-written JSON model")
      ->required();
  command->add_option("--top", options->top, "Rows of a table to print (default: 40)")
      ->check(whole_number(0));
  command
      ->add_option("--words", options->words,
                   "Words of a list to print, where there are many words (default: 10, at most 50)")
      ->check(whole_number(0));
  command->add_flag("--linear", options->linear,
                    "The linear (softmax) form: an intercept and coefficients for every class");
  command->add_flag("--equations", options->equations,
                    "The log-odds of every two classes as an equation, with squares, and the "
                    "thresholds of a single column");
  command->add_flag("--parameters", options->parameters,
                    "How many free parameters each column has, beside the table of all "
                    "combinations");
  command->add_flag("--coordinates", options->coordinates,
                    "The discriminant coordinates of a model whose classes share a covariance");
  command->add_flag("--history", options->history,
                    "What was done to the model, its windows, and the checksum of its state");
  command->add_flag(
      "--evidence", options->evidence,
      "How probable the rows are when parameters are integrated out: docs/evidence.md");
  add_sheet(command, options->sheet);
  command->add_flag("--structure", options->structure,
                    "Which column depends on which, where pairs were counted");
  add_overrides(command, options->overrides);
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

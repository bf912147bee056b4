// SPDX-License-Identifier: Apache-2.0
// show: the prior and one table per column, as a lecturer would write them on the board.
#include <algorithm>
#include <cmath>

#include "cli/commands/calibrate.hpp"
#include "cli/options/changed.hpp"
#include "cli/options/models.hpp"
#include "cli/options/option_names.hpp"
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
  bool linear = false;
  bool coordinates = false;
  bool history = false;
  bool evidence = false;
  bool structure = false;
};

bool whole(double value) { return value == std::floor(value) && std::abs(value) < 1e15; }

// "2/9 = 0.222222" where counts are whole, else the number.
std::string cell_text(const ParameterTable::Cell& cell, bool fractions) {
  if (fractions && cell.denominator > 0 && whole(cell.numerator) && whole(cell.denominator)) {
    return fmt::format("{}/{} = {}", format_number(cell.numerator), format_number(cell.denominator),
                       six_digits(cell.value));
  }
  return six_digits(cell.value);
}

using WordList = ParameterTable::WordList;

// Lists of words side by side, as many as fit on a line.
std::string lists_text(const std::vector<WordList>& lists, std::size_t words) {
  if (words == 0) return "";
  constexpr std::size_t line_at_most = 100, gap = 3;
  std::vector<std::vector<std::string>> blocks;  // the lines of each list, all equally wide
  for (const auto& list : lists) {
    std::vector<std::vector<std::string>> cells;
    // A line above, for cells below a heading are aligned by what they are.
    cells.push_back({"", ""});
    for (std::size_t i = 0; i < list.words.size() && i < words; ++i) {
      cells.push_back({list.words[i].first, fmt::format("{:.4g}", list.words[i].second)});
    }
    auto lines = split(aligned(cells, 0), '\n');
    lines.front() = list.title;
    blocks.push_back(std::move(lines));
  }
  std::string text;
  for (std::size_t first = 0, last = 0; first < blocks.size(); first = last) {
    std::vector<std::size_t> widths;
    std::size_t height = 0;
    for (std::size_t total = 0; last < blocks.size(); ++last) {
      std::size_t width = 0;
      for (const auto& line : blocks[last]) width = std::max(width, shown_width(line));
      total += width + gap;
      if (last > first && total > line_at_most) break;
      widths.push_back(width);
      height = std::max(height, blocks[last].size());
    }
    text += "\n";
    for (std::size_t i = 0; i < height; ++i) {
      std::string line = "  ";
      for (std::size_t b = first; b < last; ++b) {
        const std::string cell = i < blocks[b].size() ? blocks[b][i] : "";
        line += cell + std::string(widths[b - first] + gap - shown_width(cell), ' ');
      }
      line.erase(line.find_last_not_of(' ') + 1);
      if (!line.empty()) text += line + "\n";
    }
  }
  return text;
}

// Those of one kind together: what speaks for each class, what is probable in each, the others.
std::vector<WordList> by_kind(std::vector<WordList> lists) {
  const auto kind = [](const WordList& list) { return list.title.substr(0, list.title.find(' ')); };
  std::vector<std::string> kinds;
  for (const auto& list : lists) {
    if (std::find(kinds.begin(), kinds.end(), kind(list)) == kinds.end())
      kinds.push_back(kind(list));
  }
  std::stable_sort(lists.begin(), lists.end(), [&](const WordList& a, const WordList& b) {
    return std::find(kinds.begin(), kinds.end(), kind(a)) <
           std::find(kinds.begin(), kinds.end(), kind(b));
  });
  return lists;
}

std::string table_text(const ParameterTable& table, const std::vector<std::string>& classes,
                       bool fractions, const ShowOptions& options) {
  const std::size_t top = options.top;
  std::string title = fmt::format("{} ({})", table.title, table.family);
  if (!table.remark.empty()) title += ": " + table.remark;
  const std::string lists = lists_text(by_kind(table.lists), options.words);
  if (table.rows.empty() || top == 0) return "\n" + title + "\n" + lists;
  std::vector<std::vector<std::string>> rows(1, {""});
  for (const auto& cls : classes) rows[0].push_back(cls);
  for (std::size_t i = 0; i < table.rows.size() && i < top; ++i) {
    std::vector<std::string> row{table.rows[i].label()};
    for (const auto& cell : table.rows[i].cells) row.push_back(cell_text(cell, fractions));
    rows.push_back(std::move(row));
  }
  std::string text = "\n" + title + "\n" + aligned(rows, 2);
  if (table.rows.size() > top) {
    text += fmt::format("  … and {} more (--top shows more)\n", table.rows.size() - top);
  }
  return text + lists;
}

std::string prior_text(const Model& model, const Scorer& scorer) {
  const bool counts =
      model.settings().prior.kind == ClassPrior::Kind::empirical && !model.settings().hand_written;
  const auto weights = model.class_weights();
  double total = 0;
  for (const double weight : weights) total += weight;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t c = 0; c < scorer.classes().size(); ++c) {
    ParameterTable::Cell cell{std::exp(scorer.log_prior()[c]), weights[c], total};
    rows.push_back({fmt::format("P({})", scorer.classes()[c]), "= " + cell_text(cell, counts)});
  }
  return aligned(rows, 2);
}

Json lists_json(const std::vector<WordList>& lists, std::size_t words) {
  Json result = Json::array();
  for (const auto& list : lists) {
    Json entries = Json::array();
    for (std::size_t i = 0; i < list.words.size() && i < words; ++i) {
      entries.push_back({{"word", list.words[i].first}, {"value", number(list.words[i].second)}});
    }
    result.push_back({{"title", list.title}, {"words", std::move(entries)}});
  }
  return result;
}

Json to_json(const Model& model, const Scorer& scorer, std::size_t words) {
  const auto& classes = scorer.classes();
  Json prior = Json::object();
  for (std::size_t c = 0; c < classes.size(); ++c)
    prior[classes[c]] = std::exp(scorer.log_prior()[c]);
  Json columns = Json::array();
  for (const auto& table : scorer.tables()) {
    Json rows = Json::object();
    for (const auto& row : table.rows) {
      for (std::size_t c = 0; c < classes.size(); ++c)
        rows[row.label()][classes[c]] = number(row.cells[c].value);
    }
    columns.push_back({{"column", table.title},
                       {"family", table.family},
                       {"remark", table.remark},
                       {"table", std::move(rows)}});
    if (!table.structure.empty()) columns.back()["structure"] = structure_json(table);
    if (!table.lists.empty()) columns.back()["words"] = lists_json(table.lists, words);
  }
  Json json = {{"target", model.schema().target},
               {"rows", count(model.rows())},
               {"unlabelled_rows", count(model.shared_rows())},
               {"rule", to_string(model.settings().rule)},
               {"prior_rule", to_string(model.settings().prior)},
               {"parameters", scorer.parameters()},
               {"log_likelihood", number(scorer.log_likelihood())},
               {"prior", std::move(prior)},
               {"columns", std::move(columns)}};
  add_extras(model, json);
  return json;
}

Json linear_json(const LinearForm& form, const std::vector<std::string>& classes) {
  Json json;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    json["intercept"][classes[c]] = number(form.intercepts[c]);
    for (const auto& feature : form.features) {
      json["coefficients"][feature.name][classes[c]] = number(feature.coefficients[c]);
    }
  }
  return json;
}

// Every class's score; with two classes also their difference, whose sign decides.
std::string linear_text(const LinearForm& form, const std::vector<std::string>& classes) {
  const bool two = classes.size() == 2;
  std::vector<std::vector<std::string>> rows(1, {""});
  for (const auto& cls : classes) rows[0].push_back(cls);
  if (two) rows[0].push_back(fmt::format("{} against {}", classes[0], classes[1]));
  const auto add = [&](const std::string& name, const std::vector<double>& values) {
    rows.push_back({name});
    for (const double value : values) rows.back().push_back(six_digits(value));
    if (two) rows.back().push_back(six_digits(values[0] - values[1]));
  };
  add("(intercept)", form.intercepts);
  for (const auto& feature : form.features) add(feature.name, feature.coefficients);
  return aligned(rows, 2);
}

// A model is read here, not learned: the rule has the name under which one reads it.
LinearForm linear_form(const Scorer& scorer) {
  try {
    return scorer.linear_form();
  } catch (const Error& error) {
    throw Error(error.kind(), worded(error.message(), "--rule"));
  }
}

void show_linear(const ShowOptions& options, const Scorer& scorer) {
  const auto form = linear_form(scorer);
  if (options.common.json) return print(linear_json(form, scorer.classes()));
  print(
      "log P(class, x) = intercept + sum of coefficient x feature, up to what all classes share\n" +
      linear_text(form, scorer.classes()));
}

// It is its linear form: --linear says nothing new.
void show_logistic(const ShowOptions& options, const LogisticModel& model) {
  if (options.history) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: a logistic model has no journal: --history does not apply",
                            options.model));
  }
  if (options.coordinates || options.evidence || options.structure) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: a logistic model does not say what the classes look like: "
                            "{} does not apply",
                            options.model,
                            options.evidence    ? "--evidence"
                            : options.structure ? "--structure"
                                                : "--coordinates"));
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
        linear_text(form, model.classes()));
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
  if (options.coordinates) given.emplace_back("--coordinates");
  if (options.history) given.emplace_back("--history");
  if (options.evidence) given.emplace_back("--evidence");
  if (options.structure) given.emplace_back("--structure");
  if (given.size() < 2) return;
  throw Error(ErrorKind::usage, fmt::format("show: {} do not go together (run it once for each)",
                                            join(given, " and ")));
}

void run(const ShowOptions& options) {
  refuse_several(options);
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
  if (options.linear) return show_linear(options, scorer);
  if (options.common.json) return print(to_json(model, scorer, options.words));
  const bool hand_written = model.settings().hand_written;
  std::string text =
      hand_written
          ? fmt::format("{}: written by hand\n", model.schema().target)
          : fmt::format("{}: {} rows{}, rule {}, prior {}, {} free parameters{}\n",
                        model.schema().target, format_number(model.rows()), shared_text(model),
                        to_string(model.settings().rule), to_string(model.settings().prior),
                        scorer.parameters(), log_likelihood_text(scorer));
  text += prior_text(model, scorer) + extras_text(model);
  for (const auto& table : scorer.tables()) {
    text += table_text(table, scorer.classes(), !hand_written, options);
  }
  print(text);
}

}  // namespace

void add_show(CLI::App& app) {
  auto options = std::make_shared<ShowOptions>();
  auto* command = add_command(app, "show", "Print a model: the prior and one table per column",
                              "  credence show tennis.credence\n"
                              "  credence show tennis.credence --rule m-estimate=1\n"
                              "  credence show iris.credence --rule mle --linear\n"
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
  command->add_flag("--coordinates", options->coordinates,
                    "The discriminant coordinates of a model whose classes share a covariance");
  command->add_flag("--history", options->history,
                    "What was done to the model, its windows, and the checksum of its state");
  command->add_flag(
      "--evidence", options->evidence,
      "How probable the rows are when parameters are integrated out: docs/evidence.md");
  command->add_flag("--structure", options->structure,
                    "Which column depends on which, where pairs were counted");
  add_overrides(command, options->overrides);
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

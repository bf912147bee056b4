// SPDX-License-Identifier: Apache-2.0
// credence query: probabilities of a table or a model. docs/query.md
#include "ask/query.hpp"

#include <algorithm>

#include "cli/options/common.hpp"
#include "cli/options/models.hpp"
#include "core/strings.hpp"
#include "parallel/stream.hpp"

namespace credence::cli {
namespace {

struct QueryOptions {
  Common common;
  DataOptions data;
  std::string path;
  std::vector<std::string> questions;
  std::string weights;
};

void require_column(const std::string& place, const std::string& name,
                    const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: no column \"{}\"{}", place, name, suggestion(name, known)));
}

// One table per question, of its own columns only: a row that lacks a value elsewhere still counts,
// and the combinations stay few.
std::vector<WeightedTable> tables_from_rows(const QueryOptions& options,
                                            const std::vector<Question>& questions) {
  const ReadOptions read = options.data.read();
  const auto source = open_source({options.path}, read);
  std::vector<std::string> known;
  for (const auto& column : source->profile()) known.push_back(column.name);

  Schema schema;
  schema.weights = options.weights;
  schema.missing = read.missing;
  if (!options.weights.empty()) require_column("--weights", options.weights, known);
  std::vector<WeightedTable> tables;
  std::vector<std::vector<std::size_t>> places;
  for (const auto& question : questions) {
    tables.emplace_back(columns_of(question));
    places.emplace_back();
    for (const auto& name : tables.back().columns()) {
      require_column(question.text, name, known);
      const auto same = [&](const ColumnSpec& column) { return column.name == name; };
      const auto found = std::find_if(schema.columns.begin(), schema.columns.end(), same);
      places.back().push_back(static_cast<std::size_t>(found - schema.columns.begin()));
      if (found == schema.columns.end()) schema.columns.push_back({name, ColumnKind::category, {}});
    }
  }
  source->select(schema, true);
  for_each_chunk(*source, options.common.threads, progress_bar(options.common, "reading"),
                 [&](const Chunk& chunk) {
                   for (std::size_t i = 0; i < tables.size(); ++i) {
                     tables[i].observe(chunk, places[i]);
                   }
                 });
  finish_progress();
  return tables;
}

std::vector<WeightedTable> tables_from_model(const QueryOptions& options,
                                             const std::vector<Question>& questions) {
  if (!options.weights.empty()) {
    throw Error(ErrorKind::usage, "--weights goes with rows, and a model has none");
  }
  std::vector<WeightedTable> tables;
  for (const auto& question : questions) {
    tables.push_back(table_from_model(options.path, columns_of(question)));
  }
  return tables;
}

std::string shown(const Probability& p, bool counts) {
  if (!counts) return format_number(p.value);
  return fmt::format("{}/{} = {}", format_number(p.numerator), format_number(p.denominator),
                     format_number(p.value));
}

std::string event_of(const Answer& answer, std::size_t first, std::size_t count) {
  const auto& names = answer.question.columns;
  std::vector<std::string> parts;
  for (std::size_t i = first; i < first + count; ++i) {
    parts.push_back(spelled(names[i]) + "=" + spelled(answer.independence.values[i]));
  }
  const auto& condition = answer.question.condition_text;
  return fmt::format("P({}{}{})", join(parts, ", "), condition.empty() ? "" : " | ", condition);
}

std::string independence_text(const Answer& answer) {
  const auto& found = answer.independence;
  if (found.independent) return answer.question.text + ": yes\n";
  std::string product;
  const std::size_t columns = answer.question.columns.size();
  for (std::size_t i = 0; i < columns; ++i) product += (i ? " " : "") + event_of(answer, i, 1);
  return fmt::format("{}: no\n  {} = {}, but {} = {}\n  mutual information {} nats\n",
                     answer.question.text, event_of(answer, 0, columns), format_number(found.joint),
                     product, format_number(found.product), six_digits(found.mutual_information));
}

std::string text_of(const Answer& answer) {
  switch (answer.question.kind) {
    case Question::Kind::probability:
      return fmt::format("{} = {}\n", answer.question.text,
                         shown(answer.probability, answer.counts));
    case Question::Kind::independence:
      return independence_text(answer);
    case Question::Kind::distribution:
      break;
  }
  std::vector<std::vector<std::string>> rows{answer.question.columns};
  rows[0].push_back("P");
  for (const auto& cell : answer.distribution) {
    rows.push_back(cell.values);
    rows.back().push_back(shown(cell.probability, answer.counts));
  }
  return answer.question.text + ":\n" + aligned(rows, 2);
}

Json cell_json(const std::vector<std::string>& columns, const std::vector<std::string>& values) {
  Json cell = Json::object();
  for (std::size_t i = 0; i < columns.size(); ++i) cell[columns[i]] = values[i];
  return cell;
}

void put(Json& object, const Probability& p, bool counts) {
  object["probability"] = p.value;
  if (!counts) return;
  object["numerator"] = static_cast<std::uint64_t>(p.numerator);
  object["denominator"] = static_cast<std::uint64_t>(p.denominator);
}

Json json_of(const Answer& answer) {
  const auto& columns = answer.question.columns;
  Json result{{"question", answer.question.text}};
  if (answer.question.kind == Question::Kind::probability) {
    put(result, answer.probability, answer.counts);
  } else if (answer.question.kind == Question::Kind::distribution) {
    result["distribution"] = Json::array();
    for (const auto& cell : answer.distribution) {
      Json entry{{"values", cell_json(columns, cell.values)}};
      put(entry, cell.probability, answer.counts);
      result["distribution"].push_back(std::move(entry));
    }
  } else {
    const auto& found = answer.independence;
    result["independent"] = found.independent;
    result["mutual_information"] = found.mutual_information;
    result["largest_gap"] = {{"values", cell_json(columns, found.values)},
                             {"joint", found.joint},
                             {"product", found.product}};
  }
  return result;
}

void run(const QueryOptions& options) {
  std::vector<Question> questions;
  for (const auto& text : options.questions) questions.push_back(parse_question(text));
  const bool model = options.path.ends_with(".json") || options.path.ends_with(".credence");
  const auto tables =
      model ? tables_from_model(options, questions) : tables_from_rows(options, questions);
  // All answers before any output: an error leaves nothing half printed.
  std::string text;
  Json json = Json::array();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Answer found = answer(questions[i], tables[i]);
    if (found.left_out > 0) {
      note(options.common, "{}: {} left out, for lack of a value in {}", found.question.text,
           found.left_out == 1 ? "1 row" : fmt::format("{} rows", found.left_out),
           join(tables[i].columns(), " or "));
    }
    if (options.common.json) {
      json.push_back(json_of(found));
    } else {
      text += text_of(found);
    }
  }
  if (options.common.json) {
    print(json);
  } else {
    print(text);
  }
}

}  // namespace

void add_query(CLI::App& app) {
  auto options = std::make_shared<QueryOptions>();
  auto* command = add_command(
      app, "query", "Answer questions about probabilities from a table or a model",
      "  credence query joint.csv 'P(class=positive | color=red, shape=circle)' --weights p\n"
      "  credence query tennis.csv 'P(Outlook=Sunny or Wind=Strong)' 'P(Outlook | "
      "PlayTennis=Yes)'\n"
      "  credence query tennis.csv 'independent(Wind, Humidity | PlayTennis=Yes)'\n");
  command->add_option("DATA", options->path, "A table (- is stdin), or a model: .credence or .json")
      ->required();
  command
      ->add_option(
          "QUESTION", options->questions,
          "P(event), P(event | condition), P(column, ...) or independent(column, column, ...)")
      ->required();
  command->add_option("--weights", options->weights, "The column that says what each row weighs");
  add_reading(command, options->data);
  add_common(command, options->common, true);
  command->callback([options] { run(*options); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// credence query: probabilities of a table or a model. docs/query.md
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "ask/models/ask_model.hpp"
#include "ask/presences.hpp"
#include "cli/options/common.hpp"
#include "cli/options/models.hpp"
#include "cli/options/option_names.hpp"
#include "cli/print/probabilities.hpp"
#include "cli/print/steps.hpp"
#include "core/strings.hpp"
#include "families/registry.hpp"
#include "io/file.hpp"
#include "model/blocks.hpp"
#include "parallel/stream.hpp"

namespace credence::cli {
namespace {

struct QueryOptions {
  Common common;
  DataOptions data;
  Overrides overrides;
  std::string path;
  std::vector<std::string> questions;
  std::string weights;
  std::string dependence;  // the class column
  std::string picture;
  std::string hypotheses;
  std::vector<std::string> likelihoods;
  bool markdown = false, latex = false;  // of --hypotheses
};

// One of the questions: what it is, and what came of it.
struct Asked {
  std::string text;
  Question question = {};
  std::optional<Error> error = {};
  std::optional<WeightedTable> table = {};
};

void require_column(const std::string& place, const std::string& name,
                    const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: no column \"{}\"{}", place, name, suggestion(name, known)));
}

// What goes wrong with one question is said of that one: the others are answered.
template <typename Work>
void attempt(Asked& asked, const Work& work) {
  if (asked.error) return;
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage && error.kind() != ErrorKind::data) throw;
    asked.error = error;
  }
}

// The columns that questions name, each once; the words of sets and texts behind them.
class AskedColumns {
 public:
  AskedColumns(const std::vector<ColumnProfile>& profile, const std::vector<Asked>& all)
      : presences_(named(profile, [](const auto& column) { return column.bag; }),
                   named(profile, holds_texts), readings(profile)) {
    for (const auto& column : profile) known_.push_back(column.name);
    for (const auto& one : all) {
      if (!one.error) presences_.leave_whole(one.question);
    }
  }
  const std::vector<std::string>& known() const { return known_; }

  // What a question asks of them; the names of its columns are looked up.
  Question asked(const Question& question) {
    const Question result = presences_.asked(question);
    for (const auto& name : columns_of(result)) {
      if (!presences_.find(name)) require_column(question.text, name, known_);
    }
    for (const auto& name : columns_of(result)) {
      const auto* word = presences_.find(name);
      if (!word) {
        add({name, ColumnKind::category, {}});
      } else if (word->kind == ColumnKind::number) {
        add({name, word->kind, {}, {}, word->reading, word->column});
      } else {
        add({word->column, word->kind, {}});
      }
    }
    return result;
  }
  const std::vector<ColumnSpec>& columns() const { return columns_; }

  std::size_t place(const std::string& name) const {
    if (const auto* word = presences_.find(name)) {
      return columns_.size() + static_cast<std::size_t>(word - presences_.words().data());
    }
    return place_of(name);
  }
  bool has_words() const { return !presences_.words().empty(); }
  Chunk with_words(const Chunk& chunk) const {
    Chunk result = chunk;
    for (const auto& word : presences_.words()) {
      if (word.kind == ColumnKind::number) {
        const auto& numbers = std::get<Numbers>(chunk.columns[place_of(word.name)]);
        result.columns.emplace_back(as_words(numbers));
        continue;
      }
      const auto& bags = std::get<Bags>(chunk.columns[place_of(word.column)]);
      result.columns.emplace_back(presence_of(bags, word.word));
    }
    return result;
  }

 private:
  template <typename Holds>
  static std::vector<std::string> named(const std::vector<ColumnProfile>& profile,
                                        const Holds& holds) {
    std::vector<std::string> result;
    for (const auto& column : profile) {
      if (holds(column)) result.push_back(column.name);
    }
    return result;
  }
  static std::map<std::string, std::string> readings(const std::vector<ColumnProfile>& profile) {
    std::map<std::string, std::string> result;
    for (const auto& column : profile) {
      if (!column.reading.empty() && !column.codes) result[column.name] = column.reading;
    }
    return result;
  }
  // As fit would have it.
  static bool holds_texts(const ColumnProfile& column) {
    if (column.text || column.bag) return column.text;
    const auto use = inferred_use(column);
    return use.family != "ignore" && find_family(use.family).kinds[0] == ColumnKind::text;
  }
  std::size_t place_of(const std::string& name) const {
    const auto found = std::find_if(columns_.begin(), columns_.end(),
                                    [&](const ColumnSpec& column) { return column.name == name; });
    return static_cast<std::size_t>(found - columns_.begin());
  }
  void add(ColumnSpec column) {
    if (place_of(column.name) == columns_.size()) columns_.push_back(std::move(column));
  }

  Presences presences_;
  std::vector<std::string> known_;
  std::vector<ColumnSpec> columns_;
};

// One table per question, of its own columns only: a row that lacks a value elsewhere still counts,
// and the combinations stay few.
void read_rows(const QueryOptions& options, std::vector<Asked>& all) {
  const ReadOptions read = options.data.read();
  const auto source = open_source({options.path}, read);
  AskedColumns columns(source->profile(), all);

  Schema schema;
  schema.weights = options.weights;
  schema.missing = read.missing;
  if (!options.weights.empty()) require_column("--weights", options.weights, columns.known());
  for (auto& one : all) {
    attempt(one, [&] {
      if (one.question.density) {
        throw Error(ErrorKind::usage,
                    fmt::format("{}: rows have no densities: credence fit makes a model, which can "
                                "be asked for them",
                                one.text));
      }
      one.question = columns.asked(one.question);
      one.table.emplace(columns_of(one.question));
    });
  }
  schema.columns = columns.columns();
  std::vector<std::vector<std::size_t>> places(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].table) continue;
    for (const auto& name : all[i].table->columns()) places[i].push_back(columns.place(name));
  }
  source->select(schema, true);
  for_each_chunk(*source, options.common.threads, progress_bar(options.common, "reading"),
                 [&](const Chunk& chunk) {
                   Chunk with_words;
                   if (columns.has_words()) with_words = columns.with_words(chunk);
                   for (std::size_t i = 0; i < all.size(); ++i) {
                     if (!all[i].table) continue;
                     all[i].table->observe(columns.has_words() ? with_words : chunk, places[i]);
                   }
                 });
  finish_progress();
}

// Numbers are cut into so many ranges.
constexpr std::size_t ranges_of_numbers = 4;

// The columns whose dependence can be told from rows: not the number of a row, not what nearly
// every row has to itself, not sets of words.
std::vector<std::string> comparable_columns(const QueryOptions& options, const Source& source) {
  std::vector<std::string> result, left_out, sets;
  for (const auto& column : source.profile()) {
    if (column.name == options.weights || column.name == options.dependence) continue;
    const bool words = column.numbers < column.present || column.codes;
    const bool own = words && column.present > 10 && 2 * column.distinct > column.present;
    const bool skip = own || column.row_numbers || column.long_digits;
    (column.bag || column.text ? sets : skip ? left_out : result).push_back(column.name);
  }
  if (!sets.empty()) {
    note(options.common, "left out, for they hold sets of words: {}", join(sets, ", "));
  }
  if (!left_out.empty()) {
    note(options.common, "left out, for rows hardly share their values: {}", join(left_out, ", "));
  }
  return result;
}

void show_dependence(const QueryOptions& options) {
  if (options.path.ends_with(".json") || options.path.ends_with(".credence")) {
    throw Error(ErrorKind::usage, "--dependence goes with rows: a model has assumed independence");
  }
  const ReadOptions read = options.data.read();
  const auto source = open_source({options.path}, read);
  std::vector<std::string> known;
  for (const auto& column : source->profile()) known.push_back(column.name);
  require_column("--dependence", options.dependence, known);
  if (!options.weights.empty()) require_column("--weights", options.weights, known);
  auto names = comparable_columns(options, *source);
  names.push_back(options.dependence);
  if (names.size() < 3)
    throw Error(ErrorKind::data, "--dependence: there are no two columns to compare");
  Schema schema;
  schema.weights = options.weights;
  schema.missing = read.missing;
  for (const auto& name : names) {
    schema.columns.push_back({name, ColumnKind::category, {}});
    for (const auto& column : source->profile()) {
      if (column.name != name || column.reading.empty() || name == options.dependence) continue;
      schema.columns.back() = {name, ColumnKind::number, {}, {}, column.reading};
    }
  }
  source->select(schema, true);
  CodedTable table(names);
  for_each_chunk(*source, options.common.threads, progress_bar(options.common, "reading"),
                 [&](const Chunk& chunk) {
                   Chunk words = chunk;
                   for (auto& column : words.columns) {
                     const auto* numbers = std::get_if<Numbers>(&column);
                     if (numbers) column = as_words(*numbers);
                   }
                   table.observe(words);
                 });
  finish_progress();
  table.cut_numbers(ranges_of_numbers, names.size() - 1);
  const auto pairs = dependence(table, names.size() - 1);
  if (!options.picture.empty()) {
    plot::Look look;
    look.format = plot::format_of(options.picture);
    write_atomically(options.picture, plot::pair_map(pair_map_of(table, pairs), look));
  }
  if (options.common.json) return print(cli::json_of(table, pairs));
  print(cli::text_of(table, pairs));
}

// "cancer=0.008,healthy=0.992", or with fractions.
std::vector<std::pair<std::string, double>> read_numbers(const std::string& option,
                                                         const std::string& text) {
  std::vector<std::pair<std::string, double>> result;
  for (const std::string& part : split(text, ',')) {
    const auto equals = part.rfind('=');
    const auto value = equals == std::string::npos
                           ? std::nullopt
                           : to_number_or_fraction(trim(std::string_view(part).substr(equals + 1)));
    if (!value || !(*value >= 0) || !std::isfinite(*value)) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} '{}': write NAME=NUMBER for each hypothesis, with commas between",
                              option, part));
    }
    result.emplace_back(trim(std::string_view(part).substr(0, equals)), *value);
  }
  return result;
}

// Bayes' rule with numbers alone: no table, no model.
Steps steps_of(const QueryOptions& options) {
  const auto prior = read_numbers("--hypotheses", options.hypotheses);
  Steps steps;
  Steps::Factor first{"prior", "", 1, {}, {}, {}, false};
  double sum = 0;
  for (const auto& [name, share] : prior) {
    steps.classes.push_back(name);
    first.symbols.push_back({fmt::format("P({})", name), fmt::format("P({})", latex_text(name))});
    first.workings.push_back({notation(share)});
    first.logs.push_back(std::log(share));
    sum += share;
  }
  if (std::abs(sum - 1) > 1e-9) {
    throw Error(ErrorKind::usage, fmt::format("--hypotheses: the probabilities sum to {}, not to 1",
                                              six_digits(sum)));
  }
  steps.factors.push_back(first);
  for (std::size_t i = 0; i < options.likelihoods.size(); ++i) {
    const auto given = read_numbers("--likelihood", options.likelihoods[i]);
    const auto seen =
        options.likelihoods.size() == 1 ? std::string("x") : fmt::format("x{}", i + 1);
    Steps::Factor factor{seen, seen, 1, {}, {}, {}, false};
    for (const auto& name : steps.classes) {
      const auto found = std::find_if(given.begin(), given.end(),
                                      [&](const auto& one) { return one.first == name; });
      if (found == given.end() || given.size() != steps.classes.size()) {
        throw Error(ErrorKind::usage,
                    fmt::format("--likelihood '{}': it needs a number for each of {}",
                                options.likelihoods[i], join(steps.classes, ", ")));
      }
      factor.symbols.push_back({fmt::format("P({}|{})", seen, name),
                                fmt::format("P({}\\mid {})", seen, latex_text(name))});
      factor.workings.push_back({notation(found->second)});
      factor.logs.push_back(std::log(found->second));
    }
    steps.factors.push_back(std::move(factor));
  }
  steps.log_products.assign(steps.classes.size(), 0.0);
  for (const auto& factor : steps.factors) {
    for (std::size_t c = 0; c < steps.classes.size(); ++c) steps.log_products[c] += factor.logs[c];
  }
  steps.posterior = posterior(steps.log_products);
  return steps;
}

void ask_numbers(const QueryOptions& options) {
  if (!options.path.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: --hypotheses answers for all of them, and takes no table and no "
                            "question beside it",
                            options.path));
  }
  if (options.likelihoods.empty()) {
    throw Error(ErrorKind::usage,
                "--hypotheses: --likelihood says how probable what was seen is under each");
  }
  const Steps steps = steps_of(options);
  if (options.common.json) return print(to_json(steps));
  print(options.markdown ? to_markdown(steps) : options.latex ? to_latex(steps) : to_text(steps));
}

Loaded load_subject(const QueryOptions& options) {
  if (!options.weights.empty()) {
    throw Error(ErrorKind::usage, "--weights goes with rows, and a model has none");
  }
  Loaded result;
  // Calibration is of posteriors: it is no part of the joint distribution.
  result.model = load_model(options.path, {options.overrides.rule, options.overrides.prior, "off"});
  result.scorer = std::make_unique<Scorer>(*result.model);
  return result;
}

void answer_all(const QueryOptions& options, const Loaded& subject, std::vector<Asked>& all) {
  std::string text;
  Json json = Json::array();
  for (auto& asked : all) {
    attempt(asked, [&] {
      const Answer found = subject.model ? answer(asked.question, *subject.model, *subject.scorer)
                                         : answer(asked.question, *asked.table);
      if (found.left_out > 0) {
        note(options.common, "{}: {} left out, for lack of a value in {}", asked.text,
             found.left_out == 1 ? "1 row" : fmt::format("{} rows", found.left_out),
             join(asked.table->columns(), " or "));
      }
      text += cli::text_of(found);
      json.push_back(to_json(found));
    });
    if (asked.error) json.push_back({{"question", asked.text}, {"error", asked.error->what()}});
  }
  if (options.common.json) {
    print(json);
  } else {
    print(text);
  }
}

void run(const QueryOptions& options) {
  if (!options.hypotheses.empty()) return ask_numbers(options);
  if (!options.picture.empty() && options.dependence.empty()) {
    throw Error(ErrorKind::usage, "--output is the picture of --dependence");
  }
  if (!options.path.empty() && options.questions.empty() && !options.dependence.empty()) {
    return show_dependence(options);
  }
  if (!options.dependence.empty() && !options.questions.empty()) {
    throw Error(ErrorKind::usage, "--dependence and questions do not go together");
  }
  if (options.path.empty() || options.questions.empty()) {
    throw Error(ErrorKind::usage,
                options.path.empty() ? "DATA is required" : "QUESTION is required");
  }
  std::vector<Asked> all;
  for (const auto& text : options.questions) {
    all.push_back({text});
    attempt(all.back(), [&] { all.back().question = parse_question(text); });
  }
  Loaded subject;
  if (options.path.ends_with(".json") || options.path.ends_with(".credence")) {
    subject = load_subject(options);
  } else {
    if (!options.overrides.rule.empty() || !options.overrides.prior.empty()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} goes with a model: rows are counted as they are",
                              options.overrides.rule.empty() ? "--prior" : "--estimate"));
    }
    read_rows(options, all);
  }
  answer_all(options, subject, all);
  // The others were said as they came; the status is that of the first.
  const Error* first = nullptr;
  for (const auto& asked : all) {
    if (!asked.error) continue;
    if (first) say_line("credence: " + worded(asked.error->message()));
    if (!first) first = &*asked.error;
  }
  if (first) throw Error(*first);
}

}  // namespace

void add_query(CLI::App& app) {
  auto options = std::make_shared<QueryOptions>();
  auto* command = add_command(
      app, "query", "Answer questions about probabilities from a table or a model",
      "  credence query joint.csv 'P(class=positive | color=red, shape=circle)' --weights p\n"
      "  credence query tennis.csv 'P(Outlook=Sunny or Wind=Strong)' 'P(Outlook | "
      "PlayTennis=Yes)'\n"
      "  credence query tennis.csv 'independent(Wind, Humidity | PlayTennis=Yes)'\n"
      "  credence query tennis.csv 'P(Outlook | PlayTennis)'\n"
      "  credence query people.credence 'P(60 < height <= 70 | sex)' 'P(sex=m | height=70)'\n"
      "  credence query tennis.csv --dependence PlayTennis -o dependence.svg\n"
      "  credence query --hypotheses 'cancer=0.008,healthy=0.992' --likelihood "
      "'cancer=0.98,healthy=0.03'\n");
  command->add_option("DATA", options->path,
                      "A table (- is stdin), or a model: .credence or .json");
  command->add_option(
      "QUESTION", options->questions,
      "P(event), P(event | condition), P(column, ...) or independent(column, column, ...)");
  command->add_option("--weights", options->weights, "The column that says what each row weighs");
  command->add_option("--dependence", options->dependence,
                      "The class column: which columns depend on each other although it is known");
  command->add_option("-o,--output", options->picture,
                      "The heat map of --dependence: .svg, .png or .pdf");
  auto* hypotheses = command->add_option(
      "--hypotheses", options->hypotheses,
      "Bayes' rule without a file: the prior, as in 'cancer=0.008,healthy=0.992'");
  auto* markdown = command->add_flag("--markdown", options->markdown, "--hypotheses in Markdown")
                       ->needs(hypotheses);
  command->add_flag("--latex", options->latex, "--hypotheses in LaTeX")
      ->needs(hypotheses)
      ->excludes(markdown);
  command
      ->add_option("--likelihood", options->likelihoods,
                   "How probable what was seen is under each, as in 'cancer=0.98,healthy=0.03'; "
                   "repeat for more that was seen")
      ->allow_extra_args(false)
      ->take_all();
  add_estimation(command, options->overrides);
  add_reading(command, options->data);
  add_common(command, options->common, true);
  command->callback([options] { run(*options); });
}

}  // namespace credence::cli

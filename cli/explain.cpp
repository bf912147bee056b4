// SPDX-License-Identifier: Apache-2.0
// explain: the weight of evidence of every column of a row.
#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "credence/evaluate.hpp"
#include "models.hpp"

namespace credence::cli {
namespace {

struct ExplainOptions {
  Common common;
  RowOptions rows;
  Overrides overrides;
  std::string model;
  std::string label;
  std::string against;
  std::size_t limit = 10;
};

std::size_t class_named(const std::string& option, const std::string& name,
                        const Classifier& classifier) {
  const auto& classes = classifier.classes();
  const auto found = std::find(classes.begin(), classes.end(), name);
  if (found == classes.end()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: no class \"{}\"{}; the classes are {}", option, name,
                            suggestion(name, classes), join(classes, ", ")));
  }
  return static_cast<std::size_t>(found - classes.begin());
}

Explanation explain(const ExplainOptions& options, const Classifier& classifier, const Chunk& chunk,
                    std::size_t row) {
  auto natural = classifier.explain(chunk, row);
  if (options.label.empty() && options.against.empty()) return natural;
  const std::size_t winner =
      options.label.empty() ? natural.winner : class_named("--class", options.label, classifier);
  std::size_t other = options.against.empty()
                          ? natural.winner
                          : class_named("--against", options.against, classifier);
  if (other == winner && options.against.empty()) other = natural.other;
  if (winner == other) {
    throw Error(ErrorKind::usage, fmt::format("--against {}: the class to argue for is the same",
                                              classifier.classes()[other]));
  }
  return classifier.explain(chunk, row, winner, other);
}

// Twenty characters to each side: evidence for the class grows to the right.
std::string bar(double weight, double largest) {
  if (weight == 0) return "";
  const double share = std::isinf(weight) ? 1 : std::min(1.0, std::abs(weight) / largest);
  const auto length = static_cast<std::size_t>(std::lround(share * 20));
  return std::string(std::max<std::size_t>(length, 1), weight > 0 ? '+' : '-');
}

std::string to_text(const Explanation& why, const Classifier& classifier, std::size_t row) {
  const auto& winner = classifier.classes()[why.winner];
  const auto& other = classifier.classes()[why.other];
  if (why.posterior.undecidable()) {
    return fmt::format("row {}: undecidable, every class has probability 0: {}\n", row,
                       why.undecidable_because);
  }
  std::string text = fmt::format("row {}: P({}) = {}, P({}) = {}\n", row, winner,
                                 six_digits(why.posterior.probabilities[why.winner]), other,
                                 six_digits(why.posterior.probabilities[why.other]));
  double largest = 0;
  for (const auto& line : why.lines) {
    if (std::isfinite(line.weight)) largest = std::max(largest, std::abs(line.weight));
  }
  std::vector<std::vector<std::string>> rows;
  // A coefficient is no ratio of densities; it adds to the log-odds all the same.
  rows.push_back({"column", "value",
                  classifier.knows_evidence() ? fmt::format("log P(.|{})/P(.|{})", winner, other)
                                              : fmt::format("{} against {}", winner, other),
                  ""});
  for (const auto& line : why.lines) {
    rows.push_back({line.column, line.value, six_digits(line.weight), bar(line.weight, largest)});
  }
  rows.push_back({"sum", "log-odds", six_digits(why.log_odds), ""});
  return text + aligned(rows, 2);
}

Json to_json(const Explanation& why, const Classifier& classifier, std::size_t row) {
  const auto log_number = [](double value) -> Json {
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
  };
  Json evidence = Json::array();
  for (const auto& line : why.lines) {
    evidence.push_back(
        {{"column", line.column}, {"value", line.value}, {"weight", log_number(line.weight)}});
    const std::string what = classifier.knows_evidence() ? "log_density" : "score";
    evidence.back()[what] = log_number(line.winner);
    evidence.back()[what + "_against"] = log_number(line.other);
  }
  Json probabilities = Json::object();
  for (std::size_t c = 0; c < classifier.classes().size(); ++c) {
    probabilities[classifier.classes()[c]] = number(why.posterior.probabilities[c]);
  }
  Json json = {{"row", row},
               {"class", classifier.classes()[why.winner]},
               {"against", classifier.classes()[why.other]},
               {"log_odds", log_number(why.log_odds)}};
  if (classifier.knows_evidence()) json["log_evidence"] = log_number(why.posterior.log_evidence);
  json["probabilities"] = std::move(probabilities);
  json["evidence"] = std::move(evidence);
  if (why.posterior.undecidable()) json["undecidable"] = why.undecidable_because;
  return json;
}

void run(const ExplainOptions& options) {
  const Loaded loaded = load_any(options.model, options.overrides);
  const auto& classifier = loaded.classifier();
  Json all = Json::array();
  std::size_t row = 0;
  const auto show = [&](const Chunk& chunk) {
    for (std::size_t r = 0; r < chunk.rows && row < options.limit; ++r) {
      const auto why = explain(options, classifier, chunk, r);
      ++row;
      if (options.common.json) {
        all.push_back(to_json(why, classifier, row));
      } else {
        print((row > 1 ? "\n" : "") + to_text(why, classifier, row));
      }
    }
  };
  if (!options.rows.given.empty()) {
    show(parse_given(classifier.schema(), options.rows.given));
  }
  if (options.rows.given.empty() || !options.rows.data.paths.empty()) {
    auto source = open_rows(options.rows, classifier.schema());
    RawChunk raw;
    bool more = false;
    while (!more && source->read(raw)) {
      more = raw.rows > options.limit - row;
      show(source->parse(raw));
    }
    if (more) note(options.common, "the first {} rows (--limit shows more)", row);
  }
  if (options.common.json) print(all);
}

}  // namespace

void add_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  auto* command = add_command(
      app, "explain", "Say why a row gets its label: the weight of evidence of every column",
      "  credence explain tennis.credence --given 'Outlook=Sunny,Wind=Strong'\n"
      "  credence explain iris.credence new.csv --limit 3 --class setosa --against virginica");
  command
      ->add_option("MODEL", options->model,
                   "A model file, a logistic model, or a hand-written JSON model")
      ->required();
  add_rows(command, options->rows);
  command->add_option("--class", options->label,
                      "The class to argue for (default: the most probable)");
  command->add_option("--against", options->against,
                      "The class to compare with (default: the second)");
  command->add_option("--limit", options->limit, "Rows to explain (default: 10)")
      ->check(whole_number(0));
  add_overrides(command, options->overrides);
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

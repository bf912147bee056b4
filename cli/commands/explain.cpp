// SPDX-License-Identifier: Apache-2.0
// explain: the weight of evidence of every column of a row.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/options/messages.hpp"
#include "cli/options/models.hpp"
#include "cli/print/explanation.hpp"
#include "core/strings.hpp"
#include "core/utf8.hpp"
#include "io/file.hpp"

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
  std::string color = "auto";
  std::string html;
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

// Prints cases as they come, or collects them for one document.
class Report {
 public:
  Report(const ExplainOptions& options, const Classifier& classifier)
      : options_(options), classifier_(classifier), color_(wants_color(options.color)) {}

  bool full() const { return row_ >= options_.limit; }
  std::size_t rows() const { return row_; }

  void add(Case one) {
    one.row = ++row_;
    if (!options_.html.empty()) html_ += to_html(one, classifier_);
    if (options_.common.json) {
      json_.push_back(to_json(one, classifier_));
    } else if (options_.html.empty()) {
      print_marked((row_ > 1 ? "\n" : "") + to_text(one, classifier_, color_));
    }
  }
  void finish() const {
    if (options_.common.json) print(json_);
    if (options_.html.empty()) return;
    write_atomically(options_.html,
                     explanation_page(fmt::format("Why: {}", options_.model), html_));
    if (options_.html != "-") note(options_.common, "wrote {}", options_.html);
  }

 private:
  // https://no-color.org
  static bool wants_color(const std::string& when) {
    if (when != "auto") return when == "always";
    const char* no_color = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
           !(terminal && std::string_view(terminal) == "dumb");
  }

  const ExplainOptions& options_;
  const Classifier& classifier_;
  bool color_;
  std::size_t row_ = 0;
  Json json_ = Json::array();
  std::string html_;
};

// True: there are more than the limit allows.
bool explain_messages(const ExplainOptions& options, const Classifier& classifier, Report& report) {
  const auto messages = data::open_messages(options.rows.data.paths);
  messages->select(classifier.schema(), true);
  RawChunk raw;
  bool more = false;
  while (!more && messages->read(raw)) {
    const Chunk chunk = messages->parse(raw);
    const auto names = messages->row_names(raw);
    const auto texts = messages->texts(raw);
    for (std::size_t i = 0, row = 0; i < texts.size() && !more; ++i) {
      if (!texts[i]) continue;  // no text, left out
      more = report.full();
      if (more) break;
      Case one =
          make_case(explain(options, classifier, chunk, row), classifier, chunk, row, &*texts[i]);
      std::string buffer;
      one.name = as_utf8(names[i], buffer);
      report.add(std::move(one));
      ++row;
    }
  }
  note_oddities(options.common, *messages);
  return more;
}

bool explain_rows(const ExplainOptions& options, const Classifier& classifier, Report& report) {
  auto source = open_rows(options.rows, classifier.schema());
  RawChunk raw;
  while (source->read(raw)) {
    const Chunk chunk = source->parse(raw);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (report.full()) return true;
      report.add(make_case(explain(options, classifier, chunk, r), classifier, chunk, r, nullptr));
    }
  }
  note_oddities(options.common, *source);
  return false;
}

void run(const ExplainOptions& options) {
  auto inputs = options.rows.data.paths;
  inputs.push_back(options.model);
  refuse_same_file(options.html, inputs, "--html");
  const Loaded loaded = load_any(options.model, options.overrides);
  const auto& classifier = loaded.classifier();
  const auto& schema = classifier.schema();
  Report report(options, classifier);
  if (!options.rows.given.empty()) {
    const Chunk chunk = parse_given(schema, options.rows.given);
    for (std::size_t r = 0; r < chunk.rows && !report.full(); ++r) {
      report.add(make_case(explain(options, classifier, chunk, r), classifier, chunk, r, nullptr));
    }
  }
  if (options.rows.given.empty() || !options.rows.data.paths.empty()) {
    const auto& data = options.rows.data;
    const bool more = look_like_messages(data.paths, data.read(), schema)
                          ? explain_messages(options, classifier, report)
                          : explain_rows(options, classifier, report);
    if (more) note(options.common, "the first {} rows (--limit shows more)", report.rows());
  }
  report.finish();
}

}  // namespace

void add_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  auto* command = add_command(
      app, "explain", "Say why a row gets its label: the weight of evidence of every column",
      "  credence explain tennis.credence --given 'Outlook=Sunny,Wind=Strong'\n"
      "  credence explain iris.credence new.csv --limit 3 --class setosa --against virginica\n"
      "  credence explain mail.credence message.eml --html why.html");
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
  command
      ->add_option("--color", options->color,
                   "Mark the words of documents: always, never or auto (on a terminal, default)")
      ->check(one_of("colour", {"always", "never", "auto"}));
  command->add_option("--html", options->html,
                      "Write a page instead, documents with their words shaded by weight");
  add_overrides(command, options->overrides);
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// explain: the weight of evidence of every column of a row, or the computation step by step.
#include <algorithm>

#include "cli/options/messages.hpp"
#include "cli/options/models.hpp"
#include "cli/print/reasons.hpp"
#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "core/utf8.hpp"

namespace credence::cli {
namespace {

struct ExplainOptions : ReasonOptions {
  RowOptions rows;
  Overrides overrides;
  std::size_t row = 0;  // 0: from the first on
  bool wrong = false;
};

// True: there are more than the limit allows.
bool explain_messages(const ExplainOptions& options, const Classifier& classifier,
                      Reasons& reasons) {
  const auto messages = data::open_messages(options.rows.data.paths);
  messages->select(classifier.schema(), true);
  RawChunk raw;
  bool more = false;
  std::size_t number = 0;
  while (!more && messages->read(raw)) {
    const Chunk chunk = messages->parse(raw);
    const auto names = messages->row_names(raw);
    const auto texts = messages->texts(raw);
    for (std::size_t i = 0, row = 0; i < texts.size() && !more; ++i) {
      ++number;
      if (!texts[i]) continue;  // no text, left out
      more = reasons.full();
      if (more) break;
      std::string buffer;
      if (options.row == 0 || options.row == number) {
        const std::string name(as_utf8(names[i], buffer));
        reasons.add(reasons.of(chunk, row, number, name, &*texts[i]));
      }
      ++row;
    }
  }
  note_oddities(options.common, *messages);
  return more;
}

// Keeps the rows whose own class was given the least probability.
class Worst {
 public:
  Worst(const Classifier& classifier, const Reasons& reasons, std::size_t limit)
      : classifier_(classifier), reasons_(reasons), limit_(limit) {}

  void look_at(const Chunk& chunk, std::size_t before) {
    const auto all = posteriors(classifier_, chunk);
    const auto& classes = classifier_.classes();
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const auto code = chunk.labels.codes[r];
      if (code < 0) continue;
      const auto& truth = chunk.labels.dictionary[static_cast<std::size_t>(code)];
      const auto found = std::find(classes.begin(), classes.end(), truth);
      const auto& p = all[r].probabilities;
      const bool known = found != classes.end() && !all[r].undecidable();
      const double own = known ? p[static_cast<std::size_t>(found - classes.begin())] : 0.0;
      if (known && own == *std::max_element(p.begin(), p.end())) continue;
      ++mistakes_;
      if (worst_.size() == limit_ && (limit_ == 0 || worst_.back().own <= own)) continue;
      const Entry entry{own, reasons_.of(chunk, r, before + r + 1, "", nullptr, truth)};
      worst_.insert(std::upper_bound(worst_.begin(), worst_.end(), entry,
                                     [](const Entry& a, const Entry& b) { return a.own < b.own; }),
                    entry);
      if (worst_.size() > limit_) worst_.pop_back();
    }
  }
  std::size_t mistakes() const { return mistakes_; }
  void add_to(Reasons& reasons) const {
    for (const auto& entry : worst_) reasons.add(entry.reason);
  }

 private:
  struct Entry {
    double own;
    Reason reason;
  };
  const Classifier& classifier_;
  const Reasons& reasons_;
  std::size_t limit_, mistakes_ = 0;
  std::vector<Entry> worst_;
};

void explain_mistakes(const ExplainOptions& options, const Classifier& classifier,
                      Reasons& reasons) {
  auto source = open_rows(options.rows, classifier.schema());
  source->select(classifier.schema(), true);
  Worst worst(classifier, reasons, options.limit);
  RawChunk raw;
  std::size_t rows = 0;
  while (source->read(raw)) {
    const Chunk chunk = source->parse(raw);
    worst.look_at(chunk, rows);
    rows += chunk.rows;
  }
  note_oddities(options.common, *source);
  worst.add_to(reasons);
  note(options.common, "{} of {} rows are wrong{}", worst.mistakes(), rows,
       worst.mistakes() > reasons.added()
           ? fmt::format("; the {} worst (--limit shows more)", reasons.added())
           : "");
}

bool explain_rows(const ExplainOptions& options, const Classifier& classifier, Reasons& reasons) {
  auto source = open_rows(options.rows, classifier.schema());
  RawChunk raw;
  std::size_t number = 0;
  while (source->read(raw)) {
    const Chunk chunk = source->parse(raw);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      ++number;
      if (options.row != 0 && options.row != number) continue;
      if (reasons.full()) return true;
      reasons.add(reasons.of(chunk, r, number, "", nullptr));
      if (options.row == number) return false;
    }
  }
  note_oddities(options.common, *source);
  return false;
}

void explain_given(const ExplainOptions& options, const Classifier& classifier, Reasons& reasons) {
  const Chunk chunk = parse_given(classifier.schema(), options.rows.given);
  for (std::size_t r = 0; r < chunk.rows && !reasons.full(); ++r) {
    reasons.add(reasons.of(chunk, r, r + 1, "", nullptr));
  }
}

void run(const ExplainOptions& options) {
  auto inputs = options.rows.data.paths;
  inputs.push_back(options.model);
  refuse_same_file(options.html, inputs, "--html");
  const Loaded loaded = load_any(options.model, options.overrides);
  const auto& classifier = loaded.classifier();
  Reasons reasons(options, classifier);
  const auto& data = options.rows.data;
  if (!options.rows.given.empty()) explain_given(options, classifier, reasons);
  if (options.wrong) {
    explain_mistakes(options, classifier, reasons);
  } else if (options.rows.given.empty() || !data.paths.empty()) {
    const bool more = look_like_messages(data.paths, data.read(), classifier.schema())
                          ? explain_messages(options, classifier, reasons)
                          : explain_rows(options, classifier, reasons);
    if (options.row != 0 && reasons.added() == 0) {
      throw Error(ErrorKind::data, fmt::format("--row {}: there are fewer rows", options.row));
    }
    if (more) {
      note(options.common, "the first {} (--limit shows more)",
           reasons.added() == 1 ? "row" : fmt::format("{} rows", reasons.added()));
    }
  }
  reasons.finish();
}

}  // namespace

void add_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  auto* command = add_command(
      app, "explain", "Say why a row gets its label: the weight of evidence of every column",
      "  credence explain tennis.credence --given 'Outlook=Sunny,Wind=Strong'\n"
      "  credence explain iris.credence new.csv --limit 3 --class setosa --against virginica\n"
      "  credence explain mail.credence message.eml --html why.html\n"
      "  credence explain tennis.credence --given 'Outlook=Sunny,Wind=Strong' --steps");
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
  auto* row = command->add_option("--row", options->row, "Only this row, counted from 1")
                  ->check(whole_number(1));
  command
      ->add_flag("--wrong", options->wrong,
                 "Only rows of DATA whose label is not their class, the worst mistakes first")
      ->excludes(row);
  command->add_flag("--every-class", options->every_class,
                    "The evidence for every class rather than for one against another");
  command
      ->add_option("--color", options->color,
                   "Mark the words of documents: always, never or auto (on a terminal, default)")
      ->check(one_of("colour", {"always", "never", "auto"}));
  auto* steps = command->add_flag(
      "--steps", options->steps,
      "Show the computation as on a board: every class's factors, their product, the posterior");
  auto* markdown =
      command->add_flag("--markdown", options->markdown, "The steps in Markdown")->needs(steps);
  command->add_flag("--latex", options->latex, "The steps in LaTeX")
      ->needs(steps)
      ->excludes(markdown);
  command->add_option("--html", options->html,
                      "Write a page instead, documents with their words shaded by weight");
  add_overrides(command, options->overrides);
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

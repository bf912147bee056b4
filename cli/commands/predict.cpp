// SPDX-License-Identifier: Apache-2.0
// predict: labels and probabilities as CSV.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "answers/predictions.hpp"
#include "cli/options/decision_options.hpp"
#include "cli/options/models.hpp"
#include "core/chunk_rows.hpp"
#include "core/strings.hpp"
#include "families/registry.hpp"
#include "parallel/parallel.hpp"
#include "parallel/pipeline.hpp"

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
  std::vector<std::string> keep;
  bool number_rows = false;
  bool uncertainty = false;
  UncertaintyOptions drawing;
  std::optional<std::string> novelty = {};  // --novelty; with a number, no label below it
  std::string output = "-";
};

// The word of a column that differs from this one in its case alone, as a hint; else "".
std::string in_other_case(const Classifier& classifier, const std::string& column,
                          const std::string& word) {
  const auto* scorer = dynamic_cast<const Scorer*>(&classifier);
  if (!scorer) return "";
  for (const auto& table : scorer->tables()) {
    if (table.title != column || !find_family(table.family).one_of_values) continue;
    for (const auto& row : table.rows) {
      if (ascii_lower(row.of[0]) != ascii_lower(word)) continue;
      return fmt::format(" (did you mean \"{}\"?)", row.of[0]);
    }
  }
  return "";
}

// A value typed by hand that the model has never seen is more likely a slip than news.
void note_unseen(const PredictOptions& options, const Classifier& classifier, const Chunk& rows) {
  for (std::size_t r = 0; r < rows.rows; ++r) {
    for (const auto& line : classifier.explain(rows, r).lines) {
      if (!line.ignored) continue;
      const std::string word = line.value.substr(0, line.value.find(" ("));
      note(options.common, "{}={}{}", line.column, line.value,
           in_other_case(classifier, line.column, word));
    }
  }
}

// Of the first rows of a file: words that the model knows in another case, each said once.
void note_other_case(const PredictOptions& options, const Classifier& classifier,
                     const Chunk& rows) {
  constexpr std::size_t most_rows = 5, most_notes = 3;
  std::set<std::string> words, said;  // columns of words; "Outlook=sunny"
  for (const auto& column : classifier.schema().columns) {
    if (column.kind == ColumnKind::category) words.insert(column.name);
  }
  if (words.empty() || rows.matrix) return;
  for (std::size_t r = 0; r < std::min(rows.rows, most_rows); ++r) {
    for (const auto& line : classifier.explain(rows, r).lines) {
      if (!line.ignored || words.count(line.column) == 0) continue;
      const auto word = line.value.substr(0, line.value.find(" ("));
      const auto hint = in_other_case(classifier, line.column, word);
      if (hint.empty()) return;  // the model was taught other words: that is news, not a slip
      if (!said.insert(fmt::format("{}={}", line.column, word)).second) continue;
      note(options.common, "{}={} is unknown to the model{}", line.column, word, hint);
      if (said.size() == most_notes) return;
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
  const double least = judge.novelty->least();
  if (judge.novel_below > 0 && judge.novel_below <= least) {
    note(options.common,
         "--novelty {}: rows are compared with {} others at most, so none is below {}; a number "
         "above that tells them apart",
         *options.novelty, format_number(1 / least - 1), six_digits(least));
  }
}

std::unique_ptr<Uncertainty> uncertainty_of(const PredictOptions& options, const Loaded& loaded) {
  if (!options.uncertainty) return nullptr;
  if (loaded.logistic) {
    throw Error(ErrorKind::usage, options.model +
                                      ": a logistic model keeps no rows to be unsure about: "
                                      "--uncertainty does not apply");
  }
  return std::make_unique<Uncertainty>(*loaded.model, options.drawing);
}

std::vector<std::string> inputs_of(const PredictOptions& options) {
  auto inputs = options.rows.data.paths;
  inputs.push_back(options.model);
  return inputs;
}

// A model that is ready to judge.
struct Prepared {
  Loaded loaded;
  std::unique_ptr<const Uncertainty> uncertainty;
  Judge judge;

  Prepared(const PredictOptions& options, const ModelFile& file)
      : loaded(load_any(file, options.overrides)),
        uncertainty(uncertainty_of(options, loaded)),
        judge{loaded.classifier(),
              coordinates_of(options, loaded),
              rule_of(options.deciding, loaded.classifier().classes()),
              std::min(options.top, loaded.classifier().classes().size()),
              options.proba,
              options.evidence,
              {},
              0,
              options.keep,
              options.number_rows,
              uncertainty.get()} {
    add_novelty(options, loaded, judge);
    // No rows: what is made with the first ones, such as the table of all words, is made now.
    (void)judge.classifier.log_scores(parse_given(judge.classifier.schema(), {}));
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
};

// Judges the rows and writes the answers.
class Predicting {
 public:
  explicit Predicting(const PredictOptions& options) : options_(options), model_(options.model) {}

  void open_output() {
    try {
      refuse_same_file(options_.output, inputs_of(options_));
      if (options_.output != "-") file_.emplace(options_.output);
    } catch (...) {
      prepare();  // what is wrong with the model is said first
      throw;
    }
  }

  void prepare() {
    if (!prepared_) prepared_ = std::make_unique<const Prepared>(options_, model_);
  }

  void open() { open(judge().classifier.schema()); }

  void judge_given() {
    const auto& judge = this->judge();
    if (!options_.keep.empty()) {
      throw Error(ErrorKind::usage, "--keep goes with rows of a file, not with --given");
    }
    const Chunk rows = parse_given(judge.classifier.schema(), options_.rows.given);
    note_unseen(options_, judge.classifier, rows);
    take(answer(judge, {rows, named_, {}, RowNumbers{}}));
    rows_cut_ = rows.rows;
  }

  // Rows are read while the model is being prepared, if it says early which columns it wants.
  void judge_source() {
    const auto schema = prepared_ ? std::nullopt : schema_in(model_);
    if (!schema) prepare();
    const auto progress = progress_bar(options_.common, "predicting");
    PipelineSteps<Cut, Parsed, Judged> steps;
    steps.produce = [&]() -> std::optional<Cut> {
      if (!source_) open(schema ? *schema : judge().classifier.schema());
      Cut cut{{}, rows_cut_};
      if (!source_->read(cut.raw)) return std::nullopt;
      rows_cut_ += cut.raw.rows;
      if (progress) progress(source_->bytes_read(), source_->bytes_total());
      return cut;
    };
    steps.refine = [&](const Cut& cut) -> Parsed {
      Chunk chunk = source_->parse(cut.raw);
      RowNumbers numbers{cut.before, std::move(chunk.left_out)};
      return {std::move(chunk), named_ ? source_->row_names(cut.raw) : std::vector<std::string>(),
              std::move(numbers)};
    };
    steps.prepare = [&] { prepare(); };
    steps.work = [&](Parsed&& rows) -> Judged {
      if (rows.numbers.before == 0) note_other_case(options_, judge().classifier, rows.chunk);
      if (judge().proba && rows.chunk.rows > rows_at_once(classes())) return {{}, std::move(rows)};
      return {answer(judge(), {rows.chunk, named_, rows.names, rows.numbers}), {}};
    };
    steps.consume = [&](const Judged& judged) {
      judged.answers ? take(*judged.answers) : take_in_slices(judged.rows);
    };
    run_pipeline(options_.common.threads, steps);
    finish_progress();
    note_oddities(options_.common, *source_);
  }

  void finish() {
    if (file_) file_->finish();
    if (undecidable_ > 5) {
      note(options_.common, "… and more undecidable rows (a prior helps: --estimate bayes)");
    }
  }

 private:
  struct Cut {
    RawChunk raw;
    std::size_t before;  // rows in front of it
  };
  struct Parsed {
    Chunk chunk;
    std::vector<std::string> names;
    RowNumbers numbers;
  };

  struct Judged {
    std::optional<Answers> answers;
    Parsed rows;  // where the answers would be too long
  };

  const Judge& judge() const { return prepared_->judge; }
  std::size_t classes() const { return judge().classifier.classes().size(); }
  void open(Schema schema) {
    for (const auto& name : options_.keep)
      schema.columns.push_back({name, ColumnKind::category, {}});
    source_ = open_rows(options_.rows, schema);
    named_ = source_->names_rows();
  }
  void write(const std::string& text) { file_ ? file_->write(text) : print_data(text); }

  // The probabilities of many classes are long: those of some rows are written before those of
  // the next.
  void take_in_slices(const Parsed& rows) {
    const std::size_t most = rows_at_once(classes()), all = rows.chunk.rows;
    const std::size_t at_once = 2 * threads_here();
    for (std::size_t done = 0; done < all; done += at_once * most) {
      std::vector<Answers> parts(std::min(at_once, (all - done + most - 1) / most));
      parallel_for(options_.common.threads, parts.size(), [&](std::size_t i) {
        const std::size_t first = done + i * most;
        const Chunk slice = slice_rows(rows.chunk, first, std::min(most, all - first));
        const auto names = std::span(rows.names).subspan(std::min(first, rows.names.size()));
        parts[i] = answer(judge(), {slice, named_, names, rows.numbers, first});
      });
      for (const auto& part : parts) take(part);
    }
  }

  void take(const Answers& answers) {
    // Only once the rows are known to be good, so that an error leaves stdout empty.
    if (!header_printed_) write(header(judge(), named_));
    header_printed_ = true;
    write(answers.text);
    for (const auto& [row, why] : answers.undecidable) {
      if (++undecidable_ > 5) break;
      note(options_.common, "row {} is undecidable, every class has probability 0: {}", row, why);
    }
    if (undecidable_ > 5) undecidable_ += answers.undecidable.size();
  }

  const PredictOptions& options_;
  ModelFile model_;
  std::unique_ptr<const Prepared> prepared_;
  std::optional<AtomicFile> file_;
  std::unique_ptr<Source> source_;
  bool named_ = false;
  bool header_printed_ = false;
  std::size_t rows_cut_ = 0, undecidable_ = 0;
};

// Rows that come through a pipe may be long in coming: what is wrong with the model is said before.
bool waits_for_rows(const PredictOptions& options) {
  const auto& paths = options.rows.data.paths;
  return paths.empty() || std::any_of(paths.begin(), paths.end(), [](const auto& path) {
           std::error_code unknown;
           const auto kind = std::filesystem::status(path, unknown).type();
           return kind != std::filesystem::file_type::regular &&
                  kind != std::filesystem::file_type::directory;
         });
}

void run(const PredictOptions& options) {
  Predicting predicting(options);
  predicting.open_output();
  const bool given = !options.rows.given.empty(), data = !options.rows.data.paths.empty();
  if (given || waits_for_rows(options)) predicting.prepare();
  if (given && data) predicting.open();  // whether the answers have names
  if (given) predicting.judge_given();
  if (!given || data) predicting.judge_source();
  predicting.finish();
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
                  "  credence predict digits.credence new.csv --novelty 0.01\n"
                  "  credence predict tennis.credence new.csv --uncertainty");
  command
      ->add_option("MODEL", options->model,
                   "A model file, a logistic model, or a hand-written JSON model")
      ->required();
  add_rows(command, options->rows);
  command->add_flag("--proba", options->proba, "One more column per class: its probability");
  command
      ->add_option("--keep", options->keep,
                   "Columns of DATA to copy in front of the answers, such as a key or the true "
                   "class, with commas between")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->take_all();
  command->add_flag("--number-rows", options->number_rows, "The number of the row, in front");
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
  command->add_flag("--uncertainty", options->uncertainty,
                    "Two more columns: between what the probability lies, as rows are few");
  command
      ->add_option("--level", options->drawing.level,
                   "Of the intervals of --uncertainty (default: 0.95)")
      ->check(CLI::Range(0.0, 1.0));
  command
      ->add_option("--draws", options->drawing.draws,
                   "Draws of the parameters for --uncertainty (default: 1000)")
      ->check(whole_number(2));
  command->add_option("--seed", options->drawing.seed, "Of these draws (default: 1)");
  add_deciding(command, options->deciding);
  command->add_option("-o,--output", options->output, "Where to write (default: stdout)");
  add_overrides(command, options->overrides);
  add_common(command, options->common, false);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// update, forget, merge: rows added to a model or taken out again.
#include <algorithm>
#include <cmath>

#include "cli/options/changed.hpp"
#include "cli/options/messages.hpp"
#include "cli/options/models.hpp"
#include "core/strings.hpp"
#include "credence/io.hpp"
#include "documents/documents.hpp"
#include "model/beside.hpp"
#include "sources/in_class.hpp"

namespace credence::cli {
namespace {

struct ChangeOptions {
  Common common;
  DataOptions data;
  std::string model;
  std::string label;
  std::vector<std::string> given;
  std::string window;
  std::string when;
  std::string output;
  double half_life = 0;  // in rows; 0: nothing decays
};

struct MergeOptions {
  Common common;
  std::vector<std::string> models;
  bool beside = false;
  std::string when;
  std::string output;
};

// Rows that have no class of their own, all in the class of --class.
std::unique_ptr<Source> open_unlabelled(const ChangeOptions& options, const ReadOptions& read,
                                        const Schema& schema) {
  const auto& paths = options.data.paths;
  if (reads_messages(schema) && are_messages(paths, read.format)) {
    for (const auto& path : paths) {
      if (!has_subfolders(path)) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("{}: has subfolders, which are classes; --class is for a folder "
                              "without them",
                              path));
    }
    return data::in_class(data::open_messages(paths), options.label);
  }
  auto source = open_source(paths, read);
  for (const auto& column : source->profile()) {
    if (column.name != schema.target) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{}: the column \"{}\" holds the class of each row; --class is for "
                            "rows without one",
                            paths[0], schema.target));
  }
  return data::in_class(std::move(source), options.label);
}

// Rows typed in, each with its class, unless --class says it for all.
Chunk given_rows(const ChangeOptions& options, const Schema& schema) {
  if (!options.data.paths.empty()) {
    throw Error(ErrorKind::usage, "--given and DATA do not go together");
  }
  Schema with_class = schema;
  if (options.label.empty()) {
    with_class.columns.push_back({schema.target, ColumnKind::category, {}});
  }
  Chunk rows = parse_given(with_class, options.given);
  if (options.label.empty()) {
    rows.labels = std::get<Categories>(rows.columns.back());
    rows.columns.pop_back();
  } else {
    rows.labels = {std::vector<std::int32_t>(rows.rows, 0), {options.label}};
  }
  for (std::size_t r = 0; r < rows.rows; ++r) {
    if (rows.labels.codes[r] >= 0) continue;
    throw Error(ErrorKind::usage, fmt::format("--given '{}': no class (add {}=…, or --class)",
                                              options.given[r], schema.target));
  }
  return rows;
}

// Learns DATA into an empty copy of the model, to be added or taken away.
Model learn_change(const ChangeOptions& options, const Model& model) {
  if (!options.given.empty()) {
    Model change = model.empty();
    change.observe(given_rows(options, model.schema()));
    if (!options.window.empty()) change.put_into_window(options.window);
    return change;
  }
  const auto read = reading_for(options.data, options.data.paths, model.schema());
  auto source = options.label.empty() ? open_source(options.data.paths, read)
                                      : open_unlabelled(options, read, model.schema());
  source->select(model.schema(), true);
  Model change = model.empty();
  change.learn(*source, options.common.threads, progress_bar(options.common, "reading"));
  finish_progress();
  note_oddities(options.common, *source);
  if (!options.window.empty()) change.put_into_window(options.window);
  return change;
}

std::string written_to(const ChangeOptions& options) {
  return options.output.empty() ? options.model : options.output;
}

std::string detail(const ChangeOptions& options) {
  std::vector<std::string> parts;
  if (options.half_life > 0) parts.push_back("half-life " + format_number(options.half_life));
  if (!options.window.empty()) parts.push_back("window " + options.window);
  return join(parts, ", ");
}

void run_update(const ChangeOptions& options) {
  if (options.data.paths.empty() && options.given.empty()) {
    throw Error(ErrorKind::usage, "update: name the DATA to add, or type rows with --given");
  }
  refuse_same_file(options.output, options.data.paths);
  const auto lock = lock_to_write(options.common, written_to(options));
  Model model = load(options.model);
  refuse_hand_written(model, options.model, "be updated");
  const Model change = learn_change(options, model);
  const auto& known = model.classes();
  if (!options.label.empty() &&
      std::find(known.begin(), known.end(), options.label) == known.end()) {
    note(options.common, "a new class: \"{}\"{}", options.label, suggestion(options.label, known));
  }
  if (options.half_life > 0) {
    const double factor = std::exp2(-change.rows() / options.half_life);
    if (factor < 0x1p-100) {
      throw Error(ErrorKind::usage,
                  fmt::format("--half-life {}: after {} new rows nothing is left of the old ones "
                              "(fit a new model instead)",
                              format_number(options.half_life), format_number(change.rows())));
    }
    model.decay(factor);
  }
  model.merge(change);
  finish_change(options.common, model, {"update", change.rows(), options.when, detail(options)},
                written_to(options));
}

void run_forget(const ChangeOptions& options) {
  const bool rows_named = !options.data.paths.empty() || !options.given.empty();
  if (!rows_named && options.window.empty()) {
    throw Error(ErrorKind::usage, "forget: name the DATA to forget, or a --window");
  }
  if (!rows_named && !options.label.empty()) {
    throw Error(ErrorKind::usage,
                "forget: --class is the class of DATA, and there is none; --window takes out all "
                "rows of the window, whatever their class");
  }
  refuse_same_file(options.output, options.data.paths);
  const auto lock = lock_to_write(options.common, written_to(options));
  Model model = load(options.model);
  refuse_hand_written(model, options.model, "be updated");
  double rows = model.rows();
  if (!rows_named) {
    model.forget_window(options.window);
    rows -= model.rows();
  } else {
    const Model change = learn_change(options, model);
    rows = change.rows();
    model.forget(change);
  }
  finish_change(options.common, model, {"forget", rows, options.when, detail(options)},
                written_to(options));
}

// The first model's journal goes on: with what was done to the others, marked by their numbers,
// and the merge itself.
void run_merge(const MergeOptions& options) {
  if (options.models.size() < 2)
    throw Error(ErrorKind::usage, "merge: two models or more are needed");
  const auto lock = lock_to_write(options.common, options.output);
  Model model = load(options.models[0]);
  refuse_hand_written(model, options.models[0], "be merged");
  const double before = model.rows();
  for (std::size_t i = 1; i < options.models.size(); ++i) {
    const Model other = load(options.models[i]);
    refuse_hand_written(other, options.models[i], "be merged");
    if (options.beside) {
      model = beside(model, other);
    } else {
      model.merge(other);
    }
    model.record_merged(other.journal(), i + 1);
  }
  finish_change(
      options.common, model,
      {"merge", model.rows() - before, options.when,
       fmt::format("{} models{}", options.models.size(), options.beside ? ", side by side" : "")},
      options.output);
}

void add_rows_of_a_class(CLI::App* command, ChangeOptions& options) {
  command
      ->add_option("--class", options.label,
                   "The class of rows that have none: of messages, each a file, mailbox or folder "
                   "of files, or of a table without the class column")
      ->check(not_empty("a class"));
  command
      ->add_option("--given", options.given,
                   "A row typed in, with its class: 'Outlook=Sunny,Wind=Weak,PlayTennis=No'; may "
                   "be repeated")
      ->allow_extra_args(false)
      ->take_all();
}

}  // namespace

void add_update(CLI::App& app) {
  auto options = std::make_shared<ChangeOptions>();
  auto* command = add_command(app, "update", "Add rows to a model",
                              "  credence update tennis.credence more.csv\n"
                              "  credence update tennis.credence more.csv -o newer.credence\n"
                              "  credence update tennis.credence october.csv --window 2026-10\n"
                              "  credence update tennis.credence today.csv --half-life 10000\n"
                              "  credence update mail.credence missed.eml --class spam");
  add_model(command, options->model, options->output);
  add_data(command, options->data, false);
  add_rows_of_a_class(command, *options);
  command
      ->add_option("--window", options->window,
                   "Keep these rows apart under this name, too: forget --window takes them out")
      ->check(not_empty("a window"))
      ->check(one_line());
  command
      ->add_option("--half-life", options->half_life,
                   "Rows after which an old row weighs half: before n rows are added, all others "
                   "are multiplied by 2^(-n/N)")
      ->check(positive_number());
  add_writing(command, options->when, options->common);
  add_common(command, options->common, true);
  command->callback([=] { run_update(*options); });
}

void add_forget(CLI::App& app) {
  auto options = std::make_shared<ChangeOptions>();
  auto* command =
      add_command(app, "forget", "Take rows out of a model again, as if they had never been learnt",
                  "  credence forget tennis.credence mistakes.csv\n"
                  "  credence forget tennis.credence --window 2026-10\n"
                  "  credence forget mail.credence mistaken.eml --class spam");
  add_model(command, options->model, options->output);
  add_data(command, options->data, false);
  add_rows_of_a_class(command, *options);
  command
      ->add_option("--window", options->window,
                   "Take out all rows of this window, without DATA; with DATA, those rows of it")
      ->check(not_empty("a window"))
      ->check(one_line());
  add_writing(command, options->when, options->common);
  add_common(command, options->common, true);
  command->callback([=] { run_forget(*options); });
}

void add_merge(CLI::App& app) {
  auto options = std::make_shared<MergeOptions>();
  auto* command =
      add_command(app, "merge", "Add up models learnt on parts of the data",
                  "  credence merge monday.credence tuesday.credence -o both.credence\n"
                  "  credence merge words.credence numbers.credence --beside -o all.credence");
  command->add_option("MODELS", options->models, "Model files")
      ->required()
      ->expected(1, 100000)
      ->type_name("MODEL MODEL ...");
  command->add_flag("--beside", options->beside,
                    "They have learnt different columns of the same rows: put these side by side");
  command->add_option("-o,--output", options->output, "Where to write")->required();
  add_writing(command, options->when, options->common);
  add_common(command, options->common, true);
  command->callback([=] { run_merge(*options); });
}

}  // namespace credence::cli

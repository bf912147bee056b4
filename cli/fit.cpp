// SPDX-License-Identifier: Apache-2.0
// fit, update, forget, merge: everything that changes what a model has observed.
#include <algorithm>
#include <filesystem>
#include <numeric>

#include "core/text.hpp"
#include "credence/io.hpp"
#include "credence/scorer.hpp"
#include "data/messages.hpp"
#include "discriminative.hpp"
#include "messages.hpp"
#include "models.hpp"
#include "planning.hpp"

namespace credence::cli {
namespace {

struct FitOptions {
  Common common;
  PlanOptions plan;
  std::string output;
  bool discriminative = false;
  double penalty = 1;
};

struct ChangeOptions {
  Common common;
  DataOptions data;
  std::string model;
  std::string label;
  std::string output;
};

struct MergeOptions {
  Common common;
  std::vector<std::string> models;
  std::string output;
};

void require_two_classes(const Model& model) {
  if (model.classes().size() >= 2) return;
  throw Error(
      ErrorKind::data,
      fmt::format("column \"{}\": {}; a classifier needs at least two classes (is --target right?)",
                  model.schema().target,
                  model.classes().empty() ? "no class at all"
                                          : "only the class \"" + model.classes()[0] + "\""));
}

Json class_weights(const Model& model) {
  Json result = Json::object();
  const auto weights = model.class_weights();
  for (std::size_t c = 0; c < weights.size(); ++c) result[model.classes()[c]] = count(weights[c]);
  return result;
}

// Says what the model now holds; --json says it on stdout.
void report(const Common& common, const Model& model, const Scorer& scorer, const std::string& path,
            const std::vector<PlannedColumn>& columns = {}) {
  if (common.json) {
    Json json = {{"rows", count(model.rows())},
                 {"classes", class_weights(model)},
                 {"rule", to_string(model.settings().rule)},
                 {"prior", to_string(model.settings().prior)},
                 {"parameters", scorer.parameters()},
                 {"log_likelihood", number(scorer.log_likelihood())},
                 {"model", path}};
    for (const auto& column : columns) {
      json["columns"].push_back(
          {{"name", column.name}, {"use", column.family}, {"reason", column.reason}});
    }
    print(json);
  }
  std::vector<std::string> classes;
  for (std::size_t c = 0; c < model.classes().size() && c < 12; ++c) {
    classes.push_back(model.classes()[c] + " " + format_number(model.class_weights()[c]));
  }
  if (model.classes().size() > 12) classes.push_back("…");
  note(common, "{} rows, {} classes ({}); {} free parameters, log-likelihood {} under {}",
       format_number(model.rows()), model.classes().size(), join(classes, ", "),
       scorer.parameters(), six_digits(scorer.log_likelihood()), to_string(model.settings().rule));
  if (model.unlabelled() > 0) {
    note(common, "{} without a value of \"{}\" left out",
         model.unlabelled() == 1 ? "1 row" : format_number(model.unlabelled()) + " rows",
         model.schema().target);
  }
  note(common, "wrote {}", path == "-" ? "stdout" : path);
}

void run_fit(const FitOptions& options) {
  if (options.discriminative) {
    return run_discriminative(options.plan, options.common, options.output, options.penalty);
  }
  refuse_same_file(options.output, options.plan.data.paths);
  auto planned = plan(options.plan, options.common);
  planned.model.learn(*planned.source, options.common.threads,
                      progress_bar(options.common, "learning"));
  finish_progress();
  note_oddities(options.common, *planned.source);
  require_two_classes(planned.model);
  // A rule that has nothing to go on is refused before writing.
  const Scorer checked(planned.model,
                       [&](const std::string& line) { note(options.common, "{}", line); });
  const auto path =
      options.output.empty() ? default_model_path(options.plan.data.paths) : options.output;
  save(planned.model, path);
  report(options.common, planned.model, checked, path, planned.columns);
}

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
    return data::in_class(data::open_messages(paths, schema), options.label);
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

// Learns DATA into an empty copy of the model, to be added or taken away.
Model learn_change(const ChangeOptions& options, const Model& model) {
  if (model.settings().hand_written) {
    throw Error(ErrorKind::model,
                options.model +
                    ": a hand-written model has probabilities, not counts: it cannot "
                    "be updated");
  }
  auto read = options.data.read();
  if (!options.data.missing_given) read.missing = model.schema().missing;
  auto source = options.label.empty() ? open_source(options.data.paths, read)
                                      : open_unlabelled(options, read, model.schema());
  source->select(model.schema(), true);
  Model change = model.empty();
  change.learn(*source, options.common.threads, progress_bar(options.common, "reading"));
  finish_progress();
  note_oddities(options.common, *source);
  return change;
}

// A prior that was given or adapted names every class: one that is new since gets the share of the
// rows that it has.
void make_room(const Common& common, Model& model) {
  auto& prior = model.settings().prior;
  if (prior.kind != ClassPrior::Kind::given) return;
  const auto weights = model.class_weights();
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const auto& name = model.classes()[c];
    const bool named = std::any_of(prior.shares.begin(), prior.shares.end(),
                                   [&](const auto& entry) { return entry.first == name; });
    if (named) continue;
    const double share = weights[c] / std::accumulate(weights.begin(), weights.end(), 0.0);
    for (auto& entry : prior.shares) entry.second *= 1 - share;
    prior.shares.emplace_back(name, share);
    note(common, "the model's prior has no share for class \"{}\": it gets {}, as among the rows",
         name, six_digits(share));
  }
  std::erase_if(prior.shares, [&](const auto& entry) {
    const auto& classes = model.classes();
    return std::find(classes.begin(), classes.end(), entry.first) == classes.end();
  });
}

void run_change(const ChangeOptions& options, bool forget) {
  refuse_same_file(options.output, options.data.paths);
  Model model = load(options.model);
  const Model change = learn_change(options, model);
  const auto& known = model.classes();
  if (!options.label.empty() && !forget &&
      std::find(known.begin(), known.end(), options.label) == known.end()) {
    note(options.common, "a new class: \"{}\"{}", options.label, suggestion(options.label, known));
  }
  if (forget) {
    model.forget(change);
  } else {
    model.merge(change);
  }
  const auto path = options.output.empty() ? options.model : options.output;
  if (model.classes().empty()) {
    throw Error(ErrorKind::data,
                "nothing would be left: delete the model instead (it is unchanged)");
  }
  make_room(options.common, model);
  const Scorer checked(model);
  save(model, path);
  report(options.common, model, checked, path);
}

void run_merge(const MergeOptions& options) {
  if (options.models.size() < 2)
    throw Error(ErrorKind::usage, "merge: two models or more are needed");
  Model model = load(options.models[0]);
  for (std::size_t i = 0; i < options.models.size(); ++i) {
    const Model other = load(options.models[i]);
    if (other.settings().hand_written) {
      throw Error(ErrorKind::model,
                  options.models[i] +
                      ": a hand-written model has probabilities, not counts: it cannot "
                      "be merged");
    }
    if (i > 0) model.merge(other);
  }
  save(model, options.output);
  report(options.common, model, Scorer(model), options.output);
}

void add_change(CLI::App& app, const std::string& name, const std::string& summary,
                const std::string& examples, bool forget) {
  auto options = std::make_shared<ChangeOptions>();
  auto* command = add_command(app, name, summary, examples);
  command->add_option("MODEL", options->model, "A model file")->required();
  add_data(command, options->data);
  command
      ->add_option("--class", options->label,
                   "The class of rows that have none: of messages, each a file, mailbox or folder "
                   "of files, or of a table without the class column")
      ->check([](const std::string& label) {
        return label.empty() ? std::string("a class has a name") : std::string();
      });
  command->add_option("-o,--output", options->output, "Where to write (default: over MODEL)");
  add_common(command, options->common, true);
  command->callback([=] { run_change(*options, forget); });
}

}  // namespace

void add_fit(CLI::App& app) {
  auto options = std::make_shared<FitOptions>();
  auto* command = add_command(
      app, "fit", "Learn a model from a table",
      "  credence fit tennis.csv --target PlayTennis -o tennis.credence\n"
      "  credence fit adult.csv.gz --target income --as 'age, hours: gaussian' --as 'id: ignore'\n"
      "  credence fit words.csv --target class --as 'good, bad, very: multinomial' --estimate "
      "laplace=1\n"
      "  zcat rows.csv.gz | credence fit - --target y --prior uniform");
  add_plan(command, options->plan);
  command->add_option("-o,--output", options->output,
                      "Where to write (default: DATA's name + .credence)");
  command->add_flag("--discriminative", options->discriminative, "Fit logistic regression instead");
  command->add_option("--penalty", options->penalty, "Of logistic regression (default: 1)");
  add_common(command, options->common, true);
  command->callback([=] { run_fit(*options); });
}

void add_update(CLI::App& app) {
  add_change(app, "update", "Add rows to a model",
             "  credence update tennis.credence more.csv\n"
             "  credence update tennis.credence more.csv -o newer.credence\n"
             "  credence update mail.credence missed.eml --class spam",
             false);
}

void add_forget(CLI::App& app) {
  add_change(app, "forget", "Take rows out of a model again, as if they had never been learnt",
             "  credence forget tennis.credence mistakes.csv\n"
             "  credence forget mail.credence mistaken.eml --class spam",
             true);
}

void add_merge(CLI::App& app) {
  auto options = std::make_shared<MergeOptions>();
  auto* command = add_command(app, "merge", "Add up models learnt on parts of the data",
                              "  credence merge monday.credence tuesday.credence -o both.credence");
  command->add_option("MODELS", options->models, "Model files")
      ->required()
      ->expected(2, 100000)
      ->type_name("MODEL MODEL ...");
  command->add_option("-o,--output", options->output, "Where to write")->required();
  add_common(command, options->common, true);
  command->callback([=] { run_merge(*options); });
}

}  // namespace credence::cli

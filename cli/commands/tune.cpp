// SPDX-License-Identifier: Apache-2.0
// credence tune: settings chosen by cross-validation, and the model fitted with them.
#include "choose/race.hpp"
#include "cli/choosing/tuning.hpp"
#include "cli/options/changed.hpp"
#include "cli/options/option_names.hpp"
#include "cli/print/metrics.hpp"
#include "core/strings.hpp"
#include "credence/io.hpp"
#include "hold_out/learn_all.hpp"

namespace credence::cli {
namespace {

// A block by its columns, as people know it.
std::string block_title(const Model& model, const BlockSpec& block) {
  std::vector<std::string> names;
  for (const auto column : block.columns) names.push_back(model.schema().columns[column].name);
  return join(names, ", ");
}

// The same in a table, where many names would push all else aside.
std::string short_title(const Model& model, const BlockSpec& block) {
  constexpr std::size_t most = 4;
  if (block.columns.size() <= most) return block_title(model, block);
  const auto name = [&](std::size_t i) { return model.schema().columns[block.columns[i]].name; };
  return fmt::format("{}, …, {} ({} columns)", name(0), name(block.columns.size() - 1),
                     block.columns.size());
}

// What is measured of every candidate.
struct Measured {
  const char *name, *key;
  double Tried::*value;
};

std::vector<Measured> columns_of(const TuneCommandOptions& options) {
  std::vector<Measured> result{{"accuracy", "accuracy", &Tried::accuracy},
                               {"log-loss", "log_loss", &Tried::log_loss}};
  if (!options.costs.empty()) result.push_back({"cost", "cost", &Tried::cost});
  if (options.by == "f1") result.push_back({"macro F1", "macro_f1", &Tried::macro_f1});
  if (options.by == "auc") result.push_back({"ROC-AUC", "roc_auc", &Tried::roc_auc});
  return result;
}

std::string to_text(const TuneCommandOptions& options, const Grid& grid, const Tuning& tuning,
                    const Model& model) {
  std::vector<std::vector<std::string>> rows(1, {""});
  for (const auto& axis : grid.axes) rows[0].push_back(axis.name);
  const auto columns = columns_of(options);
  for (const auto& column : columns) rows[0].emplace_back(column.name);
  std::string failures;
  for (std::size_t i = 0; i < tuning.tried.size(); ++i) {
    const auto& tried = tuning.tried[i];
    std::vector<std::string> row{i == tuning.best ? "*" : ""};
    row.insert(row.end(), grid.choices[i].begin(), grid.choices[i].end());
    const bool failed = !tried.failure.empty();
    for (const auto& column : columns) {
      row.push_back(failed ? "-" : fmt::format("{:.4f}", tried.*column.value));
    }
    if (failed)
      failures += fmt::format("{}: {}\n", join(grid.choices[i], ", "), worded(tried.failure));
    rows.push_back(std::move(row));
  }
  std::string text =
      aligned(rows, 0) + baseline_line(baseline_of(model.classes(), model.class_weights()));
  if (!failures.empty()) text += "\n" + failures;
  if (tuning.tried[tuning.best].weights.empty()) return text;
  std::vector<std::vector<std::string>> trust{{"column", "trust"}};
  for (const auto& block : model.blocks()) {
    trust.push_back({short_title(model, block), fmt::format("{:.4f}", block.weight)});
  }
  return text + "\n" + aligned(trust, 0);
}

Json to_json(const TuneCommandOptions& options, const Race& found, const Model& model,
             const std::string& path) {
  const auto& grid = found.grid;
  const auto& tuning = found.tuning;
  Json candidates = Json::array();
  for (std::size_t i = 0; i < tuning.tried.size(); ++i) {
    const auto& tried = tuning.tried[i];
    Json settings = Json::object();
    for (std::size_t a = 0; a < grid.axes.size(); ++a) {
      settings[grid.axes[a].name] = grid.choices[i][a];
    }
    Json entry{{"settings", std::move(settings)}};
    if (tried.failure.empty()) {
      for (const auto& column : columns_of(options)) {
        entry[column.key] = number(tried.*column.value);
      }
    } else {
      entry["failure"] = worded(tried.failure);
    }
    candidates.push_back(std::move(entry));
  }
  Json result{{"rows", count(model.rows())},
              {"folds", options.folds.folds},
              {"by", options.by},
              {"candidates", std::move(candidates)},
              {"best", tuning.best},
              {"rule", to_string(model.settings().rule)},
              {"prior", to_string(model.settings().prior)}};
  result["blocks"] = Json::array();
  for (const auto& block : model.blocks()) {
    result["blocks"].push_back({{"columns", block_title(model, block)},
                                {"family", block.family},
                                {"parameters", block.parameters},
                                {"trust", block.weight}});
  }
  result["model"] = path;
  return result;
}

// The choice among all candidates, whoever named them.
Race choose(const TuneCommandOptions& options, const Grid& grid, const std::vector<Chunk>& chunks,
            const TuneOptions& how) {
  note(options.common, "{} candidate{}, {}", grid.candidates.size(),
       grid.candidates.size() == 1 ? "" : "s",
       how.folds.leave_one_out ? "each row judged by all others" : options.folds.folds + " folds");
  if (options.tries.empty()) return race(grid, chunks, how, parse_effort(options.effort));
  return {grid, tune(grid.model, grid.candidates, chunks, how), 1};
}

TuneOptions how_to(const TuneCommandOptions& options) {
  TuneOptions how;
  how.folds = options.folds.parse();
  how.threads = options.common.threads;
  how.objective = parse_objective(options.by);
  how.calibrated = how.objective == Objective::log_loss;
  if (how.objective == Objective::cost && options.costs.empty()) {
    throw Error(ErrorKind::usage, "--by cost: say what decisions cost with --costs FILE");
  }
  if (!options.tries.empty() && options.effort != "normal") {
    throw Error(ErrorKind::usage, "--effort is for the automatic choice: leave out --try");
  }
  return how;
}

}  // namespace

void run_tune(TuneCommandOptions& options, const char* command) {
  const bool trusting = options.plan.take_trust();
  if (!options.plan.plan.trust.empty()) {
    throw Error(ErrorKind::usage,
                "--trust: the trust in columns is found here (--trust on, or --try 'trust: off | "
                "on'); numbers are for fit and cv");
  }
  TuneOptions how = how_to(options);
  refuse_same_file(options.output, options.plan.data.paths);
  auto source = open_source(options.plan.data.paths, options.plan.data.read());
  options.plan.beside = options.folds;
  const Grid grid = grid_of(options, *source, trusting);
  Schema read = grid.model.schema();
  if (const auto& column = options.folds.column(); !column.empty()) {
    how.folds = options.folds.parse(place_beside(read, column));
  }
  how.folds.at_most = options.fewer_folds;
  source->select(read, true);
  const auto chunks = read_watched(*source, options.common);
  if (!options.costs.empty()) {
    const Model labels = learn_all(Model(grid.model.schema(), {}), chunks, how.threads);
    how.costs = read_costs(options.costs, labels.classes());
  }
  how.progress = progress_bar(options.common, "tuning", "steps");
  const Race found = choose(options, grid, chunks, how);
  finish_progress();
  for (const auto& text : found.tuning.notes) note(options.common, "{}", worded(text));
  const auto& best = found.tuning.tried[found.tuning.best];
  Model model = fit_candidate(found.tuning.whole, found.grid.candidates[found.tuning.best], best);
  const PlanOptions chosen = chosen_plan(options, found, model);
  model = fit_chosen(options, chosen, found, chunks, how.calibrated);
  const auto path =
      options.output.empty() ? default_model_path(options.plan.data.paths) : options.output;
  const bool tuned = std::string_view(command) == "tune";
  model.record({command, model.rows(), options.when,
                tuned ? fmt::format("{} candidate{}", grid.candidates.size(),
                                    grid.candidates.size() == 1 ? "" : "s")
                      : ""});
  const auto lock = lock_to_write(options.common, path);
  save(model, path);
  if (options.common.json) {
    print(to_json(options, found, model, path));
  } else {
    print(to_text(options, found.grid, found.tuning, model));
  }
  if (found.step > 1) {
    note(options.common, "one row in {} was judged; all were learnt from", found.step);
  }
  if (options.tries.empty())
    note(options.common, "the same at once: {}", long_command(options, chosen));
  note(options.common, "wrote {}", path == "-" ? "stdout" : path);
}

void add_effort(CLI::App* command, std::string& effort) {
  command
      ->add_option("--effort", effort,
                   "Of the automatic choice: quick, normal (default) or thorough")
      ->check(one_of("effort", effort_names()));
}

void add_tune(CLI::App& app) {
  auto options = std::make_shared<TuneCommandOptions>();
  auto* command =
      add_command(app, "tune", "Choose settings by cross-validation, and fit a model with them",
                  "  credence tune adult.csv --target income -o adult.credence\n"
                  "  credence tune iris.csv --target species --try 'rule: bayes=0.1 | bayes=1' "
                  "--try '*: gaussian | kernel'");
  add_plan(command, options->plan);
  command
      ->add_option("--try", options->tries,
                   "Choices: 'age: gaussian | kernel', 'rule: bayes=0.1 | bayes=1', 'prior: "
                   "empirical | uniform', 'model: naive | lda', 'unseen: ignore | reserve', "
                   "'trust: off | on'; every combination of all --try is tried (default: a "
                   "race of families, trust and strengths of the prior)")
      ->allow_extra_args(false)
      ->take_all();
  command
      ->add_option(
          "--by", options->by,
          "What to choose by: log-loss (default), accuracy, cost, f1 (the classes' mean) or "
          "auc")
      ->check(one_of("objective", objective_names()));
  command->add_option("--costs", options->costs, "What decisions cost: a CSV file, as in predict");
  add_effort(command, options->effort);
  add_folds(command, options->folds);
  command->add_option("-o,--output", options->output, "The model file (default: as in fit)");
  add_writing(command, options->when, options->common);
  add_common(command, options->common, true);
  command->callback([=] { run_tune(*options, "tune"); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// credence tune: settings chosen by cross-validation, and the model fitted with them.
#include "choose/race.hpp"
#include "cli/commands/calibrate.hpp"
#include "cli/options/changed.hpp"
#include "cli/options/option_names.hpp"
#include "cli/options/tuning.hpp"
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
  std::string text = aligned(rows, 0);
  if (!failures.empty()) text += "\n" + failures;
  if (tuning.tried[tuning.best].weights.empty()) return text;
  std::vector<std::vector<std::string>> weights{{"column", "weight"}};
  for (const auto& block : model.blocks()) {
    weights.push_back({short_title(model, block), fmt::format("{:.4f}", block.weight)});
  }
  return text + "\n" + aligned(weights, 0);
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
                                {"weight", block.weight}});
  }
  result["model"] = path;
  return result;
}

Grid grid_of(const TuneCommandOptions& options, const Source& source) {
  Plan plan = options.plan.complete();
  if (plan.target.empty()) plan.target = source.default_target();
  plan.target = resolved_target(plan.target, source.profile());
  note_hopeless(options.common, plan.target, source.profile());
  const auto profile = to_learn_from(options.plan, plan, source.profile(), options.tries);
  std::vector<Axis> axes;
  for (const auto& text : options.tries) axes.push_back(parse_axis(text, profile));
  if (axes.empty()) axes = automatic_axes(plan, profile);
  return make_grid(std::move(axes), plan, profile);
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

// As a shell reads it.
std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

// What would choose the same at once: everything that was said, and in front of it what was chosen
// for columns of which nothing was.
std::string long_command(const TuneCommandOptions& options, const Race& found) {
  std::string text = "credence tune";
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", option, in_quotes(value));
  };
  const auto& [data, plan, rule, prior, unseen, shares, beside] = options.plan;
  for (const auto& path : data.paths) text += " " + in_quotes(path);
  add("--format", data.format);
  add("--delimiter", data.delimiter);
  if (data.no_header) text += " --no-header";
  if (data.missing_given) text += " --missing " + in_quotes(data.missing);
  add("--feature-names", data.feature_names);
  add("--bad-cells", data.bad_cells);
  add("--target", found.tuning.whole.schema().target);
  add("--model", plan.model);
  std::string tries;
  for (std::size_t a = 0; a < found.grid.axes.size(); ++a) {
    const auto& axis = found.grid.axes[a];
    const auto& choice = found.grid.choices[found.tuning.best][a];
    if (!axis.columns) {
      tries += " --try " + in_quotes(axis.name + ": " + choice);
    } else if (choice == "lda" || choice == "qda") {
      add("--model", choice);
    } else {
      add("--as", axis.line(choice));
    }
  }
  for (const auto& line : plan.as) add("--as", line);
  for (const auto& line : plan.values) add("--values", line);
  for (const auto& line : shares) add("--p", line);
  add("--prior", prior);
  add("--weights", plan.weights);
  add("--unseen", unseen);
  const auto rows = static_cast<std::size_t>(found.tuning.whole.rows());
  const auto usual = FoldOptions().folds;
  if (options.folds.folds != usual) add("--folds", options.folds.folds);
  if (options.folds.folds == usual && rows < Folds().count)
    text += fmt::format(" --folds {}", rows);
  add("--group-by", options.folds.group);
  add("--time", options.folds.time);
  return text + tries;
}

TuneOptions how_to(const TuneCommandOptions& options) {
  TuneOptions how;
  how.folds = options.folds.parse();
  how.threads = options.common.threads;
  how.objective = parse_objective(options.by);
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
  TuneOptions how = how_to(options);
  refuse_same_file(options.output, options.plan.data.paths);
  auto source = open_source(options.plan.data.paths, options.plan.data.read());
  options.plan.beside = options.folds;
  const Grid grid = grid_of(options, *source);
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
  how.progress = progress_bar(options.common, "tuning");
  const Race found = choose(options, grid, chunks, how);
  finish_progress();
  for (const auto& text : found.tuning.notes) note(options.common, "{}", worded(text));
  const auto& best = found.tuning.tried[found.tuning.best];
  Model model = fit_candidate(found.tuning.whole, found.grid.candidates[found.tuning.best], best);
  if (how.objective == Objective::log_loss) {
    RowSample sample;
    for (const auto& chunk : chunks) sample.add(chunk);
    note_calibrated(options.common, calibrate_by_sample(model, sample, how.threads));
  }
  const auto path =
      options.output.empty() ? default_model_path(options.plan.data.paths) : options.output;
  model.record({command, model.rows(), options.when,
                fmt::format("{} candidate{}", grid.candidates.size(),
                            grid.candidates.size() == 1 ? "" : "s")});
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
    note(options.common, "the same at once: {}", long_command(options, found));
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
                   "'weights: off | on'; every combination of all --try is tried (default: a "
                   "race of families, weights and strengths of the prior)")
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

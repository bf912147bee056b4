// SPDX-License-Identifier: Apache-2.0
// From the winner of a choice to the command that fits it.
#include <algorithm>
#include <tuple>

#include "cli/choosing/tuning.hpp"
#include "cli/commands/calibrate.hpp"
#include "cli/options/changed.hpp"
#include "core/strings.hpp"

namespace credence::cli {

Grid grid_of(const TuneCommandOptions& options, const Source& source, bool trusting) {
  Plan plan = options.plan.complete();
  if (plan.target.empty()) plan.target = source.default_target();
  plan.target = resolved_target(plan.target, source.profile());
  note_hopeless(options.common, plan.target, source.profile());
  const auto profile = to_learn_from(options.plan, plan, source.profile(), options.tries);
  std::vector<Axis> axes;
  for (const auto& text : options.tries) axes.push_back(parse_axis(text, profile));
  if (axes.empty()) axes = automatic_axes(plan, profile);
  if (trusting) {
    std::erase_if(axes, [](const Axis& axis) { return !axis.columns && axis.name == "trust"; });
    axes.push_back({"trust", {"on"}, false, false});
  }
  return make_grid(std::move(axes), plan, profile);
}

// The options of fit that say at once what was chosen.
PlanOptions chosen_plan(const TuneCommandOptions& options, const Race& found, const Model& model) {
  PlanOptions chosen = options.plan;
  auto& as = chosen.plan.as;
  for (std::size_t a = 0; a < found.grid.axes.size(); ++a) {
    const auto& axis = found.grid.axes[a];
    const auto& choice = found.grid.choices[found.tuning.best][a];
    if (axis.names_model(choice) || (!axis.columns && axis.name == "model")) {
      chosen.plan.model = choice;
    } else if (axis.columns) {
      const auto line = axis.line(choice);
      if (!line.empty()) as.insert(axis.yields ? as.begin() : as.end(), line);
    } else if (axis.name == "rule") {
      chosen.rule = choice;
    } else if (axis.name == "prior") {
      chosen.prior = choice;
    } else if (axis.name == "unseen") {
      chosen.unseen = choice;
    }
  }
  // A column that only says which rows are held out together is not learnt from.
  const auto& beside = options.folds.column();
  const auto& columns = model.schema().columns;
  const bool learnt = std::any_of(columns.begin(), columns.end(),
                                  [&](const auto& column) { return column.name == beside; });
  if (!beside.empty() && !learnt) as.push_back(beside + ": ignore");
  chosen.beside = {};
  chosen.plan.target = model.schema().target;
  if (found.grid.candidates[found.tuning.best].weigh) say_found(model, chosen);
  return chosen;
}

namespace {

// As a shell reads it.
std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

}  // namespace

// The command that fits the same model, bit for bit: nothing is magic.
std::string long_command(const TuneCommandOptions& options, const PlanOptions& chosen) {
  std::string text = "credence fit";
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", option, in_quotes(value));
  };
  const auto& [data, plan, rule, prior, unseen, shares, beside] = chosen;
  for (const auto& path : data.paths) text += " " + in_quotes(path);
  add("--format", data.format);
  add("--delimiter", data.delimiter);
  if (data.no_header) text += " --no-header";
  if (data.missing_given) text += " --missing " + in_quotes(data.missing);
  add("--feature-names", data.feature_names);
  add("--bad-cells", data.bad_cells);
  add("--target", plan.target);
  add("--model", plan.model);
  for (const auto& line : plan.as) add("--as", line);
  for (const auto& line : plan.values) add("--values", line);
  add("--estimate", rule);
  for (const auto& line : shares) add("--p", line);
  add("--prior", prior);
  add("--weights", plan.weights);
  add("--unseen", unseen);
  for (const auto& line : plan.trust) add("--trust", line);
  if (parse_objective(options.by) != Objective::log_loss) add("--calibrate", "none");
  add("--when", options.when);
  return text;
}

// As fit learns it: rows are read once more, in the chunks that its columns alone have. Those of a
// pipe are gone; the sums that are kept of them may differ in the last of 32 digits.
Model fit_chosen(const TuneCommandOptions& options, const PlanOptions& chosen, const Race& found,
                 const std::vector<Chunk>& chunks, bool calibrated) {
  const auto& paths = chosen.data.paths;
  Common quiet = options.common;
  quiet.quiet = true;
  SampleCalibration report;
  Model model({}, {});
  if (std::find(paths.begin(), paths.end(), "-") != paths.end()) {
    const auto& [whole, candidate, tried] =
        std::tie(found.tuning.whole, found.grid.candidates[found.tuning.best],
                 found.tuning.tried[found.tuning.best]);
    model = calibrated ? fit_calibrated(whole, candidate, tried, chunks, quiet.threads, &report)
                       : fit_candidate(whole, candidate, tried);
  } else {
    auto planned = plan(chosen, quiet);
    RowSample sample;
    planned.model.learn(*planned.source, quiet.threads, {},
                        [&](const Chunk& chunk) { sample.add(chunk); });
    model = std::move(planned.model);
    if (calibrated) report = calibrate_by_sample(model, sample, quiet.threads);
  }
  if (calibrated) note_calibrated(options.common, report);
  return model;
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// Calibration, novelty and tuning: what is learned from rows held out by subtraction.
#include "bindings.hpp"
#include "choose/race.hpp"
#include "credence/calibrate.hpp"
#include "credence/credence.hpp"
#include "credence/novelty.hpp"
#include "credence/tune.hpp"
#include "folds.hpp"
#include "parallel/stream.hpp"

namespace credence::python {
namespace {

// method "": the calibration stays as it is.
CalibrationReport calibrate_source(Model& model, Source& source, const std::string& method,
                                   bool novelty, bool held_out, const HoldingOut& how,
                                   unsigned threads) {
  CalibrationOptions options;
  if (!method.empty()) options.method = parse_calibration_method(method);
  options.novelty = novelty;
  options.held_out = held_out;
  auto [chunks, folds] = how.read(source, model.schema(), threads);
  options.folds = std::move(folds);
  return calibrate(model, chunks, options, threads);
}

// The p-value of every row's evidence, and for rows below `named_below` the columns that are
// strange.
std::pair<Vector, std::vector<std::vector<std::string>>> novelty(const Model& model,
                                                                 const Scorer& scorer,
                                                                 Source& source, double named_below,
                                                                 unsigned threads) {
  std::vector<double> all;
  std::vector<std::vector<std::string>> strange;
  {
    const nb::gil_scoped_release unlocked;
    const NoveltyTest test(model, scorer);
    struct Part {
      std::vector<double> p_values;
      std::vector<std::vector<std::string>> columns;
    };
    source.select(scorer.schema(), false);
    stream_chunks<Part>(
        source, threads, {},
        [&](const Chunk& chunk) {
          Part part{test.p_values(chunk), {}};
          part.columns.resize(chunk.rows);
          std::vector<std::size_t> unusual;
          for (std::size_t r = 0; r < chunk.rows; ++r) {
            if (part.p_values[r] < named_below) unusual.push_back(r);
          }
          auto found = test.strange_columns(chunk, unusual);
          for (std::size_t i = 0; i < unusual.size(); ++i) {
            part.columns[unusual[i]] = std::move(found[i]);
          }
          return part;
        },
        [&](Part part) {
          all.insert(all.end(), part.p_values.begin(), part.p_values.end());
          strange.insert(strange.end(), std::make_move_iterator(part.columns.begin()),
                         std::make_move_iterator(part.columns.end()));
        });
  }
  const std::size_t rows = all.size();
  return {to_numpy<Vector>(std::move(all), {rows}), std::move(strange)};
}

// What was tried: the choice of every axis, accuracy, log-loss, cost, why it failed.
using TriedRow =
    std::tuple<std::vector<std::string>, double, double, double, double, double, std::string>;
struct Tuned {
  Model model;
  std::vector<std::string> axes;
  std::vector<TriedRow> tried;
  std::size_t best = 0;
  std::vector<std::pair<std::string, double>> trust;  // in the blocks of the model
  std::vector<Use> columns;
};

// How candidates are chosen, and what becomes of the best.
struct Choosing {
  std::vector<std::string> tries;  // none: the automatic choice
  std::string by, effort;
  Costs costs;
  bool fewer_folds = false;  // where rows are few and nobody could say how many folds
  bool calibrated = false;
};

Tuned tune_source(Source& source, const Plan& plan, const Choosing& choosing, const HoldingOut& how,
                  unsigned threads) {
  TuneOptions options;
  options.threads = threads;
  options.objective = parse_objective(choosing.by);
  options.costs = choosing.costs;
  const bool automatic = choosing.tries.empty();
  std::vector<Axis> axes;
  for (const auto& text : choosing.tries) axes.push_back(parse_axis(text, source.profile()));
  if (automatic) axes = automatic_axes(plan, source.profile());
  const Grid all = make_grid(std::move(axes), plan, source.profile());
  auto [chunks, folds] = how.read(source, all.model.schema(), threads);
  options.folds = std::move(folds);
  options.folds.at_most = choosing.fewer_folds;
  options.calibrated = choosing.calibrated;
  const auto found = automatic ? race(all, chunks, options, parse_effort(choosing.effort))
                               : Race{all, tune(all.model, all.candidates, chunks, options), 1};
  const auto& grid = found.grid;
  const auto& tuning = found.tuning;
  const auto& best = tuning.tried[tuning.best];
  const auto& candidate = grid.candidates[tuning.best];
  Tuned result{options.calibrated ? fit_calibrated(tuning.whole, candidate, best, chunks, threads)
                                  : fit_candidate(tuning.whole, candidate, best),
               {},
               {},
               tuning.best,
               {},
               uses_of(grid.columns[tuning.best])};
  for (const auto& axis : grid.axes) result.axes.push_back(axis.name);
  for (std::size_t i = 0; i < tuning.tried.size(); ++i) {
    const auto& tried = tuning.tried[i];
    result.tried.emplace_back(grid.choices[i], tried.accuracy, tried.log_loss, tried.cost,
                              tried.macro_f1, tried.roc_auc, worded(tried.failure));
  }
  for (const auto& block : result.model.blocks()) {
    std::string title;
    for (const auto column : block.columns) {
      title += (title.empty() ? "" : ", ") + result.model.schema().columns[column].name;
    }
    result.trust.emplace_back(std::move(title), block.weight);
  }
  return result;
}

}  // namespace

void bind_judgement(nb::module_& module) {
  nb::class_<RowSample>(module, "RowSample").def(nb::init<>());
  module.def(
      "sampled_rows", [](std::uint64_t rows) { return sampled_rows(rows); }, nb::arg("rows"),
      Unlocked());
  module.def(
      "calibrate_by_sample",
      [](Model& model, const RowSample& sample, unsigned threads) {
        calibrate_by_sample(model, sample, threads);
      },
      nb::arg("model"), nb::arg("sample"), nb::arg("threads"), Unlocked());
  nb::class_<CalibrationReport>(module, "CalibrationReport")
      .def_ro("before", &CalibrationReport::before)
      .def_ro("after", &CalibrationReport::after)
      .def_ro("impossible", &CalibrationReport::impossible);
  nb::class_<Tuned>(module, "Tuned")
      .def_ro("model", &Tuned::model)
      .def_ro("axes", &Tuned::axes)
      .def_ro("tried", &Tuned::tried)
      .def_ro("best", &Tuned::best)
      .def_ro("trust", &Tuned::trust)
      .def_ro("columns", &Tuned::columns);
  nb::class_<Choosing>(module, "Choosing")
      .def(
          "__init__",
          [](Choosing* self, std::vector<std::string> tries, std::string by, std::string effort,
             std::vector<double> costs, double reject_cost, bool fewer_folds, bool calibrated) {
            new (self) Choosing{std::move(tries),  std::move(by),
                                std::move(effort), {std::move(costs), reject_cost},
                                fewer_folds,       calibrated};
          },
          nb::arg("tries"), nb::arg("by"), nb::arg("effort"), nb::arg("costs"),
          nb::arg("reject_cost"), nb::arg("fewer_folds"), nb::arg("calibrated"));
  module.def("calibrate", &calibrate_source, nb::arg("model"), nb::arg("source"), nb::arg("method"),
             nb::arg("novelty"), nb::arg("held_out"), nb::arg("folds"), nb::arg("threads"),
             Unlocked());
  module.def(
      "remove_calibration", [](Model& model) { model.settings().calibration.reset(); },
      nb::arg("model"));
  module.def("novelty", &novelty, nb::arg("model"), nb::arg("scorer"), nb::arg("source"),
             nb::arg("named_below"), nb::arg("threads"));
  module.def("tune", &tune_source, nb::arg("source"), nb::arg("wishes"), nb::arg("choosing"),
             nb::arg("folds"), nb::arg("threads"), Unlocked());
}

}  // namespace credence::python

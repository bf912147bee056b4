// SPDX-License-Identifier: Apache-2.0
// calibrate: probabilities that mean what they say, and what evidence is usual.
#include "cli/commands/calibrate.hpp"

#include <algorithm>

#include "answers/model.hpp"
#include "cli/options/changed.hpp"
#include "cli/options/models.hpp"
#include "cli/options/plan.hpp"
#include "cli/print/metrics.hpp"
#include "core/strings.hpp"
#include "credence/io.hpp"
#include "credence/novelty.hpp"
#include "measure/measures.hpp"

namespace credence::cli {
namespace {

struct CalibrateOptions {
  Common common;
  DataOptions data;
  std::string model;
  std::string output;
  std::string method;
  std::string when;
  FoldOptions folds;
  bool held_out = false;
  bool novelty = false;
};

const std::vector<std::string> methods{"temperature", "platt", "isotonic", "none"};

std::string describe(const Calibration& calibration) {
  if (calibration.method == Calibration::Method::isotonic) {
    std::size_t points = 0;
    for (const auto& curve : calibration.curves) points += curve.score.size();
    return fmt::format("isotonic, {} points in {} curve{}", points, calibration.curves.size(),
                       calibration.curves.size() == 1 ? "" : "s");
  }
  std::string text =
      fmt::format("{}, slope {}", to_string(calibration.method), six_digits(calibration.slope));
  for (std::size_t c = 1; c < calibration.bias.size() && c < 13; ++c) {
    text += fmt::format("{}{} {}", c == 1 ? ", bias " : ", ", calibration.classes[c],
                        six_digits(calibration.bias[c]));
  }
  return calibration.bias.size() > 13 ? text + ", …" : text;
}

// The model's columns and the one that says how rows are held out; `place` is where that is.
std::vector<Chunk> rows_to_fit_on(const DataOptions& data, Schema schema, const FoldOptions& folds,
                                  const Common& common, std::size_t& place) {
  auto read = data.read();
  if (!data.missing_given) read.missing = schema.missing;
  auto source = open_source(data.paths, read);
  if (!folds.column().empty()) {
    require_column(folds.option(), folds.column(), source->profile());
    place = place_beside(schema, folds.column());
  }
  source->select(schema, true);
  auto chunks = read_watched(*source, common);
  return chunks;
}

// Accuracy, log-loss, Brier score and calibration error.
const auto of_posteriors = std::span(measures).first(4);

Json figures(const Metrics& metrics) {
  Json json;
  for (const auto& measure : of_posteriors) json[measure.key] = number(metrics.*measure.value);
  return json;
}

std::string table(const CalibrationReport& report) {
  std::vector<std::vector<std::string>> rows{{"", "before", "after"}};
  for (const auto& measure : of_posteriors) {
    rows.push_back({measure.name, six_digits(report.before.*measure.value),
                    six_digits(report.after.*measure.value)});
  }
  return aligned(rows, 0) + baseline_line(baseline_of(report.before));
}

void note_report(const Common& common, const Model& model, const CalibrationReport& report,
                 bool calibrated, bool novelty) {
  if (report.impossible > 0) {
    note(common, "{} rows whose own class is impossible without them are left out",
         format_number(report.impossible));
  }
  if (calibrated) note(common, "calibration: {}", describe(*model.settings().calibration));
  const bool counted =
      model.settings().prior.kind == ClassPrior::Kind::empirical && !model.settings().hand_written;
  if (calibrated && report.other_prior && !counted) {
    note(common,
         "the prior of the model is not the shares of the classes among these rows, for which "
         "the probabilities were fitted");
  } else if (calibrated && !report.other_prior && report.after.log_loss > report.before.log_loss) {
    note(common,
         "the log-loss of the rows held out rises from {} to {} (the method temperature never "
         "raises it)",
         six_digits(report.before.log_loss), six_digits(report.after.log_loss));
  }
  if (novelty) {
    note(common, "novelty: the evidence of {} rows held out",
         format_number(model.settings().novelty->rows));
  }
}

void refuse_unused_column(const CalibrateOptions& options) {
  if (!options.held_out || options.folds.column().empty()) return;
  throw Error(ErrorKind::usage, options.folds.option() +
                                    " says which rows are held out together: under --held-out all "
                                    "are (leave one of the two out)");
}

void require_counts(const CalibrateOptions& options, const Model& model) {
  if (!model.settings().hand_written || options.held_out) return;
  throw Error(ErrorKind::usage,
              options.model +
                  ": a hand-written model has learned no rows: give labelled rows with --held-out");
}

void run(const CalibrateOptions& options) {
  refuse_same_file(options.output, options.data.paths);
  const auto path = options.output.empty() ? options.model : options.output;
  const auto lock = lock_to_write(options.common, path);
  Model model = load(options.model);
  if (model.settings().hand_written && options.output.empty()) {
    throw Error(ErrorKind::usage,
                options.model + ": a hand-written model is not written over (use -o)");
  }
  const bool removes = options.method == "none";
  if (removes) {
    model.settings().calibration.reset();
    model.record({"calibrate", 0, options.when, "none"});
  }
  if (!removes || options.novelty) {
    require_counts(options, model);
    refuse_unused_column(options);
    if (options.data.paths.empty()) {
      throw Error(ErrorKind::usage, "calibrate: labelled rows are needed (DATA)");
    }
    CalibrationOptions asked;
    if (!removes && (!options.method.empty() || !options.novelty)) {
      asked.method =
          parse_calibration_method(options.method.empty() ? "temperature" : options.method);
    }
    asked.novelty = options.novelty;
    asked.held_out = options.held_out;
    options.folds.parse();  // what is wrong with it is said before anything is read
    std::size_t place = 0;
    const auto chunks =
        rows_to_fit_on(options.data, model.schema(), options.folds, options.common, place);
    asked.folds = options.folds.parse(place);
    const auto report = calibrate(model, chunks, asked, options.common.threads);
    note_report(options.common, model, report, asked.method.has_value(), options.novelty);
    model.record({"calibrate", report.before.rows, options.when,
                  asked.method ? to_string(*asked.method) : "novelty"});
    if (options.common.json) {
      Json json = {{"rows", count(report.before.rows)},
                   {"impossible", count(report.impossible)},
                   {"before", figures(report.before)},
                   {"after", figures(report.after)}};
      add_extras(model, json);
      json["model"] = path;
      print(json);
    } else if (asked.method) {
      print(table(report));
    }
  }
  save(model, path);
  note(options.common, "wrote {}", path == "-" ? "stdout" : path);
}

}  // namespace

void FitCalibration::check(const DataOptions& data, bool discriminative, bool unlabelled) const {
  if (!asked()) return;
  const std::string option = method.empty() ? "--novelty" : "--calibrate";
  if (discriminative) {
    throw Error(ErrorKind::usage, option +
                                      " is for generative models: logistic regression fits "
                                      "its probabilities itself");
  }
  if (unlabelled) {
    throw Error(ErrorKind::usage,
                option +
                    " cannot hold out the rows of a fit with --unlabelled (fit first, then "
                    "credence calibrate MODEL DATA --held-out with other labelled rows)");
  }
  for (const auto& path : data.paths) {
    if (path != "-") continue;
    throw Error(ErrorKind::usage,
                option + " reads DATA twice, which stdin does not allow (save it to a file)");
  }
}

void FitCalibration::apply(Model& model, const DataOptions& data, const FoldOptions& folds,
                           const Common& common) const {
  if (!asked()) return;
  CalibrationOptions options;
  if (!method.empty() && method != "none") options.method = parse_calibration_method(method);
  options.novelty = novelty;
  Common quiet = common;  // what is odd about DATA has been said
  quiet.quiet = true;
  std::size_t place = 0;
  const auto chunks = rows_to_fit_on(data, model.schema(), folds, quiet, place);
  options.folds = folds.parse(place);
  options.folds.at_most = true;
  const auto report = calibrate(model, chunks, options, common.threads);
  note_report(common, model, report, options.method.has_value(), novelty);
}

void add_fit_calibration(CLI::App* command, FitCalibration& options) {
  command
      ->add_option(
          "--calibrate", options.method,
          "Calibrate the probabilities on rows held out: temperature, platt, isotonic or none "
          "(default: by some of the rows, where it helps)")
      ->check(one_of("method", methods));
  command->add_flag("--novelty", options.novelty,
                    "Keep what evidence rows held out have, for predict --novelty");
}

void note_calibrated(const Common& common, const SampleCalibration& found) {
  if (!found.taken) return;
  note(common,
       "calibrated by {} rows held out: slope {}, log-loss {} -> {} (--calibrate none leaves it "
       "out)",
       format_number(found.rows), six_digits(found.slope), six_digits(found.before),
       six_digits(found.after));
}

void drop_stale(const Common& common, Model& model) {
  auto& settings = model.settings();
  if (settings.calibration && !settings.calibration->fits(model)) {
    settings.calibration.reset();
    note(common, "the calibration was made for other classes: it is removed (credence calibrate)");
  }
  if (settings.novelty && !settings.novelty->fits(model)) {
    settings.novelty.reset();
    note(common,
         "what evidence is usual was measured with other classes: it is removed (credence "
         "calibrate --novelty)");
  }
}

std::string extras_text(const Model& model) {
  const auto& settings = model.settings();
  std::string text;
  if (settings.calibration) {
    const auto& calibration = *settings.calibration;
    const bool stale = calibration.model_rows != 0 && calibration.model_rows != model.rows();
    text += fmt::format(
        "  calibration: {}, from {} rows{}\n", describe(calibration),
        format_number(calibration.rows),
        !calibration.fits(model) ? " (of other classes: not used)"
        : stale ? fmt::format(" when the model had {} (credence calibrate makes it anew)",
                              format_number(calibration.model_rows))
                : "");
  }
  if (settings.novelty) {
    text += fmt::format("  novelty: the evidence of {} rows held out\n",
                        format_number(settings.novelty->rows));
  }
  return text;
}

void add_calibrate(CLI::App& app) {
  auto options = std::make_shared<CalibrateOptions>();
  auto* command =
      add_command(app, "calibrate", "Fit probabilities, and what is usual, to rows held out",
                  "  credence calibrate adult.credence adult.csv --method isotonic\n"
                  "  credence calibrate adult.credence more.csv --held-out -o calibrated.credence\n"
                  "  credence calibrate digits.credence digits.csv --novelty\n"
                  "  credence calibrate adult.credence --method none");
  command->add_option("MODEL", options->model, "A model file")->required();
  add_data(command, options->data, false);
  command
      ->add_option("--method", options->method,
                   "temperature (default), platt or isotonic; none: remove the calibration")
      ->check(one_of("method", methods));
  command->add_flag("--held-out", options->held_out,
                    "DATA are rows the model has not learned: score them as they are");
  command->add_flag("--novelty", options->novelty,
                    "Keep what evidence the rows have; the calibration stays unless --method");
  add_folds(command, options->folds);
  command->add_option("-o,--output", options->output, "Where to write (default: over MODEL)");
  add_writing(command, options->when, options->common);
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

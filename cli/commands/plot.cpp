// SPDX-License-Identifier: Apache-2.0
// plot: pictures of a model as SVG, PNG or PDF. docs/plot.md
#include "plot/plot.hpp"

#include <algorithm>

#include "ask/models/uncertainty.hpp"
#include "cli/options/judging.hpp"
#include "cli/options/models.hpp"
#include "cli/print/curve.hpp"
#include "cli/print/likelihood.hpp"
#include "core/chunk_rows.hpp"
#include "core/strings.hpp"
#include "credence/evaluate.hpp"
#include "io/file.hpp"

namespace credence::cli {
namespace {

const std::vector<std::string> kinds = {
    "density",     "posterior", "boundary", "feature",    "joint",    "coordinates", "evidence",
    "prior",       "scatter",   "heat",     "likelihood", "curve",    "confusion",   "roc",
    "reliability", "reject",    "cost",     "drift",      "structure"};
// Drawn from a table: no model stands before KIND.
const std::vector<std::string> kinds_of_tables = {"scatter", "heat", "likelihood", "curve"};
// About columns, which --x chooses, and those that can mark a new row.
const std::vector<std::string> kinds_of_columns = {"density", "posterior", "boundary", "feature",
                                                   "joint",   "scatter",   "heat"};
const std::vector<std::string> kinds_of_rows = {"evidence", "prior", "density", "posterior",
                                                "boundary", "joint", "scatter"};

bool among(const std::string& kind, const std::vector<std::string>& some) {
  return std::find(some.begin(), some.end(), kind) != some.end();
}

struct PlotOptions {
  Common common;
  DataOptions data;
  Overrides overrides;
  std::vector<std::string> words;  // MODEL [DATA] KIND
  std::string output;
  plot::View view;
  bool uncertainty = false;
  std::size_t row = 1;
  std::string around;            // shares of a class
  std::vector<std::string> as;   // of a likelihood, one; of a curve, any
  LikelihoodOptions likelihood;  // its column and success
  std::string target, weights, models = "naive,logistic", measure = "log-loss";  // of a curve
  double penalty = 1;
  std::size_t repeats = 10;
  std::uint64_t seed = 1;
  JudgingOptions judging;  // of pictures of labelled rows
  double width = 800, height = 600;
  std::string title;
};

// Takes KIND out of the arguments, wherever it stands after the first.
std::string take_kind(std::vector<std::string>& words) {
  for (std::size_t i = words.size(); i-- > 1;) {
    if (!among(words[i], kinds)) continue;
    const std::string kind = words[i];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    return kind;
  }
  const std::string& last = words.back();
  if (words.size() == 1 && among(last, kinds)) {
    const bool table = among(last, kinds_of_tables);
    throw Error(ErrorKind::usage,
                fmt::format("of which {0}? credence plot {1} {2}", table ? "table" : "model",
                            table ? "DATA" : "MODEL", last));
  }
  const std::string what = words.size() == 1
                               ? "which picture?"
                               : fmt::format("no picture \"{}\"{};", last, suggestion(last, kinds));
  throw Error(ErrorKind::usage, fmt::format("{} the kinds are {}", what, join(kinds, ", ")));
}

plot::Look look_of(const PlotOptions& options) {
  return {plot::format_of(options.output), options.width, options.height, options.title};
}

// What has a meaning for one kind only is refused for the others.
void refuse(bool given, const std::string& option, const std::string& kind) {
  if (!given) return;
  throw Error(ErrorKind::usage, fmt::format("{} does not apply to {}", option, kind));
}

void require_row(const PlotOptions& options, const std::string& kind) {
  if (!options.data.paths.empty()) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} of which row? give --given 'column=value, …' or DATA", kind));
}

// Row --row of DATA, or --given.
Chunk one_row(const PlotOptions& options, const Schema& schema, const std::string& kind) {
  if (!options.view.given.empty()) return parse_given(schema, {options.view.given});
  require_row(options, kind);
  auto source = open_rows({options.data, {}}, schema);
  std::size_t before = 0;
  for (RawChunk raw; source->read(raw); before += raw.rows) {
    if (options.row <= before + raw.rows)
      return slice_rows(source->parse(raw), options.row - before - 1, 1);
  }
  throw Error(ErrorKind::data, fmt::format("{}: --row {}, but there are {} rows",
                                           options.data.paths[0], options.row, before));
}

// The rows of DATA, in the columns of a model; none without DATA.
std::vector<Chunk> rows_of(const PlotOptions& options, const Schema& schema) {
  if (options.data.paths.empty()) return {};
  auto source = open_rows({options.data, {}}, schema);
  auto data = read_all(*source, options.common.threads, progress_bar(options.common, "reading"));
  finish_progress();
  return data;
}

// Why one row is decided as it is, and on request how sure that is.
std::string draw_evidence(const PlotOptions& options, const Loaded& loaded,
                          const plot::Look& look) {
  const auto& classifier = loaded.classifier();
  const Chunk row = one_row(options, classifier.schema(), "evidence");
  const auto why = classifier.explain(row, 0);
  std::optional<Interval> between;
  if (options.uncertainty && loaded.logistic) {
    throw Error(ErrorKind::usage, "--uncertainty does not apply to a logistic model");
  }
  if (options.uncertainty) {
    between = Uncertainty(*loaded.model, {}).log_odds(row, why.winner, why.other);
  }
  return plot::evidence(why, classifier.classes(), look, between);
}

// What needs no densities, only probabilities.
std::string draw_decisions(PlotOptions& options, const std::string& kind, const plot::Look& look) {
  const Loaded loaded = load_any(options.words[0], options.overrides);
  const auto& classifier = loaded.classifier();
  if (kind == "evidence") return draw_evidence(options, loaded, look);
  if (!options.judging.costs.empty()) {
    options.view.costs = read_costs(options.judging.costs, classifier.classes());
  }
  const auto data = rows_of(options, classifier.schema());
  if (kind == "boundary") {
    return loaded.model ? plot::boundary(*loaded.model, data, options.view, look)
                        : plot::boundary(classifier, data, options.view, look);
  }
  return loaded.model ? plot::posterior(*loaded.model, data, options.view, look)
                      : plot::posterior(classifier, data, options.view, look);
}

std::string draw_model(PlotOptions& options, const std::string& kind) {
  const auto look = look_of(options);
  if (among(kind, {"evidence", "boundary", "posterior"})) {
    return draw_decisions(options, kind, look);
  }
  if (among(kind, judging_kinds)) {
    const Loaded loaded = load_any(options.words[0], options.overrides);
    return draw_judged(kind, loaded.classifier(), options.data, options.judging, options.common,
                       look);
  }
  const Model model = load_model(options.words[0], options.overrides);
  if (kind == "prior")
    return plot::against_prior(model, one_row(options, model.schema(), kind), look);
  const auto data = rows_of(options, model.schema());
  if (kind == "density") return plot::density(model, data, options.view, look);
  if (kind == "joint") return plot::joint(model, data, options.view, look);
  if (kind == "coordinates") return plot::coordinates(model, data, look);
  if (kind == "structure") return plot::structure(model, look);
  return plot::feature(model, data, options.view, look);
}

std::string draw_likelihood(PlotOptions& options) {
  if (options.as.size() == 1) options.likelihood.as = options.as[0];
  return plot::likelihood(likelihood_of_column(options.likelihood, options.data, options.common),
                          look_of(options));
}

PlanOptions request_of(const PlotOptions& options) {
  PlanOptions request;
  request.data = options.data;
  request.plan.target = options.target;
  request.plan.weights = options.weights;
  request.plan.as = options.as;
  request.rule = options.overrides.rule;
  request.prior = options.overrides.prior;
  return request;
}

std::string draw_curve(const PlotOptions& options) {
  const auto request = request_of(options);
  auto planned = plan(request, options.common);
  const auto models = contenders(options.models, request, planned);
  const auto chunks =
      read_all(*planned.source, options.common.threads, progress_bar(options.common, "reading"));
  finish_progress();
  LogisticOptions logistic;
  logistic.penalty = options.penalty;
  const auto curve = learning_curve(models, chunks, {options.repeats, options.seed}, logistic,
                                    options.common.threads);
  return curve_chart(options.target, options.measure, models, curve, look_of(options));
}

// The rows of a table as they are. How a model would use its columns is of no interest.
std::string draw_rows(const PlotOptions& options, const std::string& kind) {
  Common quiet = options.common;
  quiet.quiet = true;
  auto planned = plan(request_of(options), quiet);
  const auto data =
      read_all(*planned.source, options.common.threads, progress_bar(options.common, "reading"));
  finish_progress();
  const auto& schema = planned.model.schema();
  return kind == "scatter" ? plot::scatter(schema, data, options.view, look_of(options))
                           : plot::heat(schema, data, options.view, look_of(options));
}

std::string draw(PlotOptions& options, const std::string& kind) {
  if (kind == "likelihood") return draw_likelihood(options);
  if (kind == "curve") return draw_curve(options);
  if (among(kind, {"scatter", "heat"})) return draw_rows(options, kind);
  return draw_model(options, kind);
}

// "0.95,0.5"
std::vector<double> shares_in(const std::string& text) {
  std::vector<double> shares;
  if (text.empty()) return shares;
  for (const auto& part : split(text, ',')) {
    const auto share = to_number(part);
    if (!share || !(*share > 0) || !(*share < 1)) {
      throw Error(ErrorKind::usage,
                  fmt::format("--around: \"{}\" is not a share between 0 and 1, as 0.95 is", part));
    }
    shares.push_back(*share);
  }
  return shares;
}

// The options that only some kinds know.
void refuse_foreign(const PlotOptions& options, const CLI::App& command, const std::string& kind) {
  const auto& view = options.view;
  const bool columns = among(kind, kinds_of_columns);
  const bool rows = among(kind, {"scatter", "heat"});
  refuse(!view.x.empty() && !columns, "--x", kind);
  refuse(!view.y.empty() && (!columns || among(kind, {"feature", "joint"})), "--y", kind);
  refuse(!view.at.empty() && (!columns || rows), "--at",
         kind == "evidence" ? kind + " (use --given)" : kind);
  refuse(!view.given.empty() && !among(kind, kinds_of_rows), "--given", kind);
  refuse(!options.around.empty() && kind != "density", "--around", kind);
  refuse(view.all && kind != "feature", "--all", kind);
  refuse(options.uncertainty && kind != "evidence", "--uncertainty", kind);
  refuse(!options.likelihood.column.empty() && kind != "likelihood", "--column",
         columns ? kind + " (use --x)" : kind);
  refuse(!options.likelihood.success.empty() && kind != "likelihood", "--success", kind);
  refuse(!options.as.empty() && !among(kind, kinds_of_tables), "--as", kind);
  refuse(!options.target.empty() && kind != "curve" && !rows, "--target", kind);
  refuse(!options.weights.empty() && kind != "curve" && !rows, "--weights", kind);
  refuse(!options.judging.costs.empty() && !among(kind, {"cost", "boundary"}), "--costs", kind);
  refuse(!options.judging.time.empty() && kind != "drift", "--time", kind);
  // These have a value even if it was not given.
  const auto only_for = [&](const std::string& option, const std::vector<std::string>& its_kinds) {
    refuse(command.count(option) > 0 && !among(kind, its_kinds), option, kind);
  };
  only_for("--blocks", {"drift"});
  only_for("--row", {"evidence", "prior"});
  for (const auto* option : {"--models", "--measure", "--penalty", "--repeats", "--seed"}) {
    only_for(option, {"curve"});
  }
}

void run(PlotOptions& options, const CLI::App& command) {
  const std::string kind = take_kind(options.words);
  refuse_foreign(options, command, kind);
  options.view.around = shares_in(options.around);
  look_of(options);  // an ending that does not exist is said before anything is read
  if (among(kind, kinds_of_tables)) {
    options.data.paths = options.words;
  } else {
    options.data.paths.assign(options.words.begin() + 1, options.words.end());
  }
  if (options.output != "-") refuse_same_file(options.output, options.words);
  write_atomically(options.output, draw(options, kind));
}

void add_what_is_drawn(CLI::App* command, PlotOptions& options) {
  command
      ->add_option(
          "MODEL", options.words,
          "MODEL [DATA] KIND: a model, rows to draw on top of it, and one of\n"
          "density, posterior, boundary, feature, joint, coordinates, evidence, prior, structure;\n"
          "with labelled rows: confusion, roc, reliability, reject, cost, drift;\n"
          "or DATA KIND: scatter, heat, likelihood, curve")
      ->required();
  command->add_option("-o,--output", options.output, "The file to write: .svg, .png or .pdf")
      ->required();
  command->add_option("--x", options.view.x,
                      "The column along x (default: the first of numbers; feature: the first)");
  command->add_option("--y", options.view.y, "The column along y (default: the next of numbers)");
  command->add_option("--at", options.view.at,
                      "Fix other columns, as in 'age=40,sex=f' (default: they are summed out)");
  command->add_option("--given", options.view.given,
                      "A row, as in 'Outlook=Sunny': that of evidence and prior; others mark it");
  command->add_option("--row", options.row, "evidence, prior: which row of DATA (default: 1)")
      ->check(whole_number(1));
  command->add_flag("--uncertainty", options.uncertainty,
                    "evidence: between what the log-odds lie, as rows are few");
  command->add_option("--around", options.around,
                      "density: lines around these shares of each class, as in 0.95 (an ellipse\n"
                      "where it is gaussian), instead of at shares of its peak");
  command->add_flag("--all", options.view.all, "feature: every feature of a bag, in their order");
  command->add_option("--column", options.likelihood.column, "likelihood: the column");
  command
      ->add_option("--as", options.as,
                   "likelihood: binomial, poisson or gaussian; other tables: as for fit")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--success", options.likelihood.success,
                      "likelihood: the value that counts as success");
  command->add_option("--target", options.target,
                      "curve, scatter, heat: the column that holds the class");
  command->add_option("--weights", options.weights,
                      "curve, heat: the column with the weight of a row");
  command->add_option("--models", options.models,
                      "curve: of naive, logistic, lda, qda (default: naive,logistic)");
  command->add_option("--measure", options.measure, "curve: log-loss (default) or accuracy")
      ->check(one_of("measure", curve_measures));
  command->add_option("--penalty", options.penalty, "curve: of logistic (default: 1)")
      ->check(penalty_number());
  command->add_option("--repeats", options.repeats, "curve: random splits (default: 10)")
      ->check(whole_number(2));
  command->add_option("--seed", options.seed, "curve: of the shuffling (default: 1)")
      ->check(whole_number(0));
}

}  // namespace

void add_plot(CLI::App& app) {
  auto options = std::make_shared<PlotOptions>();
  auto* command = add_command(
      app, "plot", "Draw a model: SVG, PNG or PDF",
      "  credence plot iris.credence iris.csv density --x petal_length --y petal_width -o "
      "iris.svg\n"
      "  credence plot iris.credence posterior -o posterior.png --width 1600 --height 900\n"
      "  credence plot tennis.credence feature --x Outlook -o outlook.pdf\n"
      "  credence plot tennis.credence evidence --given 'Outlook=Sunny,Wind=Strong' -o why.svg\n"
      "  credence plot iris.credence iris.csv coordinates -o plane.svg\n"
      "  credence plot iris.csv scatter --target species -o iris.svg\n"
      "  credence plot toss.csv likelihood --column toss --as binomial -o likelihood.svg\n"
      "  credence plot iris.csv curve --target species --models naive,lda,logistic -o curve.svg\n"
      "  credence plot mail.credence test.csv roc -o roc.svg\n"
      "  credence plot mail.credence test.csv drift --time date -o drift.svg");
  add_what_is_drawn(command, *options);
  add_judging(command, options->judging);
  command->add_option("--width", options->width, "Pixels (default: 800)")->check(whole_number(1));
  command->add_option("--height", options->height, "Pixels (default: 600)")->check(whole_number(1));
  command->add_option("--title", options->title, "Another title");
  add_reading(command, options->data);
  add_overrides(command, options->overrides);
  add_common(command, options->common, false);
  command->callback([=] { run(*options, *command); });
}

}  // namespace credence::cli

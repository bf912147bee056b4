// SPDX-License-Identifier: Apache-2.0
// plot: pictures of a model as SVG, PNG or PDF. docs/plot.md
#include "plot/plot.hpp"

#include <algorithm>
#include <cmath>

#include "ask/estimate.hpp"
#include "core/stream.hpp"
#include "core/text.hpp"
#include "credence/evaluate.hpp"
#include "io/file.hpp"
#include "models.hpp"

namespace credence::cli {
namespace {

const std::vector<std::string> kinds = {"density", "posterior", "boundary",
                                        "feature", "evidence",  "likelihood"};

struct PlotOptions {
  Common common;
  DataOptions data;
  Overrides overrides;
  std::vector<std::string> words;  // MODEL [DATA] KIND
  std::string output;
  plot::View view;
  std::string given;
  std::size_t row = 1;
  std::string column, as, success;  // of a likelihood
  double width = 800, height = 600;
  std::string title;
};

// Takes KIND out of the arguments, wherever it stands after the first.
std::string take_kind(std::vector<std::string>& words) {
  for (std::size_t i = words.size(); i-- > 1;) {
    if (std::find(kinds.begin(), kinds.end(), words[i]) == kinds.end()) continue;
    const std::string kind = words[i];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    return kind;
  }
  const std::string& last = words.back();
  if (words.size() == 1 && std::find(kinds.begin(), kinds.end(), last) != kinds.end()) {
    throw Error(ErrorKind::usage, fmt::format("of which model? credence plot MODEL {}", last));
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

Explanation explained_row(const PlotOptions& options, const Model& model, const Scorer& scorer) {
  if (!options.given.empty()) {
    return scorer.explain(parse_given(model.schema(), {options.given}), 0);
  }
  if (options.data.paths.empty()) {
    throw Error(ErrorKind::usage, "evidence of which row? give --given 'column=value, …' or DATA");
  }
  auto source = open_rows({options.data, {}}, model, false);
  std::size_t before = 0;
  for (RawChunk raw; source->read(raw); before += raw.rows) {
    if (options.row <= before + raw.rows)
      return scorer.explain(source->parse(raw), options.row - before - 1);
  }
  throw Error(ErrorKind::data, fmt::format("{}: --row {}, but there are {} rows",
                                           options.data.paths[0], options.row, before));
}

// Binomial, Poisson and Gaussian log-likelihoods around their maximum, without the constants that
// do not depend on the parameter: at the maximum it is the estimate's own.
plot::Likelihood likelihood_of(const EstimateRequest& request, const GroupEstimate& estimate) {
  plot::Likelihood result;
  const auto& first = estimate.parameters.front();
  const double n = estimate.weight, best = first.estimate, top = estimate.log_likelihood;
  result.best = best;
  result.subtitle = fmt::format("{} {}", format_number(n), n == 1 ? "row" : "rows");
  const auto around = [&](double deviation) {
    return plot::Range{best - 4 * deviation, best + 4 * deviation};
  };
  if (request.distribution == Distribution::binomial) {
    result.parameter = "\u03b8";
    result.title = fmt::format("Likelihood of \u03b8 = P({} = {})", request.column, first.value);
    result.range = {0, 1};
    result.log_likelihood = [=](double theta) {
      const double ones = n * best, zeros = n - ones;
      const auto term = [](double count, double p) { return count == 0 ? 0 : count * std::log(p); };
      return term(ones, theta) + term(zeros, 1 - theta);
    };
  } else if (request.distribution == Distribution::poisson) {
    result.parameter = "rate";
    result.title = fmt::format("Likelihood of the rate of {}", request.column);
    result.range = around(std::sqrt(std::max(best, 0.25 / n) / n));
    result.range.low = std::max(0.0, result.range.low);
    result.log_likelihood = [=](double rate) {
      const double sum = n * best;
      return top + (sum == 0 ? 0 : sum * std::log(rate / best)) - n * (rate - best);
    };
  } else if (request.distribution == Distribution::gaussian) {
    double variance = 0;
    for (const auto& p : estimate.parameters) {
      if (p.name == "variance") variance = p.estimate;
    }
    result.parameter = "mean";
    result.title = fmt::format("Likelihood of the mean of {}", request.column);
    result.subtitle += fmt::format("; standard deviation {:.6g}", std::sqrt(variance));
    result.range = around(std::sqrt(variance / n));
    result.log_likelihood = [=](double mean) {
      return top - n * (mean - best) * (mean - best) / (2 * variance);
    };
  } else {
    throw Error(ErrorKind::usage,
                "likelihood: --as is binomial, poisson or gaussian (one parameter to draw)");
  }
  return result;
}

std::string draw_likelihood(PlotOptions& options) {
  if (options.column.empty() || options.as.empty()) {
    throw Error(ErrorKind::usage,
                "likelihood: name the column and its distribution, as in --column toss "
                "--as binomial");
  }
  EstimateRequest request;
  request.column = options.column;
  request.distribution = parse_distribution(options.as);
  request.rule = Rule{Rule::Kind::mle, 0};
  request.success = options.success;
  ColumnStatistics statistics(request);
  const ReadOptions read = options.data.read();
  const auto source = open_source(options.data.paths, read);
  std::vector<std::string> names;
  for (const auto& column : source->profile()) names.push_back(column.name);
  if (std::find(names.begin(), names.end(), options.column) == names.end()) {
    auto hint = suggestion(options.column, names);
    if (hint.empty() && names.size() <= 12) hint = "; the columns are " + join(names, ", ");
    throw Error(ErrorKind::usage,
                fmt::format("--column: no column \"{}\"{}", options.column, hint));
  }
  source->select(schema_of(request, "", read.missing), true);
  for_each_chunk(*source, options.common.threads, progress_bar(options.common, "reading"),
                 [&](const Chunk& chunk) { statistics.observe(chunk); });
  finish_progress();
  const auto estimate = statistics.estimate().front();
  return plot::likelihood(likelihood_of(request, estimate), look_of(options));
}

std::string draw_model(PlotOptions& options, const std::string& kind) {
  const Model model = load_model(options.words[0], options.overrides);
  const auto look = look_of(options);
  if (kind == "evidence") {
    const Scorer scorer(model);
    return plot::evidence(explained_row(options, model, scorer), scorer.classes(), look);
  }
  std::vector<Chunk> data;
  if (!options.data.paths.empty()) {
    auto source = open_rows({options.data, {}}, model, false);
    data = read_all(*source, options.common.threads, progress_bar(options.common, "reading"));
    finish_progress();
  }
  if (kind == "density") return plot::density(model, data, options.view, look);
  if (kind == "posterior") return plot::posterior(model, data, options.view, look);
  if (kind == "boundary") return plot::boundary(model, data, options.view, look);
  return plot::feature(model, data, options.view, look);
}

void run(PlotOptions& options) {
  const std::string kind = take_kind(options.words);
  refuse(!options.view.y.empty() && (kind == "feature" || kind == "evidence"), "--y", kind);
  refuse(!options.view.x.empty() && kind == "evidence", "--x", kind);
  refuse(!options.view.at.empty() && kind == "evidence", "--at", kind + " (use --given)");
  refuse(!options.given.empty() && kind != "evidence", "--given", kind);
  refuse(!options.column.empty() && kind != "likelihood", "--column", kind + " (use --x)");
  look_of(options);  // an ending that does not exist is said before anything is read
  if (kind == "likelihood") {
    options.data.paths = options.words;
  } else {
    options.data.paths.assign(options.words.begin() + 1, options.words.end());
  }
  if (options.output != "-") refuse_same_file(options.output, options.words);
  write_atomically(options.output,
                   kind == "likelihood" ? draw_likelihood(options) : draw_model(options, kind));
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
      "  credence plot toss.csv likelihood --column toss --as binomial -o likelihood.svg");
  command
      ->add_option("MODEL", options->words,
                   "MODEL [DATA] KIND: a model, rows to draw on top of it, and one of\n"
                   "density, posterior, boundary, feature, evidence; or DATA likelihood")
      ->required();
  command->add_option("-o,--output", options->output, "The file to write: .svg, .png or .pdf")
      ->required();
  command->add_option("--x", options->view.x,
                      "The column along x (default: the first of numbers; feature: the first)");
  command->add_option("--y", options->view.y, "The column along y (default: the next of numbers)");
  command->add_option("--at", options->view.at,
                      "Fix other columns, as in 'age=40,sex=f' (default: they are summed out)");
  command->add_option("--given", options->given, "evidence: the row, as in 'Outlook=Sunny'");
  command->add_option("--row", options->row, "evidence: which row of DATA (default: 1)")
      ->check(whole_number(1));
  command->add_option("--column", options->column, "likelihood: the column");
  command->add_option("--as", options->as, "likelihood: binomial, poisson or gaussian");
  command->add_option("--success", options->success,
                      "likelihood: the value that counts as success");
  command->add_option("--width", options->width, "Pixels (default: 800)")->check(whole_number(1));
  command->add_option("--height", options->height, "Pixels (default: 600)")->check(whole_number(1));
  command->add_option("--title", options->title, "Another title");
  add_reading(command, options->data);
  add_overrides(command, options->overrides);
  add_common(command, options->common, false);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/options/judging.hpp"

#include "cli/options/folds.hpp"
#include "cli/options/models.hpp"
#include "plot/judged/judged.hpp"

namespace credence::cli {

const std::vector<std::string> judging_kinds = {"confusion", "roc",  "reliability",
                                                "reject",    "cost", "drift"};

void add_judging(CLI::App* command, JudgingOptions& options) {
  command->add_option(
      "--costs", options.costs,
      "cost, boundary: a CSV file of what each decision costs (default: 1 for a mistake)");
  command->add_option("--time", options.time,
                      "drift: the column that orders rows (default: as they come)");
  command->add_option("--blocks", options.blocks, "drift: how many points (default: 20)")
      ->check(whole_number(2));
}

namespace {

std::vector<Chunk> read_rows(const DataOptions& data, const Schema& schema, const Common& common) {
  auto source = open_rows({data, {}}, schema);
  auto rows = read_watched(*source, common, false);
  return rows;
}

// The classifier's columns and the time's, which may be one of them.
plot::Drift drift_options(const JudgingOptions& options, const DataOptions& data,
                          const Schema& schema) {
  plot::Drift result{options.blocks, Folds::no_column, schema};
  if (options.time.empty()) return result;
  result.time_column = place_beside(result.schema, options.time);
  if (result.time_column == schema.columns.size()) {
    require_column("--time", options.time, open_source(data.paths, data.read())->profile());
  }
  return result;
}

}  // namespace

std::string draw_judged(const std::string& kind, const Classifier& classifier,
                        const DataOptions& data, const JudgingOptions& options,
                        const Common& common, const plot::Look& look) {
  if (data.paths.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} of which rows? credence plot MODEL DATA {}", kind, kind));
  }
  if (kind == "drift") {
    const auto drift = drift_options(options, data, classifier.schema());
    return plot::drift(classifier, read_rows(data, drift.schema, common), drift, look);
  }
  Costs costs;
  if (!options.costs.empty()) costs = read_costs(options.costs, classifier.classes());
  const auto judged = plot::judge_rows(classifier, read_rows(data, classifier.schema(), common), {},
                                       common.threads);
  if (kind == "confusion") return plot::confusion(judged, look);
  if (kind == "roc") return plot::roc(judged, look);
  if (kind == "reliability") return plot::reliability(judged, look);
  if (kind == "reject") return plot::reject(judged, look);
  return plot::cost(judged, costs, look);
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/print/likelihood.hpp"

#include <algorithm>
#include <cmath>

#include "ask/estimate.hpp"
#include "cli/options/plan.hpp"
#include "core/strings.hpp"
#include "parallel/stream.hpp"

namespace credence::cli {
namespace {

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

}  // namespace

plot::Likelihood likelihood_of_column(const LikelihoodOptions& options, const DataOptions& data,
                                      const Common& common) {
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
  const ReadOptions read = data.read();
  const auto source = open_source(data.paths, read);
  std::vector<std::string> names;
  for (const auto& column : source->profile()) names.push_back(column.name);
  if (std::find(names.begin(), names.end(), options.column) == names.end()) {
    auto hint = suggestion(options.column, names);
    if (hint.empty() && names.size() <= 12) hint = "; the columns are " + join(names, ", ");
    throw Error(ErrorKind::usage,
                fmt::format("--column: no column \"{}\"{}", options.column, hint));
  }
  source->select(as_written(schema_of(request, "", read.missing), *source), true);
  for_each_chunk(*source, common.threads, progress_bar(common, "reading"),
                 [&](const Chunk& chunk) { statistics.observe(chunk); });
  finish_progress();
  const auto estimate = statistics.estimate().front();
  return likelihood_of(request, estimate);
}

}  // namespace credence::cli

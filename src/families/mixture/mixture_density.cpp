// SPDX-License-Identifier: Apache-2.0
#include "families/mixture/mixture_density.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "core/moments.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/block_density.hpp"
#include "families/numeric.hpp"

namespace credence {
namespace {

using Eigen::Index;

MixturePrior prior_of(const Rule& rule, const BlockFrame& frame, const MixtureOptions& options) {
  MixturePrior prior{imaginary_rows(rule)};
  if (rule.kind == Rule::Kind::map) {
    prior.extra = options.diagonal ? 3 : 2 * static_cast<double>(frame.kept.size()) + 1;
  }
  if (options.floor > 0) prior.floor = (options.floor / frame.unit.array().square()).min(1e280);
  return prior;
}

// The rows of one class in units of the columns; rows that have none of those columns are left out.
MixtureRows rows_in_frame(const RetainedRows& rows, const BlockFrame& frame) {
  const auto d = static_cast<Index>(frame.kept.size());
  MixtureRows result{Eigen::MatrixXd(d, static_cast<Index>(rows.size())),
                     Eigen::VectorXd(static_cast<Index>(rows.size()))};
  Index n = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    bool present = false;
    for (Index i = 0; i < d; ++i) {
      const double x = rows.row(r)[frame.kept[static_cast<std::size_t>(i)]];
      result.values(i, n) = (x - frame.origin[i]) / frame.unit[i];
      present = present || !std::isnan(x);
    }
    result.weights[n] = rows.weight(r);
    if (present) ++n;
  }
  result.values.conservativeResize(d, n);
  result.weights.conservativeResize(n);
  return result;
}

// Steps 1, 2, 5, 10, 20, … and the last: how the log-likelihood rose.
std::string describe_rise(const std::vector<double>& rise, double offset) {
  std::vector<std::string> parts;
  std::size_t next = 1;
  for (std::size_t step = 1; step <= rise.size(); ++step) {
    if (step != next && step != rise.size()) continue;
    parts.push_back(fmt::format("{:.6g}", rise[step - 1] + offset));
    if (step == next) {
      const auto lead = fmt::format("{}", next)[0];
      next = lead == '2' ? next / 2 * 5 : next * 2;
    }
  }
  return join(parts, " -> ");
}

// What a change of units adds to the log density of all rows.
double log_units(const MixtureRows& rows, const BlockFrame& frame) {
  double sum = 0;
  for (Index r = 0; r < rows.values.cols(); ++r) {
    for (Index i = 0; i < rows.values.rows(); ++i) {
      if (!std::isnan(rows.values(i, r))) sum -= rows.weights[r] * std::log(frame.unit[i]);
    }
  }
  return sum;
}

// Of a class without rows all sums are empty.
MixtureExpectation expected_of(const MixtureRows& rows, const MixtureComponents& components,
                               const MixturePrior& prior) {
  if (rows.weights.size() > 0) return expect(rows, components, prior);
  MixtureExpectation result;
  result.sums.resize(components.size());
  return result;
}

class MixtureDensity : public BlockDensity {
 public:
  MixtureDensity(const MixtureBlockData& data, const Estimation& estimation,
                 const BlockFrame& frame, const MixtureSolution& solution)
      : BlockDensity("mixture", data.indices, data.names, frame) {
    numbered_ = true;
    diagonal_ = data.options.diagonal;
    if (estimation.rule.kind == Rule::Kind::bayes) {
      predictive_ = "each component Student's t: mean and covariance integrated out";
    }
    const auto prior = prior_of(estimation.rule, frame, data.options);
    for (std::size_t c = 0; c < solution.size(); ++c) {
      classes_.emplace_back();
      if (solution[c].empty()) continue;
      const auto rows = rows_in_frame(data.classes[c], frame);
      const auto expected = expected_of(rows, solution[c], prior);
      log_likelihood += expected.log_likelihood + log_units(rows, frame);
      parameters += mixture_parameters(solution[c].size(), frame.kept.size(), diagonal_);
      read(solution[c], expected, prior, estimation.rule);
    }
    finish();
  }

  std::string linear(LinearForm&) const override {
    return join(names_, ", ") + ": a mixture is not linear";
  }

 private:
  // The rule's reading of what the components are responsible for.
  void read(const MixtureComponents& components, const MixtureExpectation& expected,
            const MixturePrior& prior, const Rule& rule) {
    for (std::size_t k = 0; k < components.size(); ++k) {
      const auto& c = components[k];
      const double rows = expected.sums[k].weight;
      const double weight = rows + prior.rows / static_cast<double>(components.size());
      Part part{c.share, {c.mean, c.covariance, infinity, c.covariance, diagonal_}};
      if (rule.kind == Rule::Kind::unbiased) {
        if (!(rows > 1)) {
          throw Error(ErrorKind::data,
                      fmt::format("columns \"{}\": a component has too few rows for a covariance "
                                  "divided by N - 1 (use {})",
                                  join(names_, ", "), setting("rule", "bayes")));
        }
        // What the floor adds is no sum over rows.
        const bool floored = prior.floor.size() > 0;
        if (floored) part.density.scale.diagonal() -= prior.floor;
        part.density.scale *= rows / (rows - 1);
        if (floored) part.density.scale.diagonal() += prior.floor;
      }
      if (!predictive_.empty()) {
        part.density.scale *= (weight + 1) / weight;
        part.density.freedom = weight;
      }
      classes_.back().push_back(std::move(part));
    }
  }
};

}  // namespace

BlockFrame mixture_frame(const MixtureBlockData& data, const Estimation& estimation) {
  BlockFrame frame;
  std::vector<double> origin, unit;
  for (std::size_t i = 0; i < data.names.size(); ++i) {
    Moments column;
    for (const auto& rows : data.classes) {
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const double x = rows.row(r)[i];
        if (!std::isnan(x)) column.merge(Moments::of(x, rows.weight(r)));
      }
    }
    const double mean = std::ldexp(column.mean.hi, column.exponent);
    const bool constant = column.m2.hi <= 0;
    if (column.weight.hi == 0 || (constant && estimation.rule.has_prior())) {
      frame.constants.push_back(column.weight.hi == 0 ? not_a_number : mean);
      continue;
    }
    if (constant && data.options.floor == 0) {
      throw Error(
          ErrorKind::data,
          fmt::format(
              "column \"{}\" does not vary, so its variance is 0 (use {}, or leave the column "
              "out)",
              data.names[i], setting("rule", "bayes")));
    }
    // A floor is all the variance that a constant column has.
    const double deviation =
        constant
            ? std::sqrt(data.options.floor)
            : std::ldexp(std::sqrt(column.m2.value() / column.weight.value()), column.exponent);
    frame.kept.push_back(i);
    origin.push_back(mean);
    unit.push_back(deviation);
  }
  frame.origin = Eigen::Map<Eigen::VectorXd>(origin.data(), static_cast<Index>(origin.size()));
  frame.unit = Eigen::Map<Eigen::VectorXd>(unit.data(), static_cast<Index>(unit.size()));
  return frame;
}

MixtureSolution solve_mixture(const MixtureBlockData& data, const Estimation& estimation,
                              const BlockFrame& frame) {
  MixtureSolution result(data.classes.size());
  if (frame.kept.empty()) return result;
  const auto prior = prior_of(estimation.rule, frame, data.options);
  const auto columns = join(data.names, ", ");
  for (std::size_t c = 0; c < data.classes.size(); ++c) {
    if (estimation.class_weights[c] == 0) continue;
    const auto rows = rows_in_frame(data.classes[c], frame);
    const auto different = static_cast<std::size_t>(rows.weights.size());
    const std::size_t wanted = std::max<std::size_t>(1, data.options.components);
    if (different == 0 && prior.rows > 0) {
      // Nothing but the prior: one component, as wide as the columns.
      const auto d = static_cast<Index>(frame.kept.size());
      result[c] = *maximise({{0, Eigen::VectorXd::Zero(d), Eigen::MatrixXd::Zero(d, d)}}, prior,
                            data.options.diagonal);
      continue;
    }
    if (different < wanted) {
      throw Error(
          ErrorKind::data,
          fmt::format("columns \"{}\": class \"{}\" has {} different row{} with values, too few "
                      "for {} component{} (use mixture(bic), or gaussian)",
                      columns, estimation.classes[c], different, different == 1 ? "" : "s", wanted,
                      wanted == 1 ? "" : "s"));
    }
    auto fit = fit_mixture(rows, prior, data.options);
    if (!fit) {
      throw Error(
          ErrorKind::data,
          fmt::format("columns \"{}\": in class \"{}\" every start ends with a component whose "
                      "covariance is singular (use {}, fewer components, "
                      "mixture(…, diagonal), or a floor={})",
                      columns, estimation.classes[c], setting("rule", "bayes"),
                      data.options.floor > 0 ? "V above this one" : "V"));
    }
    if (estimation.tell) {
      const std::size_t k = fit->components.size();
      estimation.tell(fmt::format("mixture of {}, class \"{}\", {} component{}: {} {}", columns,
                                  estimation.classes[c], k, k == 1 ? "" : "s",
                                  prior.rows > 0 ? "log-likelihood and prior" : "log-likelihood",
                                  describe_rise(fit->rise, log_units(rows, frame))));
    }
    result[c] = std::move(fit->components);
  }
  return result;
}

std::unique_ptr<Density> mixture_density(const MixtureBlockData& data, const Estimation& estimation,
                                         const BlockFrame& frame, const MixtureSolution& solution) {
  return std::make_unique<MixtureDensity>(data, estimation, frame, solution);
}

}  // namespace credence

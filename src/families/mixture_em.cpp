// SPDX-License-Identifier: Apache-2.0
#include "families/mixture_em.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/log_math.hpp"
#include "core/parallel.hpp"
#include "families/mixture_start.hpp"
#include "families/vector_density.hpp"

namespace credence {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// In units of the whole column: below this a component has collapsed onto a few rows.
constexpr double least_variance = 1e-12;
// A start is the best of a few openings after some steps: poor ones show early, and cost little.
constexpr std::size_t openings = 3;
constexpr int opening_steps = 10;
// How far a start is followed before the best one is chosen, and how far that one is.
constexpr int trial_steps = 100, climb_steps = 1000, polish_steps = 5000;

// Rows that have the same columns.
struct Group {
  Places present, absent;
  Places rows;
};

std::vector<Group> group_by_gaps(const MatrixXd& values) {
  std::map<Places, Group> groups;
  for (Index r = 0; r < values.cols(); ++r) {
    Group key;
    for (Index i = 0; i < values.rows(); ++i) {
      (std::isnan(values(i, r)) ? key.absent : key.present).push_back(i);
    }
    auto& group = groups.emplace(key.present, key).first->second;
    group.rows.push_back(r);
  }
  std::vector<Group> result;
  for (auto& [present, group] : groups) result.push_back(std::move(group));
  return result;
}

// Gaps filled in from what is present: A (x - mean of present) + mean, and what varies around it.
struct Regression {
  MatrixXd lift;
  MatrixXd left;  // of the absent columns
};

Regression regress(const MixtureComponent& component, const Group& group) {
  const auto& covariance = component.covariance;
  const MatrixXd across = covariance(group.present, group.absent);
  const MatrixXd slope =
      Eigen::LDLT<MatrixXd>(MatrixXd(covariance(group.present, group.present))).solve(across);
  Regression result;
  result.lift = MatrixXd::Zero(covariance.rows(), static_cast<Index>(group.present.size()));
  for (std::size_t k = 0; k < group.present.size(); ++k) {
    result.lift(group.present[k], static_cast<Index>(k)) = 1;
  }
  for (std::size_t k = 0; k < group.absent.size(); ++k) {
    result.lift.row(group.absent[k]) = slope.col(static_cast<Index>(k)).transpose();
  }
  result.left = MatrixXd(covariance(group.absent, group.absent)) - slope.transpose() * across;
  return result;
}

class Expectation {
 public:
  explicit Expectation(const MixtureRows& rows) : rows_(rows), groups_(group_by_gaps(rows.values)) {
    for (const auto& group : groups_) present_.push_back(rows.values(group.present, group.rows));
  }

  MixtureExpectation operator()(const MixtureComponents& components,
                                const MixturePrior& prior) const {
    MixtureExpectation result;
    const auto k = static_cast<Index>(components.size());
    MatrixXd share(rows_.values.cols(), k);  // log densities, then responsibilities
    for (Index c = 0; c < k; ++c) {
      const auto& component = components[static_cast<std::size_t>(c)];
      const VectorDensity density{component.mean, component.covariance, infinity, {}, false};
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const VectorXd log_p = Marginal(density, groups_[g].present).log_density(present_[g]);
        share(groups_[g].rows, c) = log_p.array() + std::log(component.share);
      }
    }
    for (Index r = 0; r < share.rows(); ++r) {
      const double top = share.row(r).maxCoeff();
      auto terms = (share.row(r).array() - top).exp().eval();
      const double sum = terms.sum();
      result.log_likelihood += rows_.weights[r] * (top + std::log(sum));
      share.row(r) = terms * (rows_.weights[r] / sum);
    }
    result.objective = result.log_likelihood + log_prior(components, prior);
    for (Index c = 0; c < k; ++c) {
      result.sums.push_back(sums(components[static_cast<std::size_t>(c)], share.col(c)));
    }
    return result;
  }

 private:
  ComponentSums sums(const MixtureComponent& component, const VectorXd& share) const {
    const Index d = rows_.values.rows();
    ComponentSums result{share.sum(), VectorXd::Zero(d), MatrixXd::Zero(d, d)};
    if (!(result.weight > 0)) return result;
    struct Part {
      double weight;
      VectorXd share, own_mean, mean;
      Regression regression;
    };
    std::vector<Part> parts;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const auto& group = groups_[g];
      Part part{0, share(group.rows), {}, {}, {}};
      part.weight = part.share.sum();
      if (part.weight > 0) {
        part.own_mean = present_[g] * part.share / part.weight;
        part.mean = part.own_mean;
        if (!group.absent.empty()) {
          part.regression = regress(component, group);
          part.mean = component.mean +
                      part.regression.lift * (part.own_mean - component.mean(group.present));
        }
        result.mean += part.mean * (part.weight / result.weight);
      }
      parts.push_back(std::move(part));
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const auto& part = parts[g];
      if (!(part.weight > 0)) continue;
      const MatrixXd y = present_[g].colwise() - part.own_mean;
      const MatrixXd spread = y * part.share.asDiagonal() * y.transpose();
      const auto& absent = groups_[g].absent;
      if (absent.empty()) {
        result.scatter += spread;
      } else {
        result.scatter += part.regression.lift * spread * part.regression.lift.transpose();
        result.scatter(absent, absent) += part.weight * part.regression.left;
      }
      const VectorXd shift = part.mean - result.mean;
      result.scatter += part.weight * shift * shift.transpose();
    }
    return result;
  }

  static double log_prior(const MixtureComponents& components, const MixturePrior& prior) {
    if (prior.rows == 0) return 0;
    const double each = prior.rows / static_cast<double>(components.size());
    double result = 0;
    for (const auto& c : components) {
      const Eigen::LLT<MatrixXd> factor(c.covariance);
      const double log_determinant = 2 * factor.matrixLLT().diagonal().array().log().sum();
      const double spread = factor.solve(MatrixXd::Identity(c.mean.size(), c.mean.size())).trace() +
                            c.mean.dot(factor.solve(c.mean));
      result +=
          each * std::log(c.share) - 0.5 * ((each + prior.extra) * log_determinant + each * spread);
    }
    return result;
  }

  const MixtureRows& rows_;
  std::vector<Group> groups_;
  std::vector<MatrixXd> present_;
};

bool singular(const MatrixXd& covariance) {
  if (!(covariance.diagonal().minCoeff() > least_variance)) return true;
  const VectorXd unit = covariance.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<MatrixXd> factor(unit.asDiagonal() * covariance * unit.asDiagonal());
  if (factor.info() != Eigen::Success) return true;
  return factor.matrixLLT().diagonal().array().square().minCoeff() < least_variance;
}

// In units of the columns: how far the means and variances moved.
double largest_move(const MixtureComponents& from, const MixtureComponents& to) {
  double result = 0;
  for (std::size_t k = 0; k < from.size(); ++k) {
    result = std::max(result, (from[k].mean - to[k].mean).cwiseAbs().maxCoeff());
    result = std::max(result, (from[k].covariance - to[k].covariance).cwiseAbs().maxCoeff());
  }
  return result;
}

// When a climb is over: after so many steps, or when the objective gains less than `gain` of itself
// and nothing is further than `move` from where it will end.
struct Patience {
  int steps;
  double gain;
  double move;
};

struct Climb {
  MixtureFit fit;
  double objective = -infinity;
};

// Near its end every step of EM is a fixed share of the one before: what is left is a geometric
// series. The share is bounded, for steps as small as rounding errors no longer shrink.
double left_to_move(double before, double now) {
  const double share = std::min(now / before, 0.999);
  return now * std::max(1.0, share / (1 - share));
}

// None: a covariance became singular on the way.
std::optional<Climb> climb(const Expectation& expectation, MixtureComponents components,
                           const MixturePrior& prior, bool diagonal, const Patience& patience) {
  Climb result;
  double move = infinity;
  for (int step = 0; step < patience.steps; ++step) {
    const auto now = expectation(components, prior);
    if (!std::isfinite(now.objective)) return std::nullopt;
    const double last = move;
    if (step > 0) move = largest_move(result.fit.components, components);
    const bool settled =
        step > 0 &&
        now.objective - result.objective <= patience.gain * (1 + std::abs(now.objective)) &&
        left_to_move(last, move) <= patience.move;
    result.objective = now.objective;
    result.fit.log_likelihood = now.log_likelihood;
    result.fit.rise.push_back(now.objective);
    result.fit.components = components;
    if (settled) break;
    auto next = maximise(now.sums, prior, diagonal);
    if (!next) return std::nullopt;
    components = std::move(*next);
  }
  return result;
}

// Goes on where a climb ended; false, and all as it was, when a covariance becomes singular.
bool climb_on(const Expectation& expectation, const MixturePrior& prior, bool diagonal,
              const Patience& patience, Climb& from) {
  auto more = climb(expectation, from.fit.components, prior, diagonal, patience);
  if (!more) return false;
  auto rise = std::move(from.fit.rise);
  rise.insert(rise.end(), more->fit.rise.begin() + 1, more->fit.rise.end());
  from = std::move(*more);
  from.fit.rise = std::move(rise);
  return true;
}

// Of several openings the one that is highest after a few steps.
std::optional<Climb> open(const MixtureRows& rows, const Expectation& expectation,
                          const MixturePrior& prior, const MixtureOptions& options,
                          std::size_t components, std::size_t start) {
  std::optional<Climb> best;
  const std::size_t tries = components == 1 ? 1 : openings;
  for (std::size_t i = start * tries; i < (start + 1) * tries; ++i) {
    const auto from = maximise(start_mixture(rows, components, options.seed + 7919 * i, i % 2 == 0),
                               prior, options.diagonal);
    if (!from) continue;
    auto one = climb(expectation, *from, prior, options.diagonal, {opening_steps, 1e-7, infinity});
    if (one && (!best || one->objective > best->objective)) best = std::move(one);
  }
  return best;
}

std::optional<Climb> best_start(const MixtureRows& rows, const Expectation& expectation,
                                const MixturePrior& prior, const MixtureOptions& options,
                                std::size_t components) {
  // One component has one solution unless there are gaps, and then EM finds it from anywhere.
  const std::size_t starts = components == 1 ? 1 : options.starts;
  std::vector<std::optional<Climb>> climbs(starts);
  parallel_for(0, starts, [&](std::size_t s) {
    climbs[s] = open(rows, expectation, prior, options, components, s);
    if (climbs[s] && !climb_on(expectation, prior, options.diagonal, {trial_steps, 1e-7, infinity},
                               *climbs[s])) {
      climbs[s].reset();
    }
  });
  std::stable_sort(climbs.begin(), climbs.end(), [](const auto& a, const auto& b) {
    return a && (!b || a->objective > b->objective);
  });
  // A start that collapses only now is dropped like the others.
  for (auto& one : climbs) {
    if (one && climb_on(expectation, prior, options.diagonal, {climb_steps, 1e-8, infinity}, *one))
      return std::move(one);
  }
  return std::nullopt;
}

}  // namespace

MixtureExpectation expect(const MixtureRows& rows, const MixtureComponents& components,
                          const MixturePrior& prior) {
  return Expectation(rows)(components, prior);
}

std::optional<MixtureComponents> maximise(const std::vector<ComponentSums>& sums,
                                          const MixturePrior& prior, bool diagonal) {
  const double each = prior.rows / static_cast<double>(sums.size());
  double total = prior.rows;
  for (const auto& s : sums) total += s.weight;
  MixtureComponents result;
  for (const auto& s : sums) {
    const double weight = s.weight + each;
    if (!(weight > 0)) return std::nullopt;
    MixtureComponent component{weight / total, s.mean * (s.weight / weight), s.scatter};
    component.covariance.diagonal().array() += each;
    component.covariance += s.mean * s.mean.transpose() * (s.weight * each / weight);
    component.covariance /= weight + prior.extra;
    if (diagonal) component.covariance = MatrixXd(component.covariance.diagonal().asDiagonal());
    if (singular(component.covariance)) return std::nullopt;
    result.push_back(std::move(component));
  }
  return result;
}

std::optional<MixtureFit> fit_mixture(const MixtureRows& rows, const MixturePrior& prior,
                                      const MixtureOptions& options) {
  const Expectation expectation(rows);
  const auto different = static_cast<std::size_t>(rows.values.cols());
  const bool fixed = options.components > 0;
  const std::size_t least = fixed ? options.components : 1;
  const std::size_t most = fixed ? options.components : std::min(options.most, different);
  // Weights say how much rows count against each other; how many rows they amount to does not
  // depend on their unit.
  const double total = rows.weights.sum();
  const double amount = total * total / rows.weights.squaredNorm();
  // A component of fewer rows than a covariance needs is the prior's, not the data's.
  const double fewest = options.diagonal ? 2 : static_cast<double>(rows.values.rows()) + 1;
  const auto dust = [&](const Climb& climb) {
    const auto sums = expectation(climb.fit.components, prior).sums;
    return std::any_of(sums.begin(), sums.end(), [&](const auto& component) {
      return component.weight * amount / total < fewest;
    });
  };
  std::optional<Climb> best;
  double lowest = infinity;
  int worse = 0;  // numbers of components in a row that BIC likes less: two end the search
  for (std::size_t k = least; k <= most && worse < 2; ++k) {
    auto found = best_start(rows, expectation, prior, options, k);
    ++worse;
    if (!found || (k > 1 && !fixed && dust(*found))) continue;
    const double parameters = static_cast<double>(
        mixture_parameters(k, static_cast<std::size_t>(rows.values.rows()), options.diagonal));
    const double bic =
        parameters * std::log(amount) - 2 * found->fit.log_likelihood * amount / total;
    if (best && bic >= lowest) continue;
    lowest = bic;
    worse = 0;
    best = std::move(found);
  }
  if (!best) return std::nullopt;
  climb_on(expectation, prior, options.diagonal, {polish_steps, 1e-15, 1e-10}, *best);
  return std::move(best->fit);
}

std::size_t mixture_parameters(std::size_t components, std::size_t columns, bool diagonal) {
  const std::size_t covariance = diagonal ? columns : columns * (columns + 1) / 2;
  return components * (columns + covariance) + components - 1;
}

}  // namespace credence

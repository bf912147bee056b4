// SPDX-License-Identifier: Apache-2.0
#include "families/mixture/mixture_climb.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace credence {
namespace {

// In units of the columns: how far the means and variances moved.
double largest_move(const MixtureComponents& from, const MixtureComponents& to) {
  double result = 0;
  for (std::size_t k = 0; k < from.size(); ++k) {
    result = std::max(result, (from[k].mean - to[k].mean).cwiseAbs().maxCoeff());
    result = std::max(result, (from[k].covariance - to[k].covariance).cwiseAbs().maxCoeff());
  }
  return result;
}

// Near its end every step of EM is a fixed share of the one before: what is left is a geometric
// series. The share is bounded, for steps as small as rounding errors no longer shrink.
double left_to_move(double before, double now) {
  const double share = std::min(now / before, 0.999);
  return now * std::max(1.0, share / (1 - share));
}

// In some direction, its variance as a share of the class's.
double narrowest(const MixtureComponent& component, const MixtureComponent& whole, bool diagonal) {
  if (diagonal) {
    return component.covariance.diagonal().cwiseQuotient(whole.covariance.diagonal()).minCoeff();
  }
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(
             component.covariance, whole.covariance, Eigen::EigenvaluesOnly)
      .eigenvalues()[0];
}

// A component of hardly more rows than a covariance needs can be made as narrow as one likes, by
// choosing rows that happen to lie in a plane. A narrow one of many rows is what the data say.
bool spiked(const Hill& hill, const MixtureComponents& components) {
  if (hill.spikes) return false;
  constexpr double narrow = 1e-4;  // a hundredth of the class's width
  const auto& weights = hill.expectation.rows().weights;
  const double rows = weights.sum() * weights.sum() / weights.squaredNorm();
  const double needed = hill.diagonal ? 2 : static_cast<double>(components[0].mean.size()) + 1;
  auto whole = components[0];
  for (std::size_t c = 1; c < components.size(); ++c) whole = merged(whole, components[c]);
  return std::any_of(components.begin(), components.end(), [&](const auto& component) {
    return component.share * rows < 2 * needed &&
           narrowest(component, whole, hill.diagonal) < narrow;
  });
}

}  // namespace

std::optional<Climb> climb(const Hill& hill, MixtureComponents components,
                           const Patience& patience) {
  Climb result;
  double move = infinity;
  for (int step = 0; step < patience.steps; ++step) {
    const auto now = hill.expectation(components, hill.prior);
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
    auto next = maximise(now.sums, hill.prior, hill.diagonal);
    if (!next) return std::nullopt;
    components = std::move(*next);
  }
  result.spiked = spiked(hill, result.fit.components);
  return result;
}

bool climb_on(const Hill& hill, const Patience& patience, Climb& from) {
  auto more = climb(hill, from.fit.components, patience);
  if (!more) return false;
  auto rise = std::move(from.fit.rise);
  rise.insert(rise.end(), more->fit.rise.begin() + 1, more->fit.rise.end());
  from = std::move(*more);
  from.fit.rise = std::move(rise);
  return true;
}

MixtureComponent merged(const MixtureComponent& a, const MixtureComponent& b) {
  const double share = a.share + b.share, p = a.share / share, q = b.share / share;
  const Eigen::VectorXd apart = a.mean - b.mean;
  return {share, p * a.mean + q * b.mean,
          p * a.covariance + q * b.covariance + p * q * apart * apart.transpose()};
}

bool among(const std::vector<double>& heights, double height) {
  return std::any_of(heights.begin(), heights.end(), [&](double other) {
    return std::abs(other - height) < 1e-6 * (1 + std::abs(other));
  });
}

bool higher(const std::optional<Climb>& a, const std::optional<Climb>& b) {
  if (!a || !b) return a.has_value() && !b;
  if (a->spiked != b->spiked) return b->spiked;
  return a->objective > b->objective;
}

}  // namespace credence

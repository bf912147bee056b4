// SPDX-License-Identifier: Apache-2.0
#include "families/mixture_climb.hpp"

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

}  // namespace credence

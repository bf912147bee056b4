// SPDX-License-Identifier: Apache-2.0
#include "families/mixture/mixture_em.hpp"

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "families/mixture/mixture_climb.hpp"
#include "families/mixture/mixture_moves.hpp"
#include "families/mixture/mixture_start.hpp"
#include "parallel/parallel.hpp"

namespace credence {
namespace {

// A start is the best of a few openings after some steps: poor ones show early, and cost little.
// Collapsed ones are replaced, up to a number.
constexpr std::size_t openings = 3, most_openings = 12;
constexpr int opening_steps = 10;
// Of every row, for all components: none starts without a covariance. With a floor none can.
constexpr double common = 0.05;
// How far a start is followed before the best are chosen, and how far those are.
constexpr int trial_steps = 100, climb_steps = 1000, polish_steps = 5000;

// What a step costs is in proportion to rows x components x numbers in a covariance. Where it costs
// little, moves begin at more than two starts, and in a round more of them are tried.
Effort effort_for(const Hill& hill, const MixtureOptions& options, std::size_t components) {
  constexpr double plenty = 120000, around = 10;  // numbers; what a row costs besides them
  const auto& values = hill.expectation.rows().values;
  const auto d = static_cast<double>(values.rows());
  const double work = static_cast<double>(values.cols()) * static_cast<double>(components) *
                      ((hill.diagonal ? d : d * d) + around);
  const auto times = [&](double most, double share) {
    return static_cast<std::size_t>(std::clamp(std::ceil(share * plenty / work), 1.0, most));
  };
  // Who asks for few starts wants a quick answer.
  const std::size_t more = times(std::min(8.0, static_cast<double>(options.starts)), 0.5);
  const std::size_t starts = std::min(options.starts, 2 * times(3, 1));
  return {starts, 2 * options.starts, 2 * options.starts * more, more > 1 ? 6u : 3u};
}

std::optional<Climb> open(const Hill& hill, const MixtureOptions& options, std::size_t components,
                          std::size_t start) {
  std::optional<Climb> best;
  const std::size_t wanted = components == 1 ? 1 : openings;
  std::size_t sound = 0;
  for (std::size_t i = 0; i < most_openings && sound < wanted; ++i) {
    // First the openings of all starts, then those that replace collapsed ones.
    const std::size_t draw = (i / wanted * options.starts + start) * wanted + i % wanted;
    const auto from =
        maximise(start_mixture(hill.expectation.rows(), components, options.seed + 7919 * draw,
                               draw % 2 == 0, hill.spikes ? 0 : common),
                 hill.prior, hill.diagonal);
    if (!from) continue;
    auto one = climb(hill, *from, {opening_steps, 1e-7, infinity});
    if (one) ++sound;
    if (higher(one, best)) best = std::move(one);
  }
  return best;
}

std::optional<Climb> best_start(const Hill& hill, const MixtureOptions& options,
                                std::size_t components) {
  // One component has one solution unless there are gaps, and then EM finds it from anywhere.
  const std::size_t starts = components == 1 ? 1 : options.starts;
  std::vector<std::optional<Climb>> climbs(starts);
  parallel_for(0, starts, [&](std::size_t s) {
    climbs[s] = open(hill, options, components, s);
    if (climbs[s] && !climb_on(hill, {trial_steps, 1e-7, infinity}, *climbs[s])) climbs[s].reset();
  });
  std::stable_sort(climbs.begin(), climbs.end(), higher);
  std::optional<Climb> best;
  const Effort effort = effort_for(hill, options, components);
  std::vector<double> tried;
  std::size_t moved = 0;
  for (auto& one : climbs) {
    if (!one || among(tried, one->objective)) continue;
    // A start that collapses only now is dropped like the others.
    if (!climb_on(hill, {climb_steps, 1e-8, infinity}, *one)) continue;
    if (among(tried, one->objective)) continue;
    move_higher(hill, effort, options.seed + moved, tried, *one);
    if (higher(one, best)) best = std::move(one);
    if (++moved == effort.starts) break;
  }
  return best;
}

}  // namespace

std::optional<MixtureFit> fit_mixture(const MixtureRows& rows, const MixturePrior& prior,
                                      const MixtureOptions& options) {
  const Expectation expectation(rows, options.diagonal);
  const auto different = static_cast<std::size_t>(rows.values.cols());
  const bool fixed = options.components > 0;
  // BIC is about parameters that rows pay for: it never wants a spike.
  const Hill hill{expectation, prior, options.diagonal, fixed && prior.floor.size() > 0};
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
    auto found = best_start(hill, options, k);
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
  climb_on(hill, {polish_steps, 1e-15, 1e-10}, *best);
  return std::move(best->fit);
}

std::size_t mixture_parameters(std::size_t components, std::size_t columns, bool diagonal) {
  const std::size_t covariance = diagonal ? columns : columns * (columns + 1) / 2;
  return components * (columns + covariance) + components - 1;
}

}  // namespace credence

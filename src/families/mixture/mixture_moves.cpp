// SPDX-License-Identifier: Apache-2.0
#include "families/mixture/mixture_moves.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "families/gaussian/covariance.hpp"
#include "parallel/parallel.hpp"

namespace credence {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Candidates = std::vector<std::optional<Climb>>;

// Of many components not all moves are tried: pairs to merge, components to split, ways to do so.
constexpr std::size_t merges = 3, splits = 4, axes = 2;
// After a few steps the best quarter goes on, after some more the best few.
constexpr int first_steps = 5, second_steps = 15, third_steps = 50, fourth_steps = 150;
constexpr int move_steps = 1000;
// Of the class's covariance: wide enough to gather rows, and narrower for what a wide one misses.
constexpr double sizes[] = {0.3, 0.1, 0.03};
// Merging and splitting again from the same place gives the same; swaps are drawn anew.
constexpr int vain_rounds = 2, most_rounds = 20;

// What the log-likelihood would lose, per row, if rows knew their component and these two were one.
double loss(const MixtureComponent& a, const MixtureComponent& b) {
  const auto own = [](const MixtureComponent& c) {
    return c.share * (std::log(c.share) - 0.5 * log_determinant(c.covariance));
  };
  return own(a) + own(b) - own(merged(a, b));
}

// Two halves whose share, mean and covariance together are those of the component.
void split(MixtureComponents& components, std::size_t which, const VectorXd& shift) {
  auto& half = components[which];
  half.share /= 2;
  half.covariance -= shift * shift.transpose();
  auto other = half;
  half.mean += shift;
  other.mean -= shift;
  components.push_back(std::move(other));
}

std::vector<MixtureComponents> merge_and_split(const MixtureComponents& at) {
  struct Pair {
    double loss;
    std::size_t a, b;
  };
  std::vector<Pair> pairs;
  for (std::size_t b = 1; b < at.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) pairs.push_back({loss(at[a], at[b]), a, b});
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& x, const Pair& y) { return x.loss < y.loss; });
  if (pairs.size() > merges) pairs.resize(merges);
  std::vector<MixtureComponents> result;
  for (const auto& pair : pairs) {
    auto fewer = at;
    fewer[pair.a] = merged(at[pair.a], at[pair.b]);
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(pair.b));
    std::stable_sort(fewer.begin(), fewer.end(),
                     [](const auto& x, const auto& y) { return x.share > y.share; });
    for (std::size_t s = 0; s < std::min(splits, fewer.size()); ++s) {
      const Eigen::SelfAdjointEigenSolver<MatrixXd> spread(fewer[s].covariance);
      const Index d = fewer[s].mean.size();
      for (Index axis = d - 1; axis >= std::max<Index>(0, d - Index{axes}); --axis) {
        result.push_back(fewer);
        split(result.back(), s,
              spread.eigenvectors().col(axis) * std::sqrt(0.5 * spread.eigenvalues()[axis]));
      }
    }
  }
  return result;
}

// A gap lies at the middle of the class.
MixtureComponents swap(const MixtureRows& rows, const MixtureComponents& at, double size,
                       Random& random) {
  auto whole = at[0];
  for (std::size_t c = 1; c < at.size(); ++c) whole = merged(whole, at[c]);
  auto result = at;
  auto& placed = result[random.below(at.size())];
  const auto row = static_cast<Index>(random.below(static_cast<std::size_t>(rows.values.cols())));
  const double share = 1 / static_cast<double>(at.size()), others = 1 - placed.share;
  for (auto& component : result) component.share *= (1 - share) / others;
  placed = {share, rows.values.col(row), size * whole.covariance};
  for (Index i = 0; i < whole.mean.size(); ++i) {
    if (std::isnan(placed.mean[i])) placed.mean[i] = whole.mean[i];
  }
  return result;
}

bool improves(const Climb& now, const Climb& before) {
  if (now.spiked != before.spiked) return before.spiked;
  return now.objective > before.objective + 1e-7 * (1 + std::abs(before.objective));
}

// Steps of EM get smaller, but for a while near a saddle: this one will not get as high in time.
bool hopeless(const Climb& now, const Climb& before) {
  const auto& rise = now.fit.rise;
  if (now.spiked != before.spiked || rise.size() < 2) return now.spiked;
  return now.objective + fourth_steps * (rise.back() - rise[rise.size() - 2]) < before.objective;
}

// Follows the first `count` for so many steps and puts the best first; collapsed ones are last.
void follow(const Hill& hill, std::size_t count, int steps, Candidates& climbs) {
  if (climbs.size() > count) climbs.resize(count);
  parallel_for(0, climbs.size(), [&](std::size_t i) {
    if (climbs[i] && !climb_on(hill, {steps, 1e-7, infinity}, *climbs[i])) climbs[i].reset();
  });
  std::stable_sort(climbs.begin(), climbs.end(), higher);
}

// The best of what the moves lead to, if it is better than what there is.
std::optional<Climb> best_move(const Hill& hill, std::vector<MixtureComponents> moves,
                               std::size_t followed, const Climb& from) {
  Candidates climbs(moves.size());
  parallel_for(0, moves.size(), [&](std::size_t i) {
    if (hill.diagonal) {
      for (auto& c : moves[i]) c.covariance = MatrixXd(c.covariance.diagonal().asDiagonal());
    }
    climbs[i] = climb(hill, std::move(moves[i]), {first_steps, 1e-7, infinity});
  });
  std::stable_sort(climbs.begin(), climbs.end(), higher);
  follow(hill, (climbs.size() + 3) / 4, second_steps, climbs);
  for (const int steps : {third_steps, fourth_steps}) {
    for (auto& one : climbs) {
      if (one && hopeless(*one, from)) one.reset();
    }
    std::stable_sort(climbs.begin(), climbs.end(), higher);
    follow(hill, followed, steps, climbs);
  }
  for (auto& one : climbs) {
    // One that collapses, or becomes a spike, only now is passed over like the others.
    if (one && improves(*one, from) && climb_on(hill, {move_steps, 1e-8, infinity}, *one) &&
        improves(*one, from)) {
      return std::move(one);
    }
  }
  return std::nullopt;
}

// The way up goes on where it was: what a move loses at first is not part of it.
void go_on_from(Climb& before, Climb now) {
  auto rise = std::move(before.fit.rise);
  for (const double step : now.fit.rise) {
    if (step > rise.back()) rise.push_back(step);
  }
  before = std::move(now);
  before.fit.rise = std::move(rise);
}

}  // namespace

void move_higher(const Hill& hill, const Effort& effort, std::uint64_t seed,
                 std::vector<double>& tried, Climb& from) {
  if (from.fit.components.size() < 2) return;
  Random random(seed);
  for (int round = 0, vain = 0; round < most_rounds && vain < vain_rounds; ++round) {
    if (vain == 0) {
      if (among(tried, from.objective)) return;
      tried.push_back(from.objective);
    }
    const auto& at = from.fit.components;
    auto moves = vain == 0 ? merge_and_split(at) : std::vector<MixtureComponents>();
    for (std::size_t i = 0; i < effort.swaps; ++i) {
      moves.push_back(swap(hill.expectation.rows(), at,
                           i < effort.wide ? sizes[0] : sizes[i % std::size(sizes)], random));
    }
    auto found = best_move(hill, std::move(moves), effort.followed, from);
    vain = found ? 0 : vain + 1;
    if (found) go_on_from(from, std::move(*found));
  }
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "choose/race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "choose/tuner.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

using Places = std::vector<std::size_t>;

// What the rounds may cost: so many scores of a row under a class by one candidate.
struct Limits {
  double first, second;
  std::size_t shapes;  // that go on, beside the first
  bool all_weighed;    // under all settings
};

Limits limits_of(Effort effort) {
  if (effort == Effort::quick) return {5e3, 1e5, 1, false};
  if (effort == Effort::normal) return {2e4, 1e6, 2, false};
  return {INFINITY, INFINITY, static_cast<std::size_t>(-1), true};
}

// Every so manieth row is judged; never fewer than 1,000 where there are as many.
std::size_t step_for(const Tuner& tuner, double scores) {
  const double rows = std::max(1e3, scores / static_cast<double>(tuner.classes()));
  return std::max<std::size_t>(1,
                               static_cast<std::size_t>(static_cast<double>(tuner.rows()) / rows));
}

// Candidates with the same blocks, read in the same way, each list in order; the shapes in the
// order of their firsts.
std::vector<Places> shapes_of(const Grid& grid) {
  std::vector<Places> shapes;
  std::map<std::pair<std::vector<std::size_t>, std::string>, std::size_t> place;
  for (std::size_t i = 0; i < grid.candidates.size(); ++i) {
    const auto& candidate = grid.candidates[i];
    const auto [found, fresh] =
        place.emplace(std::pair(candidate.blocks, candidate.settings.reading), shapes.size());
    if (fresh) shapes.emplace_back();
    shapes[found->second].push_back(i);
  }
  return shapes;
}

// The first plain one, that with the last settings, and the first weighed one.
Places firsts(const Grid& grid, const Places& shape) {
  Places result;
  const auto find = [&](auto first, auto end, bool weigh) {
    const auto found =
        std::find_if(first, end, [&](std::size_t i) { return grid.candidates[i].weigh == weigh; });
    if (found == end) return;
    if (std::find(result.begin(), result.end(), *found) == result.end()) result.push_back(*found);
  };
  find(shape.begin(), shape.end(), false);
  find(shape.rbegin(), shape.rend(), false);
  find(shape.begin(), shape.end(), true);
  return result;
}

double loss_of(const Tried& tried) { return tried.failure.empty() ? tried.value : INFINITY; }

// The shapes that go on to the second round.
std::vector<Places> qualified(const Grid& grid, Tuner& tuner, const Limits& limits) {
  const auto shapes = shapes_of(grid);
  if (shapes.size() <= 1 || shapes.size() - 1 <= limits.shapes) return shapes;
  Places running;
  for (const auto& shape : shapes) {
    for (const auto i : firsts(grid, shape)) running.push_back(i);
  }
  tuner.judge(running, step_for(tuner, limits.first));
  std::vector<double> best;
  for (const auto& shape : shapes) {
    best.push_back(INFINITY);
    for (const auto i : firsts(grid, shape)) {
      best.back() = std::min(best.back(), loss_of(tuner.tried()[i]));
    }
  }
  Places order(shapes.size() - 1);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i + 1;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return best[a] < best[b]; });
  order.resize(limits.shapes);
  order.push_back(0);
  std::sort(order.begin(), order.end());
  std::vector<Places> result;
  for (const auto i : order) result.push_back(shapes[i]);
  return result;
}

// Of shapes the plain ones; and those that are to be weighed, once it is known how the plain did.
Places plain_of(const Grid& grid, const std::vector<Places>& shapes) {
  Places result;
  for (const auto& shape : shapes) {
    for (const auto i : shape) {
      if (!grid.candidates[i].weigh) result.push_back(i);
    }
  }
  return result;
}

bool same_settings(const Candidate& a, const Candidate& b) {
  return a.settings.rule == b.settings.rule && a.settings.prior == b.settings.prior &&
         a.settings.reserve_unseen == b.settings.reserve_unseen;
}

Places weighed_of(const Grid& grid, const std::vector<Places>& shapes,
                  const std::vector<Tried>& tried, bool all) {
  Places result;
  for (const auto& shape : shapes) {
    std::size_t best = grid.candidates.size();
    for (const auto i : shape) {
      if (grid.candidates[i].weigh) continue;
      if (best == grid.candidates.size() || loss_of(tried[i]) < loss_of(tried[best])) best = i;
    }
    for (const auto i : shape) {
      const auto& candidate = grid.candidates[i];
      if (!candidate.weigh) continue;
      const bool suits =
          best == grid.candidates.size() || same_settings(candidate, grid.candidates[best]);
      if (all || suits || i == firsts(grid, shape).back()) result.push_back(i);
    }
  }
  return result;
}

// By how much a candidate is worse than another, in standard errors of the difference. Folds share
// most of their training rows, so their differences vary less than those of fresh samples would:
// Nadeau and Bengio's correction.
double clearly_worse_by(const Tried& worse, const Tried& better) {
  const std::size_t folds = better.of_folds.size();
  if (folds < 2 || worse.of_folds.size() != folds) return INFINITY;
  const auto n = static_cast<double>(folds);
  double mean = 0, squares = 0;
  for (std::size_t f = 0; f < folds; ++f) mean += (worse.of_folds[f] - better.of_folds[f]) / n;
  if (mean <= 0) return 0;
  for (std::size_t f = 0; f < folds; ++f) {
    const double away = worse.of_folds[f] - better.of_folds[f] - mean;
    squares += away * away;
  }
  const double error = std::sqrt(squares / (n - 1) * (1 / n + 1 / (n - 1)));
  return error > 0 ? mean / error : INFINITY;
}

std::size_t simplest(const std::vector<Tried>& tried, const Places& candidates, std::size_t best) {
  constexpr double clearly = 0.25;  // then chances are three to two that it is worse
  for (const auto i : candidates) {
    if (i == best || !tried[i].failure.empty()) continue;
    if (i < best && clearly_worse_by(tried[i], tried[best]) < clearly) return i;
  }
  return best;
}

}  // namespace

const std::vector<std::string>& effort_names() {
  static const std::vector<std::string> names = {"quick", "normal", "thorough"};
  return names;
}

Effort parse_effort(const std::string& name) {
  const auto& names = effort_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: no effort \"{}\"{}; choose {}", setting("effort"), name,
                            suggestion(name, names), join(names, ", ")));
  }
  return static_cast<Effort>(found - names.begin());
}

Race race(const Grid& grid, const std::vector<Chunk>& chunks, const TuneOptions& options,
          Effort effort) {
  const Limits limits = limits_of(effort);
  TuneOptions how = options;
  how.surprised = options.objective == Objective::log_loss;
  Tuner tuner(grid.model, grid.candidates, chunks, how);
  const auto shapes = qualified(grid, tuner, limits);
  const std::size_t step = step_for(tuner, limits.second);
  Places last = plain_of(grid, shapes);
  tuner.judge(last, step);
  const auto weighed = weighed_of(grid, shapes, tuner.tried(), limits.all_weighed);
  tuner.judge(weighed, step);
  last.insert(last.end(), weighed.begin(), weighed.end());
  std::sort(last.begin(), last.end());
  const std::size_t best = simplest(tuner.tried(), last, tuner.best(last));
  Race result{grid, {{}, 0, tuner.whole(), tuner.notes(last)}, step};
  result.grid.candidates.clear();
  result.grid.choices.clear();
  result.grid.columns.clear();
  for (const auto i : last) {
    if (i == best) result.tuning.best = result.tuning.tried.size();
    result.tuning.tried.push_back(tuner.tried()[i]);
    result.grid.candidates.push_back(grid.candidates[i]);
    result.grid.choices.push_back(grid.choices[i]);
    result.grid.columns.push_back(grid.columns[i]);
  }
  return result;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "discriminative/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "credence/error.hpp"
#include "discriminative/trial.hpp"
#include "hold_out/folds.hpp"

namespace credence {
namespace {

// How many of each class make `size` rows in the classes' proportions, at least one of each.
std::vector<std::size_t> quotas(const std::vector<std::size_t>& available, std::size_t size) {
  std::size_t total = 0;
  for (const auto n : available) total += n;
  std::vector<std::size_t> result(available.size());
  std::vector<double> owed(available.size());
  std::size_t taken = 0;
  for (std::size_t c = 0; c < available.size(); ++c) {
    owed[c] =
        static_cast<double>(size) * static_cast<double>(available[c]) / static_cast<double>(total);
    result[c] = std::clamp<std::size_t>(static_cast<std::size_t>(owed[c]), 1, available[c]);
    taken += result[c];
  }
  // The largest debt is paid first; minimums of one may have to be taken back from the largest.
  const auto debt = [&](std::size_t c) { return owed[c] - static_cast<double>(result[c]); };
  for (; taken < size; ++taken) {
    std::size_t next = available.size();
    for (std::size_t c = 0; c < available.size(); ++c) {
      if (result[c] < available[c] && (next == available.size() || debt(c) > debt(next))) next = c;
    }
    if (next == available.size()) break;
    ++result[next];
  }
  for (; taken > size; --taken) {
    std::size_t next = available.size();
    for (std::size_t c = 0; c < available.size(); ++c) {
      if (result[c] > 1 && (next == available.size() || debt(c) < debt(next))) next = c;
    }
    if (next == available.size()) break;
    --result[next];
  }
  return result;
}

// One repeat: rows by class in a random order, those held out apart.
struct Split {
  std::vector<std::vector<std::size_t>> pool;
  std::vector<std::size_t> held_out;

  std::vector<std::size_t> training(std::size_t size) const {
    std::vector<std::size_t> available, rows;
    for (const auto& of_class : pool) available.push_back(of_class.size());
    const auto quota = quotas(available, size);
    for (std::size_t c = 0; c < pool.size(); ++c) {
      rows.insert(rows.end(), pool[c].begin(),
                  pool[c].begin() + static_cast<std::ptrdiff_t>(quota[c]));
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }
};

Split split(const Trial& trial, std::uint64_t seed) {
  Random random(seed);
  Split result;
  result.pool.resize(trial.classes().size());
  for (const auto row : shuffled(trial.rows(), random)) {
    result.pool[trial.class_of(row)].push_back(row);
  }
  for (auto& rows : result.pool) {
    // Rounded up, so that a rare class is not missing from what is measured; never its last row.
    const auto tenth = std::min((rows.size() + 9) / 10, rows.size() - 1);
    const auto from = rows.end() - static_cast<std::ptrdiff_t>(tenth);
    result.held_out.insert(result.held_out.end(), from, rows.end());
    rows.erase(from, rows.end());
  }
  std::sort(result.held_out.begin(), result.held_out.end());
  return result;
}

std::vector<std::size_t> sizes(const Trial& trial, std::size_t largest) {
  std::vector<std::size_t> result;
  for (std::size_t size = trial.classes().size(); size < largest; size *= 2) result.push_back(size);
  result.push_back(largest);
  return result;
}

}  // namespace

std::vector<Comparison> compare(const std::vector<Contender>& contenders,
                                const std::vector<Chunk>& chunks, const Folds& folds,
                                const LogisticOptions& options, unsigned threads) {
  const Trial trial(chunks, contenders.at(0).model.schema());
  std::vector<std::size_t> classes;
  for (std::size_t r = 0; r < trial.rows(); ++r) classes.push_back(trial.class_of(r));
  const auto fold = deal(classes, folds);
  std::vector<std::vector<Outcome>> parts(contenders.size() * folds.count);
  parallel_for(threads, parts.size(), [&](std::size_t i) {
    std::vector<std::size_t> training, held_out;
    for (std::size_t r = 0; r < fold.size(); ++r) {
      (fold[r] == i % folds.count ? held_out : training).push_back(r);
    }
    parts[i] = trial.judge(contenders[i / folds.count], training, held_out, options);
  });
  std::vector<Comparison> result;
  for (std::size_t k = 0; k < contenders.size(); ++k) {
    std::vector<Outcome> all(fold.size());
    std::vector<Figures> by_fold;
    std::vector<double> log_loss;
    for (std::size_t f = 0; f < folds.count; ++f) {
      const auto& part = parts[k * folds.count + f];
      by_fold.push_back(figures(summarise(part, trial.classes())));
      log_loss.push_back(by_fold.back().log_loss);
      auto next = part.begin();
      for (std::size_t r = 0; r < fold.size(); ++r) {
        if (fold[r] == f) all[r] = *next++;
      }
    }
    // In the order of the rows, as cv adds them up: the same bits.
    const auto metrics = summarise(all, trial.classes());
    result.push_back({contenders[k].name, metrics, standard_error(by_fold), std::move(all),
                      std::move(log_loss)});
  }
  return result;
}

std::vector<CurvePoint> learning_curve(const std::vector<Contender>& contenders,
                                       const std::vector<Chunk>& chunks, const CurveOptions& curve,
                                       const LogisticOptions& options, unsigned threads) {
  const Trial trial(chunks, contenders.at(0).model.schema());
  std::vector<Split> splits;
  for (std::size_t r = 0; r < curve.repeats; ++r) splits.push_back(split(trial, curve.seed + r));
  if (splits[0].held_out.empty()) {
    throw Error(ErrorKind::data, setting("curve") + ": too few rows to hold any out");
  }
  const auto steps = sizes(trial, trial.rows() - splits[0].held_out.size());
  const std::size_t tasks = steps.size() * contenders.size() * curve.repeats;
  std::vector<Figures> found(tasks);
  // The largest first: the last one to finish decides how long all of it takes.
  parallel_for(threads, tasks, [&](std::size_t i) {
    const std::size_t task = tasks - 1 - i;
    const auto& part = splits[task % curve.repeats];
    const auto& contender = contenders[task / curve.repeats % contenders.size()];
    const std::size_t size = steps[task / curve.repeats / contenders.size()];
    try {
      found[task] = figures(summarise(
          trial.judge(contender, part.training(size), part.held_out, options), trial.classes()));
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{} after {} rows: {}", contender.name, size,
                                            error.message().marked()));
    }
  });
  std::vector<CurvePoint> points;
  auto from = found.begin();
  for (const auto size : steps) {
    CurvePoint point{size, {}, {}};
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      const auto to = from + static_cast<std::ptrdiff_t>(curve.repeats);
      const std::vector<Figures> repeats(from, to);
      point.mean.push_back(mean_of(repeats));
      point.error.push_back(standard_error(repeats));
      from = to;
    }
    points.push_back(std::move(point));
  }
  return points;
}

std::size_t lower_from(const std::vector<CurvePoint>& curve, std::size_t one, std::size_t other) {
  std::size_t place = curve.size();
  while (place > 0 && curve[place - 1].mean[one].log_loss < curve[place - 1].mean[other].log_loss) {
    --place;
  }
  return place;
}

}  // namespace credence

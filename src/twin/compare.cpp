// SPDX-License-Identifier: Apache-2.0
#include "twin/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "credence/error.hpp"
#include "credence/scorer.hpp"
#include "hold_out/dealt.hpp"
#include "hold_out/folds.hpp"
#include "parallel/parallel.hpp"
#include "twin/model.hpp"

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

  // The rows held out as the only fold, to be judged by so many others.
  Dealt dealt(const Dealt& all, std::size_t size) const {
    Dealt result{all.chunks, all.classes};
    result.folds.resize(1);
    for (const auto place : held_out) {
      result.folds[0].push_back(result.rows.size());
      result.rows.push_back(all.rows[place]);
      result.rows.back().fold = 0;
    }
    for (const auto place : training(size)) {
      result.learnt.push_back(all.rows[place]);
      result.learnt.back().fold = Dealt::no_fold;
    }
    return result;
  }
};

Split split(const Dealt& all, std::uint64_t seed) {
  Split result;
  result.pool.resize(all.classes.size());
  for (const auto row : shuffled(all.rows.size(), seed)) {
    result.pool[all.rows[row].cls].push_back(row);
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

std::vector<std::size_t> sizes(std::size_t classes, std::size_t largest) {
  std::vector<std::size_t> result;
  for (std::size_t size = classes; size < largest; size *= 2) result.push_back(size);
  result.push_back(largest);
  return result;
}

// Learns rows anew: what logistic regression needs, and where not all rows are learnt from.
Learner learner_of(const Contender& contender, const LogisticOptions& options) {
  return [&](const std::vector<Chunk>& rows) -> std::unique_ptr<const Classifier> {
    Model model = contender.model.empty();
    for (const auto& chunk : rows) model.observe(chunk);
    if (!contender.logistic || model.classes().size() < 2) return std::make_unique<Scorer>(model);
    return std::make_unique<LogisticModel>(LogisticModel::fit(model, rows, options));
  };
}

Figures figures(const Metrics& metrics) {
  return {metrics.accuracy, metrics.log_loss, metrics.brier};
}

Figures mean_of(const std::vector<Figures>& values) {
  Figures mean;
  const double count = static_cast<double>(values.size());
  for (const auto& v : values) {
    mean.accuracy += v.accuracy / count;
    mean.log_loss += v.log_loss / count;
    mean.brier += v.brier / count;
  }
  return mean;
}

Figures standard_error(const std::vector<Figures>& values) {
  const Figures mean = mean_of(values);
  const double count = static_cast<double>(values.size());
  const auto error = [&](double Figures::*member) {
    double squares = 0;
    for (const auto& v : values) squares += (v.*member - mean.*member) * (v.*member - mean.*member);
    return std::sqrt(squares / (count - 1) / count);
  };
  return {error(&Figures::accuracy), error(&Figures::log_loss), error(&Figures::brier)};
}

}  // namespace

std::vector<Comparison> compare(const std::vector<Contender>& contenders,
                                const std::vector<Chunk>& chunks, const Folds& folds,
                                const LogisticOptions& options, unsigned threads) {
  const Dealt dealt = deal_out(chunks, contenders.at(0).model.schema(), folds);
  std::vector<Comparison> result;
  for (const auto& contender : contenders) {
    const auto held = contender.logistic ? hold_out(learner_of(contender, options), dealt, threads)
                                         : hold_out(contender.model, dealt, threads);
    const auto outcomes = judge(held);
    std::vector<Figures> by_fold;
    std::vector<double> log_loss;
    for (const auto& fold : dealt.folds) {
      std::vector<Outcome> own;
      for (const auto place : fold) own.push_back(outcomes[place]);
      by_fold.push_back(figures(summarise(own, dealt.classes)));
      log_loss.push_back(by_fold.back().log_loss);
    }
    result.push_back({contender.name, summarise(outcomes, dealt.classes), standard_error(by_fold),
                      outcomes, std::move(log_loss)});
  }
  return result;
}

std::vector<CurvePoint> learning_curve(const std::vector<Contender>& contenders,
                                       const std::vector<Chunk>& chunks, const CurveOptions& curve,
                                       const LogisticOptions& options, unsigned threads) {
  Folds one_by_one;
  one_by_one.leave_one_out = true;
  const Dealt all = deal_out(chunks, contenders.at(0).model.schema(), one_by_one);
  std::vector<Split> splits;
  for (std::size_t r = 0; r < curve.repeats; ++r) splits.push_back(split(all, curve.seed + r));
  if (splits[0].held_out.empty()) {
    throw Error(ErrorKind::data, setting("curve") + ": too few rows to hold any out");
  }
  const auto steps = sizes(all.classes.size(), all.rows.size() - splits[0].held_out.size());
  const std::size_t tasks = steps.size() * contenders.size() * curve.repeats;
  std::vector<Figures> found(tasks);
  // The largest first: the last one to finish decides how long all of it takes.
  parallel_for(threads, tasks, [&](std::size_t i) {
    const std::size_t task = tasks - 1 - i;
    const auto& contender = contenders[task / curve.repeats % contenders.size()];
    const std::size_t size = steps[task / curve.repeats / contenders.size()];
    const Dealt part = splits[task % curve.repeats].dealt(all, size);
    try {
      const auto held = hold_out(learner_of(contender, options), part, 1);
      found[task] = figures(summarise(judge(held), all.classes));
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

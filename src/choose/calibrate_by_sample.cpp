// SPDX-License-Identifier: Apache-2.0
// Columns that say the same in part make naive Bayes too sure: what fit does about it, with a few
// of the rows that it has just read. docs/calibration.md
#include "choose/calibrate_by_sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "credence/error.hpp"
#include "families/parameters.hpp"
#include "families/registry.hpp"
#include "hold_out/dealt.hpp"
#include "measure/scored_rows.hpp"

namespace credence {
namespace {

// The finaliser of splitmix64 (Steele, Lea and Flood, 2014): numbers in a row become as if drawn.
std::uint64_t scattered(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Fewer rows do not tell a wrong power from chance.
constexpr std::size_t fewest_rows = 100;
// Scores, cells to make them from, and products of biases that are worth the time.
constexpr std::size_t enough_scores = 200'000, enough_cells = 2'000'000,
                      enough_products = 20'000'000;

// Trust that was found from rows held out has their slope in it, and the prior that was found with
// it their biases: found once more beside it, these would count twice.
bool is_trusted(const BlockSpec& block) {
  const auto parameters = parse_parameters(block.parameters);
  return block.weight != 1 || std::any_of(parameters.begin(), parameters.end(),
                                          [](const auto& p) { return p.name == "trust"; });
}

bool suit(const Rule& rule, const std::vector<BlockSpec>& blocks) {
  return rule.kind == Rule::Kind::bayes &&
         std::none_of(blocks.begin(), blocks.end(), [](const BlockSpec& block) {
           return reads(find_family(block.family), ColumnKind::text) || is_trusted(block);
         });
}

// As many of the chunks' rows as may be scored.
std::vector<Chunk> few_enough(const std::vector<Chunk>& chunks, const Model& model) {
  const std::size_t wide = std::max<std::size_t>(1, model.schema().columns.size());
  const std::size_t most = std::min(enough_scores / model.classes().size(), enough_cells / wide);
  std::size_t rows = 0;
  for (const auto& chunk : chunks) rows += chunk.rows;
  if (rows <= most) return chunks;
  RowSample sample(most);
  for (const auto& chunk : chunks) sample.add(chunk);
  return sample.chunks();
}

// Columns that say nothing of the class, or the opposite, leave it to the shares of the classes. A
// slope is above 0.
constexpr double least_slope = 1e-3;
void leave_shares(Calibration& calibration) {
  calibration.method = Calibration::Method::platt;
  calibration.slope = least_slope;
  calibration.bias.clear();
  for (const double log_share : calibration.log_prior) {
    calibration.bias.push_back((1 - least_slope) * (log_share - calibration.log_prior[0]));
  }
}

// What a calibration makes of scores: means over rows; the error is that of the gain.
struct Judged {
  double loss = 0, gain = 0, error = 0;
  double wrong_before = 0, wrong_after = 0;
};

// Of scores made under `log_prior`.
Judged judge_gain(const ScoredRows& held, const Calibration& calibration,
                  const std::vector<double>& log_prior) {
  Judged result;
  double weight = 0, squares = 0;
  std::vector<double> changed;
  const auto loss_of = [](std::span<const double> joint, std::size_t truth) {
    return std::min(log_sum_exp(joint) - joint[truth], 36.0);  // as far as a double tells from 1
  };
  const auto is_wrong = [](std::span<const double> joint, std::size_t truth) {
    return std::max_element(joint.begin(), joint.end()) - joint.begin() !=
           static_cast<std::ptrdiff_t>(truth);
  };
  for (std::size_t r = 0; r < held.rows.size(); ++r) {
    const auto scores = held.scores(r);
    const auto& row = held.rows[r];
    if (!(row.weight > 0) || scores[row.cls] == -infinity) continue;
    changed.assign(scores.begin(), scores.end());
    calibration.apply(changed, log_prior);
    const double before = loss_of(scores, row.cls), gain = before - loss_of(changed, row.cls);
    result.loss += row.weight * before;
    result.gain += row.weight * gain;
    squares += row.weight * gain * gain;
    if (is_wrong(scores, row.cls)) result.wrong_before += row.weight;
    if (is_wrong(changed, row.cls)) result.wrong_after += row.weight;
    weight += row.weight;
  }
  if (!(weight > 0)) return {};
  result.loss /= weight;
  result.gain /= weight;
  const double rows = static_cast<double>(held.rows.size());
  result.error = std::sqrt(std::max(0.0, squares / weight - result.gain * result.gain) / rows);
  return result;
}

struct Found {
  Calibration calibration;
  Judged judged;
  bool taken = false;
};

// A slope and biases of the classes. Biases that put more rows wrong than right are left out: what
// makes probabilities of all rows better can move the border between classes to a worse place.
Found find_calibration(const ScoredRows& held, const std::vector<double>& log_prior) {
  const std::size_t many = held.classes.size();
  const bool biased = held.rows.size() * many * many <= enough_products;
  using Method = Calibration::Method;
  const auto by = [&](Method method) {
    auto found = fit_calibration(method, held, log_prior, 1);
    if (!(found.slope > least_slope)) leave_shares(found);
    const auto judged = judge_gain(held, found, log_prior);
    return Found{std::move(found), judged, judged.gain > judged.error};
  };
  auto result = by(biased ? Method::platt : Method::temperature);
  if (biased && result.judged.wrong_after > result.judged.wrong_before) {
    result = by(Method::temperature);
  }
  return result;
}

// Nothing where some family cannot do without the rows held out: nobody has asked for this.
std::optional<ScoredRows> judged_without(const Model& model, const Dealt& dealt, unsigned threads) {
  try {
    return hold_out(model, dealt, threads);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// These rows, under the given shares of the classes.
ScoredRows level_rows(const ScoredRows& held, const std::vector<std::size_t>& which,
                      const std::vector<double>& log_prior, const std::vector<double>& prior) {
  const std::size_t classes = held.classes.size();
  ScoredRows result{held.classes};
  for (const auto r : which) {
    result.rows.push_back(held.rows[r]);
    for (std::size_t c = 0; c < classes; ++c) {
      const double score = held.log_joint[r * classes + c];
      result.log_joint.push_back(
          score == -infinity ? score : score + log_prior[c] - prior[r * classes + c]);
    }
  }
  return result;
}

// At most so many rows of them, as far from each other as they can be.
std::vector<std::size_t> thinned(std::vector<std::size_t> rows, std::size_t most) {
  const std::size_t step = (rows.size() + most - 1) / most;
  for (std::size_t i = 0; step > 1 && i * step < rows.size(); ++i) rows[i] = rows[i * step];
  if (step > 1) rows.resize((rows.size() + step - 1) / step);
  return rows;
}

}  // namespace

bool calibrated_by_sample(const Rule& rule, const std::vector<BlockSpec>& blocks, std::size_t rows,
                          std::size_t classes) {
  return suit(rule, blocks) && std::min(rows, enough_scores / classes) >= fewest_rows;
}

void calibrate_held_out(ScoredRows& held, const std::vector<double>& log_prior,
                        const std::vector<double>& prior, bool in_time) {
  const std::size_t classes = held.classes.size();
  const std::size_t most = std::min<std::size_t>(RowSample::usual, enough_scores / classes);
  const bool one_for_all = held.rows.size() > most;
  const ScoredRows before = one_for_all ? ScoredRows() : held;
  std::set<std::size_t> folds{0};
  if (!one_for_all) {
    for (const auto& row : held.rows) folds.insert(row.fold);
  }
  for (const auto fold : folds) {
    std::vector<std::size_t> own, others;
    for (std::size_t r = 0; r < held.rows.size(); ++r) {
      const std::size_t other = held.rows[r].fold;
      if (one_for_all || other == fold) own.push_back(r);
      if (one_for_all || (in_time ? other < fold : other != fold)) others.push_back(r);
    }
    if (own.empty() || others.size() < fewest_rows) continue;
    const auto& from = one_for_all ? held : before;
    const auto level = level_rows(from, thinned(std::move(others), most), log_prior, prior);
    const auto found = find_calibration(level, log_prior);
    if (!found.taken) continue;
    for (const auto r : own) {
      found.calibration.apply(std::span(held.log_joint).subspan(r * classes, classes),
                              std::span(prior).subspan(r * classes, classes));
    }
  }
}

void RowSample::add(const Chunk& chunk) {
  std::vector<std::uint64_t> numbers;
  std::vector<std::size_t> rows;
  const auto choose = [&](const std::vector<std::uint64_t>& from) {
    rows.clear();
    for (std::size_t r = 0; r < from.size(); ++r) {
      if ((scattered(from[r]) & (step_ - 1)) == 0) rows.push_back(r);
    }
  };
  for (std::size_t r = 0; r < chunk.rows; ++r) numbers.push_back(seen_ + r);
  seen_ += chunk.rows;
  for (choose(numbers); kept_ + rows.size() > most_; choose(numbers)) {
    step_ *= 2;
    kept_ = 0;
    for (auto& piece : pieces_) {
      choose(piece.numbers);
      std::vector<std::uint64_t> left;
      for (const auto r : rows) left.push_back(piece.numbers[r]);
      piece = {std::move(left), select_rows(piece.chunk, rows)};
      kept_ += rows.size();
    }
    std::erase_if(pieces_, [](const Piece& piece) { return piece.numbers.empty(); });
  }
  if (rows.empty()) return;
  kept_ += rows.size();
  Piece piece{{}, select_rows(chunk, rows)};
  for (const auto r : rows) piece.numbers.push_back(numbers[r]);
  pieces_.push_back(std::move(piece));
}

std::vector<Chunk> RowSample::chunks() const {
  std::vector<Chunk> result;
  for (const auto& piece : pieces_) result.push_back(piece.chunk);
  return result;
}

std::vector<std::uint64_t> sampled_rows(std::uint64_t rows, std::size_t most) {
  std::vector<std::uint64_t> kept;
  std::uint64_t step = 1;
  const auto passed_over = [&](std::uint64_t row) { return (scattered(row) & (step - 1)) != 0; };
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (passed_over(row)) continue;
    kept.push_back(row);
    while (kept.size() > most) {
      step *= 2;
      std::erase_if(kept, passed_over);
    }
  }
  return kept;
}

SampleCalibration calibrate_by_sample(Model& model, const RowSample& learnt, unsigned threads) {
  SampleCalibration result;
  if (!suit(model.settings().rule, model.blocks())) return result;
  auto chunks = few_enough(learnt.chunks(), model);
  for (auto& chunk : chunks) chunk = in_columns(std::move(chunk), model.schema());
  const auto rows = labelled_rows(chunks, model.classes());
  const auto other = [&](const ScoredRows::Row& row) { return row.cls != rows[0].cls; };
  if (rows.size() < fewest_rows || std::none_of(rows.begin(), rows.end(), other)) return result;
  // The shares of the classes among all rows are the prior that holds there.
  Model level = model;
  level.settings().calibration.reset();
  level.settings().prior = {ClassPrior::Kind::given, 1, {}};
  const auto weights = model.class_weights();
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> log_prior;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    level.settings().prior.shares.emplace_back(model.classes()[c], weights[c] / total);
    log_prior.push_back(std::log(weights[c] / total));
  }
  // A tenth of all rows, or less, is held out at a time.
  Folds folds;
  const double parts = std::ceil(10 * static_cast<double>(rows.size()) / model.rows());
  folds.count = static_cast<std::size_t>(std::clamp(parts, 2.0, 10.0));
  const auto tried = judged_without(level, deal_learned(chunks, level, folds), threads);
  if (!tried) return result;
  auto [found, judged, taken] = find_calibration(*tried, log_prior);
  result.rows = found.rows;
  result.before = judged.loss;
  result.after = judged.loss - judged.gain;
  result.slope = found.slope;
  result.taken = taken;
  if (!taken) return result;
  found.rule = model.settings().rule;
  found.model_rows = model.rows();
  model.settings().calibration = std::make_shared<const Calibration>(std::move(found));
  return result;
}

}  // namespace credence

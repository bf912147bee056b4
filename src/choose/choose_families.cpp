// SPDX-License-Identifier: Apache-2.0
// Which family a column of numbers speaks for. Every candidate is a block of one trial model,
// judged by its evidence where all have one, else by rows held out. Derivations: docs/evidence.md
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/log_math.hpp"
#include "core/random.hpp"
#include "core/strings.hpp"
#include "credence/evidence.hpp"
#include "credence/hold_out.hpp"
#include "families/registry.hpp"
#include "measure/scored_rows.hpp"

namespace credence {
namespace {

struct FamilyCandidate {
  std::string family;
  ColumnKind kind;
  bool continuous;
};

struct Values : ValueLook {
  double gap = 0;  // the smallest between different values
};

Values look_at(const std::vector<Chunk>& chunks, std::size_t column) {
  Values result;
  std::vector<double> all;
  for (const auto& chunk : chunks) {
    for (const double x : std::get<Numbers>(chunk.columns[column]).values) {
      if (!std::isnan(x)) all.push_back(x);
    }
  }
  result.present = all.size();
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  result.distinct = all.size();
  double gap = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.size(); ++i) {
    result.whole = result.whole && all[i] >= 0 && all[i] == std::floor(all[i]);
    result.zero_one = result.zero_one && (all[i] == 0 || all[i] == 1);
    // Nearer than this they differ by rounding.
    const double rounding = 1e-9 * (all.back() - all.front());
    if (i > 0 && all[i] - all[i - 1] > rounding) gap = std::min(gap, all[i] - all[i - 1]);
  }
  result.gap = std::isfinite(gap) ? gap : 0;
  return result;
}

// The simplest first.
std::vector<FamilyCandidate> candidates(const Values& values) {
  std::vector<FamilyCandidate> result;
  for (const auto* family : suitable_families(values)) {
    const auto kind = family->kinds[0];
    result.push_back({family->name, kind, kind == ColumnKind::number});
  }
  return result;
}

// A column as a candidate reads it. A density has no probability of single values: where values
// repeat, each is spread evenly over the gap between values, and the width of the gap counts.
Column read_as(const FamilyCandidate& candidate, const Numbers& numbers, double gap,
               Random& random) {
  if (candidate.kind == ColumnKind::category) {
    Categories words;
    std::map<double, std::int32_t> codes;
    for (const double x : numbers.values) {
      if (std::isnan(x)) {
        words.codes.push_back(Categories::missing_code);
        continue;
      }
      const auto [found, fresh] = codes.emplace(x, static_cast<std::int32_t>(codes.size()));
      if (fresh) words.dictionary.push_back(format_number(x));
      words.codes.push_back(found->second);
    }
    return words;
  }
  if (!candidate.continuous || gap == 0) return numbers;
  Numbers spread = numbers;
  for (double& x : spread.values) x += gap * (random.uniform() - 0.5);
  return spread;
}

struct Trial {
  std::size_t column;  // among those open
  Values values;
  std::vector<FamilyCandidate> candidates;
  std::size_t first_block = 0;
  double gap = 0;  // 0: values are taken as they are
};

struct Score {
  double value = 0;  // mean over rows, or log evidence
  std::vector<double> of_rows;
};

// Of the rows that have a value: what the candidate said of each, held out, under its own class.
Score held_out_score(const ScoredRows& held, const std::vector<Chunk>& chunks, const Trial& trial,
                     std::size_t candidate) {
  Score score;
  const std::size_t many = held.classes.size();
  const double unit =
      trial.candidates[candidate].continuous && trial.gap > 0 ? std::log(trial.gap) : 0.0;
  double weight = 0;
  for (std::size_t i = 0; i < held.rows.size(); ++i) {
    const auto& row = held.rows[i];
    const double x = std::get<Numbers>(chunks[row.chunk].columns[trial.column]).values[row.row];
    // Of a class that had no other rows no candidate can say anything.
    const auto says_nothing = [&](std::size_t k) {
      return held.blocks[trial.first_block + k][i * many + row.cls] == -infinity;
    };
    bool unknown = true;
    for (std::size_t k = 0; k < trial.candidates.size(); ++k) unknown = unknown && says_nothing(k);
    if (std::isnan(x) || unknown) continue;
    const double log_p = held.blocks[trial.first_block + candidate][i * many + row.cls] + unit;
    score.of_rows.push_back(row.weight * log_p);
    score.value += row.weight * log_p;
    weight += row.weight;
  }
  if (weight > 0) score.value /= weight;
  return score;
}

// Whether b is better than a by more than two standard errors of the difference.
bool clearly_better(const Score& b, const Score& a) {
  if (!(b.value > a.value)) return false;
  if (!std::isfinite(a.value)) return true;
  const double n = static_cast<double>(a.of_rows.size());
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < a.of_rows.size(); ++i) mean += (b.of_rows[i] - a.of_rows[i]) / n;
  for (std::size_t i = 0; i < a.of_rows.size(); ++i) {
    const double difference = b.of_rows[i] - a.of_rows[i] - mean;
    squares += difference * difference;
  }
  return mean > 2 * std::sqrt(squares / n / n);
}

ChosenFamily choose_one(const Trial& trial, const std::vector<Score>& scores, bool by_evidence) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < scores.size(); ++k) {
    if (by_evidence ? scores[k].value > scores[best].value
                    : clearly_better(scores[k], scores[best])) {
      best = k;
    }
  }
  std::vector<std::string> others;
  const auto text = [&](std::size_t k) {
    return fmt::format("{:.{}f}", scores[k].value, by_evidence ? 1 : 3);
  };
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (k != best) others.push_back(trial.candidates[k].family + " " + text(k));
  }
  return {
      trial.candidates[best].family,
      fmt::format("{} {}{} against {}", by_evidence ? "log evidence" : "held-out log-likelihood",
                  text(best), by_evidence ? "" : " a row", join(others, ", "))};
}

// All candidates of all columns side by side: one block each.
struct Trials {
  std::vector<Trial> columns;
  Schema schema;
  std::vector<BlockSpec> blocks = {};

  void add(const std::string& name, Trial trial) {
    trial.first_block = blocks.size();
    const bool discrete = std::any_of(trial.candidates.begin(), trial.candidates.end(),
                                      [](const auto& c) { return !c.continuous; });
    if (discrete || 2 * trial.values.distinct < trial.values.present) trial.gap = trial.values.gap;
    for (const auto& candidate : trial.candidates) {
      blocks.push_back({candidate.family, {schema.columns.size()}});
      schema.columns.push_back({name, candidate.kind, {}});
    }
    columns.push_back(std::move(trial));
  }

  std::vector<Chunk> read(const std::vector<Chunk>& chunks) const {
    std::vector<Chunk> result;
    Random random(1);
    for (const auto& chunk : chunks) {
      Chunk to{chunk.rows, {}, chunk.labels, chunk.weights};
      for (const auto& trial : columns) {
        const auto& numbers = std::get<Numbers>(chunk.columns[trial.column]);
        for (const auto& candidate : trial.candidates) {
          to.columns.push_back(read_as(candidate, numbers, trial.gap, random));
        }
      }
      result.push_back(std::move(to));
    }
    return result;
  }
};

// The weight of the rows that have a class and a value.
double weight_of_values(const std::vector<Chunk>& chunks, std::size_t column) {
  double result = 0;
  for (const auto& row : rows_of(chunks, {}, WhichRows::labelled)) {
    const auto& values = std::get<Numbers>(chunks[row.chunk].columns[column]).values;
    if (!std::isnan(values[row.row])) result += row.weight;
  }
  return result;
}

}  // namespace

std::map<std::string, ChosenFamily> choose_families(const Plan& plan, const Schema& open,
                                                    const std::vector<Chunk>& chunks,
                                                    unsigned threads) {
  std::map<std::string, ChosenFamily> result;
  Trials trials{{}, {{}, open.target, open.weights, open.missing}};
  for (std::size_t i = 0; i < open.columns.size(); ++i) {
    const auto& name = open.columns[i].name;
    Trial trial{i, look_at(chunks, i), {}};
    trial.candidates = candidates(trial.values);
    if (trial.values.distinct < 2 || trial.candidates.size() < 2) {
      const bool varies = trial.values.distinct >= 2;
      result[name] = {varies ? trial.candidates[0].family : usual_family(ColumnLook::numbers).name,
                      varies ? "the only family for it" : "does not vary"};
      continue;
    }
    trials.add(name, std::move(trial));
  }
  if (trials.columns.empty()) return result;
  const auto read = trials.read(chunks);
  Settings settings;
  settings.rule = plan.settings.rule;
  settings.reserve_unseen = true;  // a value that is new to a fold must not go unjudged
  const Model model(trials.schema, trials.blocks, settings);
  Model whole = model;
  for (const auto& chunk : read) whole.observe(chunk);
  const auto evidence = log_evidence(whole);
  const auto has_evidence = [&](const Trial& trial) {
    for (std::size_t k = 0; k < trial.candidates.size(); ++k) {
      if (!evidence[trial.first_block + k]) return false;
    }
    return true;
  };
  ScoredRows held;
  if (!std::all_of(trials.columns.begin(), trials.columns.end(), has_evidence)) {
    held = hold_out(model, read, {}, threads, true);
  }
  for (const auto& trial : trials.columns) {
    const bool by_evidence = has_evidence(trial);
    const double rows = weight_of_values(chunks, trial.column);
    std::vector<Score> scores;
    for (std::size_t k = 0; k < trial.candidates.size(); ++k) {
      if (!by_evidence) {
        scores.push_back(held_out_score(held, chunks, trial, k));
        continue;
      }
      scores.push_back({*evidence[trial.first_block + k], {}});
      if (trial.candidates[k].continuous && trial.gap > 0) {
        scores.back().value += rows * std::log(trial.gap);
      }
    }
    result[open.columns[trial.column].name] = choose_one(trial, scores, by_evidence);
  }
  return result;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// What evidence rows usually have: that of rows held out.
#include "credence/novelty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "credence/hold_out.hpp"
#include "model/novelty_parts.hpp"

namespace credence {
namespace {

// Kept of the rows, of all blocks and of one.
constexpr std::size_t kept_rows = 4096;
constexpr std::size_t kept_rows_of_block = 1024;
// Rows by which a column's surprise is measured.
constexpr std::size_t surprised_rows = 200;

struct Row {
  double size;  // of a block; NaN: the row does not have it
  double evidence;
  double weight;
};

struct Ranked {
  double expected, surplus, weight;
};

// Sorted, and thinned to the middles of equal shares of the weight where there are too many: p
// then is off by 1 / (2 `most`) at most among rows of one expectation.
Novelty::Reference reference_of(std::vector<Ranked> rows, std::size_t most) {
  std::stable_sort(rows.begin(), rows.end(), [](const Ranked& a, const Ranked& b) {
    return a.expected != b.expected ? a.expected < b.expected : a.surplus < b.surplus;
  });
  const bool weighted = std::any_of(rows.begin(), rows.end(),
                                    [&](const Ranked& r) { return r.weight != rows[0].weight; });
  if (rows.size() > most || weighted) {
    const std::size_t count = std::min(most, rows.size());
    double total = 0;
    for (const auto& row : rows) total += row.weight;
    std::vector<Ranked> kept;
    double passed = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double goal = (static_cast<double>(i) + 0.5) / static_cast<double>(count) * total;
      while (at + 1 < rows.size() && passed + rows[at].weight <= goal) passed += rows[at++].weight;
      kept.push_back(rows[at]);
    }
    rows = std::move(kept);
  }
  Novelty::Reference result;
  for (const auto& row : rows) result.surplus.push_back(row.surplus);
  if (rows.empty() || rows.front().expected == rows.back().expected) return result;
  for (const auto& row : rows) result.expected.push_back(row.expected);
  return result;
}

bool usual(const Row& row) {
  return !std::isnan(row.size) && row.evidence != std::numeric_limits<double>::lowest();
}

// The line of least squares through evidence over size; through 0 where all sizes are one.
Novelty::Line line_through(const std::vector<Row>& rows) {
  double weight = 0, size = 0, evidence = 0;
  for (const auto& row : rows) {
    if (!usual(row)) continue;
    weight += row.weight;
    size += row.weight * row.size;
    evidence += row.weight * row.evidence;
  }
  if (weight == 0) return {};
  size /= weight;
  evidence /= weight;
  double squares = 0, products = 0;
  for (const auto& row : rows) {
    if (!usual(row)) continue;
    squares += row.weight * (row.size - size) * (row.size - size);
    products += row.weight * (row.size - size) * (row.evidence - evidence);
  }
  if (squares <= 1e-12 * weight * size * size) return {0, size == 0 ? 0 : evidence / size};
  const double slope = products / squares;
  return {evidence - slope * size, slope};
}

// What a block adds to the evidence of all columns. Its own evidence would count what it says of
// the class as news, though other columns say the same.
double contribution(std::span<const double> joint, std::span<const double> density, double weight) {
  std::vector<double> without(joint.begin(), joint.end());
  for (std::size_t c = 0; c < without.size(); ++c) {
    if (without[c] > -infinity) without[c] -= weight * density[c];
  }
  const double result = log_sum_exp(joint) - log_sum_exp(without);
  return std::isfinite(result) ? result : std::numeric_limits<double>::lowest();
}

// What a block says of a row, with 0 of classes that were not there when it was judged.
std::vector<double> said_of(const ScoredRows& held, std::size_t block, std::size_t row) {
  const std::size_t classes = held.classes.size();
  const auto from = held.blocks[block].begin() + static_cast<std::ptrdiff_t>(row * classes);
  std::vector<double> result(from, from + static_cast<std::ptrdiff_t>(classes));
  for (std::size_t c = 0; c < classes; ++c) {
    const bool absent =
        std::all_of(held.blocks.begin(), held.blocks.end(),
                    [&](const auto& scores) { return scores[row * classes + c] == -infinity; });
    if (absent) result[c] = 0;
  }
  return result;
}

// The words that rows of one fold alone have: the model that judged them did not know these.
class LoneWords {
 public:
  LoneWords(const BlockSpec& spec, const std::vector<Chunk>& chunks, const ScoredRows& held)
      : column_(spec.columns[0]), chunks_(chunks), held_(held) {
    is_bag_ = spec.columns.size() == 1 && !chunks.empty() &&
              std::holds_alternative<Bags>(chunks[0].columns[column_]);
    if (!is_bag_) return;
    std::size_t next = 0;
    for (std::size_t k = 0; k < chunks.size(); ++k) {
      const auto& bags = std::get<Bags>(chunks[k].columns[column_]);
      auto& homes = homes_.emplace_back();
      for (const auto& word : bags.dictionary) {
        homes.push_back(&fold_of_.try_emplace(word, nowhere).first->second);
      }
      for (std::size_t r = 0; r < chunks[k].rows; ++r) {
        const bool judged =
            next < held.rows.size() && held.rows[next].chunk == k && held.rows[next].row == r;
        const std::size_t fold = judged ? held.rows[next++].fold : several;
        if (!judged && (chunks[k].labels.codes.empty() || chunks[k].labels.codes[r] < 0)) continue;
        for (auto i = bags.offsets[r]; i < bags.offsets[r + 1]; ++i) {
          auto& home = *homes[static_cast<std::size_t>(bags.features[i])];
          home = home == nowhere || home == fold ? fold : several;
        }
      }
    }
  }

  // Of the dictionary of the row's chunk, as the row is judged.
  std::vector<bool> known(std::size_t row) const {
    if (!is_bag_) return {};
    const auto& where = held_.rows[row];
    const auto& bags = std::get<Bags>(chunks_[where.chunk].columns[column_]);
    std::vector<bool> result(bags.dictionary.size(), true);
    for (auto i = bags.offsets[where.row]; i < bags.offsets[where.row + 1]; ++i) {
      const auto code = static_cast<std::size_t>(bags.features[i]);
      result[code] = *homes_[where.chunk][code] != where.fold;
    }
    return result;
  }

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1), several = nowhere - 1;

  std::size_t column_;
  const std::vector<Chunk>& chunks_;
  const ScoredRows& held_;
  bool is_bag_;
  std::unordered_map<std::string, std::size_t> fold_of_;  // the only one that has the word
  std::vector<std::vector<std::size_t*>> homes_;          // by chunk and code
};

void measure_surprises(const Scorer& scorer, const BlockSpec& spec, std::size_t b,
                       const std::vector<Chunk>& chunks, const ScoredRows& held,
                       const std::vector<double>& log_prior, Novelty::Block& block) {
  const std::size_t columns = spec.columns.size();
  std::vector<double> count(columns), square(columns);
  block.mean.assign(columns, 0);
  const std::size_t step = std::max<std::size_t>(1, held.rows.size() / surprised_rows);
  std::vector<std::vector<std::size_t>> chosen(chunks.size());
  for (std::size_t i = 0; i < held.rows.size(); i += step) {
    chosen[held.rows[i].chunk].push_back(held.rows[i].row);
  }
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    if (chosen[k].empty()) continue;
    const auto all = surprises(scorer, spec, b, log_prior, select_rows(chunks[k], chosen[k]));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t j = i % columns;
      if (!std::isfinite(all[i])) continue;
      count[j] += 1;
      const double off = all[i] - block.mean[j];
      block.mean[j] += off / count[j];
      square[j] += off * (all[i] - block.mean[j]);
    }
  }
  for (std::size_t j = 0; j < columns; ++j) {
    block.deviation.push_back(count[j] < 2 ? 0 : std::sqrt(square[j] / (count[j] - 1)));
  }
}

}  // namespace

Novelty make_novelty(const Model& model, const std::vector<Chunk>& chunks, const ScoredRows& held,
                     const std::vector<double>& log_prior) {
  Novelty result;
  result.classes = held.classes;
  result.log_prior = log_prior;
  result.rule = model.settings().rule;
  result.rows = static_cast<double>(held.rows.size());
  const Scorer scorer(model);
  const std::size_t classes = held.classes.size();
  std::vector<double> expected(held.rows.size(), 0.0);
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const auto& spec = model.blocks()[b];
    Novelty::Block block;
    std::vector<Row> own, added;
    const LoneWords lone(spec, chunks, held);
    for (std::size_t i = 0; spec.weight != 0 && i < held.rows.size(); ++i) {
      const auto& row = held.rows[i];
      const auto density = std::span(held.blocks[b]).subspan(i * classes, classes);
      const auto joint = held.scores(i);
      const double size =
          block_size(spec, chunks[row.chunk], row.row, said_of(held, b, i), lone.known(i));
      own.push_back({size, mixed_evidence(density, spec.weight, log_prior), row.weight});
      added.push_back({size, contribution(joint, density, spec.weight), row.weight});
    }
    block.own = line_through(own);
    block.contribution = line_through(added);
    std::vector<Ranked> ranked;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (std::isnan(own[i].size)) continue;
      expected[i] += block.contribution.at(own[i].size);
      if (own[i].weight == 0) continue;
      const double usual_for_it = block.own.at(own[i].size);
      ranked.push_back({usual_for_it, own[i].evidence - usual_for_it, own[i].weight});
    }
    block.reference = reference_of(std::move(ranked), kept_rows_of_block);
    if (spec.weight != 0 && has_surprises(model.schema(), spec)) {
      measure_surprises(scorer, spec, b, chunks, held, log_prior, block);
    }
    result.blocks.push_back(std::move(block));
  }
  std::vector<Ranked> all;
  for (std::size_t i = 0; i < held.rows.size(); ++i) {
    if (held.rows[i].weight == 0) continue;
    const double evidence =
        std::max(log_sum_exp(held.scores(i)), std::numeric_limits<double>::lowest());
    all.push_back({expected[i], evidence - expected[i], held.rows[i].weight});
  }
  result.all = reference_of(std::move(all), kept_rows);
  return result;
}

}  // namespace credence

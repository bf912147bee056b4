// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/conditional.hpp"

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "families/dirichlet.hpp"

namespace credence {
namespace {

// A table of all cells is quick. It is kept where it is small, or not much larger than what rows
// have to say; but for no more than 16 MB.
bool worth_filling(std::size_t cells, std::size_t seen) {
  return cells <= std::size_t{1} << 14 || (cells <= 16 * seen && cells <= std::size_t{1} << 21);
}

// A weight that rows have in one cell, and what would be left without one of them.
struct LeftOut {
  double weight;
  double rest;         // in the cell
  double parent_rest;  // in its state of the parent
  double share;        // the child's own, without the row
};

// Rows are taken to weigh 1 each, as far as there is that much: counts do not tell.
std::vector<LeftOut> left_out(const Dependence& columns, const Rule& rule) {
  const auto& pairs = columns.pairs;
  const auto& child = columns.child;
  const std::size_t classes = pairs.classes;
  std::vector<double> worths(classes, 0.0);
  for (std::size_t i = 0; i < child.counts.size(); ++i) {
    worths[i % classes] += share_worth(child.counts[i], child.imaginary[i / classes], rule);
  }
  std::vector<LeftOut> result;
  for (std::size_t pair = 0; pair < pairs.index.size(); ++pair) {
    const std::size_t a = columns.child_of(pair), b = columns.parent_of(pair);
    for (std::size_t c = 0; c < classes; ++c) {
      const double n = pairs.counts[pair * classes + c];
      if (!(n > 0)) continue;
      const double own = std::min(1.0, n), all = child.counts[a * classes + c];
      const double worth = share_worth(std::max(0.0, all - own), child.imaginary[a], rule);
      const double total = worths[c] - share_worth(all, child.imaginary[a], rule) + worth;
      const double share = total > 0 ? worth / total : 0;
      // Where neither says anything of the row, no strength is better than another.
      if (!(n > own) && !(share > 0)) continue;
      result.push_back({n, n - own, columns.parent_sums()[b * classes + c] - own, share});
    }
  }
  return result;
}

}  // namespace

double found_backoff(const Dependence& columns, const Rule& rule) {
  if (!rule.has_prior()) return 0;
  const auto cells = left_out(columns, rule);
  double best = 0, found = 1;
  for (int exponent = -3; exponent <= 12; ++exponent) {
    const double strength = std::ldexp(1.0, exponent);
    double sum = 0;
    for (const auto& cell : cells) {
      sum += cell.weight * std::log((cell.rest + strength * cell.share) /
                                    (std::max(0.0, cell.parent_rest) + strength));
    }
    if (exponent == -3 || sum > best) {
      best = sum;
      found = strength;
    }
  }
  return cells.empty() ? 1 : found;
}

Conditional::Conditional(const Dependence& columns, double backoff)
    : classes_(columns.pairs.classes),
      child_states_(columns.child.states),
      backoff_(backoff),
      log_shares_(columns.child.log_shares) {
  const auto& pairs = columns.pairs;
  for (const double share : columns.child.shares) unseen_.push_back(std::log(backoff * share));
  for (const double sum : columns.parent_sums()) log_norms_.push_back(std::log(sum + backoff));
  for (std::size_t pair = 0; pair < pairs.index.size(); ++pair) {
    const std::size_t a = columns.child_of(pair), b = columns.parent_of(pair);
    index_.insert(b, a);
    for (std::size_t c = 0; c < classes_; ++c) {
      const double added = backoff * columns.child.shares[a * classes_ + c];
      const double norm = log_norms_[b * classes_ + c];
      seen_.push_back(norm == -infinity
                          ? log_shares_[a * classes_ + c]
                          : std::log(pairs.counts[pair * classes_ + c] + added) - norm);
    }
  }
  const std::size_t cells = columns.parent.states * child_states_ * classes_;
  if (!worth_filling(cells, seen_.size())) return;
  std::vector<double> table(cells);
  for (std::size_t b = 0; b < columns.parent.states; ++b) {
    for (std::size_t a = 0; a < child_states_; ++a) {
      double* const to = table.data() + (b * child_states_ + a) * classes_;
      const double* const from = look_up(b, a, to);
      if (from != to) std::copy(from, from + classes_, to);
    }
  }
  table_ = std::move(table);
  index_ = {};
  seen_ = {};
}

const double* Conditional::look_up(std::size_t parent, std::size_t child, double* room) const {
  const std::size_t pair = index_.find(parent, child);
  if (pair != PairIndex::npos) return seen_.data() + pair * classes_;
  for (std::size_t c = 0; c < classes_; ++c) {
    const double norm = log_norms_[parent * classes_ + c];
    room[c] = norm == -infinity ? log_shares_[child * classes_ + c]
                                : unseen_[child * classes_ + c] - norm;
  }
  return room;
}

}  // namespace credence

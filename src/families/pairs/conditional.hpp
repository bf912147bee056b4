// SPDX-License-Identifier: Apache-2.0
// The probabilities of a column's states given those of its parent and the class, in logarithms.
#pragma once

#include <vector>

#include "credence/rule.hpp"
#include "families/pairs/state_pairs.hpp"

namespace credence {

// Two columns of which one depends on the other.
struct Dependence {
  const StatePairs& pairs;
  const StateColumn& child;
  const StateColumn& parent;
  bool child_first;  // of the pairs

  std::size_t child_of(std::size_t pair) const {
    return child_first ? pairs.index.first(pair) : pairs.index.second(pair);
  }
  std::size_t parent_of(std::size_t pair) const {
    return child_first ? pairs.index.second(pair) : pairs.index.first(pair);
  }
  const std::vector<double>& parent_sums() const {
    return child_first ? pairs.sums_b : pairs.sums_a;
  }
};

// How many rows the child's own shares should count for in every state of the parent: those under
// which rows, each left out in turn, are most probable. 0 under a rule without a prior.
double found_backoff(const Dependence& columns, const Rule& rule);

class Conditional {
 public:
  Conditional(const Dependence& columns, double backoff);

  double backoff() const { return backoff_; }
  // For every class; `room` is for one number per class.
  const double* operator()(std::size_t parent, std::size_t child, double* room) const {
    if (!table_.empty()) return table_.data() + (parent * child_states_ + child) * classes_;
    return look_up(parent, child, room);
  }

 private:
  const double* look_up(std::size_t parent, std::size_t child, double* room) const;

  std::size_t classes_, child_states_;
  double backoff_;
  std::vector<double> table_;       // [parent][child][class]; empty: it would be too large
  PairIndex index_;                 // of (parent, child) that some row has
  std::vector<double> seen_;        // [pair][class]
  std::vector<double> unseen_;      // [child][class]: the log of what backing off adds
  std::vector<double> log_norms_;   // [parent][class]; -infinity: nothing is known of it
  std::vector<double> log_shares_;  // [child][class]: the child's own
};

}  // namespace credence

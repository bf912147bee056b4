// SPDX-License-Identifier: Apache-2.0
// Pair counts as a reading sees them: values that are known, bins in groups, weights as doubles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "families/family.hpp"
#include "families/pairs/pair_columns.hpp"
#include "families/pairs/pair_counts.hpp"

namespace credence {

// The states of one column: its known words, or groups of bins; where room is kept for words never
// seen, the last state stands for them.
struct StateColumn {
  std::optional<KnownValues> known = {};  // words
  std::vector<std::size_t> state_of;      // by place in the domain; states: not known
  std::vector<std::string> names;         // without the reserved state's
  std::size_t states = 0;
  std::vector<double> counts;               // [state][class]
  std::vector<double> imaginary;            // [state]: what the rule adds
  std::vector<double> shares;               // [state][class]: without regard to other columns
  std::vector<double> log_shares;           // the same in logarithms; 0 where a class has no rows
  std::vector<std::size_t> first_bin = {};  // of each state of a number
  std::vector<double> bins = {};            // how many each has, all equally probable

  // Of the entries of a chunk's dictionary; negative: never seen, and nothing is kept for such.
  std::vector<std::int32_t> states_of(const std::vector<std::string>& dictionary) const;
};

StateColumn read_states(const CountTable& counts, const PairColumn& column,
                        const Estimation& estimation);

// The weights of the rows that have both of two columns.
struct StatePairs {
  StatePairs(const PairTable& table, const StateColumn& a, const StateColumn& b,
             std::size_t classes);

  std::size_t classes;
  PairIndex index;             // of pairs of states
  std::vector<double> counts;  // [pair][class]
  std::vector<double> sums_a;  // [state][class]: over the other column
  std::vector<double> sums_b;
  std::vector<double> totals;  // [class]

  // Rows times the mutual information of the two given the class, in nats.
  double information() const;
};

// Rows times the mutual information of a column and the class.
double information_about_class(const StateColumn& column, std::size_t classes);

}  // namespace credence

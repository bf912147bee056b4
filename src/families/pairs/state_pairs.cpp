// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/state_pairs.hpp"

#include <cmath>
#include <numeric>

#include "core/log_math.hpp"
#include "families/dirichlet.hpp"
#include "families/free_form/histogram_bins.hpp"

namespace credence {
namespace {

// Bins that lie side by side become one where telling them apart says too little of the class
// (Fayyad & Irani): the first bin of each group.
std::vector<std::size_t> groups_of_bins(const CountTable& counts, std::size_t bins) {
  WeightedValues values;
  values.classes = counts.classes();
  for (std::size_t b = 0; b < bins; ++b) {
    bool seen = false;
    for (std::size_t c = 0; c < counts.classes(); ++c) seen = seen || counts(b, c) > 0;
    if (!seen) continue;
    values.values.push_back(static_cast<double>(b));
    for (std::size_t c = 0; c < counts.classes(); ++c) values.weights.push_back(counts(b, c));
  }
  std::vector<std::size_t> result{0};
  for (const double cut : mdl_cuts(values)) {
    result.push_back(static_cast<std::size_t>(std::floor(cut)) + 1);
  }
  return result;
}

void read_words(const CountTable& counts, StateColumn& column) {
  const KnownValues& known = column.known.emplace(counts);
  column.names = known.names();
  column.state_of.assign(counts.domain().size(), known.size());
  for (std::size_t i = 0; i < known.size(); ++i) column.state_of[known.place(i)] = i;
}

void read_bins(const CountTable& counts, const PairColumn& from, StateColumn& column) {
  column.first_bin = groups_of_bins(counts, from.bins());
  for (std::size_t g = 0; g < column.first_bin.size(); ++g) {
    const std::size_t first = column.first_bin[g];
    const std::size_t end = g + 1 < column.first_bin.size() ? column.first_bin[g + 1] : from.bins();
    column.names.push_back(from.bin_name(first, end));
    column.bins.push_back(static_cast<double>(end - first));
    column.state_of.insert(column.state_of.end(), end - first, g);
  }
}

}  // namespace

std::vector<std::int32_t> StateColumn::states_of(const std::vector<std::string>& dictionary) const {
  const auto found = known ? known->rows_of(dictionary) : state_of;
  std::vector<std::int32_t> result;
  for (const auto state : found) {
    result.push_back(state < states ? static_cast<std::int32_t>(state) : -1);
  }
  return result;
}

StateColumn read_states(const CountTable& counts, const PairColumn& from,
                        const Estimation& estimation) {
  StateColumn column;
  if (from.number) {
    read_bins(counts, from, column);
  } else {
    read_words(counts, column);
  }
  const std::size_t classes = estimation.classes.size();
  const bool reserve = estimation.reserve_unseen && !from.number && !column.names.empty();
  column.states = column.names.size() + reserve;
  column.counts.assign(column.states * classes, 0.0);
  column.shares.assign(column.states * classes, 1.0);
  column.log_shares.assign(column.states * classes, 0.0);
  column.imaginary = imaginary_counts(column.states, {}, estimation.rule);
  for (std::size_t v = 0; v < counts.domain().size(); ++v) {
    for (std::size_t c = 0; c < classes && column.state_of[v] < column.names.size(); ++c) {
      column.counts[column.state_of[v] * classes + c] += counts(v, c);
    }
  }
  for (std::size_t c = 0; c < classes && column.states > 0; ++c) {
    if (estimation.class_weights[c] == 0) continue;
    std::vector<double> observed;
    for (std::size_t i = 0; i < column.states; ++i) {
      observed.push_back(column.counts[i * classes + c]);
    }
    const auto p = estimate_shares(observed, {}, estimation.rule, from.name, estimation.classes[c]);
    for (std::size_t i = 0; i < column.states; ++i) {
      column.shares[i * classes + c] = p[i];
      column.log_shares[i * classes + c] = std::log(p[i]);
    }
  }
  return column;
}

StatePairs::StatePairs(const PairTable& table, const StateColumn& a, const StateColumn& b,
                       std::size_t many)
    : classes(many), sums_a(a.states * many), sums_b(b.states * many), totals(many) {
  for (std::size_t cell = 0; cell < table.cells(); ++cell) {
    const std::size_t x = a.state_of[table.index().first(cell)];
    const std::size_t y = b.state_of[table.index().second(cell)];
    if (x >= a.states || y >= b.states) continue;  // only rows of weight 0 have it
    const std::size_t to = index.insert(x, y);
    if (to * many == counts.size()) counts.resize(counts.size() + many, 0.0);
    for (std::size_t c = 0; c < many; ++c) {
      const double count = table(cell, c);
      counts[to * many + c] += count;
      sums_a[x * many + c] += count;
      sums_b[y * many + c] += count;
      totals[c] += count;
    }
  }
}

double StatePairs::information() const {
  double sum = 0;
  for (std::size_t pair = 0; pair < index.size(); ++pair) {
    const double* a = sums_a.data() + index.first(pair) * classes;
    const double* b = sums_b.data() + index.second(pair) * classes;
    for (std::size_t c = 0; c < classes; ++c) {
      const double n = counts[pair * classes + c];
      if (n > 0) sum += n * (std::log(n / a[c]) - std::log(b[c] / totals[c]));
    }
  }
  return sum;
}

double information_about_class(const StateColumn& column, std::size_t classes) {
  std::vector<double> of_class(classes, 0.0);
  double all = 0, sum = 0;
  for (std::size_t i = 0; i < column.counts.size(); ++i) of_class[i % classes] += column.counts[i];
  for (const double weight : of_class) all += weight;
  for (std::size_t i = 0; i < column.states; ++i) {
    const double* counts = column.counts.data() + i * classes;
    const double of_state = std::accumulate(counts, counts + classes, 0.0);
    for (std::size_t c = 0; c < classes; ++c) {
      const double n = counts[c];
      if (n > 0) sum += n * (std::log(n / of_state) - std::log(of_class[c] / all));
    }
  }
  return sum;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/read_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/log_math.hpp"
#include "families/pairs/linear_reading.hpp"

namespace credence {
namespace {

class PairReader {
 public:
  PairReader(const PairCounts& counts, const Reading& reading, const Estimation& estimation,
             ReadPairs& read)
      : counts_(counts), reading_(reading), estimation_(estimation), read_(read) {}

  void find_trees() {
    std::vector<double> about_class;
    for (const auto column : read_.kept) {
      about_class.push_back(information_about_class(read_.columns[column], read_.classes));
    }
    read_.trees = trees_of(reading_.kind, about_class,
                           [&](std::size_t a, std::size_t b) { return pairs(a, b).information(); });
  }

  // Columns on which others depend are the same in several trees: each table is made once.
  void fill_tables() {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> known;
    for (const auto& tree : read_.trees) {
      std::vector<std::size_t> tables(tree.parent.size(), ColumnTree::none);
      std::vector<double> information(tree.parent.size(), 0.0);
      for (const auto i : tree.order) {
        const std::size_t parent = tree.parent[i];
        if (parent == ColumnTree::none) continue;
        const auto [found, fresh] = known.emplace(std::pair(i, parent), read_.tables.size());
        tables[i] = found->second;
        const StatePairs both = pairs(std::min(i, parent), std::max(i, parent));
        if (fresh) add_table(i, parent, both);
        const double rows = std::accumulate(both.totals.begin(), both.totals.end(), 0.0);
        information[i] = rows > 0 ? both.information() / rows : 0;
      }
      read_.table_of.push_back(std::move(tables));
      read_.information.push_back(std::move(information));
    }
  }

  // Counts of pairs tell the likelihood of rows where a row has all columns, or none depends on
  // another, and one tree is all there is.
  void sum_up() {
    const auto& trees = read_.trees;
    const bool alone = std::all_of(trees[0].parent.begin(), trees[0].parent.end(),
                                   [](std::size_t parent) { return parent == ColumnTree::none; });
    for (std::size_t i = 0; i < trees[0].parent.size(); ++i) {
      if (trees.size() == 1 && trees[0].parent[i] != ColumnTree::none) continue;
      add_own(state_column(i));
    }
    if (trees.size() > 1 || (!alone && !complete())) read_.log_likelihood = not_a_number;
  }

 private:
  const StateColumn& state_column(std::size_t i) const { return read_.columns[read_.kept[i]]; }

  StatePairs pairs(std::size_t a, std::size_t b) const {
    return {counts_.pair(read_.kept[a], read_.kept[b]), state_column(a), state_column(b),
            read_.classes};
  }

  double estimated_classes() const {
    return static_cast<double>(std::count_if(estimation_.class_weights.begin(),
                                             estimation_.class_weights.end(),
                                             [](double weight) { return weight != 0; }));
  }

  void add_table(std::size_t child, std::size_t parent, const StatePairs& both) {
    const Dependence columns{both, state_column(child), state_column(parent), child < parent};
    read_.tables.emplace_back(
        columns, reading_.backoff ? *reading_.backoff : found_backoff(columns, estimation_.rule));
    const auto& table = read_.tables.back();
    read_.parameters += static_cast<std::size_t>(estimated_classes()) * columns.parent.states *
                        (columns.child.states - 1);
    std::vector<double> room(read_.classes);
    for (std::size_t pair = 0; pair < both.index.size(); ++pair) {
      const double* log_p = table(columns.parent_of(pair), columns.child_of(pair), room.data());
      for (std::size_t c = 0; c < read_.classes; ++c) {
        const double n = both.counts[pair * read_.classes + c];
        if (n > 0) read_.log_likelihood += n * log_p[c];
      }
    }
  }

  void add_own(const StateColumn& column) {
    read_.parameters += static_cast<std::size_t>(estimated_classes()) * (column.states - 1);
    for (std::size_t i = 0; i < column.counts.size(); ++i) {
      if (column.counts[i] > 0) read_.log_likelihood += column.counts[i] * column.log_shares[i];
    }
  }

  bool complete() const {
    const std::size_t classes = read_.classes;
    for (const auto column : read_.kept) {
      std::vector<double> present(classes, 0.0);
      const auto& counts = read_.columns[column].counts;
      for (std::size_t i = 0; i < counts.size(); ++i) present[i % classes] += counts[i];
      for (std::size_t c = 0; c < classes; ++c) {
        if (present[c] < estimation_.class_weights[c] * (1 - 1e-12)) return false;
      }
    }
    return true;
  }

  const PairCounts& counts_;
  const Reading& reading_;
  const Estimation& estimation_;
  ReadPairs& read_;
};

}  // namespace

ReadPairs::ReadPairs(const PairCounts& counts, const std::vector<PairColumn>& from,
                     const Reading& reading, const Estimation& estimation)
    : classes(estimation.classes.size()) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    columns.push_back(read_states(counts.single(i), from[i], estimation));
    if (columns.back().states > 1) kept.push_back(i);
  }
  PairReader reader(counts, reading, estimation, *this);
  reader.find_trees();
  reader.fill_tables();
  reader.sum_up();
  if (reading.kind == Reading::Kind::linear) {
    read_linear(counts, estimation, *this);
    log_likelihood = not_a_number;
  }
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "ask/independence.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <numeric>
#include <optional>
#include <queue>
#include <set>

namespace credence {
namespace {

using Code = WeightedTable::Code;
using Combination = std::vector<Code>;

std::size_t place(Code code) { return static_cast<std::size_t>(code); }

struct Marginals {
  std::vector<std::vector<DoubleDouble>> p;  // column, value

  Marginals(const WeightedTable& cells, DoubleDouble total) : p(cells.columns().size()) {
    for (std::size_t c = 0; c < p.size(); ++c) {
      p[c].resize(cells.domain(c).size());
      for (std::size_t i = 0; i < cells.size(); ++i) {
        auto& sum = p[c][place(cells.row(i)[c])];
        sum = sum + cells.weight(i);
      }
      for (auto& sum : p[c]) sum = sum / total;
    }
  }

  // Of the joint table beyond that of the margins: cells that could differ.
  double freedom() const {
    double cells = 1, margins = 0;
    for (const auto& column : p) {
      const auto values = static_cast<double>(
          std::count_if(column.begin(), column.end(), [](const auto& x) { return x.hi > 0; }));
      cells *= values;
      margins += values - 1;
    }
    return cells - 1 - margins;
  }

  DoubleDouble product(std::span<const Code> cell) const {
    DoubleDouble result = 1;
    for (std::size_t c = 0; c < p.size(); ++c) result = result * p[c][place(cell[c])];
    return result;
  }
};

// Of the combinations that never occur, the one that independence would make most probable.
// Best first, from the most probable values on: it looks at no more cells than occur, plus one,
// where all combinations could be too many to walk through.
std::optional<Combination> likeliest_absent(const WeightedTable& cells,
                                            const Marginals& marginals) {
  const std::size_t columns = marginals.p.size();
  std::vector<std::vector<Code>> order(columns);  // the values of each column, likeliest first
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t v = 0; v < marginals.p[c].size(); ++v) {
      if (marginals.p[c][v].hi > 0) order[c].push_back(static_cast<Code>(v));
    }
    std::stable_sort(order[c].begin(), order[c].end(), [&](Code a, Code b) {
      return marginals.p[c][place(a)].hi > marginals.p[c][place(b)].hi;
    });
  }
  using Ranks = std::vector<std::size_t>;
  const auto cell_of = [&](const Ranks& ranks) {
    Combination cell;
    for (std::size_t c = 0; c < columns; ++c) cell.push_back(order[c][ranks[c]]);
    return cell;
  };
  std::priority_queue<std::pair<double, Ranks>> open;
  std::set<Ranks> seen;
  const auto push = [&](const Ranks& ranks) {
    if (seen.insert(ranks).second) open.emplace(marginals.product(cell_of(ranks)).hi, ranks);
  };
  push(Ranks(columns, 0));
  while (!open.empty()) {
    const Ranks ranks = open.top().second;
    open.pop();
    const Combination cell = cell_of(ranks);
    if (cells.weight(cell).hi == 0) return cell;
    for (std::size_t c = 0; c < columns; ++c) {
      Ranks next = ranks;
      if (++next[c] < order[c].size()) push(next);
    }
  }
  return std::nullopt;
}

}  // namespace

Significance significance(double g, double freedom) {
  if (freedom <= 0) return {g, freedom, 1};
  const boost::math::chi_squared by_chance(freedom);
  return {g, freedom, boost::math::cdf(boost::math::complement(by_chance, g))};
}

Independence independence(const WeightedTable& cells, DoubleDouble total) {
  const Marginals marginals(cells, total);
  Independence result{true, 0, {}, 0, 0, {}};
  double widest = -1;
  const auto compare = [&](std::span<const Code> cell, DoubleDouble weight) {
    const DoubleDouble joint = weight / total;
    const DoubleDouble product = marginals.product(cell);
    const double gap = std::abs((joint - product).value());
    if (gap > 1e-12 && gap > 1e-9 * product.value()) result.independent = false;
    // Of equal gaps (a table of two by two has four) rounding must not choose.
    if (gap <= widest * (1 + 1e-9)) return;
    widest = gap;
    result.values.clear();
    for (std::size_t c = 0; c < cell.size(); ++c) {
      result.values.push_back(cells.domain(c)[place(cell[c])]);
    }
    result.joint = ratio(weight, total, cells.counts()).value;
    result.product = ratio(product, 1, false).value;
  };
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const double joint = (cells.weight(i) / total).value();
    if (joint == 0) continue;
    compare(cells.row(i), cells.weight(i));
    const double product = marginals.product(cells.row(i)).value();
    result.mutual_information += joint * std::log1p((joint - product) / product);
  }
  if (const auto absent = likeliest_absent(cells, marginals)) compare(*absent, 0);
  result.mutual_information = std::max(0.0, result.mutual_information);
  if (cells.counts()) {
    result.test = significance(2 * total.value() * result.mutual_information, marginals.freedom());
  }
  return result;
}

Independence together(const std::vector<GivenAnswer>& cases) {
  Independence result{true, 0, {}, 0, 0, {}};
  for (const auto& one : cases) {
    result.independent = result.independent && one.independence.independent;
    result.mutual_information += one.share.value * one.independence.mutual_information;
    result.test.g += one.independence.test.g;
    result.test.freedom += one.independence.test.freedom;
  }
  result.test = significance(result.test.g, result.test.freedom);
  return result;
}

}  // namespace credence

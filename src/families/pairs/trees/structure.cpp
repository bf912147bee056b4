// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/trees/structure.hpp"

#include <algorithm>
#include <numeric>

namespace credence {
namespace {

// A matrix of informations, in the digits in which they are compared.
class Informations {
 public:
  Informations(std::size_t columns,
               const std::function<double(std::size_t, std::size_t)>& information)
      : columns_(columns), values_(columns * columns) {
    for (std::size_t b = 0; b < columns; ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        values_[a * columns + b] = values_[b * columns + a] = static_cast<float>(information(a, b));
      }
    }
  }
  float operator()(std::size_t a, std::size_t b) const { return values_[a * columns_ + b]; }

 private:
  std::size_t columns_;
  std::vector<float> values_;
};

// Prim's algorithm, from the first column on.
std::vector<std::size_t> widest_tree(std::size_t columns, const Informations& information) {
  std::vector<std::size_t> parent(columns, ColumnTree::none), best(columns, 0);
  std::vector<bool> inside(columns, false);
  if (columns > 0) inside[0] = true;
  for (std::size_t step = 1; step < columns; ++step) {
    std::size_t next = ColumnTree::none;
    for (std::size_t i = 0; i < columns; ++i) {
      if (inside[i]) continue;
      if (next == ColumnTree::none || information(i, best[i]) > information(next, best[next])) {
        next = i;
      }
    }
    inside[next] = true;
    parent[next] = best[next];
    for (std::size_t i = 0; i < columns; ++i) {
      const float now = information(i, next), before = information(i, best[i]);
      if (!inside[i] && (now > before || (now == before && next < best[i]))) best[i] = next;
    }
  }
  return parent;
}

// Columns in the order of what they say of the class; each depends on the one before it that says
// most of it.
std::vector<std::size_t> one_parent_each(const std::vector<double>& about_class,
                                         const Informations& information) {
  std::vector<std::size_t> order(about_class.size()), parent(order.size(), ColumnTree::none);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return static_cast<float>(about_class[a]) > static_cast<float>(about_class[b]);
  });
  for (std::size_t k = 1; k < order.size(); ++k) {
    parent[order[k]] = *std::max_element(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k),
        [&](auto a, auto b) { return information(order[k], a) < information(order[k], b); });
  }
  return parent;
}

}  // namespace

ColumnTree::ColumnTree(std::vector<std::size_t> parents) : parent(std::move(parents)) {
  std::vector<bool> placed(parent.size(), false);
  // Level by level, each in the order of the columns.
  while (order.size() < parent.size()) {
    std::vector<std::size_t> level;
    for (std::size_t i = 0; i < parent.size(); ++i) {
      if (!placed[i] && (parent[i] == none || placed[parent[i]])) level.push_back(i);
    }
    for (const auto i : level) placed[i] = true;
    order.insert(order.end(), level.begin(), level.end());
  }
}

std::vector<ColumnTree> trees_of(
    Reading::Kind kind, const std::vector<double>& about_class,
    const std::function<double(std::size_t, std::size_t)>& information) {
  const std::size_t columns = about_class.size();
  std::vector<ColumnTree> result;
  if (kind == Reading::Kind::aode && columns > 1) {
    for (std::size_t root = 0; root < columns; ++root) {
      std::vector<std::size_t> parent(columns, root);
      parent[root] = ColumnTree::none;
      result.emplace_back(std::move(parent));
    }
    return result;
  }
  if (kind == Reading::Kind::tan) {
    result.emplace_back(widest_tree(columns, {columns, information}));
  } else if (kind == Reading::Kind::kdb) {
    result.emplace_back(one_parent_each(about_class, {columns, information}));
  } else {
    result.emplace_back(std::vector<std::size_t>(columns, ColumnTree::none));
  }
  return result;
}

}  // namespace credence

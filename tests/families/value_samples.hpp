// SPDX-License-Identifier: Apache-2.0
// The samples of make_value_reference.py, and its results.
#pragma once

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "core/strings.hpp"
#include "families/bags/value_counts.hpp"
#include "places.hpp"

namespace credence {

struct ReferenceRow {
  std::string what, sample, weights;
  double parameter, at, value;
};

inline std::vector<ReferenceRow> reference_rows(const std::string& what) {
  std::ifstream file(tests_folder() + "/families/value_reference.csv");
  std::string line;
  std::vector<ReferenceRow> rows;
  while (std::getline(file, line)) {
    const auto cells = split(line, ',');
    if (cells[0] != what) continue;
    rows.push_back({cells[0], cells[1], cells[2], *to_number(cells[3]), *to_number(cells[4]),
                    *to_number(cells[5])});
  }
  return rows;
}

// One class per value given in `classes` (all 0 when empty), weight 1 when `weights` are empty.
inline WeightedValues count_values(const std::vector<double>& values,
                                   const std::vector<double>& weights = {},
                                   std::vector<std::int32_t> classes = {}) {
  classes.resize(values.size(), 0);
  std::size_t count = 1;
  for (const auto c : classes) count = std::max(count, static_cast<std::size_t>(c) + 1);
  ValueCounts counts;
  counts.rearrange_classes(std::vector<std::size_t>(count, ExactSums::npos));
  counts.observe(values, weights, classes);
  return counts.weighted_values();
}

inline WeightedValues reference_sample(const ReferenceRow& row) {
  std::vector<double> values, weights;
  for (int i = 0; i < 60; ++i) {
    const double base = std::nearbyint(std::sinh(((i * 37) % 60 - 21) / 13.0) * 1000) / 1000;
    values.push_back(row.sample == "far"    ? 1e9 + std::nearbyint(base * 16) / 16
                     : row.sample == "tiny" ? base * 1e-9
                                            : base);
    if (row.weights == "weighted") weights.push_back(1 + (i * 7) % 3);
  }
  return count_values(values, weights);
}

}  // namespace credence

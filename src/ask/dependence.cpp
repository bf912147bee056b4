// SPDX-License-Identifier: Apache-2.0
#include "ask/dependence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "ask/independence.hpp"
#include "core/strings.hpp"

namespace credence {

CodedTable::CodedTable(const std::vector<std::string>& names) {
  for (const auto& name : names) columns_.push_back({name, {}, {}});
}

void CodedTable::observe(const Chunk& chunk) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto& words = std::get<Categories>(chunk.columns[i]);
    std::vector<std::int32_t> places;
    for (const auto& word : words.dictionary) {
      places.push_back(static_cast<std::int32_t>(columns_[i].domain.insert(word)));
    }
    for (const auto code : words.codes) {
      columns_[i].codes.push_back(code < 0 ? Categories::missing_code
                                           : places[static_cast<std::size_t>(code)]);
    }
  }
  weights_.insert(weights_.end(), chunk.weights.begin(), chunk.weights.end());
  rows_ += chunk.rows;
}

namespace {

// The range of every value: as many rows in each as equal values allow.
std::optional<std::vector<std::int32_t>> ranges_of(const CodedColumn& column, std::size_t ranges) {
  if (column.domain.size() <= ranges) return std::nullopt;
  std::vector<std::pair<double, std::size_t>> values;
  for (std::size_t v = 0; v < column.domain.size(); ++v) {
    const auto number = to_number(column.domain[v]);
    if (!number) return std::nullopt;
    values.emplace_back(*number, v);
  }
  std::sort(values.begin(), values.end());
  std::vector<double> rows(values.size(), 0.0);
  double present = 0;
  for (const auto code : column.codes) {
    if (code < 0) continue;
    rows[static_cast<std::size_t>(code)] += 1;
    present += 1;
  }
  std::vector<std::int32_t> result(values.size());
  double before = 0;
  for (const auto& [number, v] : values) {
    const double middle = (before + rows[v] / 2) / present * static_cast<double>(ranges);
    result[v] = static_cast<std::int32_t>(std::min(middle, static_cast<double>(ranges) - 1));
    before += rows[v];
  }
  return result;
}

}  // namespace

void CodedTable::cut_numbers(std::size_t ranges, std::size_t class_column) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i == class_column) continue;
    auto& column = columns_[i];
    const auto places = ranges_of(column, ranges);
    if (!places) continue;
    column.ranges = ranges;
    for (auto& code : column.codes) {
      if (code >= 0) code = (*places)[static_cast<std::size_t>(code)];
    }
    column.domain = {};
    for (std::size_t r = 0; r < ranges; ++r) column.domain.insert(std::to_string(r + 1));
  }
}

namespace {

// Weights by a number that stands for a combination of values.
using Sums = std::unordered_map<std::uint64_t, double>;

double total_x_log_x(const Sums& sums) {
  double result = 0;
  for (const auto& [key, n] : sums) result += n * std::log(n);
  return result;
}

// How many of these sums each class has.
std::map<std::uint64_t, double> values_by_class(const Sums& sums, std::uint64_t classes) {
  std::map<std::uint64_t, double> result;
  for (const auto& [key, n] : sums) result[key % classes] += 1;
  return result;
}

// The cells of the table of two columns and the class that have weight: (a, b, class) as one
// number.
Sums cells_of(const CodedTable& table, const CodedColumn& a, const CodedColumn& b,
              const CodedColumn& c) {
  const std::size_t classes = c.domain.size(), values = b.domain.size();
  const double size = static_cast<double>(a.domain.size()) * static_cast<double>(values * classes);
  std::vector<double> dense(size <= 0x1p20 ? static_cast<std::size_t>(size) : 0, 0.0);
  Sums result;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    if (a.codes[r] < 0 || b.codes[r] < 0 || c.codes[r] < 0) continue;
    const double weight = table.weights().empty() ? 1 : table.weights()[r];
    if (weight == 0) continue;
    const auto key =
        (static_cast<std::size_t>(a.codes[r]) * values + static_cast<std::size_t>(b.codes[r])) *
            classes +
        static_cast<std::size_t>(c.codes[r]);
    (dense.empty() ? result[key] : dense[key]) += weight;
  }
  for (std::size_t key = 0; key < dense.size(); ++key) {
    if (dense[key] > 0) result[key] = dense[key];
  }
  return result;
}

// G = 2 sum n log(n n_c / (n_a n_b)), class by class, and (values of a - 1) (values of b - 1)
// degrees of freedom for each.
PairDependence compare(const CodedTable& table, std::size_t first, std::size_t second,
                       std::size_t class_column) {
  const auto& a = table.columns()[first];
  const auto& b = table.columns()[second];
  const auto& c = table.columns()[class_column];
  const std::uint64_t classes = c.domain.size(), values = b.domain.size();
  const Sums cells = cells_of(table, a, b, c);
  Sums of_a, of_b, of_class;
  double total = 0;
  for (const auto& [key, n] : cells) {
    const std::uint64_t cls = key % classes, place = key / classes;
    of_a[place / values * classes + cls] += n;
    of_b[place % values * classes + cls] += n;
    of_class[cls] += n;
    total += n;
  }
  PairDependence result{first, second};
  if (total == 0) return result;
  const double g = std::max(0.0, 2 * (total_x_log_x(cells) + total_x_log_x(of_class) -
                                      total_x_log_x(of_a) - total_x_log_x(of_b)));
  result.mutual_information = g / (2 * total);
  if (!table.weights().empty()) return result;
  const auto many_a = values_by_class(of_a, classes), many_b = values_by_class(of_b, classes);
  double freedom = 0;
  for (const auto& [cls, count] : many_a) freedom += (count - 1) * (many_b.at(cls) - 1);
  result.test = significance(g, freedom);
  return result;
}

}  // namespace

std::vector<PairDependence> dependence(const CodedTable& table, std::size_t class_column) {
  std::vector<PairDependence> result;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    for (std::size_t j = i + 1; j < table.columns().size(); ++j) {
      if (i == class_column || j == class_column) continue;
      result.push_back(compare(table, i, j, class_column));
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const PairDependence& a, const PairDependence& b) {
                     if (a.test.p_value != b.test.p_value) return a.test.p_value < b.test.p_value;
                     return a.mutual_information > b.mutual_information;
                   });
  return result;
}

}  // namespace credence

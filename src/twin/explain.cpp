// SPDX-License-Identifier: Apache-2.0
// A logistic model's scores taken apart, in the words the families use for theirs.
#include <cmath>

#include "core/strings.hpp"
#include "families/family.hpp"
#include "twin/model.hpp"

namespace credence {

std::vector<Term> LogisticModel::terms(const Chunk& chunk, std::size_t row) const {
  const std::size_t classes = classes_.size();
  std::vector<Term> result;
  const auto add = [&](const std::string& column, const std::string& value, std::size_t feature,
                       double x) {
    Term term{column, value, std::vector<double>(classes, 0.0)};
    for (std::size_t c = 0; c < classes && x != 0; ++c)
      term.log_density[c] = x * coefficient(c, feature);
    result.push_back(std::move(term));
  };
  add("intercept", "", features_.size(), 1);
  for (std::size_t i = 0; i < features_.columns().size(); ++i) {
    const auto& column = features_.columns()[i];
    const auto& spec = schema().columns[i];
    const auto known = [&](const std::string& name, const std::string& value, double x) {
      const std::size_t place = column.values.find(name);
      const bool found = place != Domain::npos;
      add(spec.name, value, column.first + (found ? place : 0), found ? x : 0);
      result.back().ignored = !found;
    };
    if (const auto* numbers = std::get_if<Numbers>(&chunk.columns[i])) {
      const double x = numbers->values[row];
      if (std::isnan(x)) continue;
      const double own = spec.kind == ColumnKind::binary ? (x > 0 ? 1.0 : 0.0) : x;
      add(spec.name, format_number(x), column.first, (own - column.mean) / column.scale);
    } else if (const auto* words = std::get_if<Categories>(&chunk.columns[i])) {
      if (words->codes[row] < 0) continue;
      const auto& word = words->dictionary[static_cast<std::size_t>(words->codes[row])];
      known(word, word, 1);
    } else {
      const auto& bags = std::get<Bags>(chunk.columns[i]);
      const bool counts = column.coding == FeatureColumn::Coding::count;
      for (std::size_t k = bags.offsets[row]; k < bags.offsets[row + 1]; ++k) {
        if (!(bags.counts[k] > 0)) continue;
        const auto& name = bags.dictionary[static_cast<std::size_t>(bags.features[k])];
        const double x = counts ? bags.counts[k] : 1;
        known(name, x == 1 ? name : name + " x " + format_number(x), x);
      }
    }
  }
  return result;
}

LinearForm LogisticModel::linear_form() const {
  const std::size_t classes = classes_.size();
  LinearForm form;
  for (std::size_t c = 0; c < classes; ++c) {
    form.intercepts.push_back(coefficient(c, features_.size()));
  }
  for (std::size_t j = 0; j < features_.size(); ++j) {
    form.features.push_back({features_.name(j), {}});
    for (std::size_t c = 0; c < classes; ++c)
      form.features[j].coefficients.push_back(coefficient(c, j));
  }
  for (const auto& column : features_.columns()) {
    if (column.coding != FeatureColumn::Coding::number) continue;
    for (std::size_t c = 0; c < classes; ++c) {
      form.intercepts[c] -= coefficient(c, column.first) * column.mean;
    }
  }
  return form;
}

}  // namespace credence

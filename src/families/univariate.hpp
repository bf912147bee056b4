// SPDX-License-Identifier: Apache-2.0
// A block of one number: what scoring, explaining and sampling share, whatever the distribution.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/strings.hpp"
#include "families/statistics/declared.hpp"
#include "sql/query.hpp"

namespace credence {

// Distribution has log_density(x) and sample(random); there is one per class.
template <typename Distribution>
class UnivariateDensity : public Density {
 public:
  explicit UnivariateDensity(const BlockColumn& column)
      : name_(column.name), index_(column.index) {}

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    const auto& values = std::get<Numbers>(chunk.columns[index_]).values;
    const std::size_t classes = classes_.size();
    for (std::size_t r = 0; r < chunk.rows && !left_out_; ++r) {
      if (std::isnan(values[r])) continue;
      double* out = joint.data() + r * classes;
      for (std::size_t c = 0; c < classes; ++c) {
        out[c] += weight * classes_[c].log_density(values[r]);
      }
    }
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    const double x = std::get<Numbers>(chunk.columns[index_]).values[row];
    if (std::isnan(x) || left_out_) return;
    Term term{name_, format_number(x), {}};
    for (const auto& d : classes_) term.log_density.push_back(d.log_density(x));
    if constexpr (requires(const Distribution& d) { d.working(x); }) {
      term.working = [this, x](std::size_t cls) { return classes_[cls].working(x); };
    }
    terms.push_back(std::move(term));
  }

  std::vector<sql::Expression> sql(sql::Query& query) const override {
    if constexpr (requires(const Distribution& d) { d.sql(query, query.number(0)); }) {
      if (left_out_) return {classes_.size(), query.number(0)};
      const auto x = query.cell(index_);
      std::vector<sql::Expression> result;
      for (const auto& d : classes_) result.push_back(query.if_there(x, d.sql(query, x)));
      return result;
    }
    return Density::sql(query);
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    std::get<Numbers>(rows.columns[index_]).values.push_back(classes_[cls].sample(random));
  }

  double probability(std::size_t column, const NumberRange& range, std::size_t cls) const override {
    if constexpr (requires(const Distribution& d) { d.probability(range); }) {
      if (column == index_ && !left_out_) return classes_[cls].probability(range);
    }
    return Density::probability(column, range, cls);
  }

 protected:
  // A row of show's table: one member of every class's distribution.
  ParameterTable::Row parameter(const char* label, double Distribution::*member) const {
    ParameterTable::Row row{label, {}};
    for (const auto& d : classes_) row.cells.push_back({d.*member, 0, 0});
    return row;
  }

  std::string name_;
  std::size_t index_;
  std::vector<Distribution> classes_;
  bool left_out_ = false;  // the column tells the classes apart in no way
};

}  // namespace credence

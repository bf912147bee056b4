// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/gaussian_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "core/log_math.hpp"
#include "families/gaussian/anchored_sums.hpp"
#include "families/gaussian/number_scores.hpp"
#include "families/kernels/row_kernels.hpp"
#include "families/kernels/row_sums.hpp"
#include "families/number/number_summary.hpp"
#include "families/statistics/class_arrays.hpp"
#include "families/statistics/declared.hpp"
#include "sql/query.hpp"

namespace credence {
namespace {

struct FlooredColumns : BlockColumns {
  double floor = 0;
};

// The values of one column, gathered where rows lie side by side.
std::span<const double> values_of(const Chunk& chunk, std::size_t index,
                                  std::vector<double>& gathered) {
  if (!chunk.matrix) return std::get<Numbers>(chunk.columns[index]).values;
  gathered.resize(chunk.rows);
  for (std::size_t r = 0; r < chunk.rows; ++r) gathered[r] = chunk.matrix.row(r)[index];
  return gathered;
}

// A column of all classes together.
NumberSummary summary_of_column(const ClassMoments& moments, std::size_t column) {
  NumberSummary result;
  for (std::size_t c = 0; c < moments.classes(); ++c) {
    result.merge(NumberSummary::of_class(moments[c * moments.width() + column], {}));
  }
  return result;
}

class GaussianColumnsDensity : public Density {
 public:
  GaussianColumnsDensity(const FlooredColumns& columns, const ClassMoments& moments,
                         const AddedVariance& added, const Estimation& estimation)
      : columns_(columns),
        classes_(estimation.classes.size()),
        student_(estimation.rule.kind == Rule::Kind::bayes) {
    log_prior = not_a_number;  // a variance with something added is no maximum
    const std::size_t width = columns_.indices.size();
    by_column_.resize(width * classes_);
    for (std::size_t i = 0; i < width; ++i) {
      const NumberSummary column = summary_of_column(moments, i);
      // What never varies tells nothing apart, unless something is added to its variance.
      const bool flat = column.weight.hi == 0 ||
                        (column.m2.hi == 0 && (added.variance == 0 || estimation.rule.has_prior()));
      for (std::size_t c = 0; c < classes_; ++c) {
        auto& density = by_column_[i * classes_ + c];
        density = {std::ldexp(column.mean.value(), column.exponent), 0, infinity, 0};
        if (flat || estimation.class_weights[c] == 0) continue;
        const auto& own = moments[c * width + i];
        density = estimate_number(own, column.prior(estimation.rule), estimation.rule,
                                  columns_.names[i], estimation.classes[c], added);
        log_likelihood += normal_log_likelihood(own, density);
        parameters += 2;
      }
    }
    if (!student_) lay_out_by_class();
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    const std::size_t width = columns_.indices.size();
    std::vector<double> gathered(student_ ? 0 : width);
    if (student_) {
      for (std::size_t i = 0; i < width; ++i) {
        const auto values = values_of(chunk, columns_.indices[i], gathered);
        add_number_scores(values, densities(i), weight, joint);
      }
      return;
    }
    std::vector<double> panel(width * row_panel), squares(classes_ * row_panel);
    const auto add = [&](std::size_t r, const double* row, const double* own, std::size_t step) {
      for (std::size_t c = 0; c < classes_; ++c) {
        const bool singly = extreme_ || std::isnan(own[c * step]);
        joint[r * classes_ + c] +=
            weight * (singly ? one_by_one(row, c) : offsets_[c] - own[c * step]);
      }
    };
    std::size_t r = 0;
    for (; r + row_panel <= chunk.rows; r += row_panel) {
      for (std::size_t k = 0; k < row_panel; ++k) {
        const double* row = row_of(chunk, r + k, gathered);
        for (std::size_t i = 0; i < width; ++i) panel[i * row_panel + k] = row[i];
      }
      panel_distances(panel.data(), means_.data(), half_precisions_.data(), classes_, width,
                      squares.data());
      for (std::size_t k = 0; k < row_panel; ++k) {
        add(r + k, row_of(chunk, r + k, gathered), squares.data() + k, row_panel);
      }
    }
    for (; r < chunk.rows; ++r) {
      const double* row = row_of(chunk, r, gathered);
      distances(row, means_.data(), half_precisions_.data(), classes_, width, squares.data());
      add(r, row, squares.data(), 1);
    }
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    std::vector<double> gathered(columns_.indices.size());
    const double* values = row_of(chunk, row, gathered);
    for (std::size_t i = 0; i < columns_.indices.size(); ++i) {
      if (std::isnan(values[i])) continue;
      Term term{columns_.names[i], format_number(values[i]), {}};
      for (const auto& density : densities(i)) {
        term.log_density.push_back(density.log_density(values[i]));
      }
      term.working = [this, i, x = values[i]](std::size_t c) { return densities(i)[c].working(x); };
      terms.push_back(std::move(term));
    }
  }

  std::vector<sql::Expression> sql(sql::Query& query) const override {
    std::vector<sql::Expression> result;
    for (std::size_t c = 0; c < classes_; ++c) {
      std::vector<sql::Expression> terms;
      for (std::size_t i = 0; i < columns_.indices.size(); ++i) {
        const auto x = query.cell(columns_.indices[i]);
        terms.push_back(query.if_there(x, densities(i)[c].sql(query, x)));
      }
      result.push_back(sum(terms));
    }
    return result;
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    for (std::size_t i = 0; i < columns_.indices.size(); ++i) {
      std::get<Numbers>(rows.columns[columns_.indices[i]])
          .values.push_back(densities(i)[cls].sample(random));
    }
  }

  double probability(std::size_t column, const NumberRange& range, std::size_t cls) const override {
    const auto found = std::find(columns_.indices.begin(), columns_.indices.end(), column);
    if (found == columns_.indices.end()) return not_a_number;
    const auto& d = densities(static_cast<std::size_t>(found - columns_.indices.begin()))[cls];
    return d.scale == 0 ? not_a_number : d.probability(range);
  }

  std::string linear(LinearForm& form) const override {
    for (std::size_t i = 0; i < columns_.indices.size(); ++i) {
      if (const auto why = linear_in_number(columns_.names[i], densities(i), form); !why.empty()) {
        return why;
      }
    }
    return "";
  }

  ParameterTable table() const override {
    ParameterTable result{columns_.title(), "gaussian", "", {}};
    if (student_) result.remark = "Student's t: normal with mean and variance integrated out";
    const auto row = [&](const char* name, std::size_t i, double NumberDensity::*member) {
      ParameterTable::Row line{name, {}, {columns_.names[i]}};
      for (const auto& density : densities(i)) line.cells.push_back({density.*member, 0, 0});
      result.rows.push_back(std::move(line));
    };
    for (std::size_t i = 0; i < columns_.indices.size(); ++i) {
      row("mean", i, &NumberDensity::mean);
      row(student_ ? "scale" : "sd", i, &NumberDensity::scale);
      if (student_) row("degrees of freedom", i, &NumberDensity::freedom);
    }
    return result;
  }

 private:
  std::span<const NumberDensity> densities(std::size_t column) const {
    return std::span(by_column_).subspan(column * classes_, classes_);
  }

  // The block's columns of a row side by side.
  const double* row_of(const Chunk& chunk, std::size_t row, std::vector<double>& gathered) const {
    if (chunk.matrix && chunk.matrix.columns == columns_.indices.size() && in_order_) {
      return chunk.matrix.row(row);
    }
    for (std::size_t i = 0; i < columns_.indices.size(); ++i) {
      gathered[i] = chunk.matrix
                        ? chunk.matrix.row(row)[columns_.indices[i]]
                        : std::get<Numbers>(chunk.columns[columns_.indices[i]]).values[row];
    }
    return gathered.data();
  }

  void lay_out_by_class() {
    const std::size_t width = columns_.indices.size();
    for (std::size_t c = 0; c < classes_; ++c) {
      double offset = 0;
      for (std::size_t i = 0; i < width; ++i) {
        const auto& density = densities(i)[c];
        means_.push_back(density.mean);
        half_precisions_.push_back(density.scale == 0 ? 0.0
                                                      : 0.5 / (density.scale * density.scale));
        extreme_ = extreme_ || (density.scale != 0 && !std::isnormal(half_precisions_.back()));
        offset += density.log_norm;
      }
      offsets_.push_back(offset);
    }
  }

  double one_by_one(const double* row, std::size_t cls) const {
    double sum = 0;
    for (std::size_t i = 0; i < columns_.indices.size(); ++i) {
      if (!std::isnan(row[i])) sum += densities(i)[cls].log_density(row[i]);
    }
    return sum;
  }

  FlooredColumns columns_;
  bool in_order_ = columns_.in_order();
  std::size_t classes_;
  bool student_;
  std::vector<NumberDensity> by_column_;  // [column][class]
  // The same of normals for a row at a time: [class][column], and [class].
  std::vector<double> means_, half_precisions_, offsets_;
  bool extreme_ = false;  // some precision is beyond a double: columns are scored one by one
};

class SeparateGaussians : public DeclaredStatistics<SeparateGaussians, FlooredColumns> {
  ClassMoments moments_{columns_.indices.size()};

 public:
  using DeclaredStatistics::DeclaredStatistics;
  static constexpr auto arrays = std::tuple(&SeparateGaussians::moments_);

  bool reads_rows() const override { return true; }

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    const std::size_t width = columns_.indices.size(), many = moments_.classes();
    std::vector<bool> met(many);
    for (const auto cls : classes) {
      if (cls >= 0) met[static_cast<std::size_t>(cls)] = true;
    }
    const auto add = [&](std::size_t column, const auto& found) {
      for (std::size_t c = 0; c < many; ++c) {
        if (met[c]) moments_.add(c * width + column, found(c));
      }
    };
    std::optional<RowSums> sums;
    if (chunk.matrix && chunk.matrix.columns == width && columns_.in_order()) {
      sums.emplace(chunk.matrix, chunk.weights, classes, many);
    }
    std::vector<double> gathered;
    for (std::size_t i = 0; i < width; ++i) {
      if (sums && sums->tells(i)) {
        add(i, [&](std::size_t c) { return sums->moments(c, i); });
        continue;
      }
      const auto values = values_of(chunk, columns_.indices[i], gathered);
      std::vector<AnchoredSums> by_class(many);
      add_anchored(values, chunk.weights, classes, by_class);
      add(i, [&](std::size_t c) { return by_class[c].moments(); });
    }
  }

  // What a part of is added: the largest variance of a column among all rows.
  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    AddedVariance largest{0, -1024};
    for (std::size_t i = 0; i < columns_.indices.size(); ++i) {
      const NumberSummary column = summary_of_column(moments_, i);
      if (column.weight.hi == 0 || column.m2.hi == 0) continue;
      const AddedVariance own{(column.m2 / column.weight).value(), column.exponent};
      if (own.exponent > largest.exponent) {
        largest.variance = std::ldexp(largest.variance, 2 * (largest.exponent - own.exponent));
        largest.exponent = own.exponent;
      }
      largest.variance = std::max(largest.variance,
                                  std::ldexp(own.variance, 2 * (own.exponent - largest.exponent)));
    }
    return std::make_unique<GaussianColumnsDensity>(
        columns_, moments_, AddedVariance{columns_.floor * largest.variance, largest.exponent},
        estimation);
  }
};

}  // namespace

std::unique_ptr<BlockStatistics> make_gaussian_columns(const BlockColumns& columns, double floor) {
  return std::make_unique<SeparateGaussians>(FlooredColumns{columns, floor});
}

}  // namespace credence

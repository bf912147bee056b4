// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/gaussian_columns.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/log_math.hpp"
#include "families/gaussian/anchored_sums.hpp"
#include "families/gaussian/number_scores.hpp"
#include "families/gaussian/row_sums.hpp"
#include "families/numeric.hpp"
#include "families/row_kernels.hpp"
#include "families/statistics/class_arrays.hpp"
#include "families/statistics/declared.hpp"

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

// An array of statistics: moments of columns, whatever the classes of their rows.
class PlainMoments {
 public:
  PlainMoments(const char* name, std::size_t width) : name_(name), cells_(width) {}

  Moments& operator[](std::size_t column) { return cells_[column]; }
  const Moments& operator[](std::size_t column) const { return cells_[column]; }

  void rearrange_classes(std::span<const std::size_t>) {}
  void merge(const PlainMoments& other, std::span<const std::size_t>, int sign) {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (sign > 0) {
        cells_[i].merge(other.cells_[i]);
      } else {
        cells_[i].forget(other.cells_[i]);
        if (cells_[i].m2.hi < 0) cells_[i].m2 = {};
      }
    }
  }
  void scale(double) {}  // rows count here whatever they weigh
  void canonicalise() {
    for (auto& cell : cells_) cell.choose_unit();
  }
  std::string defect(const std::string&, const std::vector<std::string>&) const { return ""; }
  void save(Tensors& tensors, const std::string& prefix) const {
    for (const auto& [part, member] : parts) {
      ExactSums sums(cells_.size());
      for (std::size_t i = 0; i < cells_.size(); ++i) sums.set(i, cells_[i].*member);
      tensors.put(prefix + name_ + part, sums, {cells_.size()});
    }
    std::vector<int> exponents;
    for (const auto& cell : cells_) exponents.push_back(cell.exponent);
    save_exponents(tensors, prefix + name_, exponents, {cells_.size()});
  }
  void load(const Tensors& tensors, const std::string& prefix, std::size_t) {
    for (const auto& [part, member] : parts) {
      const auto sums = tensors.sums(prefix + name_ + part, {cells_.size()});
      for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i].*member = sums.exact(i);
    }
    const auto exponents = load_exponents(tensors, prefix + name_, {cells_.size()});
    for (std::size_t i = 0; i < exponents.size(); ++i) cells_[i].exponent = exponents[i];
  }

 private:
  static constexpr std::pair<const char*, DoubleDouble Moments::*> parts[] = {
      {".weight", &Moments::weight}, {".mean", &Moments::mean}, {".m2", &Moments::m2}};

  const char* name_;
  std::vector<Moments> cells_;
};

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
      Moments column;
      for (std::size_t c = 0; c < classes_; ++c) column.merge(moments[c * width + i]);
      // What never varies tells nothing apart, unless something is added to its variance.
      const bool flat = column.weight.hi == 0 ||
                        (column.m2.hi == 0 && (added.variance == 0 || estimation.rule.has_prior()));
      for (std::size_t c = 0; c < classes_; ++c) {
        auto& density = by_column_[i * classes_ + c];
        density = {std::ldexp(column.mean.value(), column.exponent), 0, infinity, 0};
        if (flat || estimation.class_weights[c] == 0) continue;
        const auto& own = moments[c * width + i];
        density = estimate_number(own, column, estimation.rule, columns_.names[i],
                                  estimation.classes[c], added);
        log_likelihood += normal_log_likelihood(own, density);
        parameters += 2;
      }
    }
    if (!student_) lay_out_by_class();
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    const std::size_t width = columns_.indices.size();
    std::vector<double> gathered(student_ ? 0 : width), squares(classes_);
    if (student_) {
      for (std::size_t i = 0; i < width; ++i) {
        const auto values = values_of(chunk, columns_.indices[i], gathered);
        add_number_scores(values, densities(i), weight, joint);
      }
      return;
    }
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const double* row = row_of(chunk, r, gathered);
      distances(row, means_.data(), half_precisions_.data(), classes_, width, squares.data());
      for (std::size_t c = 0; c < classes_; ++c) {
        const bool singly = extreme_ || std::isnan(squares[c]);
        joint[r * classes_ + c] +=
            weight * (singly ? one_by_one(row, c) : offsets_[c] - squares[c]);
      }
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
      terms.push_back(std::move(term));
    }
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    for (std::size_t i = 0; i < columns_.indices.size(); ++i) {
      std::get<Numbers>(rows.columns[columns_.indices[i]])
          .values.push_back(densities(i)[cls].sample(random));
    }
  }

  std::string linear(LinearForm&) const override {
    return columns_.title() +
           ": a variance of its own for each class makes it quadratic (use gaussian(tied))";
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
    if (chunk.matrix && chunk.matrix.columns == columns_.indices.size()) {
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
  std::size_t classes_;
  bool student_;
  std::vector<NumberDensity> by_column_;  // [column][class]
  // The same of normals for a row at a time: [class][column], and [class].
  std::vector<double> means_, half_precisions_, offsets_;
  bool extreme_ = false;  // some precision is beyond a double: columns are scored one by one
};

class SeparateGaussians : public DeclaredStatistics<SeparateGaussians, FlooredColumns> {
  ClassMoments moments_{columns_.indices.size()};
  // What a part of is added: rows count once each, as if weights were not there.
  PlainMoments all_{".all", columns_.indices.size()};

 public:
  using DeclaredStatistics::DeclaredStatistics;
  static constexpr auto arrays = std::tuple(&SeparateGaussians::moments_, &SeparateGaussians::all_);

  bool reads_rows() const override { return true; }

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    const std::size_t width = columns_.indices.size(), many = moments_.classes();
    std::vector<std::int32_t> labelled;  // all classes as one
    std::vector<std::size_t> order;  // of the classes, as rows have them: whatever they are called
    std::vector<bool> met(many);
    for (const auto cls : classes) {
      labelled.push_back(cls < 0 ? -1 : 0);
      if (cls < 0 || met[static_cast<std::size_t>(cls)]) continue;
      met[static_cast<std::size_t>(cls)] = true;
      order.push_back(static_cast<std::size_t>(cls));
    }
    const bool weighted = !chunk.weights.empty();
    RowSums sums(many, width), plain(1, weighted ? width : 0);
    if (chunk.matrix && chunk.matrix.columns == width &&
        sums.add(chunk.matrix, chunk.weights, classes)) {
      if (weighted) plain.add(chunk.matrix, {}, labelled);
      for (std::size_t i = 0; i < width; ++i) {
        Moments column = weighted ? plain.moments(0, i) : Moments{};
        for (const auto c : order) add(c, i, sums.moments(c, i), weighted, column);
        all_[i].merge(column);
      }
      return;
    }
    std::vector<double> gathered;
    for (std::size_t i = 0; i < width; ++i) {
      const auto values = values_of(chunk, columns_.indices[i], gathered);
      std::vector<AnchoredSums> by_class(many), together(1);
      add_anchored(values, chunk.weights, classes, by_class);
      if (weighted) add_anchored(values, {}, labelled, together);
      Moments column = together[0].moments();
      for (const auto c : order) add(c, i, by_class[c].moments(), weighted, column);
      all_[i].merge(column);
    }
  }

  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    AddedVariance largest{0, -1024};
    for (std::size_t i = 0; i < columns_.indices.size(); ++i) {
      if (all_[i].weight.hi == 0 || all_[i].m2.hi == 0) continue;
      const AddedVariance own{(all_[i].m2 / all_[i].weight).value(), all_[i].exponent};
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

 private:
  void add(std::size_t cls, std::size_t column, const Moments& found, bool weighted,
           Moments& together) {
    moments_.add(cls * columns_.indices.size() + column, found);
    if (!weighted) together.merge(found);
  }
};

}  // namespace

std::unique_ptr<BlockStatistics> make_gaussian_columns(const BlockColumns& columns, double floor) {
  return std::make_unique<SeparateGaussians>(FlooredColumns{columns, floor});
}

}  // namespace credence

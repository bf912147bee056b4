// SPDX-License-Identifier: Apache-2.0
// Families of one number that read a class from a few sums over it and over the whole column, from
// which the imaginary rows come. fit() and the short way of holding a row out are the same reading:
// of all rows, and of all but one.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "core/double_double.hpp"
#include "families/statistics/class_arrays.hpp"
#include "families/univariate.hpp"

namespace credence {

// What Family says, as static functions; a Summary is what was observed of a class or of the
// column, and can merge() and forget() another:
//   silent(column, rule): such a column tells nothing apart, and is left out;
//   flat(column): what then stands for a class, and for one without rows;
//   estimate(cls, column, rule, name of the column, name of the class): throws a data error;
//   log_likelihood(cls, distribution), log_prior(column, distribution, rule), free_parameters.
template <typename Family, typename Summary, typename Distribution>
class SummarisedDensity : public UnivariateDensity<Distribution> {
 public:
  SummarisedDensity(const BlockColumn& place, const Summary& column,
                    const std::vector<Summary>& classes, const Estimation& estimation)
      : UnivariateDensity<Distribution>(place), rule_(estimation.rule) {
    this->left_out_ = Family::silent(column, rule_);
    this->log_prior = 0;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      this->classes_.push_back(Family::flat(column));
      if (this->left_out_ || estimation.class_weights[c] == 0) continue;
      auto& density = this->classes_.back();
      density = Family::estimate(classes[c], column, rule_, this->name_, estimation.classes[c]);
      this->log_likelihood += Family::log_likelihood(classes[c], density);
      this->log_prior += Family::log_prior(column, density, rule_);
      this->parameters += Family::free_parameters;
    }
  }

 protected:
  Rule rule_;
};

// Judges rows by the statistics without them. Taking a row away changes its class, and the column.
// Reader is made of (rule, number of classes) and estimates one class without throwing:
//   bool read(cls, column, slot, Distribution&), false where there is nothing to go on.
// Each class has two slots, with and without the row: what depends on few numbers may be kept
// there.
template <typename Statistics, typename Summary, typename Distribution>
class OneHeldOut {
 public:
  OneHeldOut(std::vector<Summary> classes, const Summary& column, const Estimation& estimation)
      : classes_(std::move(classes)),
        column_(column),
        estimation_(estimation),
        reader_(estimation.rule, classes_.size()),
        densities_(classes_.size()) {
    if (Statistics::silent(column_, estimation.rule)) return;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (estimation_.class_weights[c] == 0) continue;
      whole_works_ = whole_works_ && reader_.read(classes_[c], column_, 2 * c, densities_[c]);
    }
  }

  // out[c] += weight * log p(x | c) without the row (x, cls, own). False, and nothing done, where a
  // class cannot be estimated, or only just: such rows are for the long way.
  bool add(double x, std::size_t cls, double own, double weight, std::span<double> out) {
    if (!whole_works_) return false;
    if (std::isnan(x)) return true;
    Summary rest = classes_[cls], column = column_;
    if (own != 0) {
      const Summary row = Statistics::of_row(x, own);
      rest.forget(row);
      column.forget(row, classes_[cls], rest);
    }
    if (Statistics::fragile(column, column_)) column = added_up(cls, rest);
    if (Statistics::read_otherwise(column)) return false;
    if (Statistics::silent(column, estimation_.rule)) return true;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const bool mine = c == cls;
      if (estimation_.class_weights[c] - (mine ? own : 0) == 0) {
        densities_[c] = {};
      } else if (!reader_.read(mine ? rest : classes_[c], column, 2 * c + mine, densities_[c])) {
        return false;
      }
    }
    for (std::size_t c = 0; c < out.size(); ++c) out[c] += weight * densities_[c].log_density(x);
    return true;
  }

 private:
  Summary added_up(std::size_t cls, const Summary& rest) const {
    Summary column;
    for (std::size_t c = 0; c < classes_.size(); ++c) column.merge(c == cls ? rest : classes_[c]);
    return column;
  }

  std::vector<Summary> classes_;
  Summary column_;
  const Estimation& estimation_;
  typename Statistics::Reader reader_;
  bool whole_works_ = true;  // with all rows, every class can be estimated
  std::vector<Distribution> densities_;
};

// Derived says what Family does above, and
//   classes(), summary(cls), of_row(x, weight): the summaries;
//   fragile(left, column): too few digits of the column are left to go on with;
//   read_otherwise(column): with a row less the column is no longer read in the same way;
//   arrange(summaries, rule): makes of them what is read under the rule;
//   Reader, Fitted: the types of the reader and of the density.
template <typename Derived, typename Summary, typename Distribution>
class SummarisedStatistics : public DeclaredStatistics<Derived, BlockColumn> {
 public:
  using DeclaredStatistics<Derived, BlockColumn>::DeclaredStatistics;
  static void arrange(std::vector<Summary>&, const Rule&) {}
  static bool read_otherwise(const Summary&) { return false; }

  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    const auto classes = summaries(estimation.rule);
    return std::make_unique<typename Derived::Fitted>(this->columns_, column_of(classes), classes,
                                                      estimation);
  }

  void add_held_out(const Estimation& estimation, const Chunk& chunk,
                    std::span<const std::int32_t> classes, double weight,
                    std::span<double> joint) const override {
    const auto& values = std::get<Numbers>(chunk.columns[this->columns_.index]).values;
    const std::size_t many = estimation.classes.size();
    OneHeldOut<Derived, Summary, Distribution> held_out(summaries(estimation.rule),
                                                        column(estimation.rule), estimation);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] < 0) continue;
      const auto cls = static_cast<std::size_t>(classes[r]);
      const double own = chunk.weights.empty() ? 1.0 : chunk.weights[r];
      if (!held_out.add(values[r], cls, own, weight, joint.subspan(r * many, many))) {
        this->add_row_held_out(estimation, chunk, r, classes[r], weight, joint);
      }
    }
  }

 protected:
  std::vector<Summary> summaries(const Rule& rule) const {
    std::vector<Summary> result;
    for (std::size_t c = 0; c < this->self().classes(); ++c) {
      result.push_back(this->self().summary(c));
    }
    Derived::arrange(result, rule);
    return result;
  }
  Summary column(const Rule& rule) const { return column_of(summaries(rule)); }
  static Summary column_of(const std::vector<Summary>& classes) {
    Summary result;
    for (const auto& cls : classes) result.merge(cls);
    return result;
  }
};

// Sums of a class, in the order in which the arrays are declared.
template <std::size_t many>
struct SummaryOfSums {
  std::array<DoubleDouble, many> sums;

  double operator[](std::size_t i) const { return sums[i].hi; }
  void merge(const SummaryOfSums& other) {
    for (std::size_t i = 0; i < many; ++i) sums[i] = sums[i] + other.sums[i];
  }
  void forget(const SummaryOfSums& other) {
    for (std::size_t i = 0; i < many; ++i) sums[i] = sums[i] - other.sums[i];
  }
  void forget(const SummaryOfSums& row, const SummaryOfSums&, const SummaryOfSums&) { forget(row); }
};

// All arrays are ClassSums: the weight, then sums of what Derived::terms(x) gives for a row that
// weighs 1. Derived::read(cls, column, rule, Distribution&) is the estimate that does not throw.
template <typename Derived, std::size_t many, typename Distribution>
class SummedStatistics : public SummarisedStatistics<Derived, SummaryOfSums<many>, Distribution> {
 public:
  using Summary = SummaryOfSums<many>;
  using SummarisedStatistics<Derived, Summary, Distribution>::SummarisedStatistics;

  struct Reader {
    Reader(const Rule& how, std::size_t) : rule(how) {}
    bool read(const Summary& cls, const Summary& column, std::size_t, Distribution& density) const {
      return Derived::read(cls, column, rule, density);
    }
    const Rule& rule;
  };

  std::size_t classes() const { return (this->self().*std::get<0>(Derived::arrays)).classes(); }
  Summary summary(std::size_t cls) const {
    return std::apply([&](auto... array) { return Summary{{(this->self().*array).exact(cls)...}}; },
                      Derived::arrays);
  }
  static Summary of_row(double x, double weight) {
    const auto terms = Derived::terms(x);
    Summary result;
    for (std::size_t i = 0; i < many; ++i) result.sums[i] = two_product(weight, terms[i]);
    return result;
  }
  static bool fragile(const Summary&, const Summary&) { return false; }

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    const auto& values = std::get<Numbers>(chunk.columns[this->columns_.index]).values;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] < 0 || std::isnan(values[r])) continue;
      const auto row = of_row(values[r], chunk.weights.empty() ? 1.0 : chunk.weights[r]);
      std::size_t i = 0;
      std::apply(
          [&](auto... array) {
            ((this->self().*array).add(static_cast<std::size_t>(classes[r]), row.sums[i++]), ...);
          },
          Derived::arrays);
    }
  }

  // A class without weight has no sums either, unless rounding left something of them.
  std::string inconsistency(const std::vector<std::string>& classes) const {
    std::string found;
    const auto check = [&](const ClassSums& sums) {
      for (std::size_t c = 0; c < classes.size() && found.empty(); ++c) {
        if (summary(c)[0] == 0 && sums.is_exact() && sums[c] != 0) {
          found = sums.overdrawn(this->columns_.title(), classes[c], sums[c]);
        }
      }
    };
    std::apply([&](auto... array) { (check(this->self().*array), ...); }, Derived::arrays);
    return found;
  }
};

}  // namespace credence

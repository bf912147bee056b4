// SPDX-License-Identifier: Apache-2.0
// A real-valued column: one mean and one variance per class.
// Derivations, in the same notation: docs/families/gaussian.md
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/gaussian/anchored_sums.hpp"
#include "families/gaussian/gaussian_block.hpp"
#include "families/gaussian/gaussian_columns.hpp"
#include "families/gaussian/normal_evidence.hpp"
#include "families/gaussian/number_scores.hpp"
#include "families/numeric.hpp"
#include "families/statistics/summarised.hpp"

namespace credence {
namespace {

// The log of the density's norm in units of its scale.
double unit_norm(double freedom) {
  return std::isinf(freedom) ? -0.5 * std::log(2 * std::numbers::pi) : log_student_norm(freedom);
}

// The moments of a class, merged with the imaginary rows, as the rule reads them.
struct NumberReading {
  double weight, mean, m2;
  double divisor;  // of m2: the variance
  int exponent;    // of the unit in which mean and scale are told, as of Moments

  bool usable() const { return weight > 0 && divisor > 0 && m2 > 0; }
  double freedom(const Rule& rule) const {
    return rule.kind == Rule::Kind::bayes ? weight : infinity;
  }
  double scale(const Rule& rule) const {
    return rule.kind == Rule::Kind::bayes ? std::sqrt(m2 / weight * (weight + 1) / weight)
                                          : std::sqrt(m2 / divisor);
  }
};

// Real is DoubleDouble where a model is fitted, and double where this is done for every row that is
// held out: differences of means have all their digits then too, and all else is a sum of what is
// not negative.
template <typename Real>
NumberReading read_moments(const Moments& observed, const Moments& column, const Rule& rule) {
  if (observed.exponent != column.exponent && imaginary_rows(rule) > 0) {
    Moments own = observed, all = column;
    own.tell_in(observed.common_unit(column));
    all.tell_in(own.exponent);
    return read_moments<Real>(own, all, rule);
  }
  const auto real = [](const DoubleDouble& x) {
    if constexpr (std::is_same_v<Real, double>) {
      return x.value();
    } else {
      return x;
    }
  };
  const auto round = [](const DoubleDouble& x) { return x.value(); };
  Real weight = real(observed.weight), m2 = real(observed.m2);
  DoubleDouble mean = observed.mean;
  if (const double rows = imaginary_rows(rule); rows > 0) {
    const Real total = weight + Real(rows), shift = real(column.mean - observed.mean);
    const Real step = shift * (Real(rows) / total);
    m2 = m2 + Real(rows) * (real(column.m2) / real(column.weight)) + shift * step * weight;
    mean = mean + DoubleDouble(step);
    weight = total;
  }
  const double n = round(weight);
  const double divisor = rule.kind == Rule::Kind::unbiased ? n - 1
                         : rule.kind == Rule::Kind::map    ? n + 3  // mode of (mean, variance)
                                                           : n;
  return {n, mean.value(), round(m2), divisor, observed.exponent};
}

// Told in units of 2^exponent, where that is not 0.
void change_unit(NumberDensity& density, int exponent) {
  if (exponent == 0) return;
  constexpr double least = std::numeric_limits<double>::denorm_min();
  density.mean = std::ldexp(density.mean, exponent);
  density.scale = std::max(least, std::ldexp(density.scale, exponent));
  density.log_norm -= exponent * std::numbers::ln2;
}

}  // namespace

NumberDensity NumberDensity::make(double mean, double scale, double freedom, int exponent) {
  NumberDensity result{mean, scale, freedom, unit_norm(freedom) - std::log(scale)};
  change_unit(result, exponent);
  return result;
}

double NumberDensity::log_density(double x) const {
  if (scale == 0) return 0;
  const double z = (x - mean) / scale;
  if (std::isinf(freedom)) return log_norm - 0.5 * z * z;
  // Far out z * z would overflow, and 1 is nothing beside it; farther out z itself does.
  const auto log_distance = [&] {
    return std::isfinite(z) ? std::log(std::abs(z))
                            : std::log(std::abs(x / 4 - mean / 4)) + std::log(4) - std::log(scale);
  };
  const double log_square =
      std::abs(z) > 1e100 ? 2 * log_distance() - std::log(freedom) : std::log1p(z * z / freedom);
  return log_norm - 0.5 * (freedom + 1) * log_square;
}

double NumberDensity::sample(Random& random) const {
  if (scale == 0) return mean;
  return mean + scale * (std::isinf(freedom) ? random.normal() : random.student(freedom));
}

double NumberDensity::probability(const NumberRange& range) const {
  if (scale == 0) return range.contains(mean) ? 1 : 0;
  return student_between((range.low - mean) / scale, (range.high - mean) / scale, freedom);
}

NumberDensity estimate_number(const Moments& observed, const Moments& column, const Rule& rule,
                              const std::string& name, const std::string& cls,
                              const AddedVariance& added) {
  const auto reading = read_moments<DoubleDouble>(observed, column, rule);
  if (reading.weight <= 0) {
    throw Error(ErrorKind::data, fmt::format("column \"{}\": no value in class \"{}\" to estimate "
                                             "from (use {})",
                                             name, cls, setting("rule", "bayes")));
  }
  if (reading.divisor <= 0) {
    throw Error(
        ErrorKind::data,
        fmt::format("column \"{}\": class \"{}\" has a weight of {}, too little for a variance "
                    "divided by N - 1 (use {})",
                    name, cls, format_number(reading.weight), setting("rule", "bayes")));
  }
  if (reading.m2 == 0 && added.variance == 0) {
    throw Error(
        ErrorKind::data,
        fmt::format("column \"{}\": the values of class \"{}\" do not vary, so their "
                    "variance is 0 (use {}, or {})",
                    name, cls, setting("rule", "bayes"), setting("as", name + ": categorical")));
  }
  const double scale = reading.scale(rule), freedom = reading.freedom(rule);
  if (added.variance == 0) {
    return NumberDensity::make(reading.mean, scale, freedom, reading.exponent);
  }
  const int unit = std::max(reading.exponent, added.exponent);
  const double own = std::ldexp(scale, reading.exponent - unit);
  const double more = std::ldexp(added.variance, 2 * (added.exponent - unit));
  return NumberDensity::make(std::ldexp(reading.mean, reading.exponent - unit),
                             std::sqrt(own * own + more), freedom, unit);
}

// -(x - m)² / 2s²: the square has a coefficient that differs where the spreads do.
std::string linear_in_number(const std::string& name, std::span<const NumberDensity> classes,
                             LinearForm& form) {
  const NumberDensity* first = nullptr;
  bool normal = true, equal = true;
  for (const auto& d : classes) {
    if (d.scale == 0) continue;  // a class without rows
    if (!first) first = &d;
    normal = normal && std::isinf(d.freedom);
    equal = equal && d.scale == first->scale;
  }
  if (!first) return "";
  if (form.squares && !normal) {
    return fmt::format("{}: under bayes it is Student's t (use {})", name,
                       setting("rule", "m-estimate=1"));
  }
  if (!form.squares && (!normal || !equal)) {
    return name + ": a variance of its own for each class makes it quadratic (use gaussian(tied))";
  }
  LinearForm::Feature once{name, std::vector<double>(classes.size(), 0.0)};
  LinearForm::Feature square{name + "²", once.coefficients};
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto& d = classes[c];
    if (d.scale == 0) continue;
    const double precision = 1 / (d.scale * d.scale);
    form.intercepts[c] += d.log_norm - 0.5 * d.mean * d.mean * precision;
    once.coefficients[c] = d.mean * precision;
    square.coefficients[c] = -0.5 * precision;
  }
  form.features.push_back(std::move(once));
  if (!equal) form.features.push_back(std::move(square));
  return "";
}

// The posterior of which Student's t is the predictive: m2 / variance is chi-squared, and the mean
// normal around its estimate. Without a prior the variance is as likely on every scale.
Moments draw_number(const Moments& observed, const Moments& column, const Rule& rule,
                    Random& random) {
  const auto reading = read_moments<DoubleDouble>(observed, column, rule);
  const double freedom = rule.has_prior() ? reading.weight : reading.weight - 1;
  if (!(freedom > 0) || !(reading.m2 > 0)) return observed;
  const double variance = reading.m2 / random.chi_squared(freedom);
  const double mean = reading.mean + std::sqrt(variance / reading.weight) * random.normal();
  return {1.0, mean, variance, reading.exponent};
}

namespace {

// The variance at which a log-likelihood is told: the predictive's plug-in twin has m2 / n.
double plug_in_variance(const NumberDensity& d) {
  return std::isinf(d.freedom) ? d.scale * d.scale
                               : d.scale * d.scale * d.freedom / (d.freedom + 1);
}

// Moments and a density in one unit: that of the moments, or of the density where its variance is
// beyond a double in that unit.
struct InOneUnit {
  InOneUnit(const Moments& observed, const NumberDensity& density) : moments(observed), d(density) {
    change_unit(d, -observed.exponent);
    if (std::isnormal(plug_in_variance(d)) || density.scale == 0) return;
    d = density;
    moments.tell_in(unit_exponent(density.scale));
    change_unit(d, -moments.exponent);
  }
  Moments moments;
  NumberDensity d;
};

}  // namespace

double normal_log_likelihood(const Moments& observed, double mean, double variance) {
  const double n = observed.weight.value();
  if (n == 0) return 0;
  const double shift = observed.mean.value() - mean;
  return -0.5 * (n * std::log(2 * std::numbers::pi * variance) +
                 (observed.m2.value() + n * shift * shift) / variance);
}

double normal_log_likelihood(const Moments& observed, const NumberDensity& density) {
  if (observed.weight.hi == 0) return 0;
  const InOneUnit told(observed, density);
  return normal_log_likelihood(told.moments, told.d.mean, plug_in_variance(told.d)) -
         observed.weight.value() * told.moments.exponent * std::numbers::ln2;
}

namespace {

// The log prior density of the same, up to a constant: docs/semi.md
double normal_log_prior(const Moments& observed, const Rule& rule, const NumberDensity& density) {
  const InOneUnit told(observed, density);
  const Moments& column = told.moments;
  const double mean = told.d.mean, variance = plug_in_variance(told.d);
  if (rule.kind == Rule::Kind::unbiased) return 0.5 * std::log(variance);
  if (!rule.has_prior()) return 0;
  const double s = imaginary_rows(rule);
  const double shift = column.mean.value() - mean;
  const double power = rule.kind == Rule::Kind::map ? s + 3 : s;
  return -0.5 * (power * std::log(variance) +
                 s * (column.m2.value() / column.weight.value() + shift * shift) / variance);
}

// Reads a class for every row that is held out: norms of Student's t repeat, and are kept.
class NumberReader {
 public:
  NumberReader(const Rule& rule, std::size_t classes) : rule_(rule), norms_(2 * classes) {}

  bool read(const Moments& observed, const Moments& column, std::size_t slot,
            NumberDensity& density) {
    const auto reading = read_moments<double>(observed, column, rule_);
    if (!reading.usable()) return false;
    const double scale = reading.scale(rule_), freedom = reading.freedom(rule_);
    auto& norm = norms_[slot];
    if (norm.freedom != freedom) norm = {freedom, unit_norm(freedom)};
    density = {reading.mean, scale, freedom, norm.log - std::log(scale)};
    change_unit(density, reading.exponent);
    return density.scale > 0 && std::isfinite(density.log_norm);
  }

 private:
  struct Norm {
    double freedom = 0, log = 0;
  };
  Rule rule_;
  std::vector<Norm> norms_;
};

// Moments that forget() leaves no trace below 0 in.
struct NumberSummary : Moments {
  void forget(const Moments& other) {
    Moments::forget(other);
    if (m2.hi < 0) m2 = {};
  }
};

class GaussianStatistics
    : public SummarisedStatistics<GaussianStatistics, NumberSummary, NumberDensity> {
  ClassMoments moments_;

 public:
  using SummarisedStatistics::SummarisedStatistics;
  static constexpr auto arrays = std::tuple(&GaussianStatistics::moments_);
  using Reader = NumberReader;
  static constexpr std::size_t free_parameters = 2;

  std::size_t classes() const { return moments_.classes(); }
  NumberSummary summary(std::size_t cls) const { return {moments_[cls]}; }
  static NumberSummary of_row(double x, double weight) { return {Moments::of(x, weight)}; }

  static bool silent(const Moments& column, const Rule& rule) {
    return column.weight.hi == 0 || (rule.has_prior() && column.m2.hi == 0);
  }
  // Where nearly all of the spread was one row's, the rest is added up from the classes.
  static bool fragile(const Moments& left, const Moments& column) {
    return !(left.spread_in(column.exponent) > 1e-6 * column.m2.hi) ||
           !(left.weight.hi > 1e-6 * column.weight.hi);
  }
  static NumberDensity flat(const Moments& column) {
    return {std::ldexp(column.mean.value(), column.exponent), 0, infinity, 0};
  }
  static NumberDensity estimate(const Moments& cls, const Moments& column, const Rule& rule,
                                const std::string& name, const std::string& label) {
    return estimate_number(cls, column, rule, name, label);
  }
  static double log_likelihood(const Moments& cls, const NumberDensity& d) {
    return normal_log_likelihood(cls, d);
  }
  static double log_prior(const Moments& column, const NumberDensity& d, const Rule& rule) {
    return normal_log_prior(column, rule, d);
  }

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    std::vector<AnchoredSums> sums(moments_.classes());
    add_anchored(std::get<Numbers>(chunk.columns[columns_.index]).values, chunk.weights, classes,
                 sums);
    for (std::size_t c = 0; c < sums.size(); ++c) moments_.add(c, sums[c].moments());
  }

  std::optional<double> log_marginal_likelihood(const Estimation& estimation) const override {
    if (!estimation.rule.has_prior()) return std::nullopt;
    const auto all = column();
    double sum = 0;
    for (const auto& cls : summaries()) {
      if (all.m2.hi > 0) sum += *log_marginal_of_numbers(cls, all, estimation.rule);
    }
    return sum;
  }

  std::unique_ptr<BlockStatistics> draw(const Estimation& estimation,
                                        Random& random) const override {
    auto result = room(classes());
    const auto all = column();
    for (std::size_t c = 0; c < classes() && !silent(all, estimation.rule); ++c) {
      if (estimation.class_weights[c] == 0) continue;
      result->moments_.add(c, draw_number(summary(c), all, estimation.rule, random));
    }
    return result;
  }

  class Fitted : public SummarisedDensity<GaussianStatistics, NumberSummary, NumberDensity> {
   public:
    using SummarisedDensity::SummarisedDensity;

    void add_log_density(const Chunk& chunk, double weight,
                         std::span<double> joint) const override {
      if (left_out_) return;
      add_number_scores(std::get<Numbers>(chunk.columns[index_]).values, classes_, weight, joint);
    }

    std::string linear(LinearForm& form) const override {
      return left_out_ ? "" : linear_in_number(name_, classes_, form);
    }

    ParameterTable table() const override {
      ParameterTable result{name_, "gaussian", left_out_ ? "does not vary: left out" : "", {}};
      if (left_out_) return result;
      const bool student = rule_.kind == Rule::Kind::bayes;
      result.rows.push_back(parameter("mean", &NumberDensity::mean));
      result.rows.push_back(parameter(student ? "scale" : "sd", &NumberDensity::scale));
      if (student) {
        result.remark = "Student's t: normal with mean and variance integrated out";
        result.rows.push_back(parameter("degrees of freedom", &NumberDensity::freedom));
      }
      return result;
    }
  };
};

}  // namespace

namespace {

// No covariance is shared between columns or classes: each column is a block of its own.
bool each_alone(const std::string& parameters) {
  const auto covariance = parse_covariance(parameters);
  return trim(parameters).empty() || (covariance.diagonal && !covariance.tied);
}

}  // namespace

Family gaussian_family() {
  return {.name = "gaussian",
          .kinds = {ColumnKind::number},
          .make =
              [](const BlockColumns& columns, const std::string& parameters) {
                const auto covariance = parse_covariance(parameters);
                if (covariance.floor >= 0) return make_gaussian_columns(columns, covariance.floor);
                return each_alone(parameters)
                           ? make_univariate<GaussianStatistics>(columns, parameters)
                           : make_gaussian_block(columns, covariance);
              },
          .takes_parameters = true,
          .joins =
              [](const std::string& parameters) {
                const auto covariance = parse_covariance(parameters);
                return !trim(parameters).empty() && (!covariance.diagonal || covariance.floor >= 0);
              },
          .usual_for = {ColumnLook::numbers},
          .rank = 3,
          .suits = [](const ValueLook& values) { return values.distinct > 2; },
          .by_hand = HandWriting::moments,
          .estimate = Estimate{Distribution::gaussian, "gaussian"},
          .one_covariance =
              [](const std::string& parameters) {
                const auto covariance = parse_covariance(parameters);
                return covariance.tied || covariance.towards_tied == 1;
              },
          .long_way =
              [](const std::string& parameters) {
                if (parse_covariance(parameters).floor >= 0)
                  return "a row may change what is added";
                return each_alone(parameters) ? "" : "every row changes the whole covariance";
              }};
}

}  // namespace credence

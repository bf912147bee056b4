// SPDX-License-Identifier: Apache-2.0
// One number: from moments to a normal, or to Student's t.
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
#include "families/numeric.hpp"
#include "sql/query.hpp"

namespace credence {
namespace {

// The log of the density's norm in units of its scale.
double unit_norm(double freedom) {
  return std::isinf(freedom) ? -0.5 * std::log(2 * std::numbers::pi) : log_student_norm(freedom);
}

// The moments of a class, merged with the imaginary rows, as the rule reads them.
struct NumberReading {
  double rows;       // that say how wide it is,
  double mean_rows;  // and where it lies
  double mean, m2;
  double divisor;  // of m2: the variance
  int exponent;    // of the unit in which mean and scale are told, as of Moments

  bool usable() const { return rows > 0 && mean_rows > 0 && divisor > 0 && m2 > 0; }
  NumberDensity density(const Rule& rule, double log_norm) const {
    if (rule.kind != Rule::Kind::bayes) {
      const double sd = std::sqrt(m2 / divisor);
      return {mean, sd, infinity, log_norm - std::log(sd)};
    }
    const double stretch = (mean_rows + 1) / mean_rows;
    const double scale = std::sqrt(m2 / rows * stretch);
    return {mean, scale, rows, log_norm - std::log(scale), stretch};
  }
  double freedom(const Rule& rule) const {
    return rule.kind == Rule::Kind::bayes ? rows : infinity;
  }
};

// Real is DoubleDouble where a model is fitted, and double where this is done for every row that is
// held out: differences of means have all their digits then too, and all else is a sum of what is
// not negative.
template <typename Real>
NumberReading read_moments(const Moments& observed, const NumberPrior& prior, const Rule& rule) {
  const Moments& column = prior.column;
  if (observed.exponent != column.exponent && imaginary_rows(rule) > 0) {
    Moments own = observed;
    NumberPrior same = prior;
    own.tell_in(observed.common_unit(column));
    same.column.tell_in(own.exponent);
    return read_moments<Real>(own, same, rule);
  }
  const auto real = [](const DoubleDouble& x) {
    if constexpr (std::is_same_v<Real, double>) {
      return x.value();
    } else {
      return x;
    }
  };
  const auto round = [](const DoubleDouble& x) { return x.value(); };
  const Real weight = real(observed.weight);
  Real m2 = real(observed.m2), rows = weight, mean_rows = weight;
  DoubleDouble mean = observed.mean;
  if (const double s = imaginary_rows(rule); s > 0) {
    const Real more = Real(s) * Real(prior.within);
    mean_rows = weight + more;
    rows = weight + Real(s * prior.for_spread);
    const Real shift = real(column.mean - observed.mean), step = shift * (more / mean_rows);
    m2 = m2 + more * Real(prior.for_spread) * (real(column.m2) / real(column.weight)) +
         shift * step * weight;
    mean = mean + DoubleDouble(step);
  }
  const double n = round(rows);
  const double divisor = rule.kind == Rule::Kind::unbiased ? n - 1
                         : rule.kind == Rule::Kind::map    ? n + 3  // mode of (mean, variance)
                                                           : n;
  return {n, round(mean_rows), mean.value(), round(m2), divisor, observed.exponent};
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

sql::Expression NumberDensity::sql(sql::Query& query, const sql::Expression& x) const {
  if (scale == 0) return query.number(0);
  const auto z = query.let((x - mean) / query.number(scale));
  if (std::isinf(freedom)) return log_norm - 0.5 * (z * z);
  return log_norm - 0.5 * (freedom + 1) * query.log_one_plus(z * z / query.number(freedom));
}

double NumberDensity::sample(Random& random) const {
  if (scale == 0) return mean;
  return mean + scale * (std::isinf(freedom) ? random.normal() : random.student(freedom));
}

double NumberDensity::probability(const NumberRange& range) const {
  if (scale == 0) return range.contains(mean) ? 1 : 0;
  return student_between((range.low - mean) / scale, (range.high - mean) / scale, freedom);
}

NumberDensity estimate_number(const Moments& observed, const NumberPrior& prior, const Rule& rule,
                              const std::string& name, const std::string& cls,
                              const AddedVariance& added) {
  const auto reading = read_moments<DoubleDouble>(observed, prior, rule);
  if (reading.rows <= 0) {
    throw Error(ErrorKind::data, fmt::format("column \"{}\": no value in class \"{}\" to estimate "
                                             "from (use {})",
                                             name, cls, setting("rule", "bayes")));
  }
  if (reading.divisor <= 0) {
    throw Error(
        ErrorKind::data,
        fmt::format("column \"{}\": class \"{}\" has a weight of {}, too little for a variance "
                    "divided by N - 1 (use {})",
                    name, cls, format_number(reading.rows), setting("rule", "bayes")));
  }
  if (reading.m2 == 0 && added.variance == 0) {
    throw Error(
        ErrorKind::data,
        fmt::format("column \"{}\": the values of class \"{}\" do not vary, so their "
                    "variance is 0 (use {}, or {})",
                    name, cls, setting("rule", "bayes"), setting("as", name + ": categorical")));
  }
  auto density = reading.density(rule, unit_norm(reading.freedom(rule)));
  if (added.variance == 0) {
    change_unit(density, reading.exponent);
    return density;
  }
  const int unit = std::max(reading.exponent, added.exponent);
  const double own = std::ldexp(density.scale, reading.exponent - unit);
  const double more = std::ldexp(added.variance, 2 * (added.exponent - unit));
  auto result = NumberDensity::make(std::ldexp(reading.mean, reading.exponent - unit),
                                    std::sqrt(own * own + more), density.freedom, unit);
  result.stretch = density.stretch;
  return result;
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
Moments draw_number(const Moments& observed, const NumberPrior& prior, const Rule& rule,
                    Random& random) {
  const auto reading = read_moments<DoubleDouble>(observed, prior, rule);
  const double freedom = rule.has_prior() ? reading.rows : reading.rows - 1;
  if (!(freedom > 0) || !(reading.m2 > 0)) return observed;
  const double variance = reading.m2 / random.chi_squared(freedom);
  const double mean = reading.mean + std::sqrt(variance / reading.mean_rows) * random.normal();
  return {1.0, mean, variance, reading.exponent};
}

namespace {

// The variance at which a log-likelihood is told: that of the predictive's plug-in twin.
double plug_in_variance(const NumberDensity& d) { return d.scale * d.scale / d.stretch; }

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

double normal_log_prior(const NumberPrior& prior, const Rule& rule, const NumberDensity& density) {
  const InOneUnit told(prior.column, density);
  const Moments& column = told.moments;
  const double mean = told.d.mean, variance = plug_in_variance(told.d);
  if (rule.kind == Rule::Kind::unbiased) return 0.5 * std::log(variance);
  if (!rule.has_prior()) return 0;
  const double s = imaginary_rows(rule), spread = s * prior.for_spread;
  const double shift = column.mean.value() - mean;
  const double power = rule.kind == Rule::Kind::map ? s + 3 : spread;
  return -0.5 *
         (power * std::log(variance) +
          prior.within * (spread * column.m2.value() / column.weight.value() + s * shift * shift) /
              variance);
}

bool NumberReader::read(const Moments& observed, const NumberPrior& prior, std::size_t slot,
                        NumberDensity& density) {
  const auto reading = read_moments<double>(observed, prior, rule_);
  if (!reading.usable()) return false;
  const double freedom = reading.freedom(rule_);
  auto& norm = norms_[slot];
  if (norm.freedom != freedom) norm = {freedom, unit_norm(freedom)};
  density = reading.density(rule_, norm.log);
  change_unit(density, reading.exponent);
  return density.scale > 0 && std::isfinite(density.log_norm);
}

}  // namespace credence

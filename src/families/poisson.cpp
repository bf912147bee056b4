// SPDX-License-Identifier: Apache-2.0
// A column of counts: one rate per class. Derivations: docs/families/poisson.md
#include <fmt/format.h>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "credence/error.hpp"
#include "families/bags/bag_statistics.hpp"
#include "families/numeric.hpp"
#include "families/statistics/summarised.hpp"
#include "sql/rising.hpp"

namespace credence {

double RateDensity::log_density(double x) const {
  return shape > 0 ? log_negative_binomial(x, shape, weight) : log_poisson(x, rate);
}

sql::Expression RateDensity::sql(sql::Query& query, const sql::Expression& x) const {
  if (shape > 0) return sql::log_counts_of_gamma(query, x, shape, weight);
  const auto zero = x == query.number(0);
  if (rate == 0) return choose({{zero, query.number(0)}}, query.number(-infinity));
  return std::log(rate) * x - rate;
}

double RateDensity::sample(Random& random) const {
  return random.poisson(shape > 0 ? random.gamma(shape, 1 / weight) : rate);
}

double RateDensity::probability(const NumberRange& range) const {
  const auto at = [this](double x) { return log_density(x); };
  if (shape > 0) {
    const double p = weight / (weight + 1);
    return probability_of_counts(
        range, at, [&](double k) { return boost::math::ibeta(shape, k + 1, p); },
        [&](double k) { return boost::math::ibetac(shape, k + 1, p); });
  }
  if (rate == 0) return range.contains(0) ? 1 : 0;
  return probability_of_counts(
      range, at, [&](double k) { return boost::math::gamma_q(k + 1, rate); },
      [&](double k) { return boost::math::gamma_p(k + 1, rate); });
}

bool read_rate(double weight, double sum, double column_weight, double column_sum, const Rule& rule,
               RateDensity& density) {
  const double rows = imaginary_rows(rule);
  const double shape = sum + (rows > 0 ? rows * column_sum / column_weight : 0);
  const double total = weight + rows;
  if (total <= 0) return false;
  density = {shape / total, 0, 0};
  if (rule.kind == Rule::Kind::bayes) density = {shape / total, shape, total};
  if (rule.kind == Rule::Kind::map) density.rate = std::max(0.0, shape - 1) / total;
  return true;
}

double draw_rate(double weight, double sum, double column_weight, double column_sum,
                 const Rule& rule, Random& random) {
  const double rows = imaginary_rows(rule);
  const double shape = sum + (rows > 0 ? rows * column_sum / column_weight : 1);
  return weight + rows > 0 && shape > 0 ? random.gamma(shape, 1 / (weight + rows)) : 0;
}

RateDensity estimate_rate(double weight, double sum, double column_weight, double column_sum,
                          const Rule& rule, const std::string& name, const std::string& cls) {
  RateDensity density;
  if (read_rate(weight, sum, column_weight, column_sum, rule, density)) return density;
  throw Error(ErrorKind::data, fmt::format("column \"{}\": no value in class \"{}\" to estimate "
                                           "from (use {})",
                                           name, cls, setting("rule", "bayes")));
}

// The prior is Gamma(s mean, s), and the integral a ratio of its norms before and after.
double log_marginal_of_rate(double weight, double sum, double log_factorials, double mean,
                            double s) {
  const double shape = s * mean;
  return log_rising(shape, sum) - shape * std::log1p(weight / s) - sum * std::log(weight + s) -
         log_factorials;
}

namespace {

class PoissonStatistics : public SummedStatistics<PoissonStatistics, 3, RateDensity> {
  ClassSums weight_{".weight"}, sum_{".sum"},
      log_factorial_{".log_factorial", ClassSums::Kind::rounded};

 public:
  using SummedStatistics::SummedStatistics;
  static constexpr auto arrays = std::tuple(&PoissonStatistics::weight_, &PoissonStatistics::sum_,
                                            &PoissonStatistics::log_factorial_);
  enum Place { weight, sum, log_factorial };
  static constexpr std::size_t free_parameters = 1;

  static std::array<double, 3> terms(double x) { return {1, x, log_gamma(x + 1)}; }

  // Where nothing was ever counted there is nothing to compare, unless zeros are all one believes.
  static bool silent(const Summary& column, const Rule& rule) {
    return column[weight] == 0 || (column[sum] == 0 && rule.has_prior());
  }
  static RateDensity flat(const Summary&) { return {}; }
  static bool read(const Summary& cls, const Summary& column, const Rule& rule,
                   RateDensity& density) {
    return read_rate(cls[weight], cls[sum], column[weight], column[sum], rule, density);
  }
  static RateDensity estimate(const Summary& cls, const Summary& column, const Rule& rule,
                              const std::string& name, const std::string& label) {
    return estimate_rate(cls[weight], cls[sum], column[weight], column[sum], rule, name, label);
  }
  static double log_likelihood(const Summary& cls, const RateDensity& d) {
    return x_log_y(cls[sum], d.rate) - cls[weight] * d.rate - cls[log_factorial];
  }
  static double log_prior(const Summary& column, const RateDensity& d, const Rule& rule) {
    return log_prior_of_rate(d.rate, column[weight], column[sum], rule);
  }

  std::optional<double> log_marginal_likelihood(const Estimation& estimation) const override {
    const double s = imaginary_rows(estimation.rule);
    if (s == 0) return std::nullopt;
    const auto all = column(estimation.rule);
    double result = 0;
    for (const auto& cls : summaries(estimation.rule)) {
      if (all[sum] == 0) break;
      result += log_marginal_of_rate(cls[weight], cls[sum], cls[log_factorial],
                                     all[sum] / all[weight], s);
    }
    return result;
  }

  std::unique_ptr<BlockStatistics> draw(const Estimation& estimation,
                                        Random& random) const override {
    auto result = room(classes());
    const auto all = column(estimation.rule);
    for (std::size_t c = 0; c < classes() && !silent(all, estimation.rule); ++c) {
      if (estimation.class_weights[c] == 0) continue;
      result->weight_.add(c, 1.0);
      result->sum_.add(c, draw_rate(summary(c)[weight], summary(c)[sum], all[weight], all[sum],
                                    estimation.rule, random));
    }
    return result;
  }

  class Fitted : public SummarisedDensity<PoissonStatistics, Summary, RateDensity> {
   public:
    using SummarisedDensity::SummarisedDensity;

    std::string linear(LinearForm& form) const override {
      if (left_out_) return "";
      if (rule_.kind == Rule::Kind::bayes) {
        return fmt::format("{}: a negative binomial is not linear in the count (use {})", name_,
                           setting("rule", "m-estimate=1"));
      }
      form.features.push_back({name_, {}});
      for (std::size_t c = 0; c < classes_.size(); ++c) {
        form.intercepts[c] = -classes_[c].rate;
        form.features.back().coefficients.push_back(std::log(classes_[c].rate));
      }
      return "";
    }

    ParameterTable table() const override {
      ParameterTable result{name_, "poisson", left_out_ ? "always 0: left out" : "", {}};
      if (left_out_) return result;
      result.rows.push_back(parameter("rate", &RateDensity::rate));
      if (rule_.kind == Rule::Kind::bayes) {
        result.remark = "negative binomial: poisson with the rate integrated out";
        result.rows.push_back(parameter("gamma shape", &RateDensity::shape));
        result.rows.push_back(parameter("gamma rate", &RateDensity::weight));
      }
      return result;
    }
  };
};

}  // namespace

Family poisson_family() {
  return {.name = "poisson",
          .kinds = {ColumnKind::count, ColumnKind::bag},
          .make = [](const BlockColumns& columns,
                     const std::string& parameters) -> std::unique_ptr<BlockStatistics> {
            if (columns.kind == ColumnKind::bag) return make_bag(columns, BagFamily::poisson);
            return make_univariate<PoissonStatistics>(columns, parameters);
          },
          .rank = 2,
          .suits = [](const ValueLook& values) { return values.whole; },
          .by_hand = HandWriting::rate,
          .estimate = Estimate{Distribution::poisson, "poisson"}};
}

}  // namespace credence

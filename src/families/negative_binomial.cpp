// SPDX-License-Identifier: Apache-2.0
// A column of counts that vary more than a Poisson's: one rate and one dispersion per class.
// Derivations, in the same notation: docs/families/negative_binomial.md
#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <map>
#include <variant>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "credence/error.hpp"
#include "families/bags/value_counts.hpp"
#include "families/numeric.hpp"
#include "families/univariate.hpp"
#include "sql/rising.hpp"

namespace credence {
namespace {

// The counts of one class with their weights, imaginary rows included.
struct WeightedCounts {
  WeightedSample counts;
  double rows = 0;  // n'
  double sum = 0;   // S'

  void add(double count, double weight) {
    counts.add(count, weight);
    rows += weight;
    sum += weight * count;
  }
  template <typename Term>
  double total(const Term& term) const {
    double result = 0;
    for (std::size_t i = 0; i < counts.values.size(); ++i) {
      result += counts.weights[i] * term(counts.values[i]);
    }
    return result;
  }
};

// One class: a rate and a dispersion; under bayes instead sizes k = 1 / dispersion with their
// posterior shares, given each of which the rate is integrated out.
struct CountDensity {
  struct Size {
    double k, log_share;
  };
  double rate = 0;
  double dispersion = 0;  // the variance is rate + dispersion rate^2
  std::vector<Size> sizes = {};
  double rows = 0, sum = 0;  // of the posterior of the rate

  double log_density(double x) const {
    if (sizes.empty()) return log_at_parameters(x);
    std::vector<double> terms;
    for (const auto& [k, log_share] : sizes) terms.push_back(log_share + log_given_size(x, k));
    return log_sum_exp(terms);
  }
  sql::Expression sql(sql::Query& query, const sql::Expression& x) const {
    if (dispersion == 0 || rate == 0) return RateDensity{rate, 0, 0}.sql(query, x);
    return sql::log_counts_of_gamma(query, x, 1 / dispersion, 1 / (dispersion * rate));
  }
  double log_at_parameters(double x) const {
    if (dispersion == 0 || rate == 0) return log_poisson(x, rate);
    return log_negative_binomial(x, 1 / dispersion, 1 / (dispersion * rate));
  }
  // The share k / (k + rate) has the posterior Beta(k n', S'). Of two ways to pair the gamma
  // functions of the ratio of beta functions the one with the smaller steps keeps more digits.
  double log_given_size(double x, double k) const {
    const double a = k * rows;
    const double ratio = k < sum ? log_rising(a, k) - log_rising(a + sum, k + x)
                                 : log_rising(a, sum) - log_rising(a + k, sum + x);
    return ratio + log_rising(sum, x) + log_rising(k, x) - log_gamma(x + 1);
  }
  double probability(const NumberRange& range) const {
    const auto at = [this](double x) { return log_density(x); };
    if (sizes.empty() && dispersion > 0 && rate > 0) {
      const double k = 1 / dispersion, p = k / (k + rate);
      return probability_of_counts(
          range, at, [&](double x) { return boost::math::ibeta(k, x + 1, p); },
          [&](double x) { return boost::math::ibetac(k, x + 1, p); });
    }
    if (sizes.empty()) return RateDensity{rate, 0, 0}.probability(range);
    // There is no short form: a sum, as long as that can be waited for.
    const auto below = [&](double x) {
      constexpr double most = 1e6;
      double sum = 0;
      for (double i = 0; i <= x && x <= most; ++i) sum += std::exp(at(i));
      return x <= most ? std::min(sum, 1.0) : not_a_number;
    };
    return probability_of_counts(range, at, below, [&](double x) { return 1 - below(x); });
  }
  double sample(Random& random) const {
    if (sizes.empty()) {
      const double k = 1 / dispersion;
      return random.poisson(dispersion == 0 ? rate : random.gamma(k, rate / k));
    }
    std::vector<double> shares;
    for (const auto& size : sizes) shares.push_back(std::exp(size.log_share));
    const double k = sizes[random.pick(shares)].k;
    const double odds = random.gamma(sum) / random.gamma(k * rows);
    return random.poisson(random.gamma(k, odds));
  }
};

// ψ(k + x) - ψ(k), which for whole x is a sum of fractions.
double digamma_rise(double k, double x) {
  if (x > 64 || x != std::floor(x)) return boost::math::digamma(k + x) - boost::math::digamma(k);
  double sum = 0;
  for (double i = 0; i < x; ++i) sum += 1 / (k + i);
  return sum;
}

// The maximum of the likelihood, or (`mode`) of the likelihood over the rate. For every dispersion
// the best rate is known; along these the slope changes its sign once.
void find_parameters(const WeightedCounts& all, bool mode, CountDensity& density) {
  const double n = all.rows, extra = mode ? 1 : 0;
  const double above_zero = all.total([](double x) { return x > 0 ? 1.0 : 0.0; });
  density.rate = density.dispersion = 0;
  if (all.sum <= extra || above_zero <= extra) return;  // all the likelihood is at rate 0
  density.rate = (all.sum - extra) / n;
  const auto rate_at = [&](double k) { return (all.sum - extra) / (n + extra / k); };
  const auto slope = [&](double log_k) {
    const double k = std::exp(log_k), rate = rate_at(k);
    return all.total([&](double x) { return digamma_rise(k, x); }) - n * std::log1p(rate / k) +
           (n * rate - all.sum) / (k + rate);
  };
  const auto excess = [&](double x) { return (x - density.rate) * (x - density.rate) - x; };
  if (all.total(excess) <= 0) return;  // no more spread than a Poisson has
  double low = 0, high = 0;
  while (slope(low) < 0 && low > -80) low -= 1;
  while (slope(high) > 0 && high < 30) high += 1;
  if (high >= 30) return;  // so little more that nobody can tell
  std::uintmax_t steps = 200;
  const auto found = boost::math::tools::toms748_solve(
      slope, low, high, boost::math::tools::eps_tolerance<double>(52), steps);
  const double k = std::exp(found.first + (found.second - found.first) / 2);
  density.rate = rate_at(k);
  density.dispersion = 1 / k;
}

// The posterior of log k on a grid: as wide as it is above e^-50 of its height, and so fine that
// the sum is the integral to the last digit, as for all smooth functions that vanish at both ends.
void find_posterior(const WeightedCounts& all, CountDensity& density) {
  density.rows = all.rows;
  density.sum = all.sum;
  const auto log_posterior = [&](double log_k) {
    const double k = std::exp(log_k);
    return all.total([&](double x) { return log_rising(k, x); }) -
           log_rising(k * all.rows, all.sum) + log_k - 2 * std::log1p(k);
  };
  double top = 0;
  for (double t = -60; t <= 60; t += 1) {
    if (log_posterior(t) > log_posterior(top)) top = t;
  }
  top = boost::math::tools::brent_find_minima([&](double t) { return -log_posterior(t); }, top - 1,
                                              top + 1, 40)
            .first;
  const double height = log_posterior(top);
  const auto end = [&](double direction) {
    double inside = top, outside = top + direction;
    while (log_posterior(outside) > height - 50 && std::abs(outside) < 690) {
      outside += outside - inside;
      inside = (inside + outside) / 2;
    }
    for (int i = 0; i < 12; ++i) {
      const double middle = (inside + outside) / 2;
      (log_posterior(middle) > height - 50 ? inside : outside) = middle;
    }
    return outside;
  };
  const double low = end(-1), high = end(1);
  const double step = (high - low) / std::max(96.0, std::ceil((high - low) / 0.25));
  std::vector<double> logs;
  for (double t = low; t <= high; t += step) {
    density.sizes.push_back({std::exp(t), log_posterior(t)});
    logs.push_back(density.sizes.back().log_share);
  }
  const double norm = log_sum_exp(logs);
  for (auto& size : density.sizes) size.log_share -= norm;
}

class NegativeBinomialDensity : public UnivariateDensity<CountDensity> {
 public:
  NegativeBinomialDensity(const WeightedValues& values, std::monostate,
                          const Estimation& estimation, const BlockColumn& column)
      : UnivariateDensity(column), predictive_(estimation.rule.kind == Rule::Kind::bayes) {
    const WeightedSample all = values.of_all();
    const bool zeros =
        std::all_of(all.values.begin(), all.values.end(), [](double x) { return x == 0; });
    left_out_ = all.total == 0 || (zeros && estimation.rule.has_prior());
    log_prior = 0;
    for (std::size_t c = 0; c < estimation.classes.size(); ++c) {
      classes_.emplace_back();
      if (left_out_ || estimation.class_weights[c] == 0) continue;
      estimate(values, c, all, estimation, classes_.back());
      parameters += 2;
    }
  }

  // Counts repeat, and each is integrated over the posterior once.
  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    if (left_out_) return;
    const auto& values = std::get<Numbers>(chunk.columns[index_]).values;
    std::map<double, std::vector<double>> known;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (std::isnan(values[r])) continue;
      auto& logs = known[values[r]];
      for (std::size_t c = logs.size(); c < classes_.size(); ++c) {
        logs.push_back(classes_[c].log_density(values[r]));
      }
      for (std::size_t c = 0; c < logs.size(); ++c) joint[r * logs.size() + c] += weight * logs[c];
    }
  }

  std::vector<sql::Expression> sql(sql::Query& query) const override {
    if (predictive_ && !left_out_) {
      throw Error(
          ErrorKind::usage,
          fmt::format("column \"{}\": a negative binomial whose dispersion is integrated out is "
                      "no formula (use {})",
                      name_, setting("rule", "m-estimate=1")));
    }
    return UnivariateDensity::sql(query);
  }

  std::string linear(LinearForm&) const override {
    if (left_out_) return "";
    return name_ + ": a negative binomial is not linear in the count";
  }

  ParameterTable table() const override {
    ParameterTable result{name_, "negative_binomial", left_out_ ? "always 0: left out" : "", {}};
    if (left_out_) return result;
    if (predictive_) result.remark = "rate and dispersion integrated out";
    result.rows.push_back(parameter("rate", &CountDensity::rate));
    result.rows.push_back(parameter("dispersion", &CountDensity::dispersion));
    return result;
  }

 private:
  // The imaginary rows have the counts of the whole column, in the same proportions.
  void estimate(const WeightedValues& values, std::size_t cls, const WeightedSample& all,
                const Estimation& estimation, CountDensity& density) {
    const double s = imaginary_rows(estimation.rule);
    WeightedCounts merged;
    for (std::size_t v = 0, i = 0; v < values.values.size(); ++v) {
      const double x = values.values[v];
      const bool seen = i < all.values.size() && all.values[i] == x;
      const double share = seen ? all.weights[i++] / all.total : 0;
      merged.add(x, values.weight(v, cls) + s * share);
    }
    if (merged.rows <= 0) {
      throw Error(ErrorKind::data,
                  fmt::format("column \"{}\": no value in class \"{}\" to "
                              "estimate from (use {})",
                              name_, estimation.classes[cls], setting("rule", "bayes")));
    }
    const bool mode = estimation.rule.kind == Rule::Kind::map;
    find_parameters(merged, mode, density);
    for (std::size_t v = 0; v < values.values.size(); ++v) {
      const double weight = values.weight(v, cls);
      if (weight > 0) log_likelihood += weight * density.log_at_parameters(values.values[v]);
    }
    for (std::size_t i = 0; i < all.values.size() && s > 0; ++i) {
      log_prior += s * all.weights[i] / all.total * density.log_at_parameters(all.values[i]);
    }
    // Over the rate the prior has no bound at 0.
    if (mode) log_prior = density.rate == 0 ? infinity : log_prior - std::log(density.rate);
    if (predictive_) find_posterior(merged, density);
  }

  bool predictive_;
};

}  // namespace

Family negative_binomial_family() {
  return {.name = "negative_binomial",
          .kinds = {ColumnKind::count},
          .make = [](const BlockColumns& columns, const std::string&) {
            constexpr double largest = 1e150;  // squares of larger counts are beyond a double
            return make_value_block<NegativeBinomialDensity>(columns, std::monostate(), largest);
          }};
}

}  // namespace credence

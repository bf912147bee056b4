// SPDX-License-Identifier: Apache-2.0
// A column of counts: one rate per class. Derivations: docs/families/poisson.md
#include <fmt/format.h>

#include <cmath>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "core/text.hpp"
#include "credence/error.hpp"
#include "families/count_table.hpp"
#include "families/numeric.hpp"
#include "families/univariate.hpp"

namespace credence {

double RateDensity::log_density(double x) const {
  return shape > 0 ? log_negative_binomial(x, shape, weight) : log_poisson(x, rate);
}

double RateDensity::sample(Random& random) const {
  return random.poisson(shape > 0 ? random.gamma(shape, 1 / weight) : rate);
}

RateDensity estimate_rate(double weight, double sum, double column_weight, double column_sum,
                          const Rule& rule, const std::string& name, const std::string& cls) {
  const double rows = imaginary_rows(rule);
  const double shape = sum + (rows > 0 ? rows * column_sum / column_weight : 0);
  const double total = weight + rows;
  if (total <= 0) {
    throw Error(ErrorKind::data, fmt::format("column \"{}\": no value in class \"{}\" to estimate "
                                             "from (use {})",
                                             name, cls, setting("rule", "bayes")));
  }
  switch (rule.kind) {
    case Rule::Kind::bayes:
      return {shape / total, shape, total};
    case Rule::Kind::map:
      return {std::max(0.0, shape - 1) / total, 0, 0};
    default:
      return {shape / total, 0, 0};
  }
}

// The prior is Gamma(s mean, s), and the integral a ratio of its norms before and after.
double log_marginal_of_rate(double weight, double sum, double log_factorials, double mean,
                            double s) {
  const double shape = s * mean;
  return log_rising(shape, sum) - shape * std::log1p(weight / s) - sum * std::log(weight + s) -
         log_factorials;
}

namespace {

class PoissonDensity : public UnivariateDensity<RateDensity> {
 public:
  PoissonDensity(const ExactSums& weights, const ExactSums& sums, const ExactSums& log_factorials,
                 const Estimation& estimation, std::string name, std::size_t index)
      : UnivariateDensity(std::move(name), index),
        predictive_(estimation.rule.kind == Rule::Kind::bayes) {
    double column_weight = 0, column_sum = 0;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      column_weight += weights[c];
      column_sum += sums[c];
    }
    // Where nothing was ever counted there is nothing to compare, unless zeros are all one
    // believes.
    left_out_ = column_weight == 0 || (column_sum == 0 && estimation.rule.has_prior());
    log_prior = 0;
    const double rows = imaginary_rows(estimation.rule);
    // What is added to the count before the maximum is taken: the exponent of the gamma density.
    const double exponent =
        (rows > 0 && column_weight > 0 ? rows * column_sum / column_weight : 0) -
        (estimation.rule.kind == Rule::Kind::map ? 1 : 0);
    for (std::size_t c = 0; c < weights.size(); ++c) {
      if (left_out_ || estimation.class_weights[c] == 0) {
        classes_.push_back({});
        continue;
      }
      classes_.push_back(estimate_rate(weights[c], sums[c], column_weight, column_sum,
                                       estimation.rule, name_, estimation.classes[c]));
      const double rate = classes_.back().rate;
      log_likelihood += x_log_y(sums[c], rate) - weights[c] * rate - log_factorials[c];
      log_prior += rate == 0 && exponent < 0 ? infinity : x_log_y(exponent, rate) - rows * rate;
      ++parameters;
    }
  }

  std::string linear(LinearForm& form) const override {
    if (left_out_) return "";
    if (predictive_) {
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
    ParameterTable result{name_, "poisson", "", {}};
    if (left_out_) {
      result.remark = "always 0: left out";
      return result;
    }
    result.rows.push_back(parameter("rate", &RateDensity::rate));
    if (predictive_) {
      result.remark = "negative binomial: poisson with the rate integrated out";
      result.rows.push_back(parameter("gamma shape", &RateDensity::shape));
      result.rows.push_back(parameter("gamma rate", &RateDensity::weight));
    }
    return result;
  }

 private:
  bool predictive_;
};

class PoissonStatistics : public BlockStatistics {
 public:
  PoissonStatistics(std::size_t index, std::string name) : index_(index), name_(std::move(name)) {}

  std::unique_ptr<BlockStatistics> clone() const override {
    return std::make_unique<PoissonStatistics>(*this);
  }
  std::unique_ptr<BlockStatistics> empty() const override {
    return std::make_unique<PoissonStatistics>(index_, name_);
  }
  void rearrange_classes(std::span<const std::size_t> from) override {
    for (auto* sums : {&weight_, &sum_, &log_factorial_}) sums->rearrange(from);
  }
  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    const auto& values = std::get<Numbers>(chunk.columns[index_]).values;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] < 0 || std::isnan(values[r])) continue;
      const auto c = static_cast<std::size_t>(classes[r]);
      const double w = chunk.weights.empty() ? 1.0 : chunk.weights[r];
      weight_.add(c, w);
      sum_.add(c, two_product(w, values[r]));
      log_factorial_.add(c, two_product(w, log_gamma(values[r] + 1)));
    }
  }
  void merge(const BlockStatistics& other, std::span<const std::size_t> class_map,
             int sign) override {
    const auto& from = static_cast<const PoissonStatistics&>(other);
    credence::merge(weight_, from.weight_, class_map, sign);
    credence::merge(sum_, from.sum_, class_map, sign);
    credence::merge(log_factorial_, from.log_factorial_, class_map, sign);
  }
  void scale(double factor) override {
    for (auto* sums : {&weight_, &sum_, &log_factorial_}) sums->scale(factor);
  }
  void canonicalise() override {}
  std::string defect(const std::vector<std::string>& classes) const override {
    for (std::size_t c = 0; c < weight_.size(); ++c) {
      if (!std::isfinite(sum_[c] + log_factorial_[c])) {
        return fmt::format("column \"{}\": its counts are too large to add up", name_);
      }
      if (weight_[c] < 0 || sum_[c] < 0 || (weight_[c] == 0 && sum_[c] != 0)) {
        return fmt::format("column \"{}\": more in class \"{}\" than was observed", name_,
                           classes[c]);
      }
    }
    return "";
  }
  void save(Tensors& tensors, const std::string& prefix) const override {
    tensors.put(prefix + ".weight", weight_, {weight_.size()});
    tensors.put(prefix + ".sum", sum_, {sum_.size()});
    tensors.put(prefix + ".log_factorial", log_factorial_, {log_factorial_.size()});
  }
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes) override {
    weight_ = tensors.sums(prefix + ".weight", {classes});
    sum_ = tensors.sums(prefix + ".sum", {classes});
    log_factorial_ = tensors.sums(prefix + ".log_factorial", {classes});
  }
  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    return std::make_unique<PoissonDensity>(weight_, sum_, log_factorial_, estimation, name_,
                                            index_);
  }
  std::optional<double> log_marginal_likelihood(const Estimation& estimation) const override {
    const double s = imaginary_rows(estimation.rule);
    if (s == 0) return std::nullopt;
    double column_weight = 0, column_sum = 0, result = 0;
    for (std::size_t c = 0; c < weight_.size(); ++c) {
      column_weight += weight_[c];
      column_sum += sum_[c];
    }
    if (column_sum == 0) return 0;
    for (std::size_t c = 0; c < weight_.size(); ++c) {
      result += log_marginal_of_rate(weight_[c], sum_[c], log_factorial_[c],
                                     column_sum / column_weight, s);
    }
    return result;
  }

  void add_held_out(const Estimation& estimation, const Chunk& chunk,
                    std::span<const std::int32_t> classes, double weight,
                    std::span<double> joint) const override {
    const auto& values = std::get<Numbers>(chunk.columns[index_]).values;
    const std::size_t many = weight_.size();
    const bool fits = estimable(estimation);
    std::vector<double> weights = weight_.high(), sums = sum_.high();
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] < 0) continue;
      const auto cls = static_cast<std::size_t>(classes[r]);
      if (std::isnan(values[r]) && fits) continue;
      const double own = chunk.weights.empty() ? 1.0 : chunk.weights[r];
      weights[cls] = (weight_.exact(cls) - DoubleDouble(own)).hi;
      sums[cls] = (sum_.exact(cls) - two_product(own, values[r])).hi;
      if (fits && weights[cls] > 0 && estimation.class_weights[cls] - own != 0) {
        add_rates(estimation, weights, sums, values[r], weight, joint.subspan(r * many, many));
      } else {
        add_row_held_out(estimation, chunk, r, classes[r], weight, joint);
      }
      weights[cls] = weight_[cls];
      sums[cls] = sum_[cls];
    }
  }

 private:
  // Whether all rows give every class a rate: then all but one do, unless that one was all.
  bool estimable(const Estimation& estimation) const {
    for (std::size_t c = 0; c < weight_.size(); ++c) {
      if (estimation.class_weights[c] != 0 && !(weight_[c] + imaginary_rows(estimation.rule) > 0)) {
        return false;
      }
    }
    return true;
  }

  // What PoissonDensity says of one count, from these weights and sums.
  void add_rates(const Estimation& estimation, const std::vector<double>& weights,
                 const std::vector<double>& sums, double x, double weight,
                 std::span<double> out) const {
    double column_weight = 0, column_sum = 0;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      column_weight += weights[c];
      column_sum += sums[c];
    }
    if (column_weight == 0 || (column_sum == 0 && estimation.rule.has_prior())) return;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      const auto density = estimation.class_weights[c] == 0
                               ? RateDensity{}
                               : estimate_rate(weights[c], sums[c], column_weight, column_sum,
                                               estimation.rule, name_, estimation.classes[c]);
      out[c] += weight * density.log_density(x);
    }
  }

  std::size_t index_;
  std::string name_;
  ExactSums weight_, sum_, log_factorial_;  // per class
};

}  // namespace

std::unique_ptr<BlockStatistics> make_poisson(std::size_t column, const std::string& name) {
  return std::make_unique<PoissonStatistics>(column, name);
}

}  // namespace credence

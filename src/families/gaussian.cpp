// SPDX-License-Identifier: Apache-2.0
// A real-valued column: one mean and one variance per class.
// Derivations, in the same notation: docs/families/gaussian.md
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "core/text.hpp"
#include "credence/error.hpp"
#include "families/anchored_sums.hpp"
#include "families/count_table.hpp"
#include "families/gaussian_held_out.hpp"
#include "families/normal_evidence.hpp"
#include "families/number_scores.hpp"
#include "families/numeric.hpp"
#include "families/univariate.hpp"

namespace credence {

double imaginary_rows(const Rule& rule) {
  if (!rule.has_prior()) return 0;
  return rule.strength == 0 ? 1 : rule.strength;
}

NumberDensity NumberDensity::make(double mean, double scale, double freedom) {
  const double log_norm = std::isinf(freedom)
                              ? -0.5 * std::log(2 * std::numbers::pi) - std::log(scale)
                              : log_student_norm(freedom) - std::log(scale);
  return {mean, scale, freedom, log_norm};
}

double NumberDensity::log_density(double x) const {
  if (scale == 0) return 0;
  const double z = (x - mean) / scale;
  if (std::isinf(freedom)) return log_norm - 0.5 * z * z;
  // Far out z * z would overflow, and 1 is nothing beside it.
  const double log_square = std::abs(z) > 1e100 ? 2 * std::log(std::abs(z)) - std::log(freedom)
                                                : std::log1p(z * z / freedom);
  return log_norm - 0.5 * (freedom + 1) * log_square;
}

double NumberDensity::sample(Random& random) const {
  if (scale == 0) return mean;
  return mean + scale * (std::isinf(freedom) ? random.normal() : random.student(freedom));
}

NumberDensity estimate_number(const Moments& observed, const Moments& column, const Rule& rule,
                              const std::string& name, const std::string& cls) {
  Moments merged = observed;
  if (rule.has_prior()) {
    const double rows = imaginary_rows(rule);
    merged.merge({rows, column.mean, DoubleDouble(rows) * (column.m2 / column.weight)});
  }
  const double n = merged.weight.value();
  const double mean = merged.mean.value();
  const double m2 = merged.m2.value();
  const double divisor = rule.kind == Rule::Kind::unbiased ? n - 1
                         : rule.kind == Rule::Kind::map    ? n + 3  // mode of (mean, variance)
                                                           : n;
  if (n <= 0) {
    throw Error(ErrorKind::data, fmt::format("column \"{}\": no value in class \"{}\" to estimate "
                                             "from (use {})",
                                             name, cls, setting("rule", "bayes")));
  }
  if (divisor <= 0) {
    throw Error(
        ErrorKind::data,
        fmt::format("column \"{}\": class \"{}\" has a weight of {}, too little for a variance "
                    "divided by N - 1 (use {})",
                    name, cls, format_number(n), setting("rule", "bayes")));
  }
  if (m2 == 0) {
    throw Error(
        ErrorKind::data,
        fmt::format("column \"{}\": the values of class \"{}\" do not vary, so their "
                    "variance is 0 (use {}, or {})",
                    name, cls, setting("rule", "bayes"), setting("as", name + ": categorical")));
  }
  if (rule.kind == Rule::Kind::bayes) {
    return NumberDensity::make(mean, std::sqrt(m2 / n * (n + 1) / n), n);
  }
  return NumberDensity::make(mean, std::sqrt(m2 / divisor), infinity);
}

namespace {

// log likelihood of the observed rows under a normal with this mean and variance.
double normal_log_likelihood(const Moments& observed, double mean, double variance) {
  const double n = observed.weight.value();
  const double shift = observed.mean.value() - mean;
  return -0.5 * (n * std::log(2 * std::numbers::pi * variance) +
                 (observed.m2.value() + n * shift * shift) / variance);
}

// The log prior density of the same, up to a constant: docs/semi.md
double normal_log_prior(const Moments& column, const Rule& rule, double mean, double variance) {
  if (rule.kind == Rule::Kind::unbiased) return 0.5 * std::log(variance);
  if (!rule.has_prior()) return 0;
  const double s = imaginary_rows(rule);
  const double shift = column.mean.value() - mean;
  const double power = rule.kind == Rule::Kind::map ? s + 3 : s;
  return -0.5 * (power * std::log(variance) +
                 s * (column.m2.value() / column.weight.value() + shift * shift) / variance);
}

class GaussianDensity : public UnivariateDensity<NumberDensity> {
 public:
  GaussianDensity(const std::vector<Moments>& moments, const Estimation& estimation,
                  std::string name, std::size_t index)
      : UnivariateDensity(std::move(name), index), rule_(estimation.rule) {
    Moments column;
    for (const auto& m : moments) column.merge(m);
    left_out_ = column.weight.hi == 0 || (rule_.has_prior() && column.m2.hi == 0);
    log_prior = 0;
    for (std::size_t c = 0; c < moments.size(); ++c) {
      if (estimation.class_weights[c] == 0 || left_out_) {
        classes_.push_back({column.mean.value(), 0, infinity, 0});
        continue;
      }
      classes_.push_back(estimate_number(moments[c], column, rule_, name_, estimation.classes[c]));
      const auto& d = classes_.back();
      // The predictive's plug-in twin has the variance m2 / n.
      const double variance = std::isinf(d.freedom)
                                  ? d.scale * d.scale
                                  : d.scale * d.scale * d.freedom / (d.freedom + 1);
      log_likelihood += normal_log_likelihood(moments[c], d.mean, variance);
      log_prior += normal_log_prior(column, rule_, d.mean, variance);
      parameters += 2;
    }
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    if (left_out_) return;
    add_number_scores(std::get<Numbers>(chunk.columns[index_]).values, classes_, weight, joint);
  }

  std::string linear(LinearForm&) const override {
    if (left_out_) return "";
    return name_ + ": a variance of its own for each class makes it quadratic (use gaussian(tied))";
  }

  ParameterTable table() const override {
    ParameterTable result{name_, "gaussian", "", {}};
    if (left_out_) {
      result.remark = "does not vary: left out";
      return result;
    }
    const bool student = rule_.kind == Rule::Kind::bayes;
    result.rows.push_back(parameter("mean", &NumberDensity::mean));
    result.rows.push_back(parameter(student ? "scale" : "sd", &NumberDensity::scale));
    if (student) {
      result.remark = "Student's t: normal with mean and variance integrated out";
      result.rows.push_back(parameter("degrees of freedom", &NumberDensity::freedom));
    }
    return result;
  }

 private:
  Rule rule_;
};

// The same mean and spread, up to rounding.
bool alike(const Moments& a, const Moments& b) {
  const double spread = std::abs(a.m2.hi) + std::abs(b.m2.hi);
  const double shift = (a.mean - b.mean).value();
  return std::abs(a.m2.hi - b.m2.hi) <= 1e-9 * spread &&
         shift * shift * a.weight.hi <=
             1e-18 * spread + 1e-24 * a.mean.hi * a.mean.hi * a.weight.hi;
}

class GaussianStatistics : public BlockStatistics {
 public:
  GaussianStatistics(std::size_t index, std::string name) : index_(index), name_(std::move(name)) {}

  std::unique_ptr<BlockStatistics> clone() const override {
    return std::make_unique<GaussianStatistics>(*this);
  }
  std::unique_ptr<BlockStatistics> empty() const override {
    return std::make_unique<GaussianStatistics>(index_, name_);
  }
  void rearrange_classes(std::span<const std::size_t> from) override {
    std::vector<Moments> result(from.size());
    for (std::size_t c = 0; c < from.size(); ++c) {
      if (from[c] != ExactSums::npos) result[c] = moments_[from[c]];
    }
    moments_ = std::move(result);
  }

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    const auto& values = std::get<Numbers>(chunk.columns[index_]).values;
    std::vector<AnchoredSums> sums(moments_.size());
    add_anchored(values, chunk.weights, classes, sums);
    for (std::size_t c = 0; c < sums.size(); ++c) moments_[c].merge(sums[c].moments());
  }

  void merge(const BlockStatistics& other, std::span<const std::size_t> class_map,
             int sign) override {
    const auto& from = static_cast<const GaussianStatistics&>(other).moments_;
    for (std::size_t c = 0; c < from.size(); ++c) {
      auto& to = moments_[class_map[c]];
      const Moments before_all = to;
      const double before = to.m2.hi;
      if (sign > 0) {
        to.merge(from[c]);
        continue;
      }
      to.forget(from[c]);
      // Where no row is left, what was taken away must have been what was there.
      if (to.weight.hi == 0 && from[c].weight.hi != 0 && !alike(before_all, from[c]))
        overdrawn_ = true;
      if (to.m2.hi >= 0) continue;
      // Rounding may leave a trace below 0; more than a trace was never there.
      if (to.m2.hi < -1e-9 * before) overdrawn_ = true;
      to.m2 = {};
    }
  }
  void scale(double factor) override {
    for (auto& m : moments_) m = {m.weight * factor, m.mean, m.m2 * factor};
  }
  void canonicalise() override {}

  std::string defect(const std::vector<std::string>& classes) const override {
    for (std::size_t c = 0; c < moments_.size(); ++c) {
      if (!std::isfinite(moments_[c].m2.value() + moments_[c].mean.value())) {
        return fmt::format("column \"{}\": its values are too large to square (rescale the column)",
                           name_);
      }
      if (moments_[c].weight.hi < 0) {
        return fmt::format("column \"{}\": {} more rows in class \"{}\" than were observed", name_,
                           format_number(-moments_[c].weight.hi), classes[c]);
      }
    }
    return overdrawn_ ? fmt::format("column \"{}\": the values are not among those observed", name_)
                      : "";
  }

  void save(Tensors& tensors, const std::string& prefix) const override {
    const auto put = [&](const char* what, DoubleDouble Moments::*member) {
      ExactSums sums(moments_.size());
      for (std::size_t c = 0; c < moments_.size(); ++c) sums.set(c, moments_[c].*member);
      tensors.put(prefix + what, sums, {moments_.size()});
    };
    put(".weight", &Moments::weight);
    put(".mean", &Moments::mean);
    put(".m2", &Moments::m2);
  }

  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes) override {
    moments_.assign(classes, {});
    const auto get = [&](const char* what, DoubleDouble Moments::*member) {
      const auto sums = tensors.sums(prefix + what, {classes});
      for (std::size_t c = 0; c < classes; ++c) moments_[c].*member = sums.exact(c);
    };
    get(".weight", &Moments::weight);
    get(".mean", &Moments::mean);
    get(".m2", &Moments::m2);
  }

  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    return std::make_unique<GaussianDensity>(moments_, estimation, name_, index_);
  }
  std::optional<double> log_marginal_likelihood(const Estimation& estimation) const override {
    Moments column;
    for (const auto& m : moments_) column.merge(m);
    if (!estimation.rule.has_prior()) return std::nullopt;
    double sum = 0;
    for (const auto& m : moments_) {
      if (column.m2.hi > 0) sum += *log_marginal_of_numbers(m, column, estimation.rule);
    }
    return sum;
  }

  void add_held_out(const Estimation& estimation, const Chunk& chunk,
                    std::span<const std::int32_t> classes, double weight,
                    std::span<double> joint) const override {
    const auto& values = std::get<Numbers>(chunk.columns[index_]).values;
    const std::size_t many = moments_.size();
    GaussianHeldOut held_out(moments_, estimation);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] < 0) continue;
      const auto cls = static_cast<std::size_t>(classes[r]);
      const double own = chunk.weights.empty() ? 1.0 : chunk.weights[r];
      if (!held_out.add(values[r], cls, own, weight, joint.subspan(r * many, many))) {
        add_row_held_out(estimation, chunk, r, classes[r], weight, joint);
      }
    }
  }

 private:
  std::size_t index_;
  std::string name_;
  std::vector<Moments> moments_;
  bool overdrawn_ = false;
};

}  // namespace

std::unique_ptr<BlockStatistics> make_gaussian(std::size_t column, const std::string& name) {
  return std::make_unique<GaussianStatistics>(column, name);
}

}  // namespace credence

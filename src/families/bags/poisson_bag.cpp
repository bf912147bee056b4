// SPDX-License-Identifier: Apache-2.0
// Counts of features, each Poisson with a rate per class; absent ones are counts of 0.
// Derivation: docs/families/poisson.md
#include <fmt/format.h>

#include <cmath>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/bags/bag_density.hpp"
#include "families/kernels/row_kernels.hpp"
#include "families/numeric.hpp"

namespace credence {
namespace {

class PoissonBagDensity : public BagDensity {
 public:
  PoissonBagDensity(const BagStatistics& statistics, const Estimation& estimation)
      : BagDensity(statistics, estimation, BagFamily::poisson),
        predictive_(estimation.rule.kind == Rule::Kind::bayes),
        rates_(counts_.size()),
        absent_(classes_, 0.0),
        log_rate_(counts_.size(), 0.0),
        counted_(known_.size()) {
    double rows = 0;
    for (std::size_t c = 0; c < classes_; ++c) rows += statistics.rows(c).hi;
    log_prior = 0;
    for (std::size_t i = 0; i < known_.size(); ++i) estimate(i, rows, statistics, estimation);
    for (std::size_t c = 0; c < classes_; ++c) {
      if (estimation.class_weights[c] != 0) log_likelihood -= statistics.log_factorials(c);
    }
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    if (chunk.matrix && in_order_ && linear_) return add_matrix(chunk, weight, joint, true);
    std::vector<std::size_t> own;
    const auto rows = rows_of(chunk, own);
    std::vector<double> sum(classes_);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (columns_.missing(chunk, r)) continue;
      sum = absent_;
      columns_.for_each(chunk, r, [&](std::size_t feature, double count) {
        const std::size_t i = rows[feature];
        if (i == known_.size()) return;
        for (std::size_t c = 0; c < classes_; ++c) sum[c] += presence(i, c, count);
      });
      for (std::size_t c = 0; c < classes_; ++c) joint[r * classes_ + c] += weight * sum[c];
    }
  }

  void add_scores(const Chunk& chunk, double weight, std::span<double> joint) const override {
    if (chunk.matrix && in_order_ && linear_) return add_matrix(chunk, weight, joint, false);
    add_log_density(chunk, weight, joint);
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    if (columns_.missing(chunk, row)) return;
    const auto& features = columns_.features(chunk);
    const auto rows = known_.rows_of(features);
    columns_.for_each(chunk, row, [&](std::size_t feature, double count) {
      const std::size_t i = rows[feature];
      std::string value = features[feature];
      if (count != 1) value += " x " + format_number(count);
      terms.push_back(term(value, i == known_.size()));
      if (i == known_.size()) return;
      for (std::size_t c = 0; c < classes_; ++c)
        terms.back().log_density[c] = presence(i, c, count);
    });
    terms.push_back(term("(as if all were absent)"));
    terms.back().log_density = absent_;
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    std::vector<double> drawn;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      drawn.push_back(rates_[cell(i, cls)].sample(random));
    }
    put(drawn, rows);
  }

  std::string linear(LinearForm& form) const override {
    if (predictive_) {
      return fmt::format("{}: a negative binomial is not linear in the count (use {})",
                         columns_.title(), setting("rule", "m-estimate=1"));
    }
    form.intercepts = absent_;
    std::vector<double> evidence;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      evidence.push_back(log_rate_[i % classes_ * known_.size() + i / classes_]);
    }
    add_features(evidence, form);
    return "";
  }

  ParameterTable table() const override {
    ParameterTable result{columns_.title(), "poisson", "rate of each feature", {}};
    for (std::size_t i = 0; i < known_.size(); ++i) {
      ParameterTable::Row row{known_.name(i), {}};
      for (std::size_t c = 0; c < classes_; ++c) {
        row.cells.push_back({rates_[cell(i, c)].rate, 0, 0});
      }
      result.rows.push_back(std::move(row));
    }
    return result;
  }

 private:
  void estimate(std::size_t i, double rows, const BagStatistics& statistics,
                const Estimation& estimation) {
    double sum = 0;
    for (std::size_t c = 0; c < classes_; ++c) sum += counts_[cell(i, c)];
    // What was never counted says nothing, unless zeros are all one believes.
    counted_[i] = sum > 0 || !estimation.rule.has_prior();
    if (!counted_[i]) return;
    for (std::size_t c = 0; c < classes_; ++c) {
      if (estimation.class_weights[c] == 0) continue;
      const double own = counts_[cell(i, c)], weight = statistics.rows(c).hi;
      auto& rate = rates_[cell(i, c)];
      rate = estimate_rate(weight, own, rows, sum, estimation.rule, columns_.title(),
                           estimation.classes[c]);
      absent_[c] += rate.log_density(0);
      double& log_rate = log_rate_[c * known_.size() + i];
      log_rate = std::log(rate.rate);
      linear_ = linear_ && !predictive_ && std::isfinite(log_rate);
      log_likelihood += x_log_y(own, rate.rate) - weight * rate.rate;
      log_prior += log_prior_of_rate(rate.rate, rows, sum, estimation.rule);
      ++parameters;
    }
  }

  // What a count changes beside a count of 0.
  double presence(std::size_t i, std::size_t c, double count) const {
    const auto& rate = rates_[cell(i, c)];
    if (rate.rate == 0 && rate.shape == 0) return counted_[i] ? -infinity : 0;
    return rate.log_density(count) - rate.log_density(0);
  }

  void add_matrix(const Chunk& chunk, double weight, std::span<double> joint, bool whole) const {
    std::vector<double> logs(classes_);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const double* row = chunk.matrix.row(r);
      double factorials = 0;
      for (std::size_t f = 0; f < known_.size(); ++f) {
        if (whole && counted_[f]) factorials += log_factorial(row[f]);
      }
      products(row, log_rate_.data(), classes_, known_.size(), logs.data());
      for (std::size_t c = 0; c < classes_; ++c) {
        joint[r * classes_ + c] += weight * (absent_[c] + logs[c] - factorials);
      }
    }
  }

  bool predictive_, linear_ = true;  // linear in the counts, with finite coefficients
  std::vector<RateDensity> rates_;   // [feature][class]; no rate: no evidence
  std::vector<double> absent_;       // log probability of no feature at all, per class
  std::vector<double> log_rate_;     // [class][feature]
  std::vector<bool> counted_;        // by feature: it says something
};

}  // namespace

double log_prior_of_rate(double rate, double column_weight, double column_sum, const Rule& rule) {
  const double rows = imaginary_rows(rule);
  // What is added to the count before the maximum is taken: the exponent of the gamma density.
  const double exponent =
      (rows > 0 ? rows * column_sum / column_weight : 0) - (rule.kind == Rule::Kind::map ? 1 : 0);
  return rate == 0 && exponent < 0 ? infinity : x_log_y(exponent, rate) - rows * rate;
}

std::unique_ptr<Density> fit_poisson_bag(const BagStatistics& statistics,
                                         const Estimation& estimation) {
  return std::make_unique<PoissonBagDensity>(statistics, estimation);
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Presence and absence of features: every known feature is a coin, absent ones count too.
// Derivation: docs/families/bernoulli.md
#include <cmath>

#include "core/log_math.hpp"
#include "families/bags/bag_density.hpp"
#include "families/dirichlet.hpp"
#include "families/kernels/row_kernels.hpp"
#include "families/working.hpp"

namespace credence {
namespace {

class BernoulliBagDensity : public BagDensity {
 public:
  BernoulliBagDensity(const BagStatistics& statistics, const Estimation& estimation)
      : BagDensity(statistics, estimation, BagFamily::bernoulli),
        absent_(classes_, 0.0),
        certain_(classes_, 0) {
    p_.assign(counts_.size(), 0.5);
    q_ = p_;
    present_minus_absent_.assign(counts_.size(), 0.0);
    const auto p = prior_coins(estimation, columns_.title(), known_.names());
    const double mode = estimation.rule.kind == Rule::Kind::map ? 1 : 0;
    for (const double each : p) {
      const auto sides = imaginary_sides(each, estimation.rule);
      sides_.push_back({sides[0] - mode, sides[1] - mode});
    }
    for (std::size_t c = 0; c < classes_; ++c) {
      if (estimation.class_weights[c] == 0) continue;
      totals_[c] = statistics.rows(c).hi;
      for (std::size_t i = 0; i < known_.size(); ++i) {
        const double ones = counts_[cell(i, c)], zeros = totals_[c] - ones;
        const auto shares = estimate_shares({zeros, ones}, {1 - p[i], p[i]}, estimation.rule,
                                            columns_.title(), estimation.classes[c]);
        set(cell(i, c), c, shares[1], shares[0]);
        log_likelihood += x_log_y(ones, shares[1]) + x_log_y(zeros, shares[0]);
        log_prior +=
            log_prior_of_shares(shares, imaginary_sides(p[i], estimation.rule), estimation.rule);
      }
      parameters += known_.size();
    }
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      plain_ = plain_ && std::isfinite(present_minus_absent_[i]) && q_[i] != 0;
    }
    if (columns_.declared.empty()) return;
    by_class_.resize(counts_.size());
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      by_class_[i % classes_ * known_.size() + i / classes_] = present_minus_absent_[i];
    }
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    if (chunk.matrix && in_order_ && plain_) return add_matrix(chunk, weight, joint);
    std::vector<std::size_t> own;
    const auto rows = rows_of(chunk, own);
    std::vector<double> row_sum(classes_);
    std::vector<std::size_t> seen(classes_);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (columns_.missing(chunk, r)) continue;
      row_sum = absent_;
      std::fill(seen.begin(), seen.end(), 0);
      columns_.for_each(chunk, r, [&](std::size_t feature, double) {
        const std::size_t i = rows[feature];
        if (i == known_.size()) return;
        for (std::size_t c = 0; c < classes_; ++c) row_sum[c] += present_minus_absent_[cell(i, c)];
        for (std::size_t c = 0; c < classes_ && !plain_; ++c) seen[c] += q_[cell(i, c)] == 0;
      });
      for (std::size_t c = 0; c < classes_; ++c) {
        // A feature that every row of the class has, absent here, rules the class out.
        joint[r * classes_ + c] += weight * (seen[c] == certain_[c] ? row_sum[c] : -infinity);
      }
    }
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    if (columns_.missing(chunk, row)) return;
    const auto& features = columns_.features(chunk);
    const auto rows = known_.rows_of(features);
    std::vector<bool> present(known_.size(), false);
    columns_.for_each(chunk, row, [&](std::size_t feature, double) {
      if (rows[feature] == known_.size()) {
        terms.push_back(term(features[feature], true));
        return;
      }
      present[rows[feature]] = true;
      terms.push_back(side(rows[feature], true));
    });
    constexpr std::size_t list_at_most = 20;
    Term rest = term("(all absent ones)");
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (present[i]) continue;
      Term absent = side(i, false);
      if (known_.size() <= list_at_most) {
        terms.push_back(std::move(absent));
      } else {
        for (std::size_t c = 0; c < classes_; ++c) rest.log_density[c] += absent.log_density[c];
      }
    }
    if (known_.size() > list_at_most) terms.push_back(std::move(rest));
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    std::vector<double> drawn(known_.size());
    for (std::size_t i = 0; i < known_.size(); ++i) {
      drawn[i] = random.uniform() < p_[cell(i, cls)] ? 1 : 0;
    }
    put(drawn, rows);
  }

  std::string linear(LinearForm& form) const override {
    for (std::size_t c = 0; c < classes_; ++c) {
      if (certain_[c] > 0) {
        return columns_.title() + ": a feature has probability 1 in some class (use a prior)";
      }
    }
    form.intercepts = absent_;
    add_features(present_minus_absent_, form);
    return "";
  }

 private:
  void add_matrix(const Chunk& chunk, double weight, std::span<double> joint) const {
    add_products(chunk.matrix.data, chunk.rows, true, by_class_.data(), absent_.data(), classes_,
                 known_.size(), weight, joint.data());
  }

  // q is the probability of absence: 1 - p would lose its digits where p is nearly 1.
  void set(std::size_t cell, std::size_t c, double p, double q) {
    p_[cell] = p;
    q_[cell] = q;
    if (q == 0) {
      ++certain_[c];
      return;
    }
    absent_[c] += std::log(q);
    present_minus_absent_[cell] = std::log(p) - std::log(q);
  }

  Term side(std::size_t i, bool is_present) const {
    Term result = term((is_present ? "" : "no ") + known_.name(i));
    for (std::size_t c = 0; c < classes_; ++c) {
      result.log_density[c] = std::log((is_present ? p_ : q_)[cell(i, c)]);
    }
    result.working = [this, i, is_present](std::size_t c) {
      const double ones = counts_[cell(i, c)];
      const auto& [to_zeros, to_ones] = sides_[i];
      if (to_zeros < 0 || to_ones < 0 || totals_[c] + to_zeros + to_ones == 0) {
        return working_of_number(std::log((is_present ? p_ : q_)[cell(i, c)]), false);
      }
      return working_of_fraction(is_present ? ones : totals_[c] - ones, totals_[c],
                                 is_present ? to_ones : to_zeros, to_zeros + to_ones);
    };
    return result;
  }

  std::vector<double> q_;                     // probability of absence; p_ of presence
  std::vector<double> absent_;                // log probability of no feature at all, per class
  std::vector<double> present_minus_absent_;  // what each present feature changes
  std::vector<std::size_t> certain_;          // features of probability 1, kept out of both
  std::vector<double> by_class_;  // the same class by class, for rows of declared features
  struct Added {
    double zeros, ones;
  };
  std::vector<Added> sides_;  // what the rule adds to the sides of each feature's coin
  bool plain_ = true;         // no feature is certain or impossible
};

}  // namespace

std::unique_ptr<Density> fit_bernoulli_bag(const BagStatistics& statistics,
                                           const Estimation& estimation) {
  return std::make_unique<BernoulliBagDensity>(statistics, estimation);
}

}  // namespace credence

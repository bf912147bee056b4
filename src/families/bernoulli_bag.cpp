// SPDX-License-Identifier: Apache-2.0
// Presence and absence of features: every known feature is a coin, absent ones count too.
// Derivation: docs/families/bernoulli.md
#include <cmath>

#include "core/log_math.hpp"
#include "core/text.hpp"
#include "families/bag_lists.hpp"
#include "families/bag_statistics.hpp"
#include "families/categorical.hpp"
#include "families/dirichlet.hpp"

namespace credence {
namespace {

class BernoulliBagDensity : public Density {
 public:
  BernoulliBagDensity(const BagStatistics& statistics, const Estimation& estimation)
      : columns_(statistics.columns()),
        classes_(estimation.classes.size()),
        class_names_(estimation.classes),
        class_weights_(estimation.class_weights),
        known_(statistics.counts()),
        absent_(classes_, 0.0),
        certain_(classes_, 0),
        prior_(imaginary_count(2, estimation.rule)),
        exact_fractions_(!estimation.rule.has_prior()) {
    const std::size_t cells = known_.size() * classes_;
    p_.assign(cells, 0.5);
    q_.assign(cells, 0.5);
    present_minus_absent_.assign(cells, 0.0);
    ones_.assign(cells, 0.0);
    rows_.assign(classes_, 0.0);
    log_prior = 0;
    const auto imaginary = imaginary_counts(2, {}, estimation.rule);
    for (std::size_t c = 0; c < classes_; ++c) {
      if (estimation.class_weights[c] == 0) continue;
      rows_[c] = statistics.rows(c).hi;
      for (std::size_t i = 0; i < known_.size(); ++i) {
        const double ones = statistics.counts()(known_.place(i), c);
        const double zeros = rows_[c] - ones;
        const auto shares = estimate_shares({zeros, ones}, {}, estimation.rule, columns_.title(),
                                            estimation.classes[c]);
        ones_[i * classes_ + c] = ones;
        set(i, c, shares[1], shares[0]);
        log_likelihood += x_log_y(ones, shares[1]) + x_log_y(zeros, shares[0]);
        log_prior += log_prior_of_shares(shares, imaginary, estimation.rule);
      }
      parameters += known_.size();
    }
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    const auto rows = known_.rows_of(columns_.features(chunk));
    std::vector<double> row_sum(classes_);
    std::vector<std::size_t> seen(classes_);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (columns_.missing(chunk, r)) continue;
      row_sum = absent_;
      std::fill(seen.begin(), seen.end(), 0);
      columns_.for_each(chunk, r, [&](std::size_t feature, double) {
        const std::size_t i = rows[feature];
        if (i == known_.size()) return;
        for (std::size_t c = 0; c < classes_; ++c) {
          row_sum[c] += present_minus_absent_[i * classes_ + c];
          seen[c] += q_[i * classes_ + c] == 0;
        }
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
        terms.push_back(
            {columns_.title(), features[feature], std::vector<double>(classes_, 0.0), true});
        return;
      }
      present[rows[feature]] = true;
      terms.push_back(term(rows[feature], true));
    });
    constexpr std::size_t list_at_most = 20;
    Term rest{columns_.title(), "(all absent ones)", std::vector<double>(classes_, 0.0)};
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (present[i]) continue;
      Term absent = term(i, false);
      if (known_.size() <= list_at_most) {
        terms.push_back(std::move(absent));
      } else {
        for (std::size_t c = 0; c < classes_; ++c) rest.log_density[c] += absent.log_density[c];
      }
    }
    if (known_.size() > list_at_most) terms.push_back(std::move(rest));
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    auto& bags = std::get<Bags>(rows.columns[columns_.indices[0]]);
    if (bags.dictionary.empty()) bags.dictionary = known_.names();
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (random.uniform() >= p_[i * classes_ + cls]) continue;
      bags.features.push_back(static_cast<std::int32_t>(i));
      bags.counts.push_back(1);
    }
    bags.offsets.push_back(bags.features.size());
    bags.missing.push_back(0);
  }

  std::string linear(LinearForm& form) const override {
    for (std::size_t c = 0; c < classes_; ++c) {
      if (certain_[c] > 0) {
        return columns_.title() + ": a feature has probability 1 in some class (use a prior)";
      }
    }
    form.intercepts = absent_;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const auto from = present_minus_absent_.begin() + static_cast<std::ptrdiff_t>(i * classes_);
      form.features.push_back({columns_.title() + ": " + known_.name(i),
                               {from, from + static_cast<std::ptrdiff_t>(classes_)}});
    }
    return "";
  }

  ParameterTable table() const override {
    ParameterTable result{columns_.title(), "bernoulli", "probability of presence", {}};
    for (std::size_t i = 0; i < known_.size(); ++i) {
      ParameterTable::Row row{known_.name(i), {}};
      for (std::size_t c = 0; c < classes_; ++c) {
        const std::size_t cell = i * classes_ + c;
        row.cells.push_back(exact_fractions_ ? ParameterTable::Cell{p_[cell], ones_[cell], rows_[c]}
                                             : ParameterTable::Cell{p_[cell], 0, 0});
      }
      result.rows.push_back(std::move(row));
    }
    result.lists = bag_lists({known_, ones_, rows_, prior_, true}, class_names_, class_weights_);
    return result;
  }

 private:
  // q is the probability of absence: 1 - p would lose its digits where p is nearly 1.
  void set(std::size_t i, std::size_t c, double p, double q) {
    p_[i * classes_ + c] = p;
    q_[i * classes_ + c] = q;
    if (q == 0) {
      ++certain_[c];
      return;
    }
    absent_[c] += std::log(q);
    present_minus_absent_[i * classes_ + c] = std::log(p) - std::log(q);
  }

  Term term(std::size_t i, bool is_present) const {
    Term result{columns_.title(), (is_present ? "" : "no ") + known_.name(i), {}};
    for (std::size_t c = 0; c < classes_; ++c) {
      result.log_density.push_back(std::log((is_present ? p_ : q_)[i * classes_ + c]));
    }
    return result;
  }

  BagColumns columns_;
  std::size_t classes_;
  std::vector<std::string> class_names_;
  std::vector<double> class_weights_;
  KnownValues known_;
  std::vector<double> p_, q_;                 // of presence and of absence
  std::vector<double> absent_;                // log probability of no feature at all, per class
  std::vector<double> present_minus_absent_;  // what each present feature changes
  std::vector<std::size_t> certain_;          // features of probability 1, kept out of both
  std::vector<double> ones_, rows_;
  double prior_;  // imaginary rows with, and as many without, a feature
  bool exact_fractions_;
};

}  // namespace

std::unique_ptr<Density> fit_bernoulli_bag(const BagStatistics& statistics,
                                           const Estimation& estimation) {
  return std::make_unique<BernoulliBagDensity>(statistics, estimation);
}

}  // namespace credence

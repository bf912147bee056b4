// SPDX-License-Identifier: Apache-2.0
// Counts of features as draws, one after the other, from one urn per class. Under bayes the urn's
// shares are integrated out (Pólya's urn). Derivation: docs/families/multinomial.md
#include <fmt/format.h>

#include <cmath>
#include <mutex>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/bags/bag_density.hpp"
#include "families/dirichlet.hpp"
#include "families/kernels/row_kernels.hpp"
#include "families/working.hpp"
#include "sql/rising.hpp"

namespace credence {
namespace {

class MultinomialDensity : public BagDensity {
 public:
  MultinomialDensity(const BagStatistics& statistics, const Estimation& estimation)
      : BagDensity(statistics, estimation, BagFamily::multinomial),
        complement_(statistics.family() != BagFamily::multinomial),
        predictive_(estimation.rule.kind == Rule::Kind::bayes && !complement_),
        mode_(estimation.rule.kind == Rule::Kind::map),
        urn_(classes_, 1.0),
        length_(classes_, 0.0) {
    const std::size_t cells = known_.size() * classes_;
    p_.assign(cells, 1.0);
    alpha_.assign(cells, 1.0);
    log_p_.assign(cells, 0.0);
    const auto shares = known_.empty() ? std::vector<double>()
                                       : prior_shares(estimation, columns_.title(), known_.names());
    for (std::size_t c = 0; c < classes_ && !known_.empty(); ++c) {
      if (estimation.class_weights[c] != 0) estimate(c, statistics, estimation, shares);
    }
    for (std::size_t i = 0; i < cells && predictive_; ++i) log_p_[i] = std::log(alpha_[i]);
    if (complement_) {
      weigh_by_others(estimation.class_weights,
                      statistics.family() == BagFamily::normed_complement);
    }
    for (std::size_t i = 0; i < cells; ++i) finite_ = finite_ && std::isfinite(log_p_[i]);
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    if (chunk.matrix && in_order_ && finite_ && !predictive_)
      return add_matrix(chunk, weight, joint);
    if (chunk.sparse && in_order_ && !predictive_) return add_sparse(chunk, weight, joint);
    std::vector<std::size_t> own;
    const auto rows = rows_of(chunk, own);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      double* out = joint.data() + r * classes_;
      double length = 0;
      if (columns_.missing(chunk, r)) continue;
      columns_.for_each(chunk, r, [&](std::size_t feature, double count) {
        const std::size_t i = rows[feature];
        if (i == known_.size()) return;
        length += count;
        for (std::size_t c = 0; c < classes_; ++c) out[c] += weight * draw(i, c, count);
      });
      if (!predictive_) continue;
      for (std::size_t c = 0; c < classes_; ++c) out[c] -= weight * log_rising(urn_[c], length);
    }
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    if (columns_.missing(chunk, row)) return;
    const auto& features = columns_.features(chunk);
    const auto rows = known_.rows_of(features);
    double length = 0;
    columns_.for_each(chunk, row, [&](std::size_t feature, double count) {
      const std::size_t i = rows[feature];
      std::string value = features[feature];
      if (count != 1) value += " x " + format_number(count);
      terms.push_back(term(value, i == known_.size()));
      if (i == known_.size()) return;
      length += count;
      for (std::size_t c = 0; c < classes_; ++c) terms.back().log_density[c] = draw(i, c, count);
      terms.back().of = features[feature];
      if (!predictive_) terms.back().power = count;
      terms.back().working = [this, i, count](std::size_t c) { return working(i, c, count); };
    });
    if (!predictive_ || length == 0) return;
    terms.push_back(term("(length " + format_number(length) + ")"));
    for (std::size_t c = 0; c < classes_; ++c) {
      terms.back().log_density[c] = -log_rising(urn_[c], length);
    }
    terms.back().working = [this, length](std::size_t c) {
      return working_of_rising(urn_[c], length, true, -log_rising(urn_[c], length));
    };
  }

  std::vector<sql::Expression> sql(sql::Query& query) const override {
    std::vector<sql::Expression> counts, result;
    std::vector<std::size_t> known;
    for (const auto& [i, count] : counts_in_sql(query)) {
      known.push_back(i);
      counts.push_back(count);
    }
    if (counts.empty()) return {classes_, query.number(0)};
    const auto length = query.let(sum(counts));
    for (std::size_t c = 0; c < classes_; ++c) {
      std::vector<sql::Expression> terms;
      for (std::size_t k = 0; k < known.size(); ++k) {
        const auto drawn = predictive_
                               ? sql::log_rising(query, alpha_[cell(known[k], c)], counts[k])
                               : log_p_[cell(known[k], c)] * counts[k];
        terms.push_back(choose({{query.number(0) < counts[k], drawn}}, query.number(0)));
      }
      if (predictive_) terms.push_back(-1 * sql::log_rising(query, urn_[c], length));
      result.push_back(sum(terms));
    }
    return result;
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    // The family says nothing of a row's length: it is drawn around the mean of the class.
    std::vector<double> shares(known_.size());
    for (std::size_t i = 0; i < known_.size(); ++i) shares[i] = p_[cell(i, cls)];
    if (predictive_) {
      double total = 0;
      for (std::size_t i = 0; i < known_.size(); ++i) {
        total += shares[i] = random.gamma(alpha_[cell(i, cls)]);
      }
      for (auto& share : shares) share /= total;
    }
    const double length = known_.empty() ? 0 : random.poisson(length_[cls]);
    put(random.deal(length, shares), rows);
  }

  std::string linear(LinearForm& form) const override {
    if (predictive_) {
      return fmt::format("{}: under bayes draws are not independent (use {})", columns_.title(),
                         setting("rule", "m-estimate=1"));
    }
    add_features(log_p_, form);
    return "";
  }

 private:
  void add_matrix(const Chunk& chunk, double weight, std::span<double> joint) const {
    std::call_once(turned_, [this] {
      by_class_.resize(log_p_.size());
      for (std::size_t i = 0; i < log_p_.size(); ++i) {
        by_class_[i % classes_ * known_.size() + i / classes_] = log_p_[i];
      }
    });
    const std::vector<double> none(classes_, 0.0);
    add_products(chunk.matrix.data, chunk.rows, false, by_class_.data(), none.data(), classes_,
                 known_.size(), weight, joint.data());
  }

  // The declared features are those that are known, in their order.
  void add_sparse(const Chunk& chunk, double weight, std::span<double> joint) const {
    const auto& rows = chunk.sparse;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      double* out = joint.data() + r * classes_;
      for (std::size_t i = rows.starts[r]; i < rows.starts[r + 1]; ++i) {
        const double count = rows.counts[i];
        if (!(count > 0)) continue;
        const double* own = log_p_.data() + static_cast<std::size_t>(rows.features[i]) * classes_;
        for (std::size_t c = 0; c < classes_; ++c) out[c] += weight * (count * own[c]);
      }
    }
  }

  // What speaks for a class is what the others lack: minus the log of a feature's share in all of
  // them (Rennie and others, "Tackling the poor assumptions of naive Bayes", 2003).
  void weigh_by_others(const std::vector<double>& class_weights, bool normed) {
    std::vector<double> all(known_.size(), 0.0);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t c = 0; c < classes_; ++c) all[i] += counts_[i * classes_ + c];
    }
    log_likelihood = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      if (class_weights[c] == 0) continue;
      double total = 0, sum = 0;
      const auto others = [&](std::size_t i) {
        const std::size_t cell = i * classes_ + c;
        return all[i] - counts_[cell] + (alpha_[cell] - counts_[cell]);
      };
      for (std::size_t i = 0; i < all.size(); ++i) total += others(i);
      for (std::size_t i = 0; i < all.size(); ++i) {
        sum += log_p_[i * classes_ + c] = -std::log(others(i) / total);
      }
      for (std::size_t i = 0; i < all.size(); ++i) {
        double& weight = log_p_[i * classes_ + c];
        if (normed) weight /= sum;
        if (counts_[i * classes_ + c] > 0) log_likelihood += counts_[i * classes_ + c] * weight;
      }
    }
  }

  void estimate(std::size_t c, const BagStatistics& statistics, const Estimation& estimation,
                const std::vector<double>& shares) {
    std::vector<double> observed;
    observed.reserve(known_.size());
    for (std::size_t i = 0; i < known_.size(); ++i) observed.push_back(counts_[cell(i, c)]);
    const auto p =
        estimate_shares(observed, shares, estimation.rule, columns_.title(), estimation.classes[c]);
    const auto imaginary = imaginary_counts(observed.size(), shares, estimation.rule);
    std::vector<double> logs(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) logs[i] = std::log(p[i]);
    log_prior += log_prior_of_shares(p, imaginary, estimation.rule, logs);
    urn_[c] = 0;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      p_[cell(i, c)] = p[i];
      log_p_[cell(i, c)] = logs[i];
      alpha_[cell(i, c)] = observed[i] + imaginary[i];
      urn_[c] += alpha_[cell(i, c)];
      totals_[c] += observed[i];
      if (observed[i] != 0) log_likelihood += observed[i] * logs[i];
    }
    if (statistics.rows(c).hi > 0) length_[c] = totals_[c] / statistics.rows(c).hi;
    parameters += known_.size() - 1;
  }

  // Under bayes a draw makes the next of the same feature likelier; else each has the same share.
  Working working(std::size_t i, std::size_t c, double count) const {
    const std::size_t at = cell(i, c);
    if (predictive_) return working_of_rising(alpha_[at], count, false, draw(i, c, count));
    if (complement_ || mode_ || urn_[c] == 0) return working_of_number(draw(i, c, 1), false);
    return working_of_fraction(counts_[at], totals_[c], alpha_[at] - counts_[at],
                               urn_[c] - totals_[c]);
  }
  // The log probability of drawing the feature `count` times.
  double draw(std::size_t i, std::size_t c, double count) const {
    const double log_p = log_p_[cell(i, c)];
    if (count == 1) return log_p;
    return predictive_ ? log_rising(alpha_[cell(i, c)], count) : count * log_p;
  }

  bool complement_, predictive_;
  bool mode_;  // of the posterior, which takes a count away
  std::vector<double> log_p_, alpha_;
  mutable std::once_flag turned_;
  mutable std::vector<double> by_class_;  // log_p_ class by class, for rows of declared features
  bool finite_ = true;
  std::vector<double> urn_;  // the sum of alpha, per class
  std::vector<double> length_;
};

}  // namespace

std::unique_ptr<Density> fit_multinomial(const BagStatistics& statistics,
                                         const Estimation& estimation) {
  return std::make_unique<MultinomialDensity>(statistics, estimation);
}

}  // namespace credence

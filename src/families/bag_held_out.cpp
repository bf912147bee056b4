// SPDX-License-Identifier: Apache-2.0
#include "families/bag_held_out.hpp"

#include <algorithm>
#include <cmath>

#include "core/special.hpp"

namespace credence {

BagHeldOut::BagHeldOut(const BagStatistics& statistics, const Estimation& estimation)
    : statistics_(statistics),
      counts_(statistics.counts()),
      estimation_(estimation),
      known_(counts_.known_values().size()) {
  // The mode of a prior is cut off at 0, given shares belong to names, and a class without rows is
  // not estimated: all of this is rare.
  usable_ = known_ > 0 && estimation.rule.kind != Rule::Kind::map && estimation.shares.empty() &&
            std::none_of(estimation.class_weights.begin(), estimation.class_weights.end(),
                         [](double weight) { return weight == 0; });
}

double BagHeldOut::prior_of(double values) const {
  const Rule& rule = estimation_.rule;
  if (!rule.has_prior()) return 0;
  return rule.kind == Rule::Kind::laplace ? rule.strength : rule.strength / values;
}

bool BagHeldOut::still_known(std::size_t place, std::size_t cls, double left) const {
  if (place < counts_.domain().declared() || left != 0) return true;
  for (std::size_t c = 0; c < counts_.classes(); ++c) {
    if (c != cls && counts_(place, c) != 0) return true;
  }
  return false;
}

namespace {

class MultinomialHeldOut : public BagHeldOut {
 public:
  MultinomialHeldOut(const BagStatistics& statistics, const Estimation& estimation)
      : BagHeldOut(statistics, estimation), totals_(counts_.class_totals()) {
    const double prior = prior_of(static_cast<double>(known_));
    for (const double total : totals_) usable_ = usable_ && total + prior > 0;
  }

  bool add(std::span<const Item> row, std::size_t cls, double own_weight, double weight,
           std::span<double> out) override {
    if (!usable_ || estimation_.class_weights[cls] - own_weight == 0) return false;
    std::size_t known = known_;
    double length = 0, total = totals_[cls];
    kept_.clear();
    for (const auto& [place, count] : row) {
      if (place == Domain::npos || !counts_.known(place)) continue;
      const double taken = own_weight * count;
      const double left = (counts_.exact(place, cls) - DoubleDouble(taken)).hi;
      total -= taken;
      if (still_known(place, cls, left)) {
        kept_.push_back({place, count, left});
        length += count;
      } else {
        --known;
      }
    }
    // Nothing left, or not enough digits of it.
    if (known == 0 || total < 1e-3 * totals_[cls]) return false;
    const double prior = prior_of(static_cast<double>(known));
    if (!(total + prior > 0)) return false;
    const bool predictive = estimation_.rule.kind == Rule::Kind::bayes;
    for (std::size_t c = 0; c < out.size(); ++c) {
      const double urn = (c == cls ? total : totals_[c]) + prior * static_cast<double>(known);
      double score = predictive ? -log_rising(urn, length) : 0;
      for (const auto& kept : kept_) {
        const double alpha = (c == cls ? kept.left : counts_(kept.place, c)) + prior;
        if (!predictive) {
          score += kept.count * std::log(alpha / urn);
        } else {
          score += kept.count == 1 ? std::log(alpha) : log_rising(alpha, kept.count);
        }
      }
      out[c] += weight * score;
    }
    return true;
  }

 private:
  struct Kept {
    std::size_t place;
    double count, left;
  };
  std::vector<double> totals_;  // draws of each class
  std::vector<Kept> kept_;
};

class BernoulliHeldOut : public BagHeldOut {
 public:
  BernoulliHeldOut(const BagStatistics& statistics, const Estimation& estimation)
      : BagHeldOut(statistics, estimation),
        prior_(prior_of(2)),
        absent_(counts_.classes(), 0.0),
        without_(counts_.classes()) {
    // Without a prior a feature may be certain, which sums of logs do not bear.
    usable_ = usable_ && prior_ > 0;
    if (!usable_) return;
    for (std::size_t c = 0; c < absent_.size(); ++c) {
      absent_[c] = sum_absent(c, statistics.rows(c).hi);
    }
  }

  bool add(std::span<const Item> row, std::size_t cls, double own_weight, double weight,
           std::span<double> out) override {
    if (!usable_ || estimation_.class_weights[cls] - own_weight == 0) return false;
    const double rows = (statistics_.rows(cls) - DoubleDouble(own_weight)).hi;
    auto& without = without_[cls];
    if (without.rows != rows) without = {rows, sum_absent(cls, rows)};
    for (std::size_t c = 0; c < out.size(); ++c) {
      const double all = c == cls ? rows : statistics_.rows(c).hi;
      double score = c == cls ? without.sum : absent_[c];
      for (const auto& item : row) {
        if (item.place == Domain::npos || !counts_.known(item.place)) continue;
        const double ones = counts_(item.place, c);
        const double left = (counts_.exact(item.place, cls) - DoubleDouble(own_weight)).hi;
        if (ones <= all) score -= log_absent(ones, all);
        if (still_known(item.place, cls, left)) {
          score += std::log(((c == cls ? left : ones) + prior_) / (all + 2 * prior_));
        }
      }
      out[c] += weight * score;
    }
    return true;
  }

 private:
  double log_absent(double ones, double rows) const {
    return std::log((rows - ones + prior_) / (rows + 2 * prior_));
  }
  // Of all features, as if none of them were in the row that is left out. Those that more rows have
  // than are left must be in it, and are passed over.
  double sum_absent(std::size_t cls, double rows) const {
    double sum = 0;
    for (std::size_t v = 0; v < counts_.domain().size(); ++v) {
      if (counts_(v, cls) <= rows && counts_.known(v)) sum += log_absent(counts_(v, cls), rows);
    }
    return sum;
  }

  struct Without {
    double rows = -1, sum = 0;
  };
  double prior_;  // imaginary rows with, and as many without, a feature
  std::vector<double> absent_;
  std::vector<Without> without_;  // of each class, one row less: it repeats
};

}  // namespace

std::unique_ptr<BagHeldOut> hold_out_bags(const BagStatistics& statistics, BagFamily family,
                                          const Estimation& estimation) {
  if (family == BagFamily::bernoulli) {
    return std::make_unique<BernoulliHeldOut>(statistics, estimation);
  }
  return std::make_unique<MultinomialHeldOut>(statistics, estimation);
}

}  // namespace credence

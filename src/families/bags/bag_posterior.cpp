// SPDX-License-Identifier: Apache-2.0
// Parameters of bags, drawn from their posterior: docs/uncertainty.md
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "families/bags/bag_statistics.hpp"
#include "families/dirichlet.hpp"
#include "families/numeric.hpp"

namespace credence {
namespace {

// Of more features only those that a row has are drawn.
constexpr std::size_t few_features = 256;

// Stands for all features that a row lacks; no text holds this byte.
const std::string other_features = "\xff";

class BagPosterior {
 public:
  BagPosterior(const BagStatistics& statistics, const Estimation& estimation)
      : statistics_(statistics),
        rule_(estimation.rule),
        class_weights_(estimation.class_weights),
        known_(statistics.counts()),
        coins_(statistics.family() == BagFamily::bernoulli) {
    const auto& column = statistics.columns().title();
    if (coins_) {
      p_ = prior_coins(estimation, column, known_.names());
    } else {
      imaginary_ =
          imaginary_counts(known_.size(), prior_shares(estimation, column, known_.names()), rule_);
    }
    for (std::size_t c = 0; c < class_weights_.size(); ++c) {
      all_rows_ += statistics.rows(c).value();
      double sum = 0;
      for (std::size_t i = 0; i < imaginary_.size(); ++i) sum += parameter(i, c);
      sums_.push_back(sum);
    }
  }

  // One row for each class, with the parameters as its counts.
  std::unique_ptr<BlockStatistics> draw(Random& random) const {
    std::vector<std::vector<double>> drawn(classes());
    for (std::size_t c = 0; c < classes(); ++c) {
      if (class_weights_[c] == 0) continue;
      for (std::size_t i = 0; i < known_.size(); ++i) {
        if (coins_) {
          const double with = count(i, c), sides[] = {statistics_.rows(c).value() - with, with};
          drawn[c].push_back(draw_shares(sides, imaginary_sides(p_[i], rule_), rule_, random)[1]);
        } else if (statistics_.family() == BagFamily::poisson) {
          drawn[c].push_back(rate(i, c, random));
        } else {
          drawn[c].push_back(parameter(i, c));
        }
      }
      if (statistics_.family() == BagFamily::multinomial) drawn[c] = shares(drawn[c], random);
    }
    return with(known_.names(), drawn);
  }

  // The features of these rows, and what is left for all others: parts of a Dirichlet that are put
  // together have the sum of their parameters.
  std::unique_ptr<BlockStatistics> draw(Random& random, const Chunk& rows) const {
    const auto& columns = statistics_.columns();
    const auto& features = columns.features(rows);
    std::set<std::size_t> present;
    const auto places = known_.rows_of(features);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      if (columns.missing(rows, r)) continue;
      columns.for_each(rows, r, [&](std::size_t f, double) { present.insert(places[f]); });
    }
    present.erase(known_.size());
    std::vector<std::string> names;
    std::vector<std::vector<double>> drawn(classes());
    for (const auto i : present) names.push_back(known_.name(i));
    names.push_back(other_features);
    for (std::size_t c = 0; c < classes(); ++c) {
      if (class_weights_[c] == 0) continue;
      double others = sums_[c];
      for (const auto i : present) {
        drawn[c].push_back(parameter(i, c));
        others -= drawn[c].back();
      }
      drawn[c].push_back(present.size() < known_.size() ? std::max(0.0, others) : 0);
      drawn[c] = shares(drawn[c], random);
    }
    return with(names, drawn);
  }

 private:
  std::size_t classes() const { return class_weights_.size(); }
  double count(std::size_t feature, std::size_t c) const {
    return statistics_.counts()(known_.place(feature), c);
  }
  // Of the Dirichlet; without a prior all shares were as likely.
  double parameter(std::size_t feature, std::size_t c) const {
    return count(feature, c) + (rule_.has_prior() ? imaginary_[feature] : 1);
  }
  double rate(std::size_t feature, std::size_t c, Random& random) const {
    double sum = 0;
    for (std::size_t k = 0; k < classes(); ++k) sum += count(feature, k);
    return draw_rate(statistics_.rows(c).value(), count(feature, c), all_rows_, sum, rule_, random);
  }
  static std::vector<double> shares(const std::vector<double>& parameters, Random& random) {
    return draw_shares(parameters, std::vector<double>(parameters.size(), 0.0),
                       {Rule::Kind::laplace, 0}, random);
  }
  std::unique_ptr<BlockStatistics> with(const std::vector<std::string>& features,
                                        const std::vector<std::vector<double>>& drawn) const {
    ExactSums counts(features.size() * classes()), rows(classes());
    for (std::size_t c = 0; c < classes(); ++c) {
      if (class_weights_[c] == 0) continue;
      rows.set(c, 1.0);
      for (std::size_t i = 0; i < features.size(); ++i) {
        counts.set(i * classes() + c, drawn[c][i]);
      }
    }
    return statistics_.counted(features, counts, rows);
  }

  const BagStatistics& statistics_;
  Rule rule_;
  std::vector<double> class_weights_;
  KnownValues known_;
  bool coins_;
  std::vector<double> p_;          // coins: of each feature
  std::vector<double> imaginary_;  // draws: of each feature,
  std::vector<double> sums_;       // and of all of them together, with what was counted, by class
  double all_rows_ = 0;
};

}  // namespace

bool BagStatistics::draws_by_row() const {
  return columns_.family == BagFamily::multinomial && columns_.sparse &&
         columns_.declared.empty() && counts_.domain().size() > few_features;
}

BlockStatistics::Draw BagStatistics::drawing(const Estimation& estimation) const {
  if (!plain() && columns_.family != BagFamily::poisson) {
    return BlockStatistics::drawing(estimation);
  }
  const auto posterior = std::make_shared<const BagPosterior>(*this, estimation);
  return [posterior, by_row = draws_by_row()](Random& random, const Chunk& rows) {
    return by_row ? posterior->draw(random, rows) : posterior->draw(random);
  };
}

std::unique_ptr<BagStatistics> BagStatistics::counted(const std::vector<std::string>& features,
                                                      const ExactSums& counts,
                                                      const ExactSums& rows) const {
  auto result = room(rows.size());
  const auto places = result->counts_.place(features);
  for (std::size_t c = 0; c < rows.size(); ++c) {
    result->rows_.add(c, rows.exact(c));
    for (std::size_t i = 0; i < features.size(); ++i) {
      const DoubleDouble count = counts.exact(i * rows.size() + c);
      if (count.hi != 0) result->counts_.add(places[i], c, count);
    }
  }
  return result;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "ask/models/uncertainty.hpp"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>
#include <numeric>

#include "core/chunk_rows.hpp"
#include "credence/error.hpp"
#include "families/dirichlet.hpp"
#include "model/statistics.hpp"

namespace credence {
namespace {

// What is known of the classes' shares: counts, and one imaginary row of each where there is no
// other prior, which makes all shares as likely. None where they were given.
std::vector<double> prior_of_shares(const Model& model) {
  const auto& prior = model.settings().prior;
  using Kind = ClassPrior::Kind;
  if (prior.kind != Kind::empirical && prior.kind != Kind::smoothed) return {};
  std::vector<double> result;
  for (const double weight : model.class_weights()) {
    result.push_back(weight + (prior.kind == ClassPrior::Kind::smoothed ? prior.strength : 1));
  }
  return result;
}

bool has_no_value(const Chunk& chunk, std::size_t row) {
  for (std::size_t i = 0; i < chunk.columns.size(); ++i) {
    if (has_value(chunk, i, row)) return false;
  }
  return true;
}

// Between the draws that have the same share of all on their outer sides.
Interval middle_of(std::vector<double>& values, double level) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(std::floor(place));
    const auto high = std::min(low + 1, values.size() - 1);
    return values[low] + (place - std::floor(place)) * (values[high] - values[low]);
  };
  return {at((1 - level) / 2), at((1 + level) / 2)};
}

}  // namespace

Uncertainty::Uncertainty(const Model& model, const UncertaintyOptions& options)
    : options_(options), prior_(prior_of_shares(model)) {
  if (model.settings().hand_written) {
    throw Error(ErrorKind::usage,
                "a model written by hand has no rows behind it that could be too few");
  }
  Random random(options.seed);
  const auto estimation = estimation_of(model.statistics(), model.settings());
  Model drawn = model.without_history();
  draws_.reserve(options.draws);
  for (std::size_t k = 0; k < options.draws; ++k) {
    if (!prior_.empty()) {
      const auto shares = draw_shares(prior_, std::vector<double>(prior_.size(), 0.0),
                                      {Rule::Kind::laplace, 0}, random);
      drawn.settings().prior = {ClassPrior::Kind::given, 0, {}};
      for (std::size_t c = 0; c < shares.size(); ++c) {
        drawn.settings().prior.shares.emplace_back(model.classes()[c], shares[c]);
      }
    }
    const auto statistics = model.statistics().drawn(estimation, model.blocks(), random);
    draws_.emplace_back(drawn, statistics, [](const BlockSpec&) {
      return Rule{Rule::Kind::mle, 0};
    });
  }
}

Interval Uncertainty::log_odds(const Chunk& row, std::size_t a, std::size_t b) const {
  std::vector<double> drawn;
  for (const auto& scorer : draws_) {
    const auto joint = scorer.log_joint(row);
    drawn.push_back(joint[a] - joint[b]);
  }
  return middle_of(drawn, options_.level);
}

std::vector<Interval> Uncertainty::intervals(const Chunk& chunk) const {
  const std::size_t classes = draws_.front().classes().size();
  std::vector<Interval> result(chunk.rows * classes);
  // So many rows at once that their draws take some 16 MB.
  const std::size_t some =
      std::max<std::size_t>(1, (std::size_t{1} << 21) / (draws_.size() * classes));
  for (std::size_t first = 0; first < chunk.rows; first += some) {
    const Chunk slice = slice_rows(chunk, first, std::min(some, chunk.rows - first));
    std::vector<std::vector<double>> drawn(slice.rows * classes);
    Posterior row;
    for (const auto& scorer : draws_) {
      const auto joint = scorer.log_joint(slice);
      for (std::size_t r = 0; r < slice.rows; ++r) {
        posterior(std::span(joint).subspan(r * classes, classes), row);
        for (std::size_t c = 0; c < classes; ++c) {
          drawn[r * classes + c].push_back(row.probabilities[c]);
        }
      }
    }
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      result[first * classes + i] = middle_of(drawn[i], options_.level);
    }
  }
  const double all = std::accumulate(prior_.begin(), prior_.end(), 0.0);
  for (std::size_t r = 0; r < chunk.rows && !prior_.empty(); ++r) {
    if (!has_no_value(chunk, r)) continue;
    for (std::size_t c = 0; c < classes; ++c) {
      const boost::math::beta_distribution<double> share(prior_[c], all - prior_[c]);
      result[r * classes + c] = {boost::math::quantile(share, (1 - options_.level) / 2),
                                 boost::math::quantile(share, (1 + options_.level) / 2)};
    }
  }
  return result;
}

}  // namespace credence

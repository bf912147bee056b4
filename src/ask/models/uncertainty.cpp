// SPDX-License-Identifier: Apache-2.0
#include "ask/models/uncertainty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>
#include <numeric>

#include "core/chunk_rows.hpp"
#include "core/strings.hpp"
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

// The parameters of all draws are held at once.
void check_size(const Model& model, std::size_t draws) {
  constexpr double most = 2e7;
  const Scorer scorer(model);
  double parameters = 0;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    if (model.statistics().block(b).draws_by_row()) continue;
    parameters += static_cast<double>(scorer.density(b).parameters);
  }
  if (parameters * static_cast<double>(draws) <= most) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} draws of {} parameters are more than memory should hold (use {})",
                          draws, format_number(parameters),
                          setting("draws", format_number(std::floor(most / parameters)))));
}

}  // namespace

Uncertainty::Uncertainty(const Model& model, const UncertaintyOptions& options)
    : options_(options), model_(model.without_history()), prior_(prior_of_shares(model)) {
  if (model.settings().hand_written) {
    throw Error(ErrorKind::usage,
                "a model written by hand has no rows behind it that could be too few");
  }
  const auto& statistics = model_.statistics();
  const auto estimation = estimation_of(statistics, model.settings());
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    blocks_.push_back(statistics.block(b).drawing(estimation));
    by_row_ = by_row_ || statistics.block(b).draws_by_row();
  }
  check_size(model, options.draws);
  // Of by_row_, so that what cannot be drawn is said at once.
  if (by_row_) {
    Random random(options.seed);
    statistics.drawn(blocks_, model.blocks(), random, no_rows(model.schema()));
  } else {
    draws_ = drawn(no_rows(model.schema()));
  }
}

std::vector<Scorer> Uncertainty::drawn(const Chunk& rows) const {
  std::vector<Scorer> result;
  result.reserve(options_.draws);
  Random random(options_.seed);
  Model settings = model_;
  for (std::size_t k = 0; k < options_.draws; ++k) {
    if (!prior_.empty()) {
      const auto shares = draw_shares(prior_, std::vector<double>(prior_.size(), 0.0),
                                      {Rule::Kind::laplace, 0}, random);
      settings.settings().prior = {ClassPrior::Kind::given, 0, {}};
      for (std::size_t c = 0; c < shares.size(); ++c) {
        settings.settings().prior.shares.emplace_back(model_.classes()[c], shares[c]);
      }
    }
    const auto statistics = model_.statistics().drawn(blocks_, model_.blocks(), random, rows);
    result.emplace_back(settings, statistics, [](const BlockSpec&) {
      return Rule{Rule::Kind::mle, 0};
    });
  }
  return result;
}

Interval Uncertainty::log_odds(const Chunk& row, std::size_t a, std::size_t b) const {
  const auto of_row = by_row_ ? drawn(row) : std::vector<Scorer>();
  std::vector<double> odds;
  for (const auto& scorer : by_row_ ? of_row : draws_) {
    const auto joint = scorer.log_joint(row);
    odds.push_back(joint[a] - joint[b]);
  }
  return middle_of(odds, options_.level);
}

std::vector<Interval> Uncertainty::intervals_of(const std::vector<Scorer>& draws,
                                                const Chunk& rows) const {
  const std::size_t classes = model_.classes().size();
  std::vector<std::vector<double>> drawn(rows.rows * classes);
  Posterior row;
  for (const auto& scorer : draws) {
    const auto joint = scorer.log_joint(rows);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      posterior(std::span(joint).subspan(r * classes, classes), row);
      for (std::size_t c = 0; c < classes; ++c) {
        drawn[r * classes + c].push_back(row.probabilities[c]);
      }
    }
  }
  std::vector<Interval> result;
  for (auto& values : drawn) result.push_back(middle_of(values, options_.level));
  return result;
}

std::vector<Interval> Uncertainty::intervals(const Chunk& chunk) const {
  const std::size_t classes = model_.classes().size();
  std::vector<Interval> result;
  // So many rows at once that their draws take some 16 MB.
  const std::size_t some =
      by_row_ ? 1 : std::max<std::size_t>(1, (std::size_t{1} << 21) / (options_.draws * classes));
  for (std::size_t first = 0; first < chunk.rows; first += some) {
    const Chunk slice = slice_rows(chunk, first, std::min(some, chunk.rows - first));
    const auto found = by_row_ ? intervals_of(drawn(slice), slice) : intervals_of(draws_, slice);
    result.insert(result.end(), found.begin(), found.end());
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

// SPDX-License-Identifier: Apache-2.0
// Arthur & Vassilvitskii, k-means++ (2007).
#include "families/mixture/mixture_start.hpp"

#include <cmath>

#include "core/log_math.hpp"
#include "core/random.hpp"

namespace credence {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Over the columns a row has, as if the others were as far away on average.
double squared_distance(const MixtureRows& rows, Index r, const VectorXd& centre) {
  double sum = 0;
  int present = 0;
  for (Index i = 0; i < centre.size(); ++i) {
    const double x = rows.values(i, r);
    if (std::isnan(x)) continue;
    sum += (x - centre[i]) * (x - centre[i]);
    ++present;
  }
  return present == 0 ? 0 : sum * static_cast<double>(centre.size()) / present;
}

// A gap lies at the middle of the column.
VectorXd filled(const MixtureRows& rows, Index r) {
  return rows.values.col(r).unaryExpr([](double x) { return std::isnan(x) ? 0.0 : x; });
}

Index draw(const VectorXd& weights, Random& random) {
  double rest = random.uniform() * weights.sum();
  Index last = 0;
  for (Index r = 0; r < weights.size(); ++r) {
    if (weights[r] <= 0) continue;
    last = r;
    rest -= weights[r];
    if (rest < 0) break;
  }
  return last;
}

std::vector<VectorXd> draw_centres(const MixtureRows& rows, std::size_t count, Random& random) {
  std::vector<VectorXd> centres{filled(rows, draw(rows.weights, random))};
  VectorXd nearest = VectorXd::Constant(rows.weights.size(), infinity);
  while (centres.size() < count) {
    for (Index r = 0; r < nearest.size(); ++r) {
      nearest[r] = std::min(nearest[r], squared_distance(rows, r, centres.back()));
    }
    const VectorXd pull = nearest.cwiseProduct(rows.weights);
    centres.push_back(filled(rows, draw(pull.sum() > 0 ? pull : rows.weights, random)));
  }
  return centres;
}

std::vector<std::size_t> assign(const MixtureRows& rows, const std::vector<VectorXd>& centres) {
  std::vector<std::size_t> result(static_cast<std::size_t>(rows.weights.size()));
  for (std::size_t r = 0; r < result.size(); ++r) {
    double least = infinity;
    for (std::size_t c = 0; c < centres.size(); ++c) {
      const double distance = squared_distance(rows, static_cast<Index>(r), centres[c]);
      if (distance >= least) continue;
      least = distance;
      result[r] = c;
    }
  }
  return result;
}

// Gaps at the centre itself: they neither move it nor spread it.
void move(const MixtureRows& rows, const std::vector<std::size_t>& owner,
          std::vector<VectorXd>& centres) {
  for (std::size_t c = 0; c < centres.size(); ++c) {
    for (Index i = 0; i < centres[c].size(); ++i) {
      double sum = 0, weight = 0;
      for (std::size_t r = 0; r < owner.size(); ++r) {
        const double x = rows.values(i, static_cast<Index>(r));
        if (owner[r] != c || std::isnan(x)) continue;
        sum += rows.weights[static_cast<Index>(r)] * x;
        weight += rows.weights[static_cast<Index>(r)];
      }
      if (weight > 0) centres[c][i] = sum / weight;
    }
  }
}

}  // namespace

std::vector<ComponentSums> start_mixture(const MixtureRows& rows, std::size_t components,
                                         std::uint64_t seed, bool lloyd, double common) {
  Random random(seed);
  auto centres = draw_centres(rows, components, random);
  auto owner = assign(rows, centres);
  for (int step = 0; lloyd && step < 100; ++step) {
    move(rows, owner, centres);
    auto next = assign(rows, centres);
    if (next == owner) break;
    owner = std::move(next);
  }
  std::vector<ComponentSums> result;
  const Index d = rows.values.rows();
  for (std::size_t c = 0; c < components; ++c) {
    VectorXd share = rows.weights * (common / static_cast<double>(components));
    for (std::size_t r = 0; r < owner.size(); ++r) {
      const auto row = static_cast<Index>(r);
      if (owner[r] == c) share[row] += (1 - common) * rows.weights[row];
    }
    ComponentSums sums{share.sum(), VectorXd::Zero(d), MatrixXd::Zero(d, d)};
    MatrixXd y = rows.values;
    for (Index i = 0; i < d; ++i) {
      double weight = 0;
      for (Index r = 0; r < y.cols(); ++r) {
        if (std::isnan(y(i, r))) continue;
        sums.mean[i] += share[r] * y(i, r);
        weight += share[r];
      }
      if (weight > 0) sums.mean[i] /= weight;
      for (Index r = 0; r < y.cols(); ++r)
        y(i, r) = std::isnan(y(i, r)) ? 0 : y(i, r) - sums.mean[i];
    }
    sums.scatter = y * share.asDiagonal() * y.transpose();
    result.push_back(std::move(sums));
  }
  return result;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// The density of a gaussian block: one normal or Student's t per class.
#include "families/gaussian/gaussian_density.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/block_density.hpp"

namespace credence {
namespace {

using Eigen::Index;

class GaussianBlockDensity : public BlockDensity {
 public:
  GaussianBlockDensity(const GaussianBlockData& data, const Estimation& estimation,
                       EstimatedBlock block)
      : BlockDensity("gaussian", data.indices, data.names,
                     {block.kept, block.origin, Eigen::VectorXd::Ones(block.origin.size())}),
        tied_(block.tied) {
    if (estimation.rule.kind == Rule::Kind::bayes) {
      predictive_ = "Student's t: mean and covariance integrated out";
    }
    parameters = block.parameters;
    log_prior = block.log_prior;
    for (std::size_t c = 0; c < block.classes.size(); ++c) {
      classes_.emplace_back();
      if (block.classes[c].mean.size() == 0) continue;
      add_log_likelihood(block.classes[c], data.classes[c]);
      classes_.back().push_back({1, std::move(block.classes[c])});
    }
    finish();
  }

  // w = Σ⁻¹ μ and w0 = -½ μᵀ Σ⁻¹ μ, taken from the origin and told from 0.
  std::string linear(LinearForm& form) const override {
    if (all_.empty()) return "";
    if (!tied_) {
      return join(names_, ", ") +
             ": a covariance for each class makes it quadratic (use gaussian(tied))";
    }
    if (!predictive_.empty()) {
      return fmt::format("{}: under bayes it is Student's t (use {})", join(names_, ", "),
                         setting("rule", "m-estimate=1"));
    }
    for (const Index i : all_)
      form.features.push_back({name(i), std::vector<double>(classes_.size(), 0.0)});
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (classes_[c].empty()) continue;
      const auto& d = classes_[c][0].density;
      const Eigen::VectorXd w = Eigen::LLT<Eigen::MatrixXd>(d.scale).solve(d.mean);
      form.intercepts[c] = -0.5 * d.mean.dot(w) - frame_.origin.dot(w);
      for (const Index i : all_) form.features[static_cast<std::size_t>(i)].coefficients[c] = w[i];
    }
    return "";
  }

 private:
  // A normal's log-likelihood at the plug-in covariance, pattern by pattern.
  void add_log_likelihood(const VectorDensity& d, const ClassScatter& cls) {
    for (const auto& [pattern, part] : cls) {
      Places places, from;
      Index seen = 0;
      for (std::size_t column = 0; column < pattern.size(); ++column) {
        const auto kept = std::find(frame_.kept.begin(), frame_.kept.end(), column);
        if (pattern[column] != '1') continue;
        if (kept != frame_.kept.end()) {
          places.push_back(static_cast<Index>(kept - frame_.kept.begin()));
          from.push_back(seen);
        }
        ++seen;
      }
      if (places.empty()) continue;
      Eigen::VectorXd origin = Eigen::VectorXd::Zero(seen);
      for (std::size_t i = 0; i < places.size(); ++i) origin[from[i]] = frame_.origin[places[i]];
      const Eigen::VectorXd shift = part.mean_from(origin)(from) - d.mean(places);
      const double n = part.weight.value();
      const Eigen::LLT<Eigen::MatrixXd> factor(d.plug_in(places, places));
      const Eigen::MatrixXd spread = part.matrix()(from, from) + n * shift * shift.transpose();
      const double log_determinant = 2 * factor.matrixLLT().diagonal().array().log().sum();
      log_likelihood -=
          0.5 * (n * (static_cast<double>(places.size()) * std::log(2 * std::numbers::pi) +
                      log_determinant) +
                 factor.solve(spread).trace());
    }
  }

  bool tied_;
};

}  // namespace

std::unique_ptr<Density> fit_gaussian_block(const GaussianBlockData& data,
                                            const Estimation& estimation) {
  return std::make_unique<GaussianBlockDensity>(data, estimation,
                                                estimate_gaussian_block(data, estimation));
}

}  // namespace credence

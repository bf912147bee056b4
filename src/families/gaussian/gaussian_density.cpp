// SPDX-License-Identifier: Apache-2.0
// The density of a gaussian block: one normal or Student's t per class.
#include "families/gaussian/gaussian_density.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/block_density.hpp"
#include "families/kernels/row_kernels.hpp"

namespace credence {
namespace {

using Eigen::Index;

// As the columns are told in the table, whatever the units in which they were estimated.
BlockFrame frame_of(const EstimatedBlock& block) {
  BlockFrame frame{block.kept, block.origin, Eigen::VectorXd::Ones(block.origin.size()),
                   block.constants};
  for (Index i = 0; i < frame.unit.size(); ++i) {
    const int exponent = block.units[static_cast<std::size_t>(i)];
    frame.unit[i] = std::ldexp(1.0, exponent);
    frame.origin[i] = std::ldexp(block.origin[i], exponent);
  }
  return frame;
}

class GaussianBlockDensity : public BlockDensity {
 public:
  GaussianBlockDensity(const GaussianBlockData& data, const Estimation& estimation,
                       EstimatedBlock block)
      : BlockDensity("gaussian", data.indices, data.names, frame_of(block)), tied_(block.tied) {
    if (estimation.rule.kind == Rule::Kind::bayes) {
      predictive_ = "Student's t: mean and covariance integrated out";
    }
    parameters = block.parameters;
    log_prior = block.log_prior;
    for (std::size_t c = 0; c < block.classes.size(); ++c) {
      classes_.emplace_back();
      if (block.classes[c].mean.size() == 0) continue;
      add_log_likelihood(block, block.classes[c], data.classes[c]);
      classes_.back().push_back({1, std::move(block.classes[c])});
    }
    finish();
    if (tied_ && predictive_.empty() && !all_.empty()) compare_by_products();
  }

  // Classes with one covariance differ by a product with the row.
  void add_scores(const Chunk& chunk, double weight, std::span<double> joint) const override {
    if (coefficients_.empty()) return add_log_density(chunk, weight, joint);
    const std::size_t classes = classes_.size();
    std::vector<double> found(classes * row_panel);
    add_rows(chunk, weight, joint, [&](const double* panel, std::size_t rows, double* const* out) {
      panel_products(panel, coefficients_.data(), classes, all_.size(), found.data());
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < classes; ++c) {
          out[r][c] += weight * (offsets_[c] + found[c * row_panel + r]);
        }
      }
    });
  }

  // w = Σ⁻¹ μ and w0 = -½ μᵀ Σ⁻¹ μ, taken from the origin and told from 0.
  std::string linear(LinearForm& form) const override {
    if (all_.empty()) return "";
    if (!form.squares && !one_covariance()) {
      return join(names_, ", ") +
             ": a covariance for each class makes it quadratic (use gaussian(tied))";
    }
    if (!predictive_.empty()) {
      return fmt::format("{}: under bayes it is Student's t (use {})", join(names_, ", "),
                         setting("rule", "m-estimate=1"));
    }
    for (const Index i : all_)
      form.features.push_back({name(i), std::vector<double>(classes_.size(), 0.0)});
    if (!one_covariance()) return quadratic(form);
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (classes_[c].empty()) continue;
      const auto& d = classes_[c][0].density;
      const Eigen::VectorXd w = complete_[c][0].precision_times(d.mean);
      form.intercepts[c] = -0.5 * d.mean.dot(w) - frame_.origin.cwiseQuotient(frame_.unit).dot(w);
      for (const Index i : all_) {
        form.features[static_cast<std::size_t>(i)].coefficients[c] = w[i] / frame_.unit[i];
      }
    }
    return "";
  }

 private:
  // Also where it was not shared on purpose.
  bool one_covariance() const {
    if (tied_) return true;
    const Eigen::MatrixXd* first = nullptr;
    for (const auto& cls : classes_) {
      if (cls.empty()) continue;
      if (!first) first = &cls[0].density.scale;
      if (cls[0].density.scale != *first) return false;
    }
    return true;
  }

  // log p = log norm - ½ (y - μ)ᵀ Σ⁻¹ (y - μ), with y = (x - origin) / unit, told in x.
  std::string quadratic(LinearForm& form) const {
    const auto size = static_cast<Index>(all_.size());
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j <= i; ++j) {
        form.features.push_back({i == j ? name(i) + "²" : name(j) + "·" + name(i),
                                 std::vector<double>(classes_.size(), 0.0)});
      }
    }
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (classes_[c].empty()) continue;
      const auto& marginal = complete_[c][0];
      const Eigen::VectorXd& mean = classes_[c][0].density.mean;
      const Eigen::VectorXd to_mean =
          mean + frame_.origin.cwiseQuotient(frame_.unit);  // of x / unit
      Eigen::MatrixXd precision(size, size);
      for (Index i = 0; i < size; ++i) {
        precision.col(i) = marginal.precision_times(Eigen::VectorXd::Unit(size, i));
      }
      const Eigen::VectorXd w = precision * to_mean;
      form.intercepts[c] = marginal.log_density(mean.data()) - 0.5 * to_mean.dot(w) -
                           frame_.unit.array().log().sum();
      std::size_t next = static_cast<std::size_t>(size);
      for (Index i = 0; i < size; ++i) {
        form.features[static_cast<std::size_t>(i)].coefficients[c] = w[i] / frame_.unit[i];
        for (Index j = 0; j <= i; ++j) {
          form.features[next++].coefficients[c] =
              (i == j ? -0.5 : -1.0) * precision(i, j) / (frame_.unit[i] * frame_.unit[j]);
        }
      }
    }
    return "";
  }

  // w = Σ⁻¹ μ and -½ μᵀ w of every class, as seen from the origin.
  void compare_by_products() {
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      Eigen::VectorXd mean = Eigen::VectorXd::Zero(static_cast<Index>(all_.size())), w = mean;
      if (!classes_[c].empty()) {
        mean = classes_[c][0].density.mean;
        w = complete_[c][0].precision_times(mean);
      }
      coefficients_.insert(coefficients_.end(), w.begin(), w.end());
      offsets_.push_back(-0.5 * mean.dot(w));
    }
  }

  // A normal's log-likelihood at the plug-in covariance, pattern by pattern.
  void add_log_likelihood(const EstimatedBlock& block, const VectorDensity& d,
                          const ClassScatter& cls) {
    for (const auto& [pattern, observed] : cls) {
      Scatter part = observed;
      std::vector<int> units = part.exponent;
      Places places, from;
      Index seen = 0;
      for (std::size_t column = 0; column < pattern.size(); ++column) {
        const auto kept = std::find(frame_.kept.begin(), frame_.kept.end(), column);
        if (pattern[column] != '1') continue;
        if (kept != frame_.kept.end()) {
          places.push_back(static_cast<Index>(kept - frame_.kept.begin()));
          from.push_back(seen);
          units[static_cast<std::size_t>(seen)] =
              block.units[static_cast<std::size_t>(places.back())];
        }
        ++seen;
      }
      if (places.empty()) continue;
      part.tell_in(units);
      Eigen::VectorXd origin = Eigen::VectorXd::Zero(seen);
      for (std::size_t i = 0; i < places.size(); ++i) origin[from[i]] = block.origin[places[i]];
      const Eigen::VectorXd shift = part.mean_from(origin)(from) - d.mean(places);
      const double n = part.weight.value();
      const Eigen::MatrixXd spread = part.matrix()(from, from) + n * shift * shift.transpose();
      log_likelihood -= n * frame_.unit(places).array().log().sum();
      if (d.factor && places.size() == all_.size()) {
        const auto size = static_cast<double>(places.size());
        log_likelihood -=
            0.5 * (n * (size * std::log(2 * std::numbers::pi) + d.factor->log_determinant()) +
                   d.factor->trace_of_product(spread));
        continue;
      }
      const VectorDensity normal{d.mean, d.plug_in, infinity, d.plug_in, false, d.tolerance};
      log_likelihood += Marginal(normal, places).log_likelihood(n, spread);
    }
  }

  bool tied_;
  std::vector<double> coefficients_, offsets_;  // [class][column] and [class]; empty: not linear
};

}  // namespace

std::unique_ptr<Density> fit_gaussian_block(const GaussianBlockData& data,
                                            const Estimation& estimation) {
  return std::make_unique<GaussianBlockDensity>(data, estimation,
                                                estimate_gaussian_block(data, estimation));
}

}  // namespace credence

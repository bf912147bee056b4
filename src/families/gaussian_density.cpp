// SPDX-License-Identifier: Apache-2.0
// Scoring, explaining and sampling a gaussian block. A row with gaps is scored over the columns it
// has: the marginal of a normal or a t is the sub-matrix.
#include "families/gaussian_density.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "core/log_math.hpp"
#include "core/text.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

using Eigen::Index;

class GaussianBlockDensity : public Density {
 public:
  GaussianBlockDensity(const GaussianBlockData& data, const Estimation& estimation)
      : block_(estimate_gaussian_block(data, estimation)),
        student_(estimation.rule.kind == Rule::Kind::bayes) {
    for (std::size_t i = 0; i < data.indices.size(); ++i) names_.push_back(data.names[i]);
    for (const auto i : block_.kept) {
      indices_.push_back(data.indices[i]);
      kept_names_.push_back(data.names[i]);
      all_.push_back(static_cast<Index>(all_.size()));
    }
    dropped_ = data.indices;
    for (auto place = block_.kept.rbegin(); place != block_.kept.rend(); ++place) {
      dropped_.erase(dropped_.begin() + static_cast<std::ptrdiff_t>(*place));
    }
    parameters = block_.parameters;
    log_prior = block_.log_prior;
    complete_ = marginals(all_);
    for (std::size_t c = 0; c < block_.classes.size(); ++c) {
      if (block_.classes[c].mean.size() > 0) add_log_likelihood(block_.classes[c], data.classes[c]);
    }
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    std::map<Places, std::vector<std::size_t>> groups;
    for (std::size_t r = 0; r < chunk.rows; ++r) groups[present(chunk, r)].push_back(r);
    const std::size_t classes = block_.classes.size();
    for (const auto& [places, rows] : groups) {
      if (places.empty()) continue;
      Eigen::MatrixXd y(static_cast<Index>(places.size()), static_cast<Index>(rows.size()));
      for (std::size_t k = 0; k < rows.size(); ++k)
        y.col(static_cast<Index>(k)) = row_from_origin(chunk, rows[k], places);
      const auto some =
          places.size() == all_.size() ? std::vector<std::optional<Marginal>>{} : marginals(places);
      const auto& fitted = places.size() == all_.size() ? complete_ : some;
      for (std::size_t c = 0; c < classes; ++c) {
        if (!fitted[c]) continue;
        const Eigen::VectorXd log_p = fitted[c]->log_density(y);
        for (std::size_t k = 0; k < rows.size(); ++k) {
          joint[rows[k] * classes + c] += weight * log_p[static_cast<Index>(k)];
        }
      }
    }
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    const auto places = present(chunk, row);
    if (places.empty()) return;
    const Eigen::VectorXd y = row_from_origin(chunk, row, places);
    const auto fitted = marginals(places);
    std::vector<Eigen::VectorXd> steps;
    for (const auto& marginal : fitted)
      steps.push_back(marginal ? marginal->steps(y) : Eigen::VectorXd::Zero(y.size()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto place = static_cast<std::size_t>(places[i]);
      const double x = std::get<Numbers>(chunk.columns[indices_[place]]).values[row];
      Term term{kept_names_[place], format_number(x), {}};
      if (i > 0) term.value += " given those above";
      for (const auto& step : steps) term.log_density.push_back(step[static_cast<Index>(i)]);
      terms.push_back(std::move(term));
    }
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    const Eigen::VectorXd y = complete_[cls] ? complete_[cls]->sample(random) : Eigen::VectorXd();
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      const auto k = static_cast<Index>(i);
      std::get<Numbers>(rows.columns[indices_[i]])
          .values.push_back(y.size() ? block_.origin[k] + y[k] : not_a_number);
    }
    for (const auto i : dropped_) std::get<Numbers>(rows.columns[i]).values.push_back(not_a_number);
  }

  // w = Σ⁻¹ μ and w0 = -½ μᵀ Σ⁻¹ μ, taken from the origin and told from 0.
  std::string linear(LinearForm& form) const override {
    if (all_.empty()) return "";
    if (!block_.tied) {
      return join(names_, ", ") +
             ": a covariance for each class makes it quadratic (use gaussian(tied))";
    }
    if (student_) {
      return fmt::format("{}: under bayes it is Student's t (use {})", join(names_, ", "),
                         setting("rule", "m-estimate=1"));
    }
    for (const auto& name : kept_names_)
      form.features.push_back({name, std::vector<double>(block_.classes.size(), 0.0)});
    for (std::size_t c = 0; c < block_.classes.size(); ++c) {
      const auto& d = block_.classes[c];
      if (d.mean.size() == 0) continue;
      const Eigen::VectorXd w = Eigen::LLT<Eigen::MatrixXd>(d.scale).solve(d.mean);
      form.intercepts[c] = -0.5 * d.mean.dot(w) - block_.origin.dot(w);
      for (std::size_t i = 0; i < kept_names_.size(); ++i) {
        form.features[i].coefficients[c] = w[static_cast<Index>(i)];
      }
    }
    return "";
  }

  ParameterTable table() const override {
    ParameterTable result{join(names_, ", "), "gaussian", "", {}};
    if (kept_names_.size() < names_.size()) result.remark = "columns that do not vary are left out";
    if (student_ && !kept_names_.empty()) {
      result.remark += result.remark.empty() ? "" : "; ";
      result.remark += "Student's t: mean and covariance integrated out";
    }
    const auto row = [&](const std::string& name, const auto& value) {
      ParameterTable::Row line{name, {}};
      for (const auto& d : block_.classes)
        line.cells.push_back({d.mean.size() ? value(d) : not_a_number, 0, 0});
      result.rows.push_back(std::move(line));
    };
    for (std::size_t i = 0; i < kept_names_.size(); ++i) {
      const auto k = static_cast<Index>(i);
      row("mean " + kept_names_[i],
          [&](const VectorDensity& d) { return block_.origin[k] + d.mean[k]; });
    }
    for (std::size_t i = 0; i < kept_names_.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        row(fmt::format("{} {}{}", student_ ? "scale" : "cov", kept_names_[i],
                        i == j ? "" : ", " + kept_names_[j]),
            [&](const VectorDensity& d) {
              return d.scale(static_cast<Index>(i), static_cast<Index>(j));
            });
      }
    }
    if (student_ && !kept_names_.empty())
      row("degrees of freedom", [](const VectorDensity& d) { return d.freedom; });
    return result;
  }

  const EstimatedBlock& estimated() const { return block_; }

 private:
  Places present(const Chunk& chunk, std::size_t row) const {
    Places result;
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      if (!std::isnan(std::get<Numbers>(chunk.columns[indices_[i]]).values[row]))
        result.push_back(static_cast<Index>(i));
    }
    return result;
  }

  Eigen::VectorXd row_from_origin(const Chunk& chunk, std::size_t row, const Places& places) const {
    Eigen::VectorXd y(static_cast<Index>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto place = static_cast<std::size_t>(places[i]);
      y[static_cast<Index>(i)] =
          std::get<Numbers>(chunk.columns[indices_[place]]).values[row] - block_.origin[places[i]];
    }
    return y;
  }

  std::vector<std::optional<Marginal>> marginals(const Places& places) const {
    std::vector<std::optional<Marginal>> result(block_.classes.size());
    for (std::size_t c = 0; c < result.size(); ++c) {
      if (block_.classes[c].mean.size() > 0) result[c].emplace(block_.classes[c], places);
    }
    return result;
  }

  // A normal's log-likelihood at the plug-in covariance, pattern by pattern.
  void add_log_likelihood(const VectorDensity& d, const ClassScatter& cls) {
    for (const auto& [pattern, part] : cls) {
      Places places, from;
      Index seen = 0;
      for (std::size_t column = 0; column < pattern.size(); ++column) {
        const auto kept = std::find(block_.kept.begin(), block_.kept.end(), column);
        if (pattern[column] != '1') continue;
        if (kept != block_.kept.end()) {
          places.push_back(static_cast<Index>(kept - block_.kept.begin()));
          from.push_back(seen);
        }
        ++seen;
      }
      if (places.empty()) continue;
      Eigen::VectorXd origin = Eigen::VectorXd::Zero(seen);
      for (std::size_t i = 0; i < places.size(); ++i) origin[from[i]] = block_.origin[places[i]];
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

  EstimatedBlock block_;
  bool student_;
  std::vector<std::string> names_, kept_names_;
  std::vector<std::size_t> indices_, dropped_;
  Places all_;
  std::vector<std::optional<Marginal>> complete_;
};

}  // namespace

std::unique_ptr<Density> fit_gaussian_block(const GaussianBlockData& data,
                                            const Estimation& estimation) {
  return std::make_unique<GaussianBlockDensity>(data, estimation);
}

}  // namespace credence

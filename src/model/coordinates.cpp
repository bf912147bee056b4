// SPDX-License-Identifier: Apache-2.0
#include "model/coordinates.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/scorer.hpp"
#include "families/registry.hpp"

namespace credence {
namespace {

using Eigen::Index;

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorKind::usage, "no discriminant coordinates: " + why);
}

// The model whose classes share one covariance.
const NamedModel& sharing() {
  const auto& family = usual_family(ColumnLook::numbers);
  return *std::find_if(family.models.begin(), family.models.end(), [&](const NamedModel& model) {
    return !model.parameters.empty() && family.one_covariance(model.parameters);
  });
}

void check(const Model& model) {
  const auto& shared = sharing();
  const auto block_name =
      fmt::format("{}({})", usual_family(ColumnLook::numbers).name, shared.parameters);
  const auto wanted = fmt::format("they need all columns in one {} block: {}", block_name,
                                  setting("model", shared.name));
  for (const auto& block : model.blocks()) {
    if (find_family(block.family).one_covariance) continue;
    refuse(fmt::format("column \"{}\" is {} ({})", model.schema().columns[block.columns[0]].name,
                       block.family, wanted));
  }
  if (model.blocks().empty()) refuse(fmt::format("the model has no columns ({})", wanted));
  if (model.blocks().size() > 1) {
    refuse(fmt::format("the columns are in {} blocks, each on its own ({})", model.blocks().size(),
                       wanted));
  }
  const auto& block = model.blocks()[0];
  if (!find_family(block.family).one_covariance(block.parameters)) {
    refuse(fmt::format("every class has a covariance of its own ({} shares one: {})", block_name,
                       setting("model", shared.name)));
  }
}

// The normals behind the density. bayes integrates them out; its posterior's own mean and
// covariance are what the m-estimate reads.
Model as_normals(Model model) {
  auto& rule = model.settings().rule;
  if (rule.kind == Rule::Kind::bayes) rule.kind = Rule::Kind::m_estimate;
  return model;
}

struct Normals {
  std::vector<std::string> columns;
  Eigen::MatrixXd means;  // class by column
  Eigen::MatrixXd covariance;
};

Normals normals_of(const Model& model) {
  const auto table = Scorer(as_normals(model)).tables().front();
  Normals result;
  for (const auto& row : table.rows) {
    if (row.name == "mean") result.columns.push_back(row.of[0]);
  }
  const auto d = static_cast<Index>(result.columns.size());
  const auto place = [&](const std::string& column) {
    return std::find(result.columns.begin(), result.columns.end(), column) - result.columns.begin();
  };
  result.means.resize(static_cast<Index>(model.classes().size()), d);
  result.covariance.resize(d, d);
  for (const auto& row : table.rows) {
    const auto i = place(row.of.front()), j = place(row.of.back());
    if (row.name == "mean") {
      for (std::size_t c = 0; c < row.cells.size(); ++c)
        result.means(static_cast<Index>(c), i) = row.cells[c].value;
    } else {
      result.covariance(i, j) = result.covariance(j, i) = row.cells.front().value;
    }
  }
  for (Index i = 0; i < d; ++i) {
    if (std::isnormal(result.covariance(i, i))) continue;
    refuse(fmt::format("the variance of column \"{}\" is beyond a double (rescale it)",
                       result.columns[static_cast<std::size_t>(i)]));
  }
  return result;
}

}  // namespace

std::string Coordinates::name(std::size_t coordinate) {
  return "ld" + std::to_string(coordinate + 1);
}

Coordinates::Coordinates(const Model& model) : classes_(model.classes()) {
  check(model);
  const Normals normals = normals_of(model);
  columns_ = normals.columns;
  if (columns_.empty()) refuse("no column varies");
  for (const auto& name : columns_) {
    const auto& all = model.schema().columns;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const ColumnSpec& column) { return column.name == name; });
    places_.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  const auto weights = model.class_weights();
  Eigen::VectorXd share(normals.means.rows());
  for (Index c = 0; c < share.size(); ++c) share[c] = weights[static_cast<std::size_t>(c)];
  share /= share.sum();
  const Eigen::VectorXd center = normals.means.transpose() * share;
  const Eigen::MatrixXd from_center = normals.means.rowwise() - center.transpose();

  // With W = D L Lᵀ D and u = Lᵀ D v, B v = λ W v becomes: u is a right singular vector of the
  // scaled means. In units of D, so that columns of any size are alike.
  const Eigen::VectorXd unit = normals.covariance.diagonal().cwiseSqrt();
  const Eigen::MatrixXd correlation =
      unit.cwiseInverse().asDiagonal() * normals.covariance * unit.cwiseInverse().asDiagonal();
  const Eigen::LLT<Eigen::MatrixXd> factor(correlation);
  Eigen::MatrixXd scaled = share.cwiseSqrt().asDiagonal() * from_center;
  scaled = factor.matrixL()
               .solve((scaled * unit.cwiseInverse().asDiagonal()).transpose())
               .transpose()
               .eval();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled, Eigen::ComputeThinV);
  const Eigen::VectorXd lambda = svd.singularValues().cwiseAbs2();
  const Index most = std::min<Index>(lambda.size(), normals.means.rows() - 1);
  Index count = 0;  // what is left of rounding is no direction
  while (count < most && lambda[count] > 1e-20 && lambda[count] > 1e-12 * lambda[0]) ++count;
  if (count == 0) refuse("the means of the classes do not differ");

  // In units of D again. The largest coefficient in these units is positive: no change of units
  // turns a picture round.
  Eigen::MatrixXd directions = factor.matrixU().solve(svd.matrixV().leftCols(count));
  for (Index k = 0; k < count; ++k) {
    Index largest = 0;
    directions.col(k).cwiseAbs().maxCoeff(&largest);
    if (directions(largest, k) < 0) directions.col(k) *= -1;
  }
  directions = (unit.cwiseInverse().asDiagonal() * directions).eval();
  const Eigen::MatrixXd means = from_center * directions;
  const auto copy = [](const Eigen::MatrixXd& matrix, std::vector<double>& to) {
    for (Index i = 0; i < matrix.rows(); ++i) {
      for (Index k = 0; k < matrix.cols(); ++k) to.push_back(matrix(i, k));
    }
  };
  copy(directions, coefficients_);
  copy(means, means_);
  copy(center, center_);
  copy(lambda.head(count) / lambda.head(count).sum(), shares_);
}

std::vector<double> Coordinates::of(const Chunk& chunk) const {
  std::vector<double> result(chunk.rows * size(), 0.0);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto& values = std::get<Numbers>(chunk.columns[places_[i]]).values;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const double x = values[r] - center_[i];  // NaN, a missing value, stays one
      for (std::size_t k = 0; k < size(); ++k) result[r * size() + k] += x * coefficient(i, k);
    }
  }
  return result;
}

}  // namespace credence

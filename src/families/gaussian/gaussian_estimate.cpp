// SPDX-License-Identifier: Apache-2.0
// The rules for several numbers together: normal-inverse-Wishart posteriors read in six ways.
// Derivations: docs/families/gaussian_block.md
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "core/log_math.hpp"
#include "core/moments.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/gaussian/gaussian_density.hpp"
#include "families/numeric.hpp"

namespace credence {
namespace {

using Eigen::Index;

Moments column_moments(const std::vector<ClassScatter>& classes, std::size_t column) {
  Moments result;
  for (const auto& cls : classes) {
    for (const auto& [pattern, part] : cls) {
      if (pattern[column] != '1') continue;
      const auto place = static_cast<std::size_t>(
          std::count(pattern.begin(), pattern.begin() + static_cast<std::ptrdiff_t>(column), '1'));
      result.merge(part.column(place));
    }
  }
  return result;
}

// The statistics over some of the columns only, in these units.
ClassScatter select_columns(const ClassScatter& cls, const std::vector<std::size_t>& kept,
                            const std::vector<int>& units) {
  ClassScatter result;
  for (const auto& [pattern, part] : cls) {
    Pattern small;
    std::vector<std::size_t> from;
    std::vector<int> of_part;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const auto column = kept[k];
      small += pattern[column];
      if (pattern[column] != '1') continue;
      of_part.push_back(units[k]);
      from.push_back(static_cast<std::size_t>(
          std::count(pattern.begin(), pattern.begin() + static_cast<std::ptrdiff_t>(column), '1')));
    }
    if (from.empty()) continue;
    Scatter sub(from.size(), !part.fourth.empty());
    sub.weight = part.weight;
    for (std::size_t i = 0; i < from.size(); ++i) {
      sub.mean[i] = part.mean[from[i]];
      sub.exponent[i] = part.exponent[from[i]];
      for (std::size_t j = 0; j < from.size(); ++j) {
        if (j <= i) sub.m2[Scatter::packed(i, j)] = part.m2[Scatter::packed(from[i], from[j])];
        if (part.fourth.empty()) continue;
        sub.third[i * from.size() + j] = part.third[from[i] * part.size() + from[j]];
        if (j <= i)
          sub.fourth[Scatter::packed(i, j)] = part.fourth[Scatter::packed(from[i], from[j])];
      }
    }
    sub.tell_in(of_part);
    // Two patterns may be the same over fewer columns.
    const auto [found, fresh] = result.emplace(small, sub);
    if (!fresh) found->second.merge(sub, 1);
  }
  return result;
}

// A covariance estimate, the divisor it had, and the weight that stands behind it.
struct Estimate {
  Eigen::MatrixXd covariance;
  double freedom;
};

// `means`: how many mean vectors the scatter was taken about, for the divisors of unbiased and map.
Estimate read_scatter(const Eigen::MatrixXd& scatter, double weight, double means, const Rule& rule,
                      const Covariance& kind) {
  const double d = static_cast<double>(scatter.rows());
  double divisor = weight;
  if (rule.kind == Rule::Kind::unbiased) divisor = weight - means;
  if (rule.kind == Rule::Kind::map) {
    // Modes over means and covariance together.
    divisor = weight + means + (kind.spherical ? 2 / d : 2 * d);
  }
  Eigen::MatrixXd covariance = scatter / divisor;
  if (kind.spherical) {
    covariance =
        Eigen::MatrixXd::Identity(scatter.rows(), scatter.cols()) * (covariance.trace() / d);
  }
  return {covariance, kind.spherical ? weight * d : weight};
}

struct Block : CompleteBlock {
  const GaussianBlockData& data;
  const Estimation& estimation;
};

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::data, message); }

// Says which columns make a matrix singular, by elimination in units of the columns' spreads.
void check_invertible(const Block& block, const Eigen::MatrixXd& covariance,
                      const std::string& whose, double rows) {
  const Index d = covariance.rows();
  for (Index i = 0; i < d; ++i) {
    if (covariance(i, i) > 0) continue;
    refuse(
        fmt::format("column \"{}\": the values of {} do not vary, so their variance is 0 (use "
                    "{}, or leave the column out)",
                    block.names[static_cast<std::size_t>(i)], whose, setting("rule", "bayes")));
  }
  const Eigen::VectorXd unit = covariance.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd r = unit.asDiagonal() * covariance * unit.asDiagonal();
  Eigen::MatrixXd lower = Eigen::MatrixXd::Zero(d, d);
  for (Index j = 0; j < d; ++j) {
    const double pivot = r(j, j) - lower.row(j).head(j).squaredNorm();
    if (pivot < 1e-12) {
      std::vector<std::string> others;
      if (j > 0) {
        const Eigen::VectorXd share = r.topLeftCorner(j, j).ldlt().solve(r.col(j).head(j));
        for (Index i = 0; i < j; ++i) {
          if (std::abs(share[i]) > 1e-6)
            others.push_back("\"" + block.names[static_cast<std::size_t>(i)] + "\"");
        }
      }
      const auto& name = block.names[static_cast<std::size_t>(j)];
      if (rows <= static_cast<double>(d)) {
        refuse(fmt::format(
            "{} rows of {} are too few for the covariance of {} columns (use {}, gaussian(tied), "
            "gaussian(shrunk) or fewer columns)",
            format_number(rows), whose, d, setting("rule", "bayes")));
      }
      refuse(
          fmt::format("column \"{}\" is collinear with {} in {}: their covariance is singular (use "
                      "{}, gaussian(shrunk), or leave it out)",
                      name, join(others, ", "), whose, setting("rule", "bayes")));
    }
    lower(j, j) = std::sqrt(pivot);
    for (Index i = j + 1; i < d; ++i) {
      lower(i, j) = (r(i, j) - lower.row(i).head(j).dot(lower.row(j).head(j))) / lower(j, j);
    }
  }
}

double intensity_of(const Covariance& kind, const Completed& completed, double rows) {
  if (kind.shrinkage != Covariance::Shrinkage::ledoit_wolf) {
    return shrinkage_intensity(kind, completed.scatter / completed.weight, {}, rows);
  }
  if (completed.fourth.size() == 0) {  // gaps: the fourth moments are unknown
    Covariance oas = kind;
    oas.shrinkage = Covariance::Shrinkage::oas;
    return shrinkage_intensity(oas, completed.scatter / completed.weight, {}, rows);
  }
  return shrinkage_intensity(kind, completed.scatter / completed.weight, completed.fourth, rows);
}

}  // namespace

Completed pool(const CompleteBlock& block, double imaginary) {
  const Index d = block.column.mean.size();
  Completed result;
  result.mean = block.column.mean;
  result.scatter = Eigen::MatrixXd::Zero(d, d);
  double seen = 0;
  bool fourth = true;
  for (const auto& c : block.completed) {
    if (c.rows == 0) continue;
    seen += 1;
    result.rows += c.rows;
    result.scatter += c.scatter;
    fourth = fourth && c.fourth.size() > 0;
    if (fourth)
      result.fourth = result.fourth.size() == 0 ? c.fourth : (result.fourth + c.fourth).eval();
  }
  if (!fourth) result.fourth.resize(0, 0);
  result.scatter.diagonal() -= std::max(0.0, seen - 1) * imaginary * block.column.variance;
  result.weight = result.rows + imaginary;
  return result;
}

namespace {

double classes_with_rows(const Block& block) {
  double count = 0;
  for (const auto& c : block.completed) count += c.rows > 0;
  return count;
}

// The classes' covariances, each read and shrunk on its own, weighed by the prior or by rows.
Eigen::MatrixXd average_covariance(const Block& block) {
  const auto& kind = block.data.covariance;
  const auto& given = block.estimation.class_shares;
  const auto& shares = given.empty() ? block.estimation.class_weights : given;
  const Index d = block.column.mean.size();
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(d, d);
  double total = 0;
  for (std::size_t c = 0; c < block.completed.size(); ++c) {
    const auto& own = block.completed[c];
    if (own.rows == 0) continue;
    const double weight = kind.by_prior ? shares[c] : own.rows;
    const auto read = read_scatter(own.scatter, own.weight, 1, block.estimation.rule, kind);
    result += weight * shrink(kind, read.covariance, intensity_of(kind, own, own.rows));
    total += weight;
  }
  return result / total;
}

// With one imaginary row that has the columns' variances, where some direction has next to none.
void rescue(const Block& block, std::size_t c, Eigen::MatrixXd& covariance) {
  const auto& kind = block.data.covariance;
  const auto& own = block.completed[c];
  // In the unit of the columns, as far as that goes.
  const double one = std::min(1e280, std::ldexp(1.0, -2 * block.units[0]));
  const auto mixed = [&](const Eigen::MatrixXd& from) -> Eigen::MatrixXd {
    return (1 - kind.unit) * from +
           kind.unit * one * Eigen::MatrixXd::Identity(from.rows(), from.cols());
  };
  const Eigen::MatrixXd plain = covariance;
  covariance = mixed(plain);
  if (kind.rescue < 0) return;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance, Eigen::EigenvaluesOnly);
  if (solver.eigenvalues()[0] > kind.rescue * one) return;
  Eigen::MatrixXd scatter = own.scatter;
  scatter.diagonal() += (block.column.variance.array() == 0).select(one, block.column.variance);
  covariance = mixed(scatter / (own.weight + 1));
}

// What all classes have in common, made by the first that needs it.
struct InCommon {
  Eigen::MatrixXd average;  // of their covariances
  std::shared_ptr<const Factor> factor;
};

// Of a large covariance, made once where all classes share it. None where it is near to singular,
// which is then looked into column by column.
std::shared_ptr<const Factor> factor_of(const Covariance& kind, const Eigen::MatrixXd& covariance,
                                        InCommon& common) {
  if (!Factor::worthwhile(covariance.rows()) || kind.tolerance >= 0) return nullptr;
  if (common.factor) return common.factor;
  auto factor = std::make_shared<const Factor>(covariance);
  if (factor->least_pivot() < 1e-9) return nullptr;
  const bool alike = kind.tied && kind.unit == 0 && kind.rescue < 0;
  if (alike) common.factor = factor;
  return factor;
}

VectorDensity estimate_class(const Block& block, std::size_t c, const Completed& pooled,
                             InCommon& common) {
  const auto& kind = block.data.covariance;
  const auto& rule = block.estimation.rule;
  const auto& own = block.completed[c];
  const double many = classes_with_rows(block);
  const std::string whose = fmt::format("class \"{}\"", block.estimation.classes[c]);
  const double share = kind.tied ? 1 : kind.towards_tied;
  if (rule.kind == Rule::Kind::unbiased && (share < 1 ? own.rows - 1 : pooled.rows - many) <= 0) {
    refuse(
        fmt::format("columns {}: {} has too few rows for a covariance divided by N - 1 (use "
                    "{})",
                    join(block.names, ", "), whose, setting("rule", "bayes")));
  }
  Estimate estimate{Eigen::MatrixXd::Zero(own.scatter.rows(), own.scatter.cols()), 0};
  const auto blend = [&](const Completed& from, double means, double part) {
    if (part == 0) return;
    const auto read = read_scatter(from.scatter, from.weight, means, rule, kind);
    estimate.covariance +=
        part * shrink(kind, read.covariance, intensity_of(kind, from, from.rows));
    estimate.freedom += part * read.freedom;
  };
  blend(own, 1, 1 - share);
  blend(pooled, many, share);
  if (kind.tied && kind.apart) {
    if (common.average.size() == 0) common.average = average_covariance(block);
    estimate.covariance = common.average;
  }
  if (kind.unit > 0 || kind.rescue >= 0) rescue(block, c, estimate.covariance);
  const auto factor = factor_of(kind, estimate.covariance, common);
  if (kind.tolerance < 0 && !factor) {
    check_invertible(block, estimate.covariance, share == 1 ? "all classes together" : whose,
                     share == 1 ? pooled.rows - many : own.rows - 1);
  }
  VectorDensity result{own.mean, estimate.covariance, infinity, estimate.covariance,
                       false,    kind.tolerance,      factor};
  if (rule.kind == Rule::Kind::bayes) {
    result.stretch = (own.weight + 1) / own.weight;
    result.scale *= result.stretch;
    result.freedom = estimate.freedom;
  }
  return result;
}

std::size_t count_parameters(const Covariance& kind, std::size_t d, std::size_t classes) {
  const std::size_t covariance = kind.spherical ? 1 : d * (d + 1) / 2;
  return classes * d + (kind.tied ? covariance : classes * covariance);
}

// The log of the prior density at the estimates, up to a constant: docs/semi.md
double log_prior_of(const Block& block, const EstimatedBlock& estimated) {
  const auto& kind = block.data.covariance;
  const auto& rule = block.estimation.rule;
  const bool map = rule.kind == Rule::Kind::map, unbiased = rule.kind == Rule::Kind::unbiased;
  // Shrunk and blended covariances are no maximum; nor is what gaps are filled with, where the
  // filling reads the scatter otherwise than the rule does.
  if (kind.shrinkage != Covariance::Shrinkage::none || kind.towards_tied != 0 || kind.apart ||
      kind.unit != 0 || kind.rescue >= 0 || kind.tolerance >= 0 ||
      (block.gaps && (map || unbiased || (kind.tied && rule.has_prior())))) {
    return not_a_number;
  }
  const double s = imaginary_rows(rule);
  const double d = static_cast<double>(block.kept.size());
  const double means = kind.tied ? classes_with_rows(block) : 1;
  const double power = map ? s + means + (kind.spherical ? 2 / d : 2 * d) : unbiased ? -means : s;
  double sum = 0;
  bool spread = false;
  for (const auto& density : estimated.classes) {
    if (density.mean.size() == 0) continue;
    const Eigen::VectorXd shift = block.column.mean - density.mean;
    if (density.factor) {
      sum -= 0.5 * s * (density.factor->inverse() * shift).squaredNorm();
      if (kind.tied && spread) continue;
      spread = true;
      sum -= 0.5 * (power * density.factor->log_determinant() +
                    s * density.factor->trace_of_product(block.column.variance));
      continue;
    }
    const Eigen::LLT<Eigen::MatrixXd> factor(density.plug_in);
    sum -= 0.5 * s * shift.dot(factor.solve(shift));
    if (kind.tied && spread) continue;  // one covariance counts once
    spread = true;
    const Eigen::MatrixXd imaginary = block.column.variance.asDiagonal();
    sum -= 0.5 * (power * 2 * factor.matrixLLT().diagonal().array().log().sum() +
                  s * factor.solve(imaginary).trace());
  }
  return sum;
}

// The unit of every column; the largest for all where one variance is compared with another's.
std::vector<int> units_of(const std::vector<Moments>& columns, const Covariance& kind) {
  std::vector<int> result;
  for (const auto& column : columns) result.push_back(column.exponent);
  if (kind.spherical || kind.spherical_target || kind.unit > 0 || kind.rescue >= 0) {
    std::fill(result.begin(), result.end(), *std::max_element(result.begin(), result.end()));
  }
  return result;
}

}  // namespace

CompleteBlock complete_block(const GaussianBlockData& data, const Estimation& estimation) {
  CompleteBlock block;
  const auto& kind = data.covariance;
  const bool may_leave_out =
      estimation.rule.has_prior() ||
      (kind.shrinkage != Covariance::Shrinkage::none && kind.tolerance < 0 && kind.rescue < 0);
  std::vector<Moments> moments;
  for (std::size_t i = 0; i < data.names.size(); ++i) {
    const auto column = column_moments(data.classes, i);
    if (column.weight.hi == 0 || (may_leave_out && column.m2.hi <= 0)) {
      block.constants.push_back(
          column.weight.hi == 0 ? not_a_number : std::ldexp(column.mean.value(), column.exponent));
      continue;
    }
    block.kept.push_back(i);
    block.names.push_back(data.names[i]);
    moments.push_back(column);
  }
  if (block.kept.empty()) return block;
  block.units = units_of(moments, kind);
  const auto d = static_cast<Index>(moments.size());
  block.column = {Eigen::VectorXd(d), Eigen::VectorXd(d), Eigen::VectorXd(d)};
  for (Index i = 0; i < d; ++i) {
    auto& m = moments[static_cast<std::size_t>(i)];
    m.tell_in(block.units[static_cast<std::size_t>(i)]);
    block.column.origin[i] = m.mean.hi;
    block.column.mean[i] = m.mean.lo;
    block.column.variance[i] = m.m2.value() / m.weight.value();
  }
  std::vector<ClassScatter> classes;
  for (const auto& cls : data.classes) {
    classes.push_back(select_columns(cls, block.kept, block.units));
    for (const auto& [pattern, part] : classes.back()) {
      block.gaps = block.gaps || pattern.find('0') != Pattern::npos;
    }
  }
  block.completed =
      complete(classes, block.column, imaginary_rows(estimation.rule), data.covariance);
  return block;
}

EstimatedBlock estimate_gaussian_block(const GaussianBlockData& data,
                                       const Estimation& estimation) {
  const Block block{complete_block(data, estimation), data, estimation};
  EstimatedBlock result;
  result.kept = block.kept;
  result.units = block.units;
  result.constants = block.constants;
  result.classes.resize(data.classes.size());
  if (result.kept.empty()) return result;
  const double imaginary = imaginary_rows(estimation.rule);
  const Completed pooled = pool(block, imaginary);
  std::size_t estimated = 0;
  InCommon common;
  for (std::size_t c = 0; c < block.completed.size(); ++c) {
    if (estimation.class_weights[c] == 0) continue;
    if (block.completed[c].rows == 0 && imaginary == 0) {
      refuse(fmt::format("columns {}: no value in class \"{}\" to estimate from (use {})",
                         join(block.names, ", "), estimation.classes[c], setting("rule", "bayes")));
    }
    result.classes[c] = estimate_class(block, c, pooled, common);
    ++estimated;
  }
  result.origin = block.column.origin;
  result.tied = data.covariance.tied || data.covariance.towards_tied == 1;
  result.parameters = count_parameters(data.covariance, result.kept.size(), estimated);
  result.log_prior = log_prior_of(block, result);
  return result;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "families/dirichlet.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {

double dirichlet_parameter(const Rule& rule, double choices, double bayes) {
  switch (rule.kind) {
    case Rule::Kind::laplace:
      return rule.strength;
    case Rule::Kind::m_estimate:
      return rule.strength / choices;
    case Rule::Kind::map:
      return rule.strength == 0 ? 2 : rule.strength / choices;
    case Rule::Kind::bayes:
      return bayes;
    default:
      return 0;
  }
}

ImaginaryCount imaginary_count(const Rule& rule, double choices, double bayes) {
  const double parameter = dirichlet_parameter(rule, choices, bayes);
  if (rule.kind != Rule::Kind::map) return {parameter, 0};
  return {std::max(0.0, parameter - 1), std::max(0.0, 1 - parameter)};
}

std::vector<double> imaginary_counts(std::size_t size, const std::vector<double>& shares,
                                     const Rule& rule) {
  const double values = static_cast<double>(size);
  double total = 0;
  if (rule.has_prior()) total = rule.strength;
  if (rule.kind == Rule::Kind::laplace) total = rule.strength * values;
  // The mode of a Dirichlet with 2 everywhere adds one to every count.
  if (rule.kind == Rule::Kind::map && rule.strength == 0) total = 2 * values;
  std::vector<double> result(size);
  for (std::size_t v = 0; v < size; ++v) {
    result[v] = shares.empty() ? total / values : total * shares[v];
  }
  return result;
}

std::vector<double> draw_shares(std::span<const double> counts, std::span<const double> imaginary,
                                const Rule& rule, Random& random) {
  std::vector<double> result;
  double total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double parameter = counts[i] + (rule.has_prior() ? imaginary[i] : 1);
    result.push_back(parameter > 0 ? random.gamma(parameter) : 0);
    total += result.back();
  }
  for (auto& share : result) share = total > 0 ? share / total : 0;
  return result;
}

double share_worth(double count, double imaginary, const Rule& rule) {
  const double sum = count + imaginary;
  // The mode of a Dirichlet; where a parameter is below 1 the density piles up at probability 0.
  return rule.kind == Rule::Kind::map ? std::max(0.0, sum - 1) : sum;
}

std::vector<double> estimate_shares(const std::vector<double>& counts,
                                    const std::vector<double>& shares, const Rule& rule,
                                    const std::string& column, const std::string& cls) {
  const auto imaginary = imaginary_counts(counts.size(), shares, rule);
  std::vector<double> result(counts.size());
  double total = 0;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    result[v] = share_worth(counts[v], imaginary[v], rule);
    total += result[v];
  }
  if (total <= 0) {
    throw Error(
        ErrorKind::data,
        fmt::format("column \"{}\": no value in class \"{}\" to estimate from (use "
                    "{}, or leave the column out with {})",
                    column, cls, setting("rule", "bayes"), setting("as", column + ": ignore")));
  }
  for (auto& share : result) share /= total;
  return result;
}

std::vector<double> prior_shares(const Estimation& estimation, const std::string& column,
                                 const std::vector<std::string>& values) {
  const auto given = estimation.shares.find(column);
  if (given == estimation.shares.end()) return {};
  std::vector<double> result;
  double total = 0;
  for (const auto& value : values) {
    const auto share = given->second.find(value);
    if (share == given->second.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: column \"{}\" has the value \"{}\", for which no p is given",
                              setting("shares"), column, value));
    }
    result.push_back(share->second);
    total += share->second;
  }
  if (std::abs(total - 1) > 1e-6) {
    throw Error(ErrorKind::usage, fmt::format("{}: the values of \"{}\" sum to {}, not to 1",
                                              setting("shares"), column, format_number(total)));
  }
  return result;
}

std::vector<double> prior_coins(const Estimation& estimation, const std::string& column,
                                const std::vector<std::string>& features) {
  std::vector<double> result(features.size(), 0.5);
  const auto given = estimation.shares.find(column);
  if (given == estimation.shares.end()) return result;
  const auto others = given->second.find("");
  for (std::size_t i = 0; i < features.size(); ++i) {
    const auto own = given->second.find(features[i]);
    if (own != given->second.end()) {
      result[i] = own->second;
    } else if (others != given->second.end()) {
      result[i] = others->second;
    }
  }
  return result;
}

std::vector<double> imaginary_sides(double p, const Rule& rule) {
  return imaginary_counts(2, {1 - p, p}, rule);
}

double log_prior_of_shares(std::span<const double> shares, std::span<const double> imaginary,
                           const Rule& rule, std::span<const double> logs) {
  if (!rule.has_prior()) return 0;
  double sum = 0;
  for (std::size_t v = 0; v < shares.size(); ++v) {
    // Counts added to those observed are the exponents of a density whose mode they move.
    const double exponent = imaginary[v] - (rule.kind == Rule::Kind::map ? 1 : 0);
    if (shares[v] == 0 && exponent < 0) return infinity;
    sum += logs.empty() || exponent == 0 ? x_log_y(exponent, shares[v]) : exponent * logs[v];
  }
  return sum;
}

std::optional<double> log_marginal_of_counts(std::span<const double> counts,
                                             std::span<const double> imaginary) {
  double draws = 0, rows = 0, sum = 0;
  for (const double a : imaginary) rows += a;
  if (rows <= 0) return std::nullopt;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    draws += counts[v];
    if (counts[v] > 0) sum += imaginary[v] > 0 ? log_rising(imaginary[v], counts[v]) : -infinity;
  }
  return sum - log_rising(rows, draws);
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "ask/models/thresholds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "families/family.hpp"
#include "families/registry.hpp"

namespace credence {
namespace {

// c + b x + a x² for every class.
struct Parabolas {
  std::vector<double> c, b, a;

  double difference(std::size_t i, std::size_t j, double x) const {
    return c[i] - c[j] + x * (b[i] - b[j] + x * (a[i] - a[j]));
  }
  double slope(std::size_t i, std::size_t j, double x) const {
    return b[i] - b[j] + 2 * x * (a[i] - a[j]);
  }
  // Where two of them meet, without cancellation.
  std::vector<double> roots(std::size_t i, std::size_t j) const {
    const double p = a[i] - a[j], q = b[i] - b[j], r = c[i] - c[j];
    if (p == 0) return q == 0 ? std::vector<double>{} : std::vector<double>{-r / q};
    const double under = q * q - 4 * p * r;
    if (!(under > 0)) return {};
    const double t = -0.5 * (q + std::copysign(std::sqrt(under), q));
    if (t == 0) return {0.0};
    return {t / p, r / t};
  }
  std::size_t winner(double x) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < c.size(); ++i) {
      if (difference(i, best, x) > 0) best = i;
    }
    return best;
  }
};

// Coefficients of columns far from 0 have lost digits, of which the densities know more.
double polished(const Scorer& scorer, std::size_t column, const Parabolas& parabolas, std::size_t i,
                std::size_t j, double root) {
  Chunk row;
  row.rows = 1;
  for (std::size_t k = 0; k <= column; ++k) row.columns.emplace_back(Numbers{{not_a_number}});
  double best = root, least = infinity;
  for (int step = 0; step < 8; ++step) {
    std::get<Numbers>(row.columns[column]).values[0] = root;
    const auto joint = scorer.log_joint(row);
    const double gap = joint[i] - joint[j], slope = parabolas.slope(i, j, root);
    if (!(std::abs(gap) < least) || slope == 0) break;
    best = root;
    least = std::abs(gap);
    root -= gap / slope;
  }
  return best;
}

}  // namespace

bool is_one_number(const Schema& schema) {
  if (schema.columns.size() != 1) return false;
  const auto kind = schema.columns[0].kind;
  return kind == ColumnKind::number || kind == ColumnKind::amount || kind == ColumnKind::count;
}

std::optional<Thresholds> thresholds(const Model& model, const Scorer& scorer,
                                     const LinearForm& form) {
  if (!is_one_number(model.schema()) || form.features.empty() || form.features.size() > 2) {
    return std::nullopt;
  }
  const bool number = model.schema().columns[0].kind != ColumnKind::count;
  const std::vector<double> none(form.intercepts.size(), 0.0);
  const Parabolas parabolas{form.intercepts, form.features[0].coefficients,
                            form.features.size() == 2 ? form.features[1].coefficients : none};
  std::vector<double> meetings;
  for (std::size_t i = 0; i < none.size(); ++i) {
    for (std::size_t j = i + 1; j < none.size(); ++j) {
      for (const double root : parabolas.roots(i, j)) {
        if (!std::isfinite(root) || (!number && root < 0)) continue;
        meetings.push_back(number ? polished(scorer, 0, parabolas, i, j, root) : root);
      }
    }
  }
  std::sort(meetings.begin(), meetings.end());
  Thresholds result{model.schema().columns[0].name, {}, {}};
  for (std::size_t k = 0; k <= meetings.size(); ++k) {
    double inside = 0;
    if (!meetings.empty()) {
      const double reach = std::max(1.0, meetings.back() - meetings.front());
      inside = k == 0                 ? meetings[0] - reach
               : k == meetings.size() ? meetings.back() + reach
                                      : meetings[k - 1] + (meetings[k] - meetings[k - 1]) / 2;
    }
    const auto winner = parabolas.winner(inside);
    if (!result.winners.empty() && result.winners.back() == winner) continue;
    if (!result.winners.empty()) result.thresholds.push_back(meetings[k - 1]);
    result.winners.push_back(winner);
  }
  return result;
}

ParameterCounts count_parameters(const Model& model, const Scorer& scorer) {
  ParameterCounts result;
  result.all = static_cast<double>(scorer.parameters());
  result.prior = result.all;
  const auto classes = static_cast<double>(scorer.classes().size());
  result.log10_table = std::log10(classes);
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const auto& spec = model.blocks()[b];
    const Family& family = find_family(spec.family);
    const auto table = scorer.density(b).table();
    const auto own = static_cast<double>(scorer.density(b).parameters);
    result.prior -= own;
    result.blocks.push_back({table.title, spec.family, own});
    const bool shared = family.one_covariance && family.one_covariance(spec.parameters);
    const double each = own / classes;
    if (!shared && each == std::floor(each)) result.blocks.back().of_each_class = each;
    const auto values = static_cast<double>(table.rows.size());
    const auto column_kind = model.schema().columns[spec.columns[0]].kind;
    const bool bag = column_kind == ColumnKind::bag || column_kind == ColumnKind::text;
    if (bag && family.presence_only(spec.parameters) && values > 0) {
      result.log10_table += values * std::log10(2);
    } else if (!bag && find_family(table.family).one_of_values) {
      result.log10_table += std::log10(std::max(1.0, values));
    } else if (result.no_table_because.empty()) {
      result.no_table_because = fmt::format("{} has no list of values", table.title);
    }
  }
  return result;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "twin/model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "model/statistics.hpp"
#include "twin/start.hpp"

namespace credence {
namespace {

LabelledRows collect(const Features& features, const std::vector<Chunk>& chunks,
                     const std::vector<std::string>& classes) {
  LabelledRows rows;
  rows.classes = classes.size();
  for (const auto& chunk : chunks) {
    const auto found = classes_of(chunk, classes);
    Design all;
    features.append(chunk, all);
    rows.x.features = features.size();
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (found[r] < 0) continue;
      const auto begin = static_cast<std::ptrdiff_t>(all.offsets[r]);
      const auto end = static_cast<std::ptrdiff_t>(all.offsets[r + 1]);
      rows.x.index.insert(rows.x.index.end(), all.index.begin() + begin, all.index.begin() + end);
      rows.x.value.insert(rows.x.value.end(), all.value.begin() + begin, all.value.begin() + end);
      rows.x.offsets.push_back(rows.x.index.size());
      rows.cls.push_back(static_cast<std::uint32_t>(found[r]));
      rows.weight.push_back(chunk.weights.empty() ? 1.0 : chunk.weights[r]);
    }
  }
  return rows;
}

void check(const Model& generative, const LogisticOptions& options) {
  if (!(options.penalty >= 0) || !std::isfinite(options.penalty)) {
    throw Error(ErrorKind::usage, fmt::format("{}: a number from 0 on",
                                              setting("penalty", format_number(options.penalty))));
  }
  require_two_classes(generative.schema().target, generative.classes());
}

[[noreturn]] void refuse_separated(const Features& features, const LogisticLoss& objective,
                                   const std::vector<std::string>& classes, std::size_t growing) {
  const std::size_t feature = growing / objective.free_classes();
  const std::size_t cls = objective.first_free() + growing % objective.free_classes();
  throw Error(ErrorKind::data,
              fmt::format("{}: the classes are separable, so the coefficient of \"{}\" for "
                          "class \"{}\" grows without end (use a penalty above 0)",
                          setting("penalty", "0"), features.name(feature), classes[cls]));
}

}  // namespace

LogisticModel LogisticModel::fit(const Model& generative, const std::vector<Chunk>& chunks,
                                 const Options& options) {
  check(generative, options);
  LogisticModel model;
  model.classes_ = generative.classes();
  Features standardised = Features::learn(generative, chunks);
  const LabelledRows rows = collect(standardised, chunks, model.classes_);
  const LogisticLoss objective(rows, options.penalty);
  std::vector<double> start(objective.size(), 0.0);
  try {
    if (options.generative_start) start = generative_start(generative, standardised, rows);
  } catch (const Error& error) {
    // Rows that do not support the generative estimate (a variance of 0 under mle, say) may well
    // support this one, which then starts from nothing.
    if (error.kind() != ErrorKind::data) throw;
  }
  const LogisticFit found = minimise(objective, std::move(start), options);
  if (found.separated) {
    refuse_separated(standardised, objective, model.classes_, found.growing);
  }
  model.rows_ = static_cast<double>(rows.cls.size());
  model.penalty_ = options.penalty;
  model.iterations_ = found.iterations;
  model.gradient_norm_ = found.gradient_norm;
  model.converged_ = found.converged;

  // From here on a coefficient is per unit of its column. The means stay: a column around 1e9
  // would lose half its digits to an intercept at 0.
  const std::size_t classes = model.classes_.size();
  model.coefficients_.assign((standardised.size() + 1) * classes, 0.0);
  for (std::size_t j = 0; j <= standardised.size(); ++j) {
    for (std::size_t f = 0; f < objective.free_classes(); ++f) {
      model.coefficients_[j * classes + objective.first_free() + f] =
          found.theta[objective.place(j, f)];
    }
  }
  auto columns = standardised.columns();
  for (auto& column : columns) {
    for (std::size_t c = 0; c < classes && column.scale != 1; ++c) {
      model.coefficients_[column.first * classes + c] /= column.scale;
    }
    column.scale = 1;
  }
  model.features_ = Features(standardised.schema(), std::move(columns));
  return model;
}

std::vector<double> LogisticModel::log_posterior(const Chunk& chunk) const {
  const std::size_t classes = classes_.size();
  Design design;
  features_.append(chunk, design);
  std::vector<double> result(chunk.rows * classes);
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const std::span<double> row = std::span(result).subspan(r * classes, classes);
    for (std::size_t c = 0; c < classes; ++c) row[c] = coefficient(c, features_.size());
    for (std::size_t k = design.offsets[r]; k < design.offsets[r + 1]; ++k) {
      for (std::size_t c = 0; c < classes; ++c) {
        row[c] += design.value[k] * coefficient(c, design.index[k]);
      }
    }
    const double evidence = log_sum_exp(row);
    for (auto& score : row) score -= evidence;
  }
  return result;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Coefficients are read off the scorer by probing it: a row of which all but one column is missing
// has the log joint log P(c) + log P(x_j | c). So any family of a discrete column is understood.
#include "twin/start.hpp"

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "credence/scorer.hpp"

namespace credence {
namespace {

// Per class: the coefficients of every feature, then the intercept.
using Table = std::vector<std::vector<double>>;

Chunk missing_rows(const Schema& schema, std::size_t rows) {
  Chunk chunk;
  chunk.rows = rows;
  for (const auto& column : schema.columns) {
    if (column.kind == ColumnKind::category) {
      chunk.columns.emplace_back(
          Categories{std::vector<std::int32_t>(rows, Categories::missing_code), {}});
    } else if (holds_bags(column.kind)) {
      chunk.columns.emplace_back(Bags{
          std::vector<std::size_t>(rows + 1, 0), {}, {}, std::vector<std::uint8_t>(rows, 1), {}});
    } else {
      chunk.columns.emplace_back(Numbers{std::vector<double>(rows, not_a_number)});
    }
  }
  return chunk;
}

// The rows that tell a column's factor: x = 0 and x = 1; each word; no feature and each alone.
Chunk probes(const Schema& schema, std::size_t column, const FeatureColumn& feature) {
  const auto& names = feature.values.values();
  if (schema.columns[column].kind == ColumnKind::category) {
    Chunk chunk = missing_rows(schema, names.size());
    auto& words = std::get<Categories>(chunk.columns[column]);
    words.dictionary = names;
    for (std::size_t v = 0; v < names.size(); ++v) words.codes[v] = static_cast<std::int32_t>(v);
    return chunk;
  }
  if (holds_bags(schema.columns[column].kind)) {
    Chunk chunk = missing_rows(schema, names.size() + 1);
    Bags bags;
    bags.dictionary = names;
    bags.offsets.push_back(0);
    for (std::size_t v = 0; v < names.size(); ++v) {
      bags.features.push_back(static_cast<std::int32_t>(v));
      bags.counts.push_back(1);
      bags.offsets.push_back(v + 1);
    }
    bags.missing.assign(chunk.rows, 0);
    chunk.columns[column] = std::move(bags);
    return chunk;
  }
  Chunk chunk = missing_rows(schema, 2);
  chunk.columns[column] = Numbers{{0, 1}};
  return chunk;
}

bool finite(const std::vector<double>& factors, std::size_t row, std::size_t classes) {
  for (std::size_t c = 0; c < classes; ++c) {
    if (!std::isfinite(factors[row * classes + c])) return false;
  }
  return true;
}

// log P(x | c) is base(c) + slope(c) x for x = 0, 1: the lecture's beta.
void start_discrete(const Scorer& scorer, const Schema& schema, std::size_t column,
                    const FeatureColumn& feature, Table& table) {
  const std::size_t classes = table.size();
  const Chunk chunk = probes(schema, column, feature);
  auto factors = scorer.log_joint(chunk);
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] -= scorer.log_prior()[i % classes];
  const bool from_nothing = feature.coding != FeatureColumn::Coding::one_hot;
  if (from_nothing && !finite(factors, 0, classes)) return;
  for (std::size_t row = from_nothing ? 1 : 0; row < chunk.rows; ++row) {
    if (!finite(factors, row, classes)) continue;
    const std::size_t place = feature.first + row - (from_nothing ? 1 : 0);
    for (std::size_t c = 0; c < classes; ++c) {
      const double slope = factors[row * classes + c] - (from_nothing ? factors[c] : 0);
      table[c][place] = slope * feature.scale;
      table[c].back() += slope * feature.mean;
    }
  }
  for (std::size_t c = 0; c < classes && from_nothing; ++c) table[c].back() += factors[c];
}

// Normal columns of one variance: x m_c / v - m_c^2 / 2v, in units of the design.
void start_numbers(const Features& features, const LabelledRows& rows,
                   const std::vector<bool>& is_number, Table& table) {
  const std::size_t classes = table.size();
  std::vector<double> weight(classes, 0.0), square(features.size(), 0.0);
  Table mean(classes, std::vector<double>(features.size(), 0.0));
  double total = 0;
  for (std::size_t r = 0; r < rows.cls.size(); ++r) {
    const double w = rows.weight[r];
    weight[rows.cls[r]] += w;
    total += w;
    for (std::size_t k = rows.x.offsets[r]; k < rows.x.offsets[r + 1]; ++k) {
      mean[rows.cls[r]][rows.x.index[k]] += w * rows.x.value[k];
      square[rows.x.index[k]] += w * rows.x.value[k] * rows.x.value[k];
    }
  }
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (!is_number[j]) continue;
    double within = square[j];
    for (std::size_t c = 0; c < classes; ++c) {
      if (weight[c] > 0) mean[c][j] /= weight[c];
      within -= weight[c] * mean[c][j] * mean[c][j];
    }
    if (!(within > 1e-9 * square[j])) continue;
    for (std::size_t c = 0; c < classes; ++c) {
      const double m = mean[c][j];
      table[c][j] = m * total / within;
      table[c].back() -= m * m * total / within / 2;
    }
  }
}

}  // namespace

std::vector<double> generative_start(const Model& model, const Features& features,
                                     const LabelledRows& rows) {
  const Scorer scorer(model);
  const std::size_t classes = model.classes().size();
  Table table(classes, std::vector<double>(features.size() + 1, 0.0));
  for (std::size_t c = 0; c < classes; ++c) {
    if (std::isfinite(scorer.log_prior()[c])) table[c].back() = scorer.log_prior()[c];
  }
  const auto& schema = features.schema();
  std::vector<bool> is_number(features.size(), false);
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const auto& column = features.columns()[i];
    if (schema.columns[i].kind == ColumnKind::number) {
      is_number[column.first] = true;
    } else {
      start_discrete(scorer, schema, i, column, table);
    }
  }
  start_numbers(features, rows, is_number, table);
  const LogisticLoss shape(rows, 0);
  std::vector<double> theta(shape.size());
  for (std::size_t j = 0; j <= features.size(); ++j) {
    // Only differences between classes matter; the penalty is least when they are about 0.
    double middle = 0;
    for (std::size_t c = 0; c < classes; ++c) middle += table[c][j] / static_cast<double>(classes);
    if (shape.first_free() == 1) middle = table[0][j];
    for (std::size_t f = 0; f < shape.free_classes(); ++f) {
      theta[shape.place(j, f)] = table[shape.first_free() + f][j] - middle;
    }
  }
  return theta;
}

}  // namespace credence

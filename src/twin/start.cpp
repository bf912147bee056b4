// SPDX-License-Identifier: Apache-2.0
// Coefficients are read off the scorer by probing it: a row of which all but one column is missing
// has the log joint log P(c) + log P(x_j | c). So any family of a discrete column is understood.
#include "twin/start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/log_math.hpp"
#include "credence/scorer.hpp"

namespace credence {
namespace {

// Per class: the coefficients of every feature, then the intercept.
using Table = std::vector<std::vector<double>>;

Column missing_values(const ColumnSpec& column, std::size_t rows) {
  if (column.kind == ColumnKind::category) {
    return Categories{std::vector<std::int32_t>(rows, Categories::missing_code), {}};
  }
  if (holds_bags(column.kind)) {
    return Bags{
        std::vector<std::size_t>(rows + 1, 0), {}, {}, std::vector<std::uint8_t>(rows, 1), {}};
  }
  return Numbers{std::vector<double>(rows, not_a_number)};
}

// The values that tell a column's factor: x = 0 and x = 1; each word; no feature and each alone.
Column probes(const ColumnSpec& column, const FeatureColumn& feature) {
  const auto& names = feature.values.values();
  if (column.kind == ColumnKind::category) {
    Categories words{std::vector<std::int32_t>(names.size()), names};
    std::iota(words.codes.begin(), words.codes.end(), 0);
    return words;
  }
  if (!holds_bags(column.kind)) return Numbers{{0, 1}};
  Bags bags;
  bags.dictionary = names;
  bags.offsets.push_back(0);
  for (std::size_t v = 0; v < names.size(); ++v) {
    bags.features.push_back(static_cast<std::int32_t>(v));
    bags.counts.push_back(1);
    bags.offsets.push_back(v + 1);
  }
  bags.missing.assign(names.size() + 1, 0);
  return bags;
}

std::size_t rows_in(const Column& column) {
  if (const auto* words = std::get_if<Categories>(&column)) return words->codes.size();
  if (const auto* bags = std::get_if<Bags>(&column)) return bags->missing.size();
  return std::get<Numbers>(column).values.size();
}

// One chunk serves all columns. Only those of a column's block are filled in: a hundred thousand
// columns are not made for each of them.
class Prober {
 public:
  Prober(const Model& model, const Scorer& scorer) : model_(model), scorer_(scorer) {
    chunk_.columns.resize(model.schema().columns.size());
    block_of_.resize(chunk_.columns.size(), model.blocks().size());
    for (std::size_t b = 0; b < model.blocks().size(); ++b) {
      for (const auto column : model.blocks()[b].columns) block_of_[column] = b;
    }
  }

  // log P(x | c) of the column's probes: rows x classes.
  std::vector<double> factors(std::size_t column, Column values) {
    const std::size_t block = block_of_[column], classes = scorer_.classes().size();
    chunk_.rows = rows_in(values);
    if (block == model_.blocks().size()) return std::vector<double>(chunk_.rows * classes, 0.0);
    const auto& columns = model_.blocks()[block].columns;
    for (const auto other : columns) {
      chunk_.columns[other] = missing_values(model_.schema().columns[other], chunk_.rows);
    }
    chunk_.columns[column] = std::move(values);
    auto result = scorer_.log_joint_of(block, chunk_);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] -= scorer_.log_prior()[i % classes];
    for (const auto other : columns) chunk_.columns[other] = {};
    return result;
  }

 private:
  const Model& model_;
  const Scorer& scorer_;
  Chunk chunk_;
  std::vector<std::size_t> block_of_;  // by column
};

bool finite(const std::vector<double>& factors, std::size_t row, std::size_t classes) {
  for (std::size_t c = 0; c < classes; ++c) {
    if (!std::isfinite(factors[row * classes + c])) return false;
  }
  return true;
}

// log P(x | c) is base(c) + slope(c) x for x = 0, 1: the lecture's beta.
void start_discrete(Prober& prober, const Schema& schema, std::size_t column,
                    const FeatureColumn& feature, Table& table) {
  const std::size_t classes = table.size();
  const auto factors = prober.factors(column, probes(schema.columns[column], feature));
  const std::size_t rows = factors.size() / classes;
  const bool from_nothing = feature.coding != FeatureColumn::Coding::one_hot;
  if (from_nothing && !finite(factors, 0, classes)) return;
  for (std::size_t row = from_nothing ? 1 : 0; row < rows; ++row) {
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
  Prober prober(model, scorer);
  std::vector<bool> is_number(features.size(), false);
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const auto& column = features.columns()[i];
    if (schema.columns[i].kind == ColumnKind::number) {
      is_number[column.first] = true;
    } else {
      start_discrete(prober, schema, i, column, table);
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

// SPDX-License-Identifier: Apache-2.0
#include "families/block_density.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "core/strings.hpp"
#include "families/parameters.hpp"
#include "families/working.hpp"
#include "sql/query.hpp"

namespace credence {

using Eigen::Index;

namespace {

// One row alone is not worth eight.
void score_panel(const Marginal& marginal, const double* panel, std::size_t rows,
                 std::vector<double>& y, double* results) {
  if (rows > 2) return marginal.panel_log_density(panel, results);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = panel[i * row_panel + r];
    results[r] = marginal.log_density(y.data());
  }
}

}  // namespace

BlockDensity::BlockDensity(const char* family, std::vector<std::size_t> indices,
                           std::vector<std::string> names, BlockFrame frame)
    : family_(family), names_(std::move(names)), frame_(std::move(frame)) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const bool kept = indices_.size() < frame_.kept.size() && frame_.kept[indices_.size()] == i;
    if (kept) all_.push_back(static_cast<Index>(indices_.size()));
    if (kept) in_order_ = in_order_ && indices[i] == indices_.size();
    (kept ? indices_ : dropped_).push_back(indices[i]);
  }
}

Places BlockDensity::present(const Chunk& chunk, std::size_t row) const {
  Places result;
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    if (!std::isnan(value(chunk, row, i))) result.push_back(static_cast<Index>(i));
  }
  return result;
}

Eigen::VectorXd BlockDensity::row_in_frame(const Chunk& chunk, std::size_t row,
                                           const Places& places) const {
  Eigen::VectorXd y(static_cast<Index>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double x = value(chunk, row, static_cast<std::size_t>(places[i]));
    y[static_cast<Index>(i)] = (x - frame_.origin[places[i]]) / frame_.unit[places[i]];
  }
  return y;
}

BlockDensity::Marginals BlockDensity::marginals(const Places& places) const {
  Marginals result(classes_.size());
  for (std::size_t c = 0; c < classes_.size() && !places.empty(); ++c) {
    for (const auto& part : classes_[c]) result[c].emplace_back(part.density, places);
  }
  return result;
}

Eigen::VectorXd BlockDensity::log_density(std::size_t cls, const std::vector<Marginal>& fitted,
                                          const Eigen::MatrixXd& y, const Places& places) const {
  Eigen::MatrixXd terms(y.cols(), static_cast<Index>(fitted.size()));
  for (std::size_t k = 0; k < fitted.size(); ++k) {
    terms.col(static_cast<Index>(k)) =
        fitted[k].log_density(y).array() + std::log(classes_[cls][k].share);
  }
  const double units = frame_.unit(places).array().log().sum();
  if (fitted.size() == 1) return terms.col(0).array() - units;
  Eigen::VectorXd result(y.cols());
  std::vector<double> row(fitted.size());
  for (Index r = 0; r < terms.rows(); ++r) {
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = terms(r, static_cast<Index>(k));
    result[r] = log_sum_exp(row) - units;
  }
  return result;
}

void BlockDensity::finish() {
  complete_ = marginals(all_);
  for (auto& cls : complete_) {
    for (auto& marginal : cls) marginal.prepare_rows();
  }
}

void BlockDensity::add_log_density(const Chunk& chunk, double weight,
                                   std::span<double> joint) const {
  const double units = all_.empty() ? 0 : frame_.unit(all_).array().log().sum();
  std::vector<double> found, logs, y(all_.size());
  add_rows(chunk, weight, joint, [&](const double* panel, std::size_t rows, double* const* out) {
    for (std::size_t c = 0; c < complete_.size(); ++c) {
      const std::size_t parts = complete_[c].size();
      if (parts == 0) continue;
      found.resize(parts * row_panel);
      for (std::size_t k = 0; k < parts; ++k) {
        score_panel(complete_[c][k], panel, rows, y, found.data() + k * row_panel);
      }
      if (parts == 1) {
        const double log_share = std::log(classes_[c][0].share);
        for (std::size_t r = 0; r < rows; ++r) out[r][c] += weight * (found[r] + log_share - units);
        continue;
      }
      for (std::size_t r = 0; r < rows; ++r) {
        logs.clear();
        for (std::size_t k = 0; k < parts; ++k) {
          logs.push_back(found[k * row_panel + r] + std::log(classes_[c][k].share));
        }
        out[r][c] += weight * (log_sum_exp(logs) - units);
      }
    }
  });
}

void BlockDensity::add_group(const Chunk& chunk, const Places& places,
                             const std::vector<std::size_t>& rows, double weight,
                             std::span<double> joint) const {
  if (places.empty()) return;
  Eigen::MatrixXd y(static_cast<Index>(places.size()), static_cast<Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    y.col(static_cast<Index>(k)) = row_in_frame(chunk, rows[k], places);
  }
  const auto fitted = marginals(places);
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    if (fitted[c].empty()) continue;
    const Eigen::VectorXd log_p = log_density(c, fitted[c], y, places);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      joint[rows[k] * classes_.size() + c] += weight * log_p[static_cast<Index>(k)];
    }
  }
}

// The chain rule: each column given those before it. One density has a factor for each; of a
// mixture they are quotients of the marginals over the first ones. [column][class]
std::vector<std::vector<double>> BlockDensity::steps(const Chunk& chunk, std::size_t row,
                                                     const Places& places) const {
  std::vector<std::vector<double>> result(places.size(), std::vector<double>(classes_.size(), 0.0));
  if (!numbered_) {
    const auto fitted = marginals(places);
    const Eigen::VectorXd y = row_in_frame(chunk, row, places);
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (fitted[c].empty()) continue;
      const Eigen::VectorXd factors = fitted[c][0].steps(y);
      for (std::size_t i = 0; i < places.size(); ++i) result[i][c] = factors[static_cast<Index>(i)];
    }
    return result;
  }
  std::vector<double> before(classes_.size(), 0.0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Places first(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(i + 1));
    const auto fitted = marginals(first);
    const Eigen::MatrixXd y = row_in_frame(chunk, row, first);
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const double now = fitted[c].empty() ? 0 : log_density(c, fitted[c], y, first)[0];
      result[i][c] = now - before[c];
      before[c] = now;
    }
  }
  return result;
}

void BlockDensity::explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const {
  const auto places = present(chunk, row);
  if (places.empty()) return;
  auto factors = steps(chunk, row, places);
  // Only who writes the steps down asks for the formulas: they are made once, then.
  const auto formulas = std::make_shared<std::vector<std::vector<NumberDensity>>>();
  const Eigen::VectorXd y = row_in_frame(chunk, row, places);
  const auto formula = [this, formulas, places, y](std::size_t c, std::size_t i, double log_value) {
    Working result = working_of_number(log_value, true);
    if (formulas->empty()) {
      for (const auto& fitted : marginals(places)) {
        formulas->push_back(fitted.empty() ? std::vector<NumberDensity>{}
                                           : fitted[0].conditionals(y));
      }
    }
    const Index at = places[i];
    if ((*formulas)[c].empty() || frame_.unit[at] != 1) return result;
    auto density = (*formulas)[c][i];
    density.mean += frame_.origin[at];
    result.formula = density.working(frame_.origin[at] + y[static_cast<Index>(i)]).formula;
    return result;
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto place = static_cast<std::size_t>(places[i]);
    const double x = value(chunk, row, place);
    terms.push_back({name(places[i]), format_number(x), std::move(factors[i])});
    if (!numbered_) {
      terms.back().working = [formula, i, logs = terms.back().log_density](std::size_t c) {
        return formula(c, i, logs[c]);
      };
    }
    if (i > 0) terms.back().value += " given those above";
  }
}

// Over the columns that a row has; the others share their units.
std::vector<sql::Expression> BlockDensity::sql_of(sql::Query& query, const Places& places,
                                                  const std::vector<sql::Expression>& y) const {
  auto fitted = marginals(places);
  std::vector<sql::Expression> own, result;
  for (const Index i : places) own.push_back(y[static_cast<std::size_t>(i)]);
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    std::vector<sql::Expression> parts;
    for (std::size_t k = 0; k < fitted[c].size(); ++k) {
      fitted[c][k].prepare_rows();
      parts.push_back(std::log(classes_[c][k].share) + fitted[c][k].sql(query, own));
    }
    result.push_back(parts.empty() ? query.number(0) : query.log_sum_exp(parts));
  }
  return result;
}

// What is missing is another density: one for each way a row may have gaps, as long as these are
// few.
std::vector<sql::Expression> BlockDensity::sql(sql::Query& query) const {
  constexpr std::size_t most = 6;
  const std::size_t size = all_.size();
  std::vector<std::vector<sql::Case>> cases(classes_.size());
  std::vector<sql::Expression> y, gaps{query.number(0)}, result;
  for (std::size_t i = 0; i < size; ++i) {
    const auto k = static_cast<Index>(i);
    const auto x = query.cell(indices_[i]);
    y.push_back(query.let((x - frame_.origin[k]) / query.number(frame_.unit[k])));
    const double bit = std::ldexp(1.0, static_cast<int>(i));
    if (size <= most) {
      gaps.push_back(choose({{is_missing(x), query.number(bit)}}, query.number(0)));
    }
  }
  const auto pattern = query.let(sum(gaps));
  const std::size_t patterns = size <= most ? std::size_t{1} << size : 1;
  for (std::size_t p = 0; p < patterns && size > 0; ++p) {
    Places places;
    for (std::size_t i = 0; i < size; ++i) {
      if (!(p >> i & 1)) places.push_back(static_cast<Index>(i));
    }
    if (places.empty()) continue;
    const auto logs = sql_of(query, places, y);
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      cases[c].push_back({pattern == query.number(static_cast<double>(p)), logs[c]});
    }
  }
  if (size > most) {
    query.remark(
        fmt::format("rows with a missing value among {} have no answer", join(names_, ", ")));
  }
  for (const auto& own : cases) {
    result.push_back(own.empty() ? query.number(0) : choose(own, query.number(0)));
  }
  return result;
}

void BlockDensity::sample(Random& random, std::size_t cls, Chunk& rows) const {
  Eigen::VectorXd y;
  if (!complete_[cls].empty()) {
    std::vector<double> shares;
    for (const auto& part : classes_[cls]) shares.push_back(part.share);
    y = complete_[cls][numbered_ ? random.pick(shares) : 0].sample(random);
  }
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    const auto k = static_cast<Index>(i);
    std::get<Numbers>(rows.columns[indices_[i]])
        .values.push_back(y.size() ? frame_.origin[k] + frame_.unit[k] * y[k] : not_a_number);
  }
  for (std::size_t i = 0; i < dropped_.size(); ++i) {
    std::get<Numbers>(rows.columns[dropped_[i]]).values.push_back(frame_.constants[i]);
  }
}

// The marginal of a normal or a t along one column is one too.
double BlockDensity::probability(std::size_t column, const NumberRange& range,
                                 std::size_t cls) const {
  const auto found = std::find(indices_.begin(), indices_.end(), column);
  if (found == indices_.end() || classes_[cls].empty()) return not_a_number;
  const auto i = static_cast<Index>(found - indices_.begin());
  double sum = 0;
  for (const auto& part : classes_[cls]) {
    const double scale = std::sqrt(part.density.scale(i, i));
    const auto z = [&](double x) {
      return ((x - frame_.origin[i]) / frame_.unit[i] - part.density.mean[i]) / scale;
    };
    sum += part.share * student_between(z(range.low), z(range.high), part.density.freedom);
  }
  return sum;
}

ParameterTable BlockDensity::table() const {
  ParameterTable result{join(names_, ", "), family_, "", {}};
  std::vector<std::string> remarks;
  if (!dropped_.empty()) remarks.emplace_back("columns that do not vary are left out");
  if (!predictive_.empty() && !all_.empty()) remarks.push_back(predictive_);
  result.remark = join(remarks, "; ");
  std::size_t most = numbered_ ? 0 : 1;
  for (const auto& cls : classes_) most = std::max(most, cls.size());
  for (std::size_t k = 0; k < most; ++k) add_part(result, k);
  return result;
}

void BlockDensity::add_part(ParameterTable& table, std::size_t k) const {
  const auto row = [&](const char* name, std::vector<std::string> of, const auto& value) {
    ParameterTable::Row line{name, {}, std::move(of), numbered_ ? k + 1 : 0};
    for (const auto& cls : classes_) {
      line.cells.push_back({k < cls.size() ? value(cls[k]) : not_a_number, 0, 0});
    }
    table.rows.push_back(std::move(line));
  };
  if (numbered_) row("share", {}, [](const Part& part) { return part.share; });
  for (const Index i : all_) {
    row("mean", {name(i)},
        [&](const Part& part) { return frame_.origin[i] + frame_.unit[i] * part.density.mean[i]; });
  }
  for (const Index i : all_) {
    for (Index j = diagonal_ ? i : 0; j <= i; ++j) {
      row(predictive_.empty() ? "cov" : "scale", pair_of(name(i), name(j)), [&](const Part& part) {
        return frame_.unit[i] * frame_.unit[j] * part.density.scale(i, j);
      });
    }
  }
  if (!predictive_.empty() && (numbered_ || !all_.empty())) {
    row("degrees of freedom", {}, [](const Part& part) { return part.density.freedom; });
  }
}

}  // namespace credence

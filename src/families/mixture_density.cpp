// SPDX-License-Identifier: Apache-2.0
#include "families/mixture_density.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/log_math.hpp"
#include "core/moments.hpp"
#include "core/text.hpp"
#include "credence/error.hpp"
#include "families/numeric.hpp"
#include "families/vector_density.hpp"

namespace credence {
namespace {

using Eigen::Index;

MixturePrior prior_of(const Rule& rule, const MixtureFrame& frame, const MixtureOptions& options) {
  MixturePrior prior{imaginary_rows(rule)};
  if (rule.kind == Rule::Kind::map) {
    prior.extra = options.diagonal ? 3 : 2 * static_cast<double>(frame.kept.size()) + 1;
  }
  if (options.floor > 0) prior.floor = options.floor / frame.unit.array().square();
  return prior;
}

// The rows of one class in units of the columns; rows that have none of those columns are left out.
MixtureRows rows_in_frame(const RetainedRows& rows, const MixtureFrame& frame) {
  const auto d = static_cast<Index>(frame.kept.size());
  MixtureRows result{Eigen::MatrixXd(d, static_cast<Index>(rows.size())),
                     Eigen::VectorXd(static_cast<Index>(rows.size()))};
  Index n = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    bool present = false;
    for (Index i = 0; i < d; ++i) {
      const double x = rows.row(r)[frame.kept[static_cast<std::size_t>(i)]];
      result.values(i, n) = (x - frame.origin[i]) / frame.unit[i];
      present = present || !std::isnan(x);
    }
    result.weights[n] = rows.weight(r);
    if (present) ++n;
  }
  result.values.conservativeResize(d, n);
  result.weights.conservativeResize(n);
  return result;
}

// Steps 1, 2, 5, 10, 20, … and the last: how the log-likelihood rose.
std::string describe_rise(const std::vector<double>& rise, double offset) {
  std::vector<std::string> parts;
  std::size_t next = 1;
  for (std::size_t step = 1; step <= rise.size(); ++step) {
    if (step != next && step != rise.size()) continue;
    parts.push_back(fmt::format("{:.6g}", rise[step - 1] + offset));
    if (step == next) {
      const auto lead = fmt::format("{}", next)[0];
      next = lead == '2' ? next / 2 * 5 : next * 2;
    }
  }
  return join(parts, " -> ");
}

// What a change of units adds to the log density of all rows.
double log_units(const MixtureRows& rows, const MixtureFrame& frame) {
  double sum = 0;
  for (Index r = 0; r < rows.values.cols(); ++r) {
    for (Index i = 0; i < rows.values.rows(); ++i) {
      if (!std::isnan(rows.values(i, r))) sum -= rows.weights[r] * std::log(frame.unit[i]);
    }
  }
  return sum;
}

// Of a class without rows all sums are empty.
MixtureExpectation expected_of(const MixtureRows& rows, const MixtureComponents& components,
                               const MixturePrior& prior) {
  if (rows.weights.size() > 0) return expect(rows, components, prior);
  MixtureExpectation result;
  result.sums.resize(components.size());
  return result;
}

class MixtureDensity : public Density {
 public:
  MixtureDensity(const MixtureBlockData& data, const Estimation& estimation,
                 const MixtureFrame& frame, const MixtureSolution& solution)
      : names_(data.names),
        frame_(frame),
        diagonal_(data.options.diagonal),
        student_(estimation.rule.kind == Rule::Kind::bayes) {
    for (std::size_t i = 0, k = 0; i < data.indices.size(); ++i) {
      if (k < frame.kept.size() && frame.kept[k] == i) {
        indices_.push_back(data.indices[i]);
        all_.push_back(static_cast<Index>(k++));
      } else {
        dropped_.push_back(data.indices[i]);
      }
    }
    const auto prior = prior_of(estimation.rule, frame, data.options);
    for (std::size_t c = 0; c < solution.size(); ++c) {
      classes_.emplace_back();
      if (solution[c].empty()) continue;
      const auto rows = rows_in_frame(data.classes[c], frame);
      const auto expected = expected_of(rows, solution[c], prior);
      log_likelihood += expected.log_likelihood + log_units(rows, frame);
      parameters += mixture_parameters(solution[c].size(), frame.kept.size(), diagonal_);
      read(solution[c], expected, prior, estimation.rule);
    }
    complete_ = marginals(all_);
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    std::map<Places, std::vector<std::size_t>> groups;
    for (std::size_t r = 0; r < chunk.rows; ++r) groups[present(chunk, r)].push_back(r);
    const std::size_t classes = classes_.size();
    for (const auto& [places, rows] : groups) {
      if (places.empty()) continue;
      Eigen::MatrixXd y(static_cast<Index>(places.size()), static_cast<Index>(rows.size()));
      for (std::size_t k = 0; k < rows.size(); ++k) {
        y.col(static_cast<Index>(k)) = row_in_frame(chunk, rows[k], places);
      }
      const auto some = places.size() == all_.size() ? Marginals{} : marginals(places);
      const auto& fitted = places.size() == all_.size() ? complete_ : some;
      for (std::size_t c = 0; c < classes; ++c) {
        if (fitted[c].empty()) continue;
        const Eigen::VectorXd log_p = log_density(c, fitted[c], y, places);
        for (std::size_t k = 0; k < rows.size(); ++k) {
          joint[rows[k] * classes + c] += weight * log_p[static_cast<Index>(k)];
        }
      }
    }
  }

  // The chain rule: each column given those before it, from the marginals over the first ones.
  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    const auto places = present(chunk, row);
    std::vector<double> before(classes_.size(), 0.0);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Places first(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(i + 1));
      const auto fitted = marginals(first);
      const Eigen::MatrixXd y = row_in_frame(chunk, row, first);
      const auto place = static_cast<std::size_t>(places[i]);
      const double x = std::get<Numbers>(chunk.columns[indices_[place]]).values[row];
      Term term{names_[frame_.kept[place]], format_number(x), {}};
      if (i > 0) term.value += " given those above";
      for (std::size_t c = 0; c < classes_.size(); ++c) {
        const double now = fitted[c].empty() ? 0 : log_density(c, fitted[c], y, first)[0];
        term.log_density.push_back(now - before[c]);
        before[c] = now;
      }
      terms.push_back(std::move(term));
    }
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    Eigen::VectorXd y;
    if (!complete_[cls].empty()) {
      std::vector<double> shares;
      for (const auto& part : classes_[cls]) shares.push_back(part.share);
      y = complete_[cls][random.pick(shares)].sample(random);
    }
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      const auto k = static_cast<Index>(i);
      std::get<Numbers>(rows.columns[indices_[i]])
          .values.push_back(y.size() ? frame_.origin[k] + frame_.unit[k] * y[k] : not_a_number);
    }
    for (const auto i : dropped_) std::get<Numbers>(rows.columns[i]).values.push_back(not_a_number);
  }

  std::string linear(LinearForm&) const override {
    return join(names_, ", ") + ": a mixture is not linear";
  }

  ParameterTable table() const override {
    ParameterTable result{join(names_, ", "), "mixture", "", {}};
    if (!dropped_.empty()) result.remark = "columns that do not vary are left out";
    if (student_ && !all_.empty()) {
      result.remark += result.remark.empty() ? "" : "; ";
      result.remark += "each component Student's t: mean and covariance integrated out";
    }
    std::size_t most = 0;
    for (const auto& cls : classes_) most = std::max(most, cls.size());
    for (std::size_t k = 0; k < most; ++k) add_component(result, k);
    return result;
  }

 private:
  struct Part {
    double share;
    VectorDensity density;
  };
  using Marginals = std::vector<std::vector<Marginal>>;  // [class][component]

  // The rule's reading of what the components are responsible for.
  void read(const MixtureComponents& components, const MixtureExpectation& expected,
            const MixturePrior& prior, const Rule& rule) {
    for (std::size_t k = 0; k < components.size(); ++k) {
      const auto& c = components[k];
      const double rows = expected.sums[k].weight;
      const double weight = rows + prior.rows / static_cast<double>(components.size());
      Part part{c.share, {c.mean, c.covariance, infinity, c.covariance, diagonal_}};
      if (rule.kind == Rule::Kind::unbiased) {
        if (!(rows > 1)) {
          throw Error(ErrorKind::data,
                      fmt::format("columns \"{}\": a component has too few rows for a covariance "
                                  "divided by N - 1 (use {})",
                                  join(names_, ", "), setting("rule", "bayes")));
        }
        // What the floor adds is no sum over rows.
        const bool floored = prior.floor.size() > 0;
        if (floored) part.density.scale.diagonal() -= prior.floor;
        part.density.scale *= rows / (rows - 1);
        if (floored) part.density.scale.diagonal() += prior.floor;
      }
      if (student_) {
        part.density.scale *= (weight + 1) / weight;
        part.density.freedom = weight;
      }
      classes_.back().push_back(std::move(part));
    }
  }

  Places present(const Chunk& chunk, std::size_t row) const {
    Places result;
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      if (!std::isnan(std::get<Numbers>(chunk.columns[indices_[i]]).values[row])) {
        result.push_back(static_cast<Index>(i));
      }
    }
    return result;
  }

  Eigen::VectorXd row_in_frame(const Chunk& chunk, std::size_t row, const Places& places) const {
    Eigen::VectorXd y(static_cast<Index>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto& column = chunk.columns[indices_[static_cast<std::size_t>(places[i])]];
      y[static_cast<Index>(i)] =
          (std::get<Numbers>(column).values[row] - frame_.origin[places[i]]) /
          frame_.unit[places[i]];
    }
    return y;
  }

  Marginals marginals(const Places& places) const {
    Marginals result(classes_.size());
    if (places.empty()) return result;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      for (const auto& part : classes_[c]) result[c].emplace_back(part.density, places);
    }
    return result;
  }

  Eigen::VectorXd log_density(std::size_t cls, const std::vector<Marginal>& fitted,
                              const Eigen::MatrixXd& y, const Places& places) const {
    Eigen::MatrixXd terms(y.cols(), static_cast<Index>(fitted.size()));
    for (std::size_t k = 0; k < fitted.size(); ++k) {
      terms.col(static_cast<Index>(k)) =
          fitted[k].log_density(y).array() + std::log(classes_[cls][k].share);
    }
    const double units = frame_.unit(places).array().log().sum();
    Eigen::VectorXd result(y.cols());
    std::vector<double> row(fitted.size());
    for (Index r = 0; r < terms.rows(); ++r) {
      for (std::size_t k = 0; k < row.size(); ++k) row[k] = terms(r, static_cast<Index>(k));
      result[r] = log_sum_exp(row) - units;
    }
    return result;
  }

  void add_component(ParameterTable& table, std::size_t k) const {
    const auto row = [&](const std::string& name, const auto& value) {
      ParameterTable::Row line{fmt::format("{}: {}", k + 1, name), {}};
      for (const auto& cls : classes_) {
        line.cells.push_back({k < cls.size() ? value(cls[k]) : not_a_number, 0, 0});
      }
      table.rows.push_back(std::move(line));
    };
    const auto name = [&](Index i) { return names_[frame_.kept[static_cast<std::size_t>(i)]]; };
    row("share", [](const Part& part) { return part.share; });
    for (const Index i : all_) {
      row("mean " + name(i), [&](const Part& part) {
        return frame_.origin[i] + frame_.unit[i] * part.density.mean[i];
      });
    }
    for (const Index i : all_) {
      for (Index j = diagonal_ ? i : 0; j <= i; ++j) {
        row(fmt::format("{} {}{}", student_ ? "scale" : "cov", name(i),
                        i == j ? "" : ", " + name(j)),
            [&](const Part& part) {
              return frame_.unit[i] * frame_.unit[j] * part.density.scale(i, j);
            });
      }
    }
    if (student_) {
      row("degrees of freedom", [](const Part& part) { return part.density.freedom; });
    }
  }

  std::vector<std::string> names_;
  MixtureFrame frame_;
  bool diagonal_, student_;
  std::vector<std::size_t> indices_, dropped_;
  Places all_;
  std::vector<std::vector<Part>> classes_;  // no components: a class without rows
  Marginals complete_;
};

}  // namespace

MixtureFrame mixture_frame(const MixtureBlockData& data, const Estimation& estimation) {
  MixtureFrame frame;
  std::vector<double> origin, unit;
  for (std::size_t i = 0; i < data.names.size(); ++i) {
    Moments column;
    for (const auto& rows : data.classes) {
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const double x = rows.row(r)[i];
        if (!std::isnan(x)) column.merge({rows.weight(r), x, {}});
      }
    }
    if (column.weight.hi == 0) continue;
    const bool constant = column.m2.hi <= 0;
    if (constant && estimation.rule.has_prior()) continue;
    if (constant && data.options.floor == 0) {
      throw Error(
          ErrorKind::data,
          fmt::format(
              "column \"{}\" does not vary, so its variance is 0 (use {}, or leave the column "
              "out)",
              data.names[i], setting("rule", "bayes")));
    }
    // A floor is all the variance that a constant column has.
    const double variance =
        constant ? data.options.floor : column.m2.value() / column.weight.value();
    if (!std::isfinite(variance)) {
      throw Error(ErrorKind::data,
                  fmt::format("column \"{}\": values are too large to square (rescale them)",
                              data.names[i]));
    }
    frame.kept.push_back(i);
    origin.push_back(column.mean.hi);
    unit.push_back(std::sqrt(variance));
  }
  frame.origin = Eigen::Map<Eigen::VectorXd>(origin.data(), static_cast<Index>(origin.size()));
  frame.unit = Eigen::Map<Eigen::VectorXd>(unit.data(), static_cast<Index>(unit.size()));
  return frame;
}

MixtureSolution solve_mixture(const MixtureBlockData& data, const Estimation& estimation,
                              const MixtureFrame& frame) {
  MixtureSolution result(data.classes.size());
  if (frame.kept.empty()) return result;
  const auto prior = prior_of(estimation.rule, frame, data.options);
  const auto columns = join(data.names, ", ");
  for (std::size_t c = 0; c < data.classes.size(); ++c) {
    if (estimation.class_weights[c] == 0) continue;
    const auto rows = rows_in_frame(data.classes[c], frame);
    const auto different = static_cast<std::size_t>(rows.weights.size());
    const std::size_t wanted = std::max<std::size_t>(1, data.options.components);
    if (different == 0 && prior.rows > 0) {
      // Nothing but the prior: one component, as wide as the columns.
      const auto d = static_cast<Index>(frame.kept.size());
      result[c] = *maximise({{0, Eigen::VectorXd::Zero(d), Eigen::MatrixXd::Zero(d, d)}}, prior,
                            data.options.diagonal);
      continue;
    }
    if (different < wanted) {
      throw Error(
          ErrorKind::data,
          fmt::format("columns \"{}\": class \"{}\" has {} different row{} with values, too few "
                      "for {} component{} (use mixture(bic), or gaussian)",
                      columns, estimation.classes[c], different, different == 1 ? "" : "s", wanted,
                      wanted == 1 ? "" : "s"));
    }
    auto fit = fit_mixture(rows, prior, data.options);
    if (!fit) {
      throw Error(
          ErrorKind::data,
          fmt::format("columns \"{}\": in class \"{}\" every start ends with a component whose "
                      "covariance is singular (use {}, fewer components, "
                      "mixture(…, diagonal), or a floor={})",
                      columns, estimation.classes[c], setting("rule", "bayes"),
                      data.options.floor > 0 ? "V above this one" : "V"));
    }
    if (estimation.tell) {
      const std::size_t k = fit->components.size();
      estimation.tell(fmt::format("mixture of {}, class \"{}\", {} component{}: {} {}", columns,
                                  estimation.classes[c], k, k == 1 ? "" : "s",
                                  prior.rows > 0 ? "log-likelihood and prior" : "log-likelihood",
                                  describe_rise(fit->rise, log_units(rows, frame))));
    }
    result[c] = std::move(fit->components);
  }
  return result;
}

std::unique_ptr<Density> mixture_density(const MixtureBlockData& data, const Estimation& estimation,
                                         const MixtureFrame& frame,
                                         const MixtureSolution& solution) {
  return std::make_unique<MixtureDensity>(data, estimation, frame, solution);
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// A real-valued column: one mean and one variance per class, and how often it is 0.
// Derivations: docs/families/gaussian.md
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/gaussian/anchored_sums.hpp"
#include "families/gaussian/gaussian_block.hpp"
#include "families/gaussian/gaussian_columns.hpp"
#include "families/gaussian/normal_evidence.hpp"
#include "families/gaussian/number_scores.hpp"
#include "families/number/number_summary.hpp"
#include "families/number/zero_weights.hpp"
#include "families/statistics/summarised.hpp"

namespace credence {
namespace {

double times_log(double count, double log_share) { return count == 0 ? 0 : count * log_share; }

// Reads a class without throwing; false where there is nothing to go on.
struct GaussianReader : NumberReader {
  GaussianReader(const Rule& rule, std::size_t classes)
      : NumberReader(rule, classes), rule_(rule) {}

  bool read(const NumberSummary& cls, const NumberSummary& column, std::size_t slot,
            NumberOrZero& density) {
    density.apart = false;
    density.log_other = 0;
    if (column.apart) {
      const ZerosAndOthers shares(cls, column, rule_);
      if (!(shares.others > 0)) return false;
      density.set_apart(shares.zeros, shares.others);
    }
    return NumberReader::read(cls, column.prior(rule_), slot, density);
  }

 private:
  Rule rule_;
};

class GaussianStatistics
    : public SummarisedStatistics<GaussianStatistics, NumberSummary, NumberOrZero> {
  ClassMoments moments_;
  ZeroWeights zeros_;

 public:
  using SummarisedStatistics::SummarisedStatistics;
  static constexpr auto arrays =
      std::tuple(&GaussianStatistics::moments_, &GaussianStatistics::zeros_);
  using Reader = GaussianReader;
  static constexpr std::size_t free_parameters = 2;

  std::size_t classes() const { return moments_.classes(); }
  NumberSummary summary(std::size_t cls) const {
    return NumberSummary::of_class(moments_[cls], zeros_.exact(cls));
  }
  static NumberSummary of_row(double x, double weight) { return NumberSummary::of_row(x, weight); }
  // Without a prior every class must say by itself how its other numbers vary.
  static void arrange(std::vector<NumberSummary>& classes, const Rule& rule) {
    if (!column_of(classes).zeros_stand_out()) return;
    auto apart = classes;
    for (auto& cls : apart) {
      cls = cls.without_zeros();
      if (!rule.has_prior() && cls.weight.hi > 0 && !(cls.m2.hi > 0)) return;
    }
    classes = std::move(apart);
  }
  static bool read_otherwise(const NumberSummary& column) {
    return column.zeros_stand_out() != column.apart;
  }

  static bool silent(const Moments& column, const Rule& rule) {
    return column.weight.hi == 0 || (rule.has_prior() && column.m2.hi == 0);
  }
  // Where nearly all of the spread was one row's, the rest is added up from the classes.
  static bool fragile(const Moments& left, const Moments& column) {
    return !(left.spread_in(column.exponent) > 1e-6 * column.m2.hi) ||
           !(left.weight.hi > 1e-6 * column.weight.hi);
  }
  static NumberOrZero flat(const Moments& column) {
    return {{std::ldexp(column.mean.value(), column.exponent), 0, infinity, 0}, {}};
  }
  static NumberOrZero estimate(const NumberSummary& cls, const NumberSummary& column,
                               const Rule& rule, const std::string& name,
                               const std::string& label) {
    NumberOrZero result = flat(column);
    if (column.apart) {
      const ZerosAndOthers shares(cls, column, rule);
      if (shares.zeros + shares.others > 0) result.set_apart(shares.zeros, shares.others);
      if (result.zero == 1) return result;  // other numbers cannot be: no density is asked
    }
    static_cast<NumberDensity&>(result) =
        estimate_number(cls, column.prior(rule), rule, name, label);
    return result;
  }
  static double log_likelihood(const NumberSummary& cls, const NumberOrZero& d) {
    const double sum = normal_log_likelihood(cls, d);
    if (!d.apart) return sum;
    return sum + times_log(cls.zeros.value(), d.log_zero) +
           times_log(cls.weight.value(), d.log_other);
  }
  static double log_prior(const NumberSummary& column, const NumberOrZero& d, const Rule& rule) {
    const double sum = d.scale == 0 ? 0 : normal_log_prior(column.prior(rule), rule, d);
    if (!d.apart) return sum;
    const ZerosAndOthers imaginary({}, column, rule);
    return sum + times_log(imaginary.zeros, d.log_zero) + times_log(imaginary.others, d.log_other);
  }

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    const auto& values = std::get<Numbers>(chunk.columns[columns_.index]).values;
    std::vector<AnchoredSums> sums(moments_.classes());
    add_anchored(values, chunk.weights, classes, sums);
    for (std::size_t c = 0; c < sums.size(); ++c) moments_.add(c, sums[c].moments());
    zeros_.observe(values, chunk.weights, classes);
  }

  std::string inconsistency(const std::vector<std::string>& classes) const {
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const double more = (zeros_.exact(c) - moments_[c].weight).value();
      if (more > 1e-9 * moments_[c].weight.hi) {
        return zeros_.overdrawn(columns_.title(), classes[c], more);
      }
    }
    return "";
  }

  std::optional<double> log_marginal_likelihood(const Estimation& estimation) const override {
    const auto& rule = estimation.rule;
    if (!rule.has_prior()) return std::nullopt;
    const auto own = summaries(rule);
    const auto all = column_of(own);
    double sum = 0;
    for (const auto& cls : own) {
      if (!(all.m2.hi > 0)) continue;
      sum += *log_marginal_of_numbers(cls, all.prior(rule), rule);
      if (!all.apart) continue;
      const ZerosAndOthers imaginary({}, all, rule);
      const double zeros = cls.zeros.value(), others = cls.weight.value();
      sum += log_rising(imaginary.zeros, zeros) + log_rising(imaginary.others, others) -
             log_rising(imaginary_rows(rule), zeros + others);
    }
    return sum;
  }

  // A class weighs what it did, so that zeros stand apart as they did.
  std::unique_ptr<BlockStatistics> draw(const Estimation& estimation,
                                        Random& random) const override {
    const auto& rule = estimation.rule;
    auto result = room(classes());
    const auto own = summaries(rule);
    const auto all = column_of(own);
    for (std::size_t c = 0; c < classes() && !silent(all, rule); ++c) {
      if (estimation.class_weights[c] == 0) continue;
      auto drawn = draw_number(own[c], all.prior(rule), rule, random);
      if (all.apart) {
        const ZerosAndOthers shares(own[c], all, rule);
        const double zero = random.gamma(shares.zeros, 1), other = random.gamma(shares.others, 1);
        const double weight = shares.zeros + shares.others, zeros = weight * zero / (zero + other);
        const double factor = (weight - zeros) / drawn.weight.value();
        drawn = {drawn.weight * factor, drawn.mean, drawn.m2 * factor, drawn.exponent};
        drawn.merge({zeros, 0.0, 0.0, 0});
        result->zeros_.add(c, zeros);
      }
      result->moments_.add(c, drawn);
    }
    return result;
  }

  class Fitted : public SummarisedDensity<GaussianStatistics, NumberSummary, NumberOrZero>,
                 public HeapedAtZero {
   public:
    Fitted(const BlockColumn& place, const NumberSummary& column,
           const std::vector<NumberSummary>& classes, const Estimation& estimation)
        : SummarisedDensity(place, column, classes, estimation),
          apart_(column.apart && !left_out_) {
      for (const auto& d : classes_) {
        parameters += d.apart ? 1 : 0;
        others_.push_back(d);
        others_.back().log_norm += d.log_other;
      }
    }

    void add_log_density(const Chunk& chunk, double weight,
                         std::span<double> joint) const override {
      if (left_out_) return;
      const auto& values = std::get<Numbers>(chunk.columns[index_]).values;
      if (!apart_) return add_number_scores(values, others_, weight, joint);
      std::vector<double> others(values.begin(), values.begin() + static_cast<long>(chunk.rows));
      for (std::size_t r = 0; r < chunk.rows; ++r) {
        if (values[r] != 0) continue;
        others[r] = not_a_number;
        for (std::size_t c = 0; c < classes_.size(); ++c) {
          joint[r * classes_.size() + c] += weight * classes_[c].log_zero;
        }
      }
      add_number_scores(others, others_, weight, joint);
    }

    bool zeros_stand_apart() const override { return apart_; }

    std::string linear(LinearForm& form) const override {
      if (left_out_) return "";
      if (!apart_) return linear_in_number(name_, others_, form);
      return fmt::format("{}: its zeros stand apart (use {})", name_,
                         setting("as", name_ + ": gaussian(diagonal, floor=0)"));
    }

    ParameterTable table() const override {
      ParameterTable result{name_, "gaussian", left_out_ ? "does not vary: left out" : "", {}};
      if (left_out_) return result;
      const bool student = rule_.kind == Rule::Kind::bayes;
      if (student) result.remark = "Student's t: normal with mean and variance integrated out";
      if (apart_) {
        result.remark = student ? "0 apart, other numbers: Student's t" : "0 apart";
        result.rows.push_back(parameter("P(0)", &NumberOrZero::zero));
      }
      result.rows.push_back(parameter("mean", &NumberOrZero::mean));
      result.rows.push_back(parameter(student ? "scale" : "sd", &NumberOrZero::scale));
      if (student) {
        result.rows.push_back(parameter("degrees of freedom", &NumberOrZero::freedom));
      }
      return result;
    }

   private:
    bool apart_;                         // zeros are
    std::vector<NumberDensity> others_;  // the densities of the other numbers, with their share
  };
};

}  // namespace

namespace {

// No covariance is shared between columns or classes: each column is a block of its own.
bool each_alone(const std::string& parameters) {
  const auto covariance = parse_covariance(parameters);
  return trim(parameters).empty() || (covariance.diagonal && !covariance.tied);
}

// The automatic choice tries all numbers in one block.
RaceEntry together(int place, const char* covariance) {
  return {
      .place = place, .of = {ColumnLook::numbers}, .parameters = covariance, .least_columns = 2};
}

}  // namespace

Family gaussian_family() {
  return {.name = "gaussian",
          .kinds = {ColumnKind::number},
          .make =
              [](const BlockColumns& columns, const std::string& parameters) {
                const auto covariance = parse_covariance(parameters);
                if (covariance.floor >= 0) return make_gaussian_columns(columns, covariance.floor);
                return each_alone(parameters)
                           ? make_univariate<GaussianStatistics>(columns, parameters)
                           : make_gaussian_block(columns, covariance);
              },
          .takes_parameters = true,
          .joins =
              [](const std::string& parameters) {
                const auto covariance = parse_covariance(parameters);
                return !trim(parameters).empty() && (!covariance.diagonal || covariance.floor >= 0);
              },
          .usual_for = {ColumnLook::numbers},
          .rank = 3,
          .suits = [](const ValueLook& values) { return values.distinct > 2; },
          .tried = {together(1, "tied"), together(3, "full")},
          .models = {{"naive", ""}, {"lda", "tied"}, {"qda", "full"}},
          .by_hand = HandWriting::moments,
          .estimate = Estimate{Distribution::gaussian, "gaussian"},
          .one_covariance =
              [](const std::string& parameters) {
                const auto covariance = parse_covariance(parameters);
                return covariance.tied || covariance.towards_tied == 1;
              },
          .long_way =
              [](const std::string& parameters) {
                if (parse_covariance(parameters).floor >= 0)
                  return "a row may change what is added";
                return each_alone(parameters) ? "" : "every row changes the whole covariance";
              }};
}

}  // namespace credence

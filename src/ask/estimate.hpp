// SPDX-License-Identifier: Apache-2.0
// Estimates of one distribution's parameters from one column, for each group of rows.
// docs/estimate.md
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ask/posterior.hpp"
#include "core/exact_sums.hpp"
#include "core/moments.hpp"
#include "credence/chunk.hpp"
#include "credence/rule.hpp"
#include "credence/schema.hpp"
#include "families/registry.hpp"
#include "families/statistics/domain.hpp"

namespace credence {

// Also by the names bernoulli and categorical.
Distribution parse_distribution(std::string_view name);

struct EstimateRequest {
  std::string column;
  Distribution distribution = Distribution::gaussian;
  Rule rule;
  std::string by;                        // empty: all rows are one group
  std::vector<std::string> values;       // the declared domain of words, empty: discovered
  std::string success;                   // binomial; empty: told from the values
  std::map<std::string, double> shares;  // the prior's p of each value, empty: uniform
  double level = 0.95;                   // of credible intervals
};

// What has to be read: the column, and the group as the label of each row.
Schema schema_of(const EstimateRequest& request, const std::string& weights,
                 const std::vector<std::string>& missing);

struct Parameter {
  std::string name;                      // "theta", "rate", "mean", "sd", "variance"
  std::string value;                     // theta: of which value it is the probability
  double estimate = 0;                   // NaN: the posterior has no such mean
  std::optional<double> standard_error;  // under rules without a prior
  std::optional<Interval> interval;      // under rules with one
  double numerator = 0;                  // theta without a prior is a fraction of the weights
  double denominator = 0;                // 0: not a fraction
};

struct GroupEstimate {
  std::string group;
  std::vector<Parameter> parameters;
  double log_likelihood = 0;  // of the rows in their order, at the estimate
  std::size_t rows = 0;       // with a value
  double weight = 0;
};

// The sufficient statistics of the column, by group. What they hold does not grow with the rows.
class ColumnStatistics {
 public:
  explicit ColumnStatistics(EstimateRequest request);

  // A chunk read by schema_of().
  void observe(const Chunk& chunk);

  // One entry per group, in natural order. Throws a data error where there is nothing to go on.
  std::vector<GroupEstimate> estimate() const;
  std::size_t left_out() const { return left_out_; }  // rows without a value, or without a group

  struct Group {
    std::size_t rows = 0;
    DoubleDouble weight;
    ExactSums counts;                  // words: by code of the domain
    DoubleDouble sum, log_factorials;  // poisson
    Moments moments;                   // gaussian
    void merge(const Group& other);
  };

 private:
  void observe_value(Group& group, const Column& column, std::size_t row, double weight);

  EstimateRequest request_;
  Domain groups_;
  Domain values_;
  std::vector<Group> statistics_;
  std::vector<std::size_t> codes_;  // of the chunk's dictionary, in values_
  std::size_t left_out_ = 0;
};

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// From the statistics of one group to its parameters, one function per distribution.
#pragma once

#include <string>
#include <vector>

#include "ask/estimate.hpp"

namespace credence {

// What all groups share.
struct EstimateContext {
  const EstimateRequest& request;
  const ColumnStatistics::Group& column;   // all groups together
  const std::vector<std::string>& values;  // of the domain, by code
  std::vector<std::size_t> order;          // codes in the order to report
  std::vector<double> shares;              // the prior's p in that order, empty: uniform
};

// The value that counts as success; a usage error where only the user can know.
std::string success_of(const EstimateRequest& request, std::vector<std::string> values);

// Fill in parameters and log-likelihood.
void estimate_words(const EstimateContext& context, const ColumnStatistics::Group& group,
                    GroupEstimate& result);
void estimate_counts(const EstimateContext& context, const ColumnStatistics::Group& group,
                     GroupEstimate& result);
void estimate_numbers(const EstimateContext& context, const ColumnStatistics::Group& group,
                      GroupEstimate& result);

}  // namespace credence

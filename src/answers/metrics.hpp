// SPDX-License-Identifier: Apache-2.0
// How good posteriors are, as JSON.
#pragma once

#include <string>
#include <vector>

#include "answers/json.hpp"
#include "credence/evaluate.hpp"
#include "credence/hold_out.hpp"

namespace credence {

// What somebody gets who knows nothing of a row but how frequent the classes are.
struct Baseline {
  std::string label;  // the most frequent class
  double accuracy = 0;
  double log_loss = 0;  // of the shares themselves, in nats
};

Baseline baseline_of(const std::vector<std::string>& labels, const std::vector<double>& weights);
Baseline baseline_of(const Metrics& metrics);

struct Spread {
  double mean = 0, deviation = 0;
};

// Over the repeats: the mean, and the standard deviation of one repeat.
Spread spread_of(const std::vector<Metrics>& repeats, double Metrics::*member);

Json to_json(const Metrics& metrics);
Json to_json(const CrossValidation& result);

}  // namespace credence

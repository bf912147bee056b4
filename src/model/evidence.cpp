// SPDX-License-Identifier: Apache-2.0
#include "credence/evidence.hpp"

#include "model/statistics.hpp"

namespace credence {

std::vector<std::optional<double>> log_evidence(const Model& model) {
  const auto estimation = estimation_of(model.statistics(), model.settings());
  std::vector<std::optional<double>> result;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    result.push_back(model.statistics().block(b).log_marginal_likelihood(estimation));
  }
  return result;
}

}  // namespace credence

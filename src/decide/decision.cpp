// SPDX-License-Identifier: Apache-2.0
#include "credence/decision.hpp"

#include <algorithm>

namespace credence {

std::optional<std::size_t> decide(const Posterior& posterior, const DecisionRule& rule) {
  if (posterior.undecidable()) return std::nullopt;
  const auto& p = posterior.probabilities;
  const auto best = std::max_element(p.begin(), p.end());
  if (*best < rule.reject_below) return std::nullopt;
  return static_cast<std::size_t>(best - p.begin());
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// From posteriors to actions.
#pragma once

#include <cstddef>
#include <optional>

#include "credence/scorer.hpp"

namespace credence {

struct DecisionRule {
  double reject_below = 0;  // no label when the best class is less probable than this
};

// The most probable class (the first of equals), or none: rejected or undecidable.
std::optional<std::size_t> decide(const Posterior& posterior, const DecisionRule& rule = {});

}  // namespace credence

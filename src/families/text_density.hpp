// SPDX-License-Identifier: Apache-2.0
// The density of documents: scores, explanations and samples from what text_estimate made.
#pragma once

#include <memory>

#include "families/text_estimate.hpp"

namespace credence {

std::unique_ptr<Density> fit_text(const TextData& data, const Estimation& estimation);

}  // namespace credence

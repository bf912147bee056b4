// SPDX-License-Identifier: Apache-2.0
// The density of documents: scores, explanations and samples from what text_estimate made.
#pragma once

#include <memory>

#include "families/text/text_estimate.hpp"

namespace credence {

// Nothing for complements and weighed counts, which give no probabilities of documents.
std::optional<double> log_marginal_of_texts(const TextData& data, const Estimation& estimation);

std::unique_ptr<Density> fit_text(const TextData& data, const Estimation& estimation);

}  // namespace credence

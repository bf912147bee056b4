// SPDX-License-Identifier: Apache-2.0
// Metrics as text.
#pragma once

#include "answers/metrics.hpp"
#include "cli/options/common.hpp"
#include "credence/evaluate.hpp"

namespace credence::cli {

std::string to_text(const Metrics& metrics);

// The line that stands below every accuracy.
std::string baseline_line(const Baseline& baseline);

// --confidence of evaluate and cv.
void add_confidence(CLI::App* command, double& confidence);

// Says so where the probabilities are worse than those of who knows the classes' shares alone.
void note_too_sure(const Common& common, const Metrics& metrics);

}  // namespace credence::cli

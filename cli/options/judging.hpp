// SPDX-License-Identifier: Apache-2.0
// Pictures of how good a model is on labelled rows: plot confusion, roc, reliability, reject, cost,
// drift.
#pragma once

#include <string>
#include <vector>

#include "cli/options/common.hpp"
#include "credence/classifier.hpp"
#include "plot/drawing/canvas.hpp"

namespace credence::cli {

struct JudgingOptions {
  std::string costs;        // cost
  std::string time;         // drift
  std::size_t blocks = 20;  // drift
};

extern const std::vector<std::string> judging_kinds;

void add_judging(CLI::App* command, JudgingOptions& options);

// The file's bytes.
std::string draw_judged(const std::string& kind, const Classifier& classifier,
                        const DataOptions& data, const JudgingOptions& options,
                        const Common& common, const plot::Look& look);

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// The part of a report that says how good the model is.
#pragma once

#include <string>
#include <vector>

#include "credence/scorer.hpp"
#include "plot/report/html.hpp"

namespace credence::plot {

std::string html_number(double value);

// "" where no row has a label.
std::string html_quality(const Model& model, const Scorer& scorer, const std::vector<Chunk>& data,
                         Pictures& pictures);

}  // namespace credence::plot

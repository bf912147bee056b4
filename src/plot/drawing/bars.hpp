// SPDX-License-Identifier: Apache-2.0
// P(value | class) of a column of words, or of a block of them, as grouped bars.
#pragma once

#include <string>
#include <vector>

#include "credence/model.hpp"
#include "plot/drawing/canvas.hpp"

namespace credence::plot {

// Of many classes a shaded table; of a text its words. all: every feature of a bag.
std::string feature_bars(const Model& model, const std::vector<Chunk>& data, std::size_t column,
                         bool all, const Look& look);

}  // namespace credence::plot

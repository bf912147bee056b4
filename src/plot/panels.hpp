// SPDX-License-Identifier: Apache-2.0
// Several small pictures with the same axes, and what a posterior is along words and one column.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plot/drawing/figure.hpp"
#include "plot/slice.hpp"

namespace credence::plot {

// Panels in rows. Only those at the rim have numbers and names at their axes: at the left, and
// where no panel is below.
class Panels {
 public:
  // Each has `above` units for its name over its box.
  Panels(Canvas& canvas, const Box& area, std::size_t count, double above, Axis x, Axis y,
         double text_size);
  Axes axes(std::size_t panel) const;

 private:
  Canvas& canvas_;
  Box area_;  // of the boxes, without the labels at the left and below
  std::size_t count_, across_, down_;
  double above_, left_, below_, text_size_;
  Axis x_, y_;
};

// The boxes of panels without axes, row by row.
std::vector<Box> panel_boxes(std::size_t panels, const Box& area);

// The two columns of words that a view names; none: it names others, or none.
std::optional<std::pair<std::size_t, std::size_t>> word_columns(const Schema& schema,
                                                                const View& view);
std::string posterior_of_words(const Slice& slice, std::size_t x, std::size_t y,
                               const std::vector<Chunk>& data, const Look& look);
std::string posterior_curves(const Slice& slice, std::size_t x, const std::vector<Chunk>& data,
                             const View& view, const Look& look);

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
// Names beside points: inside the frame, and not over each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plot/drawing/canvas.hpp"

namespace credence::plot {

class Labels {
 public:
  Labels(Canvas& canvas, const Box& frame) : canvas_(canvas), frame_(frame) {}
  // Names keep off this line where they can.
  void avoid(std::vector<Point> line) { line_ = std::move(line); }
  // At a corner of the point, the upper left first; says whether there was room. plate: on white,
  // so that it can be read above other ink.
  bool write(const Point& at, const std::string& text, const TextStyle& style, bool plate = false);

 private:
  bool fits(const Box& box) const;
  bool on_line(const Box& box) const;

  Canvas& canvas_;
  std::vector<Point> line_;
  Box frame_;
  std::vector<Box> taken_;
};

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
// The parts of a picture around its data: title, legend, axes. Each takes its room from what is
// left, so that no two overlap.
#pragma once

#include <string>
#include <vector>

#include "plot/drawing/canvas.hpp"
#include "plot/drawing/palette.hpp"
#include "plot/drawing/ticks.hpp"

namespace credence::plot {

struct LegendEntry {
  enum class Kind { line, patch, marker, line_with_marker };
  std::string name;
  Kind kind = Kind::line;
  Stroke stroke;           // its colour serves all kinds
  std::size_t marker = 0;  // shape
};

// One entry per class, in the class's colour.
std::vector<LegendEntry> class_legend(const std::vector<std::string>& classes,
                                      LegendEntry::Kind kind);

class Figure {
 public:
  // look.title replaces the title; the subtitle is small print below it.
  Figure(const Look& look, const std::string& title, const std::string& subtitle);

  Canvas& canvas() { return canvas_; }
  // What is still free.
  const Box& area() const { return area_; }

  // At the right side. Entries beyond the height are counted in a last line.
  Box add_legend(const std::string& heading, const std::vector<LegendEntry>& entries);
  // At the right side: bands of colour between levels, low ones below.
  Box add_color_bar(const std::string& heading, const std::vector<double>& levels,
                    const std::vector<Color>& bands);

 private:
  Canvas canvas_;
  Box area_;
};

struct Axis {
  std::string label;
  Range range;
  bool whole = false;       // ticks at whole numbers only
  bool log = false;         // logarithmic; the range is positive
  std::vector<Tick> marks;  // instead of computed ticks
  bool bare = false;        // neither tick labels nor a label: a neighbour has them
  bool dates = false;       // days since 1970-01-01
};

class Axes {
 public:
  // Takes the room of labels and ticks from `area`; the box is what is left.
  Axes(Canvas& canvas, const Box& area, Axis x, Axis y, double text_size = 12);

  const Box& box() const { return box_; }
  // The area without its left edge, so that a box in it begins at `left`: panels one above the
  // other line up at the largest of their left edges.
  static Box beginning_at(double left, const Box& area, const Axes& axes);
  Point at(double x, double y) const;
  std::vector<Point> at(const std::vector<Point>& line) const;

  void draw_grid(bool x = true, bool y = true);
  // The frame, ticks and labels: last, above the data.
  void draw_frame();

 private:
  Canvas& canvas_;
  Axis x_, y_;
  TextStyle text_;
  Box box_;
  double x_label_ = 0, y_label_ = 0;  // where the labels' middle lines are
};

}  // namespace credence::plot

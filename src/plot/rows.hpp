// SPDX-License-Identifier: Apache-2.0
// The rows of a table as points in a picture of two columns.
#pragma once

#include <string>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/schema.hpp"
#include "plot/drawing/figure.hpp"

namespace credence::plot {

class Scatter {
 public:
  Scatter(const std::vector<Chunk>& data, std::size_t x, std::size_t y,
          const std::vector<std::string>& classes, std::size_t most);

  bool empty() const { return points_.empty(); }
  // "1 of 16 rows is drawn", or "".
  std::string note() const;
  // All points, in the colours and markers of their classes; gray where the class is unknown.
  void draw(Canvas& canvas, const Axes& axes) const;
  // Those of one class, in one colour.
  void draw(Canvas& canvas, const Axes& axes, std::size_t cls, const Color& color,
            double radius) const;

 private:
  struct Row {
    Point at;
    std::size_t cls;
  };
  std::vector<Row> points_;
  std::size_t stride_ = 1;
};

// The classes for which there is room, in their order; of too many the heaviest.
std::vector<std::size_t> classes_with_room(std::size_t classes, const std::vector<double>& weights,
                                           std::size_t room);

// The parts of a subtitle that are not empty.
std::string sentence(const std::vector<std::string>& parts);

// With ticks at whole numbers where the column has no others.
Axis axis_of(const ColumnSpec& column, const Range& range);
// As days since 1970-01-01.
bool holds_dates(const ColumnSpec& column);

// Where to compute a function of a column: evenly, or at whole numbers for counts.
std::vector<double> grid_values(bool counts, const Range& range, std::size_t count);

}  // namespace credence::plot

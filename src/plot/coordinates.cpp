// SPDX-License-Identifier: Apache-2.0
// The rows of a table in the model's discriminant coordinates. Within a class the covariance is the
// identity there, so its contours are circles.
#include "model/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/log_math.hpp"
#include "plot/curves/curves.hpp"
#include "plot/drawing/labels.hpp"
#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

// The same rows with the coordinates for columns.
std::vector<Chunk> projected(const Coordinates& coordinates, const std::vector<Chunk>& data) {
  std::vector<Chunk> result;
  const std::size_t size = coordinates.size();
  for (const auto& chunk : data) {
    const auto places = coordinates.of(chunk);
    Chunk rows;
    rows.rows = chunk.rows;
    rows.labels = chunk.labels;
    for (std::size_t k = 0; k < std::min<std::size_t>(size, 2); ++k) {
      Numbers numbers;
      for (std::size_t r = 0; r < chunk.rows; ++r) numbers.values.push_back(places[r * size + k]);
      rows.columns.emplace_back(std::move(numbers));
    }
    result.push_back(std::move(rows));
  }
  return result;
}

std::string axis_label(const Coordinates& coordinates, std::size_t k) {
  return fmt::format("{} ({:.3g} % of the between-class variance)", Coordinates::name(k),
                     100 * coordinates.share(k));
}

const TextStyle name_style{12, true, ink, Align::left, false};

// All rows, and every class as far as `deviations` from its mean.
Range reach_along(const Coordinates& coordinates, const std::vector<Chunk>& rows, std::size_t k,
                  double deviations) {
  std::vector<double> values;
  for (const auto& chunk : rows) {
    const auto& numbers = std::get<Numbers>(chunk.columns[k]).values;
    values.insert(values.end(), numbers.begin(), numbers.end());
  }
  for (std::size_t c = 0; c < coordinates.classes().size(); ++c) {
    values.push_back(coordinates.class_mean(c, k) - deviations);
    values.push_back(coordinates.class_mean(c, k) + deviations);
  }
  return widened(range_of(values), 0.04);
}

// The range that `pixels` cover at `scale` pixels to a unit, with the same middle.
Range stretched(const Range& range, double pixels, double scale) {
  const double middle = (range.low + range.high) / 2, half = pixels / scale / 2;
  return {middle - half, middle + half};
}

std::vector<Point> circle(const Point& center, double radius) {
  std::vector<Point> result;
  constexpr int corners = 90;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    result.push_back({center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)});
  }
  return result;
}

std::string plane(const Model& model, const Coordinates& coordinates,
                  const std::vector<Chunk>& data, const Look& look) {
  const auto rows = projected(coordinates, data);
  const auto& classes = coordinates.classes();
  const Scatter points(rows, 0, 1, classes, View{}.points);
  Figure figure(
      look, fmt::format("{}: discriminant coordinates", model.schema().target),
      sentence({"crosses: class means; circles: one and two standard deviations", points.note()}));
  auto& canvas = figure.canvas();
  figure.add_legend(
      model.schema().target,
      class_legend(classes, points.empty() ? LegendEntry::Kind::line : LegendEntry::Kind::marker));
  Axis x{axis_label(coordinates, 0), reach_along(coordinates, rows, 0, 2), false, false, {}, false};
  Axis y{axis_label(coordinates, 1), reach_along(coordinates, rows, 1, 2), false, false, {}, false};
  // A unit is as long along y as along x, else circles would not be circles.
  const Box box = Axes(canvas, figure.area(), x, y).box();
  const double scale = std::min(box.width / x.range.width(), box.height / y.range.width());
  x.range = stretched(x.range, box.width, scale);
  y.range = stretched(y.range, box.height, scale);
  Axes axes(canvas, figure.area(), x, y);
  axes.draw_grid();
  canvas.clip(axes.box());
  const auto mean = [&](std::size_t c) {
    return Point{coordinates.class_mean(c, 0), coordinates.class_mean(c, 1)};
  };
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (const double radius : {2.0, 1.0}) {
      const auto ring = axes.at(circle(mean(c), radius));
      canvas.fill({ring}, faded(class_color(c), 0.07));
      canvas.stroke(ring, class_stroke(c, 1.2), true);
    }
  }
  points.draw(canvas, axes);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const Point at = axes.at(mean(c).x, mean(c).y);
    // White below, so that it stands out among the rows.
    for (const auto& stroke : {Stroke{{1, 1, 1}, 5.5, {}}, Stroke{ink, 2.5, {}}}) {
      const double reach = stroke.width > 5 ? 8.5 : 7;
      canvas.stroke({{at.x - reach, at.y}, {at.x + reach, at.y}}, stroke);
      canvas.stroke({{at.x, at.y - reach}, {at.x, at.y + reach}}, stroke);
    }
  }
  canvas.unclip();
  Labels names(canvas, axes.box());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    names.write(axes.at(mean(c).x, mean(c).y), canvas.fitted(classes[c], name_style, 150),
                name_style, true);
  }
  axes.draw_frame();
  return canvas.finish();
}

std::string line(const Model& model, const Coordinates& coordinates, const std::vector<Chunk>& data,
                 const Look& look) {
  const auto rows = projected(coordinates, data);
  const Range range = reach_along(coordinates, rows, 0, 3);
  std::vector<std::vector<Point>> lines(coordinates.classes().size());
  for (const double x : spaced(range, 400)) {
    for (std::size_t c = 0; c < lines.size(); ++c) {
      const double z = x - coordinates.class_mean(c, 0);
      lines[c].push_back({x, std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi)});
    }
  }
  const auto& target = model.schema().target;
  return class_curves(
      {fmt::format("{}: the discriminant coordinate", target), "", Coordinates::name(0),
       fmt::format("p({} | {})", Coordinates::name(0), target), target, coordinates.classes(),
       range, false, std::move(lines), points_of(rows, 0, coordinates.classes())},
      look);
}

}  // namespace

std::string coordinates(const Model& model, const std::vector<Chunk>& data, const Look& look) {
  const Coordinates found(model);
  return found.size() == 1 ? line(model, found, data, look) : plane(model, found, data, look);
}

}  // namespace credence::plot

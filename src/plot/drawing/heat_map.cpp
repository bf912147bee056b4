// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot/drawing/figure.hpp"

namespace credence::plot {
namespace {

// A round number not below, of the kind that axes have: 1, 2 or 5 times a power of ten.
double round_up(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0, 10.0}) {
    if (step * power >= value * (1 - 1e-12)) return step * power;
  }
  return 10 * power;
}

Color shade(double share) { return sequential(0.85 * share); }

// Where cells and names are: names are upright below where they would not fit.
struct HeatLayout {
  Box grid;
  double side = 0, text = 12, room = 0;
  bool upright = false;

  Box cell(std::size_t row, std::size_t column) const {
    return {grid.x + side * static_cast<double>(column), grid.y + side * static_cast<double>(row),
            side, side};
  }
};

HeatLayout lay_out(const Canvas& canvas, const Box& area, const std::vector<std::string>& names) {
  HeatLayout result;
  const auto many = static_cast<double>(names.size());
  result.text = std::clamp(250 / many, 6.0, 12.0);
  const TextStyle style{result.text, false, ink, Align::right, false};
  for (const auto& name : names) {
    result.room = std::max(result.room, canvas.text_width(name, style));
  }
  result.room = std::min(result.room, 0.3 * area.width);
  const double left = result.room + 8;
  result.upright = left > (area.width - left) / many;
  const double below = result.upright ? left : 1.8 * result.text;
  result.side = std::min((area.width - left) / many, (area.height - below) / many);
  result.grid = {area.x + left, area.y, result.side * many, result.side * many};
  return result;
}

void draw_names(Canvas& canvas, const HeatLayout& layout, const std::vector<std::string>& names) {
  const TextStyle beside{layout.text, false, ink, Align::right, false};
  TextStyle below = beside;
  if (!layout.upright) below.align = Align::center;
  below.upwards = layout.upright;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto cell = layout.cell(i, i);
    canvas.text({layout.grid.x - 6, cell.center().y}, canvas.fitted(names[i], beside, layout.room),
                beside);
    canvas.text({cell.center().x, layout.grid.bottom() + (layout.upright ? 6 : 0.9 * layout.text)},
                canvas.fitted(names[i], below, layout.upright ? layout.room : layout.side), below);
  }
}

void draw_heat(Canvas& canvas, const Box& cell, double value, double top, double size) {
  canvas.fill(cell, shade(value / top));
  canvas.stroke(cell, {grid_gray, 0.8, {}});
  const Color color = value / top > 0.6 ? Color{1, 1, 1} : ink;
  const TextStyle number{std::min(size, 11.0), false, color, Align::center, false};
  const auto shown = fmt::format("{:.2g}", value);
  if (canvas.text_width(shown, number) < cell.width - 4) {
    canvas.text(cell.center(), shown, number);
  }
}

}  // namespace

std::string heat_map(const HeatMap& map, const Look& look) {
  double largest = 0;
  for (const auto& row : map.cells) {
    for (const double value : row) {
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
  }
  const double top = round_up(largest);
  Figure figure(look, map.title, map.subtitle);
  constexpr int bands = 5;
  std::vector<double> levels;
  std::vector<Color> colors;
  for (int i = 0; i < bands; ++i) {
    levels.push_back(top * (i + 1) / bands);
    colors.push_back(shade((i + 0.5) / bands));
  }
  figure.add_color_bar(map.heading, levels, colors);
  auto& canvas = figure.canvas();
  const auto layout = lay_out(canvas, figure.area(), map.names);
  draw_names(canvas, layout, map.names);
  for (std::size_t i = 0; i < map.names.size(); ++i) {
    for (std::size_t j = 0; j < map.names.size(); ++j) {
      const double value = map.cells[i][j];
      if (std::isfinite(value)) {
        draw_heat(canvas, layout.cell(i, j), value, top, layout.text);
      }
    }
  }
  constexpr double inset = 1.2;
  for (std::size_t i = 0; i < map.marked.size(); ++i) {
    for (std::size_t j = 0; j < map.names.size(); ++j) {
      if (!map.marked[i][j]) continue;
      const auto [x, y, width, height] = layout.cell(i, j);
      canvas.stroke(Box{x + inset, y + inset, width - 2 * inset, height - 2 * inset},
                    {ink, 1.8, {}});
    }
  }
  canvas.stroke(layout.grid, {frame_gray, 0.9, {}});
  return canvas.finish();
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/heat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace credence::plot {
namespace {

constexpr double least_text = 4.5;
// The darkest of all would leave nothing to read below white letters.
constexpr double darkest = 0.85;

// Space for names at the left and, upright where they do not fit, below.
struct HeatLayout {
  Box grid;
  TextStyle row, column;
  double cell_width = 0, cell_height = 0;
};

double widest_of(const Canvas& canvas, const std::vector<std::string>& names,
                 const TextStyle& style) {
  double widest = 0;
  for (const auto& name : names) widest = std::max(widest, canvas.text_width(name, style));
  return widest;
}

HeatLayout heat_layout(const Canvas& canvas, const Box& area, const HeatMap& map) {
  HeatLayout result;
  const auto down = static_cast<double>(map.rows.size());
  const auto across = static_cast<double>(map.columns.size());
  const double size = std::clamp(220 / std::max(down, across), 6.5, 12.0);
  result.row = {size, false, ink, Align::right, false};
  result.column = {size, false, ink, Align::center, false};
  const double heading = map.across.empty() ? 4 : 22, side = map.down.empty() ? 0 : 22;
  constexpr double gap = 8;
  const double left = std::min(widest_of(canvas, map.rows, result.row), 0.3 * area.width);
  result.grid = {area.x + side + left + gap, area.y, area.width - side - left - gap, 0};
  result.cell_width = result.grid.width / across;
  double below = widest_of(canvas, map.columns, result.column);
  result.column.upwards = below + 4 > result.cell_width;
  if (result.column.upwards) result.column.align = Align::right;
  below = result.column.upwards ? std::min(below, 0.35 * area.height) : size * 1.5;
  result.grid.height = area.height - heading - gap - below;
  result.cell_height = result.grid.height / down;
  return result;
}

void draw_cell(Canvas& canvas, const Box& box, const HeatCell& cell, double size) {
  if (!cell.nothing) canvas.fill(box, sequential(darkest * cell.share));
  if (cell.text.empty()) return;
  const Color color = cell.share > 0.6 && !cell.nothing ? Color{1, 1, 1} : ink;
  const double room = box.width - 2;
  TextStyle bold{std::min({14.0, size + 2, 0.85 * box.height}), true, color, Align::center, false};
  bold = canvas.shrunk(cell.text, bold, room, std::min(bold.size, least_text));
  const TextStyle small{std::min(size, bold.size), false, color, Align::center, false};
  const Point middle = box.center();
  const bool both = !cell.below.empty() && box.height > 2.8 * bold.size &&
                    canvas.text_width(cell.below, small) < room - 4;
  canvas.text({middle.x, middle.y - (both ? 0.62 * bold.size : 0)}, cell.text, bold);
  if (both) canvas.text({middle.x, middle.y + 0.75 * bold.size}, cell.below, small);
}

}  // namespace

std::string short_count(double count) {
  if (count < 99999.5) return fmt::format("{:.5g}", count);
  if (count < 999950) return fmt::format("{:.3g}k", count / 1e3);
  return fmt::format("{:.3g}M", count / 1e6);
}

namespace {

void draw_lines(Canvas& canvas, const Box& grid, double width, double height) {
  const Stroke thin{grid_gray, 0.8, {}};
  for (double x = grid.x + width; x < grid.right() - 1; x += width) {
    canvas.stroke({{x, grid.y}, {x, grid.bottom()}}, thin);
  }
  for (double y = grid.y + height; y < grid.bottom() - 1; y += height) {
    canvas.stroke({{grid.x, y}, {grid.right(), y}}, thin);
  }
}

}  // namespace

void draw_heat(Canvas& canvas, const Box& area, const HeatMap& map) {
  const auto [grid, row, column, width, height] = heat_layout(canvas, area, map);
  const double left = grid.x - 8 - area.x - (map.down.empty() ? 0 : 22);
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    const double y = grid.y + height * static_cast<double>(r);
    const auto name = canvas.shrunk(map.rows[r], row, left, 0.8 * row.size);
    canvas.text({grid.x - 8, y + height / 2}, canvas.fitted(map.rows[r], name, left), name);
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      draw_cell(canvas, {grid.x + width * static_cast<double>(c), y, width, height},
                map.cells[r * map.columns.size() + c], row.size);
    }
  }
  draw_lines(canvas, grid, width, height);
  constexpr double inset = 1.2;
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    if (!map.cells[i].rim) continue;
    const double x = grid.x + width * static_cast<double>(i % map.columns.size());
    const double y = grid.y + height * static_cast<double>(i / map.columns.size());
    canvas.stroke(Box{x + inset, y + inset, width - 2 * inset, height - 2 * inset}, {ink, 1.8, {}});
  }
  const double room = area.bottom() - grid.bottom() - (map.across.empty() ? 4 : 22) - 7;
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    const double x = grid.x + width * (static_cast<double>(c) + 0.5);
    const double y = grid.bottom() + (column.upwards ? 6 : 5 + 0.7 * column.size);
    const double most = column.upwards ? room : width;
    const auto name = canvas.shrunk(map.columns[c], column, most, 0.8 * column.size);
    canvas.text({x, y}, canvas.fitted(map.columns[c], name, most), name);
  }
  canvas.stroke(grid, {frame_gray, 0.9, {}});
  const TextStyle label{13, false, ink, Align::center, false};
  canvas.text({grid.center().x, area.bottom() - 8}, canvas.fitted(map.across, label, grid.width),
              label);
  canvas.text({area.x + 8, grid.center().y}, canvas.fitted(map.down, label, grid.height),
              {13, false, ink, Align::center, true});
}

void add_share_bar(Figure& figure, const std::string& heading, double top) {
  std::vector<Color> bands;
  std::vector<double> levels;
  for (const double share : {0.2, 0.4, 0.6, 0.8, 1.0}) {
    bands.push_back(sequential(darkest * (share - 0.1)));
    levels.push_back(top * share);
  }
  figure.add_color_bar(heading, levels, bands);
}

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

}  // namespace

std::string pair_map(const PairMap& map, const Look& look) {
  double largest = 0;
  for (const auto& row : map.cells) {
    for (const double value : row) {
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
  }
  const double top = round_up(largest);
  HeatMap heat{"", "", map.names, map.names, {}};
  for (std::size_t i = 0; i < map.names.size(); ++i) {
    for (std::size_t j = 0; j < map.names.size(); ++j) {
      const double value = map.cells[i][j];
      HeatCell cell;
      cell.nothing = !std::isfinite(value);
      if (!cell.nothing) {
        cell.share = value / top;
        cell.text = fmt::format("{:.2g}", value);
      }
      cell.rim = !map.marked.empty() && map.marked[i][j];
      heat.cells.push_back(std::move(cell));
    }
  }
  Figure figure(look, map.title, map.subtitle);
  add_share_bar(figure, map.heading, top);
  draw_heat(figure.canvas(), figure.area(), heat);
  return figure.canvas().finish();
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "plot/drawing/figure.hpp"
#include "plot/judged.hpp"

namespace credence::plot {
namespace {

// Space for the names of classes at the left and, upright where they do not fit, below.
struct Layout {
  Box grid;
  double text = 12;
  bool upright = false;
};

Layout layout(Canvas& canvas, const Box& area, const std::vector<std::string>& labels) {
  Layout result;
  const auto many = static_cast<double>(labels.size());
  result.text = std::clamp(200 / many, 7.0, 12.0);
  const TextStyle style{result.text, false, ink, Align::left, false};
  double widest = 0;
  for (const auto& label : labels) widest = std::max(widest, canvas.text_width(label, style));
  widest = std::min(widest, 0.25 * area.width);
  constexpr double heading = 22, gap = 8;
  result.grid = {area.x + heading + widest + gap, area.y, area.width - heading - widest - gap, 0};
  result.upright = widest + 4 > result.grid.width / many;
  result.grid.height = area.height - heading - gap - (result.upright ? widest : result.text * 1.5);
  return result;
}

// The count and, where there is room, its share of the true class.
void draw_cell(Canvas& canvas, const Box& cell, double count, double share, double size) {
  canvas.fill(cell, share > 0 ? sequential(0.85 * share) : Color{1, 1, 1});
  canvas.stroke(cell, {grid_gray, 0.8, {}});
  if (count == 0) return;
  const Color color = share > 0.6 ? Color{1, 1, 1} : ink;
  const auto number = fmt::format("{:.6g}", count);
  const auto percent = fmt::format("{:.{}f} %", 100 * share, share < 0.0995 ? 1 : 0);
  const TextStyle bold{std::min(14.0, size + 2), true, color, Align::center, false};
  const TextStyle small{size, false, color, Align::center, false};
  const Point middle = cell.center();
  const bool both =
      cell.height > 2.8 * bold.size && canvas.text_width(percent, small) < cell.width - 6;
  if (canvas.text_width(number, bold) >= cell.width - 4) return;
  canvas.text({middle.x, middle.y - (both ? 0.62 * bold.size : 0)}, number, bold);
  if (both) canvas.text({middle.x, middle.y + 0.75 * bold.size}, percent, small);
}

}  // namespace

std::string confusion(const Judged& judged, const Look& look) {
  constexpr std::size_t most = most_classes;
  const auto& labels = judged.labels;
  const auto& metrics = judged.metrics;
  if (labels.size() > most) {
    throw Error(ErrorKind::usage,
                fmt::format("confusion: {} classes do not fit a picture, {} do; {} has all counts",
                            labels.size(), most, setting("Metrics::confusion")));
  }
  std::string subtitle = fmt::format("{} rows, {:.2f} % right; shaded by share of the true class",
                                     format_number(metrics.rows), 100 * metrics.accuracy);
  if (metrics.undecided > 0) {
    subtitle += fmt::format("; {} without a label", format_number(metrics.undecided));
  }
  Figure figure(look, fmt::format("{}: truth and prediction", judged.target), subtitle);
  std::vector<Color> bands;
  for (int i = 0; i < 10; ++i) bands.push_back(sequential((i + 0.5) / 10 * 0.85));
  figure.add_color_bar("share", {0.2, 0.4, 0.6, 0.8, 1},
                       {bands[1], bands[3], bands[5], bands[7], bands[9]});
  auto& canvas = figure.canvas();
  const auto [grid, size, upright] = layout(canvas, figure.area(), labels);
  const auto many = static_cast<double>(labels.size());
  const double width = grid.width / many, height = grid.height / many;
  const auto table = metrics.confusion.table();
  for (std::size_t t = 0; t < labels.size(); ++t) {
    const double support = metrics.classes[t].support;
    const double y = grid.y + height * static_cast<double>(t);
    const TextStyle name{size, false, ink, Align::right, false};
    canvas.text({grid.x - 8, y + height / 2},
                canvas.fitted(labels[t], name, grid.x - figure.area().x - 30), name);
    for (std::size_t p = 0; p < labels.size(); ++p) {
      const Box cell{grid.x + width * static_cast<double>(p), y, width, height};
      draw_cell(canvas, cell, table[t][p], support > 0 ? table[t][p] / support : 0, size);
    }
  }
  for (std::size_t p = 0; p < labels.size(); ++p) {
    const double x = grid.x + width * (static_cast<double>(p) + 0.5);
    TextStyle name{size, false, ink, upright ? Align::right : Align::center, upright};
    const double room = upright ? figure.area().bottom() - grid.bottom() - 29 : width;
    canvas.text({x, grid.bottom() + (upright ? 6 : 5 + 0.7 * size)},
                canvas.fitted(labels[p], name, room), name);
  }
  canvas.stroke(grid, {frame_gray, 0.9, {}});
  canvas.text({grid.center().x, figure.area().bottom() - 8}, "prediction",
              {13, false, ink, Align::center, false});
  canvas.text({figure.area().x + 8, grid.center().y}, "truth",
              {13, false, ink, Align::center, true});
  return canvas.finish();
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
// The likelihood of a parameter, relative to its largest value: it would be 1e-300 for a table of
// a thousand rows.
#include <fmt/format.h>

#include <cmath>

#include "plot/drawing/figure.hpp"
#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {

std::string likelihood(const Likelihood& of, const Look& look) {
  const double top = of.log_likelihood(of.best);
  std::vector<Point> line;
  for (const double x : spaced(of.range, 500)) {
    const double value = std::exp(of.log_likelihood(x) - top);
    line.push_back({x, std::isfinite(value) ? value : 0});
  }
  Figure figure(
      look, of.title,
      sentence({of.subtitle,
                fmt::format("largest at {:.6g}, where its logarithm is {:.6g}", of.best, top)}));
  auto& canvas = figure.canvas();
  Axes axes(canvas, figure.area(), {of.parameter, of.range, false, false, {}, false},
            {"likelihood / its maximum", {0, 1.12}, false, false, ticks({0, 1}, 10), false});
  axes.draw_grid();
  canvas.clip(axes.box());
  std::vector<Point> area = line;
  area.push_back({of.range.high, 0});
  area.push_back({of.range.low, 0});
  canvas.fill({axes.at(area)}, faded(class_color(0), 0.12));
  canvas.stroke(axes.at(line), class_stroke(0, 2.2));
  const Point peak = axes.at(of.best, 1), foot = axes.at(of.best, 0);
  canvas.stroke({peak, foot}, {class_color(1), 1.4, {5, 4}});
  canvas.unclip();
  canvas.marker(peak, 0, 5, class_color(1));
  // Beside the peak, on the side that has room.
  const bool left = peak.x > axes.box().center().x;
  canvas.text({peak.x + (left ? -10 : 10), peak.y - 12},
              fmt::format("{} = {:.4g}", of.parameter, of.best),
              {12, true, ink, left ? Align::right : Align::left, false});
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot

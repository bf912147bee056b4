// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/strings.hpp"
#include "measure/intervals.hpp"
#include "plot/drawing/figure.hpp"
#include "plot/judged/judged.hpp"

namespace credence::plot {
namespace {

struct Bin {
  WeightedMean right;  // its rows are those of the interval
  double confidence = 0;

  double mean_confidence() const { return confidence / right.weight(); }
};

// The bins of the calibration error.
std::array<Bin, 15> bins_of(const Judged& judged) {
  std::array<Bin, 15> bins;
  for (const auto& outcome : judged.outcomes) {
    if (outcome.most_probable == Outcome::no_label) continue;
    const auto place = static_cast<std::size_t>(outcome.confidence * bins.size());
    auto& bin = bins[std::min(place, bins.size() - 1)];
    bin.right.add(outcome.most_probable == outcome.truth, outcome.weight);
    bin.confidence += outcome.weight * outcome.confidence;
  }
  return bins;
}

void draw_whisker(Canvas& canvas, const Axes& axes, const Bin& bin) {
  const auto interval = wilson(bin.right.mean(), bin.right.rows(), normal_quantile(0.95));
  const double x = bin.mean_confidence();
  const Point low = axes.at(x, interval.low), high = axes.at(x, interval.high);
  const Stroke whisker{faded(class_color(0), 0.75), 1.4, {}};
  canvas.stroke({low, high}, whisker);
  for (const auto& end : {low, high}) {
    canvas.stroke({{end.x - 4, end.y}, {end.x + 4, end.y}}, whisker);
  }
}

}  // namespace

std::string reliability(const Judged& judged, const Look& look) {
  const auto bins = bins_of(judged);
  double most = 0;
  for (const auto& bin : bins) most = std::max(most, bin.right.weight());
  Figure figure(look, fmt::format("{}: are probabilities kept?", judged.target),
                fmt::format("calibration error {:.4f}; {} rows in {} bins of the most probable "
                            "class's probability; 95 % intervals",
                            judged.metrics.ece, format_number(judged.metrics.rows), bins.size()));
  auto& canvas = figure.canvas();
  Box upper = figure.area(), lower = upper;
  upper.height = 0.74 * upper.height - 6;
  lower.y += upper.height + 12;
  lower.height -= upper.height + 12;
  const Axis said{"probability of the most probable class", {0, 1}, false, false, {}, false};
  Axis silent = said;
  silent.label.clear();
  const Axis right{"share that is right", {0, 1}, false, false, {}, false};
  const auto highest = fmt::format("{}", static_cast<long long>(std::ceil(most)));
  const Axis rows{"rows", {0, 1.08}, false, false, {{1, highest}, {0, "0"}}, false};
  // Bins stand below their points.
  const Axes wide(canvas, upper, silent, right), narrow(canvas, lower, said, rows);
  const double left = std::max(wide.box().x, narrow.box().x);
  Axes axes(canvas, Axes::beginning_at(left, upper, wide), silent, right);
  Axes counts(canvas, Axes::beginning_at(left, lower, narrow), said, rows);
  axes.draw_grid();
  canvas.stroke({axes.at(0, 0), axes.at(1, 1)}, {faint_ink, 1.2, {5, 4}});
  counts.draw_grid(true, false);
  std::vector<Point> line;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    const auto& bin = bins[b];
    if (!(bin.right.weight() > 0)) continue;
    draw_whisker(canvas, axes, bin);
    line.push_back(axes.at(bin.mean_confidence(), bin.right.mean()));
    const double width = 1.0 / static_cast<double>(bins.size());
    const Point top = counts.at(width * static_cast<double>(b), bin.right.weight() / most);
    const Point foot = counts.at(width * static_cast<double>(b + 1), 0);
    canvas.fill(Box{top.x + 1, top.y, foot.x - top.x - 2, foot.y - top.y},
                tint(class_color(0), 0.6));
  }
  canvas.stroke(line, class_stroke(0, 1.8));
  for (const auto& point : line) canvas.marker(point, 0, 4.5, class_color(0));
  const TextStyle faint{11, false, faint_ink, Align::left, false};
  canvas.text(axes.at(0.02, 0.955), "above the line: more often right than said", faint);
  canvas.text({axes.at(0.98, 0).x, axes.at(0, 0.045).y}, "below the line: too sure",
              {11, false, faint_ink, Align::right, false});
  axes.draw_frame();
  counts.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "measure/ranking.hpp"
#include "plot/drawing/figure.hpp"
#include "plot/drawing/labels.hpp"
#include "plot/judged/judged.hpp"

namespace credence::plot {

std::string reject(const Judged& judged, const Look& look) {
  Scores scores(1, judged.outcomes.size());
  double total = 0;
  for (std::size_t r = 0; r < judged.outcomes.size(); ++r) {
    const auto& outcome = judged.outcomes[r];
    total += outcome.weight;
    if (outcome.most_probable == Outcome::no_label) continue;
    const Scores::Row row{r, std::size_t{outcome.most_probable != outcome.truth}, outcome.weight};
    scores.add({&row, 1}, std::span(judged.winners).subspan(r, 1));
  }
  std::vector<Point> line;
  double taken = 0, wrong = 0, highest = 0;
  const auto ranking = scores.ranking(0);
  if (ranking.steps.empty()) throw Error(ErrorKind::data, "reject: every row is undecidable");
  for (const auto& step : ranking.steps) {
    taken += step.positive + step.negative;
    wrong += step.negative;
    const Point next{taken / total, wrong / taken};
    const bool near = !line.empty() && next.x - line.back().x < 1e-3 &&
                      std::abs(next.y - line.back().y) < 1e-3 * std::max(0.1, highest);
    if (near && &step != &ranking.steps.back()) continue;
    line.push_back(next);
    if (next.x > 0.02) highest = std::max(highest, next.y);
  }
  const auto& metrics = judged.metrics;
  Figure figure(
      look, fmt::format("{}: error where unsure rows get no label", judged.target),
      fmt::format("error of all rows with a label {:.4g}; area under the curve {:.4g}; {} "
                  "rows",
                  line.back().y, metrics.reject_area, format_number(metrics.rows)));
  auto& canvas = figure.canvas();
  const double top = highest > 0 ? std::min(1.0, 1.12 * highest) : 1e-3;
  Axes axes(canvas, figure.area(), {"share of rows with a label", {0, 1}, false, false, {}, false},
            {"share of these that is wrong", {0, top}, false, false, {}, false});
  axes.draw_grid();
  canvas.clip(axes.box());
  auto area = line;
  area.insert(area.begin(), {line.front().x, 0});
  area.push_back({line.back().x, 0});
  canvas.fill({axes.at(area)}, faded(class_color(0), 0.1));
  canvas.stroke(axes.at(line), class_stroke(0, 2.2));
  canvas.unclip();
  Labels labels(canvas, axes.box());
  labels.avoid(axes.at(line));
  for (const auto& point : metrics.reject) {
    if (!(point.coverage > 0) || point.error > top) continue;
    const Point at = axes.at(point.coverage, point.error);
    const auto text = point.threshold == 0 ? "all" : "P ≥ " + format_number(point.threshold);
    if (labels.write(at, text, {11.5})) canvas.marker(at, 0, 4.5, class_color(1));
  }
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot

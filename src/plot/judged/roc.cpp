// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "measure/ranking.hpp"
#include "plot/drawing/figure.hpp"
#include "plot/judged/judged.hpp"

namespace credence::plot {
namespace {

void refuse_many(const Judged& judged) {
  if (judged.classes <= most_classes) return;
  throw Error(ErrorKind::usage,
              fmt::format("roc: {} classes do not fit a picture, {} do; {} has all areas",
                          judged.classes, most_classes, setting("Metrics::classes")));
}

// From nothing called positive to everything; points that would fall on the last one are left out.
std::vector<Point> curve_of(const Judged& judged, std::size_t cls) {
  Scores scores(1, judged.outcomes.size());
  for (std::size_t r = 0; r < judged.outcomes.size(); ++r) {
    const auto& outcome = judged.outcomes[r];
    const Scores::Row row{r, std::size_t{outcome.truth != cls}, outcome.weight};
    scores.add({&row, 1}, std::span(judged.odds).subspan(r * judged.classes + cls, 1));
  }
  const auto ranking = scores.ranking(0);
  std::vector<Point> line{{0, 0}};
  double positive = 0, negative = 0;
  for (const auto& step : ranking.steps) {
    positive += step.positive;
    negative += step.negative;
    const Point next{negative / ranking.negative, positive / ranking.positive};
    const bool near = std::abs(next.x - line.back().x) + std::abs(next.y - line.back().y) < 1e-3;
    if (!near || &step == &ranking.steps.back()) line.push_back(next);
  }
  return line;
}

constexpr std::size_t most_curves = 12;

// The worst first: those of area 1 all look alike.
std::vector<std::size_t> classes_with_curves(const Judged& judged) {
  const auto& classes = judged.metrics.classes;
  std::vector<std::size_t> drawn;
  for (std::size_t c = 0; c < judged.classes; ++c) {
    if (!std::isnan(classes[c].roc_auc)) drawn.push_back(c);
  }
  if (drawn.empty()) {
    throw Error(ErrorKind::data, "roc: the rows are all of one class, or of none the model knows");
  }
  std::stable_sort(drawn.begin(), drawn.end(),
                   [&](auto a, auto b) { return classes[a].roc_auc < classes[b].roc_auc; });
  return drawn;
}

}  // namespace

std::string roc(const Judged& judged, const Look& look) {
  const auto& metrics = judged.metrics;
  refuse_many(judged);
  auto drawn = classes_with_curves(judged);
  const std::size_t all = drawn.size();
  const bool two = judged.classes == 2;
  if (two) drawn = {1};  // the other's curve is its mirror image
  const auto with_interval = [&](std::size_t c) {
    const auto& cls = metrics.classes[c];
    return std::isnan(cls.roc_auc_interval.low)
               ? fmt::format("{:.4f}", cls.roc_auc)
               : fmt::format("{:.4f} (95 %: {:.4f} to {:.4f})", cls.roc_auc,
                             cls.roc_auc_interval.low, cls.roc_auc_interval.high);
  };
  if (drawn.size() > most_curves) drawn.resize(most_curves);
  const auto left_out =
      drawn.size() < all ? fmt::format("; the {} lowest of {} classes", drawn.size(), all) : "";
  Figure figure(look,
                two ? fmt::format("ROC of {} against {}", judged.labels[1], judged.labels[0])
                    : fmt::format("{}: ROC of each class against the rest", judged.target),
                two ? fmt::format("area {}; {} rows", with_interval(1), format_number(metrics.rows))
                    : fmt::format("mean area {:.4f}; {} rows{}", metrics.roc_auc,
                                  format_number(metrics.rows), left_out));
  if (!two) {
    std::vector<LegendEntry> entries;
    for (const auto c : drawn) {
      entries.push_back({fmt::format("{:.3f}  {}", metrics.classes[c].roc_auc, judged.labels[c]),
                         LegendEntry::Kind::line, class_stroke(c, 2), 0});
    }
    figure.add_legend("area, class", entries);
  }
  auto& canvas = figure.canvas();
  Axes axes(canvas, figure.area(),
            {"false positives, share of the other rows", {0, 1}, false, false, {}, false},
            {"true positives, share of the class", {0, 1}, false, false, {}, false});
  axes.draw_grid();
  canvas.stroke({axes.at(0, 0), axes.at(1, 1)}, {faint_ink, 1.2, {5, 4}});
  canvas.clip(axes.box());
  for (const auto c : drawn) {
    const auto line = curve_of(judged, c);
    if (two) {
      auto area = line;
      area.push_back({1, 0});
      canvas.fill({axes.at(area)}, faded(class_color(c), 0.1));
    }
    canvas.stroke(axes.at(line), class_stroke(c, 2.2));
  }
  canvas.unclip();
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot

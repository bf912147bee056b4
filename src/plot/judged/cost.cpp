// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "plot/drawing/figure.hpp"
#include "plot/judged/judged.hpp"

namespace credence::plot {
namespace {

struct PricedRow {
  double p, weight;  // of the second class
  bool second;
};

// What deciding for the first or the second of two classes costs.
double price_of(const Costs& costs, bool truth, bool decided) {
  if (!costs.given()) return truth == decided ? 0.0 : 1.0;
  return costs.of[2 * static_cast<std::size_t>(truth) + static_cast<std::size_t>(decided)];
}

// The mean cost of a row by the threshold from which on it is called the second class: as found,
// and as the probabilities have it.
struct CostCurves {
  std::vector<Point> actual, expected;
  Point best;
};

CostCurves cost_curves(const Judged& judged, const Costs& costs) {
  const auto price = [&](bool truth, bool decided) { return price_of(costs, truth, decided); };
  std::vector<PricedRow> rows;
  double total = 0, found = 0, said = 0;  // costs when everything is called the second class
  for (std::size_t r = 0; r < judged.outcomes.size(); ++r) {
    const auto& outcome = judged.outcomes[r];
    if (outcome.truth > 1 || outcome.most_probable == Outcome::no_label) continue;
    const double p = 1 / (1 + std::exp(-judged.odds[2 * r + 1]));
    rows.push_back({p, outcome.weight, outcome.truth == 1});
    total += outcome.weight;
    found += outcome.weight * price(outcome.truth == 1, true);
    said += outcome.weight * (p * price(true, true) + (1 - p) * price(false, true));
  }
  if (rows.empty()) throw Error(ErrorKind::data, "cost: no row has a class that the model knows");
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.p < b.p; });
  // As the threshold passes a row, it turns from the second class to the first.
  CostCurves curves{{{0, found / total}}, {{0, said / total}}, {0, found / total}};
  auto& [actual, expected, best] = curves;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [p, weight, second] = rows[i];
    found += weight * (price(second, false) - price(second, true));
    said += weight * (p * (price(true, false) - price(true, true)) +
                      (1 - p) * (price(false, false) - price(false, true)));
    if (i + 1 < rows.size() && rows[i + 1].p == p) continue;
    const double next = i + 1 < rows.size() ? rows[i + 1].p : 1;
    actual.push_back({p, actual.back().y});
    actual.push_back({p, found / total});
    expected.push_back({p, said / total});
    if (found / total < best.y) best = {(p + next) / 2, found / total};
  }
  actual.push_back({1, found / total});
  expected.push_back({1, said / total});
  return curves;
}

// Of a curve only what can be seen.
std::vector<Point> thinned(const std::vector<Point>& line) {
  std::vector<Point> kept;
  for (const auto& point : line) {
    if (!kept.empty() && &point != &line.back() && point.x - kept.back().x < 5e-4 &&
        kept.size() > 2000) {
      continue;
    }
    kept.push_back(point);
  }
  return kept;
}

}  // namespace

std::string cost(const Judged& judged, const Costs& costs, const Look& look) {
  if (judged.classes != 2) {
    throw Error(ErrorKind::usage,
                fmt::format("cost: needs two classes, the model has {}", judged.classes));
  }
  const auto curves = cost_curves(judged, costs);
  const auto actual = thinned(curves.actual), expected = thinned(curves.expected);
  const auto& best = curves.best;
  const double miss = price_of(costs, true, false) - price_of(costs, true, true);
  const double alarm = price_of(costs, false, true) - price_of(costs, false, false);
  const double threshold = miss + alarm != 0 ? alarm / (miss + alarm) : 0.5;
  const auto& name = judged.labels[1];
  Figure figure(
      look, fmt::format("{}: cost of calling rows {}", judged.target, name),
      fmt::format("{} missed costs {:g}, {} called {} costs {:g}; least at a threshold of "
                  "{:.3g}, by Bayes' rule at {:.3g}",
                  name, miss, judged.labels[0], name, alarm, best.x, threshold));
  const Stroke dashed{class_color(1), 1.8, {6, 4}};
  figure.add_legend("mean cost",
                    {{"found", LegendEntry::Kind::line, class_stroke(0, 2.2), 0},
                     {"expected", LegendEntry::Kind::line, dashed, 0},
                     {"the least", LegendEntry::Kind::marker, class_stroke(2, 2), 0},
                     {"Bayes' rule", LegendEntry::Kind::line, {faint_ink, 1.3, {2, 3}}, 0}});
  std::vector<double> ys{0};
  for (const auto& point : actual) ys.push_back(point.y);
  for (const auto& point : expected) ys.push_back(point.y);
  auto& canvas = figure.canvas();
  auto range = widened(range_of(ys), 0.06);
  if (*std::min_element(ys.begin(), ys.end()) == 0) range.low = 0;
  Axes axes(canvas, figure.area(),
            {fmt::format("{} from this probability on", name), {0, 1}, false, false, {}, false},
            {"mean cost of a row", range, false, false, {}, false});
  axes.draw_grid();
  canvas.clip(axes.box());
  if (threshold >= 0 && threshold <= 1) {
    canvas.stroke({axes.at(threshold, range.low), axes.at(threshold, range.high)},
                  {faint_ink, 1.3, {2, 3}});
  }
  canvas.stroke(axes.at(expected), dashed);
  canvas.stroke(axes.at(actual), class_stroke(0, 2.2));
  canvas.unclip();
  canvas.marker(axes.at(best.x, best.y), 0, 5, class_color(2));
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot

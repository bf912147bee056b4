// SPDX-License-Identifier: Apache-2.0
// An explanation as a bar chart: what speaks for the class to the right, against it to the left.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "credence/error.hpp"
#include "plot/drawing/figure.hpp"
#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

struct Bar {
  std::string name;
  double weight;
};

std::string signed_number(double value) {
  const std::string sign = value > 0 ? "+" : value < 0 ? "\u2212" : "";
  if (std::isinf(value)) return sign + "\u221e";
  return sign + fmt::format("{:.2f}", std::abs(value));
}

// The prior or intercept, the columns from the heaviest down, and the sum; light ones together.
std::vector<Bar> bars_of(const Explanation& why, std::size_t most) {
  std::vector<Bar> columns;
  std::vector<Bar> result;
  for (const auto& line : why.lines) {
    if (&line == &why.lines.front()) {
      result.push_back({line.column, line.weight});
    } else {
      columns.push_back({line.column + " = " + line.value, line.weight});
    }
  }
  std::stable_sort(columns.begin(), columns.end(), [](const Bar& a, const Bar& b) {
    return std::abs(a.weight) > std::abs(b.weight);
  });
  double rest = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i + 1 < most || columns.size() <= most) {
      result.push_back(columns[i]);
    } else {
      rest += columns[i].weight;
      ++count;
    }
  }
  if (count > 0) result.push_back({fmt::format("{} others together", count), rest});
  result.push_back({"sum: log-odds", why.log_odds});
  return result;
}

Range range_for(const std::vector<Bar>& bars, const std::optional<Interval>& between) {
  double low = 0, high = 0;
  for (const auto& bar : bars) {
    if (std::isfinite(bar.weight)) {
      low = std::min(low, bar.weight);
      high = std::max(high, bar.weight);
    }
  }
  if (low == 0 && high == 0) high = 1;
  const double width = high - low;
  // Room for the numbers at the ends of the bars, and for bars without end.
  for (const auto& bar : bars) {
    if (std::isinf(bar.weight))
      (bar.weight > 0 ? high : low) += (bar.weight > 0 ? 0.3 : -0.3) * width;
  }
  Range range{low < 0 ? low - 0.14 * width : low, high > 0 ? high + 0.14 * width : high};
  if (!between) return range;
  const double room = 0.05 * (range.high - range.low);
  if (std::isfinite(between->low)) range.low = std::min(range.low, between->low - room);
  if (std::isfinite(between->high)) range.high = std::max(range.high, between->high + room);
  return range;
}

TextStyle style_of_weight(bool sum) { return {11.5, sum, ink, Align::left, false}; }

// The numbers at the ends of the bars are as wide as they are, however narrow the picture.
Range with_room(const Canvas& canvas, const std::vector<Bar>& bars, Range range, double pixels) {
  constexpr int steps = 4;  // each makes the others a little narrower
  for (int step = 0; step < steps; ++step) {
    for (const auto& bar : bars) {
      if (std::isinf(bar.weight)) continue;
      const double width =
          canvas.text_width(signed_number(bar.weight), style_of_weight(&bar == &bars.back())) + 9;
      const double needed = width / pixels * (range.high - range.low);
      if (bar.weight >= 0) range.high = std::max(range.high, bar.weight + needed);
      if (bar.weight < 0) range.low = std::min(range.low, bar.weight - needed);
    }
  }
  return range;
}

// At the end of a bar; inside it where the frame is too near.
void write_weight(Canvas& canvas, const Box& box, double end, double y, double weight, bool sum) {
  TextStyle style = style_of_weight(sum);
  const auto text = signed_number(weight);
  const double width = canvas.text_width(text, style);
  const bool right = weight >= 0;
  const bool room = right ? end + 5 + width < box.right() - 2 : end - 5 - width > box.x + 2;
  style.align = right == room ? Align::left : Align::right;
  canvas.text({end + (right == room ? 5 : -5), y}, text, style);
}

// A bar without end: an arrow, broken as an axis is that leaves something out.
void draw_endless(Canvas& canvas, double zero, double end, double y, double thickness,
                  const Color& color) {
  const double along = end > zero ? 1 : -1, half = thickness / 2;
  const double tip = std::min(0.8 * thickness, std::abs(end - zero) / 3);
  canvas.fill({{{zero, y - half},
                {end - along * tip, y - half},
                {end - along * tip, y - 1.35 * half},
                {end, y},
                {end - along * tip, y + 1.35 * half},
                {end - along * tip, y + half},
                {zero, y + half}}},
              color);
  const double middle = zero + 0.6 * (end - zero), slant = 0.35 * thickness;
  for (const double place : {middle - 4, middle + 4}) {
    canvas.stroke({{place - slant / 2, y + half + 2}, {place + slant / 2, y - half - 2}},
                  {{1, 1, 1}, 3.2, {}});
  }
}

// A whisker, cut where the picture ends.
void draw_interval(Canvas& canvas, const Axes& axes, const Interval& between, double y) {
  const Box box = axes.box();
  const auto place = [&](double x) { return std::clamp(axes.at(x, 0).x, box.x, box.right()); };
  const double low = place(between.low), high = place(between.high);
  canvas.stroke({{low, y}, {high, y}}, {ink, 1.6, {}});
  for (const double x : {low, high}) canvas.stroke({{x, y - 4}, {x, y + 4}}, {ink, 1.6, {}});
}

}  // namespace

std::string evidence(const Explanation& why, const std::vector<std::string>& classes,
                     const Look& look, const std::optional<Interval>& between) {
  if (why.posterior.undecidable()) {
    throw Error(ErrorKind::data, "the row is undecidable, every class has probability 0: " +
                                     why.undecidable_because);
  }
  const auto& winner = classes[why.winner];
  const auto& other = classes[why.other];
  const auto bars = bars_of(why, 20);
  Figure figure(look, fmt::format("Why {} rather than {}?", winner, other),
                fmt::format("P({}) = {:.4g}, P({}) = {:.4g}; bars to the right speak for {}{}",
                            winner, why.posterior.probabilities[why.winner], other,
                            why.posterior.probabilities[why.other], winner,
                            between ? "; whisker: 95 % of the posterior" : ""));
  auto& canvas = figure.canvas();
  const auto count = static_cast<double>(bars.size());
  const Range range = range_for(bars, between);
  Axis names{"", {0, count}, false, false, {}, false};
  for (std::size_t i = 0; i < bars.size(); ++i) {
    names.marks.push_back({count - 0.5 - static_cast<double>(i), bars[i].name});
  }
  // Coefficients, of a model with an intercept, are no ratios of densities.
  const bool ratios = why.lines.front().column == "prior";
  const auto what = ratios ? fmt::format("log P(· | {}) / P(· | {})", winner, other)
                           : fmt::format("log-odds of {} against {}", winner, other);
  const Axis across{what, range, false, false, {}, false};
  Axis with_numbers = across;
  with_numbers.range =
      with_room(canvas, bars, range, Axes(canvas, figure.area(), across, names).box().width);
  Axes axes(canvas, figure.area(), with_numbers, names);
  axes.draw_grid(true, false);
  const Box box = axes.box();
  const double zero = axes.at(0, 0).x;
  const double thickness = std::min(34.0, 0.66 * box.height / count);
  // The sum stands apart, as below a column of figures.
  const double rule = axes.at(0, 1).y;
  canvas.stroke({{box.x, rule}, {box.right(), rule}}, {frame_gray, 0.9, {}});
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const double weight = bars[i].weight;
    const double y = axes.at(0, count - 0.5 - static_cast<double>(i)).y;
    const bool endless = std::isinf(weight);
    const double end =
        endless ? (weight > 0 ? box.right() - 34 : box.x + 34) : axes.at(weight, 0).x;
    const Color color = class_color(weight >= 0 ? why.winner : why.other);
    const bool sum = i + 1 == bars.size();
    const Color paint = sum ? color : tint(color, 0.72);
    if (endless) {
      draw_endless(canvas, zero, end, y, thickness, paint);
    } else {
      canvas.fill(Box{std::min(zero, end), y - thickness / 2, std::abs(end - zero), thickness},
                  paint);
    }
    write_weight(canvas, box, end, y, weight, sum);
  }
  canvas.stroke({{zero, box.y}, {zero, box.bottom()}}, {ink, 1.1, {}});
  if (between) draw_interval(canvas, axes, *between, axes.at(0, 0.5).y + 0.6 * thickness);
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "plot/drawing/figure.hpp"

namespace credence::plot {
namespace {

double share_of(const Axis& axis, double value) {
  if (!axis.log) return (value - axis.range.low) / axis.range.width();
  return std::log(value / axis.range.low) / std::log(axis.range.high / axis.range.low);
}

void set_ticks(Axis& axis, double most) {
  if (!axis.marks.empty()) return;
  axis.marks = axis.dates ? date_ticks(axis.range, most)
               : axis.log ? log_ticks(axis.range, most)
                          : ticks(axis.range, most, axis.whole);
}

}  // namespace

Axes::Axes(Canvas& canvas, const Box& area, Axis x, Axis y, double text_size)
    : canvas_(canvas), x_(std::move(x)), y_(std::move(y)), text_{text_size, false, ink} {
  const double line = text_size * 1.6;
  const double below = x_.bare ? 0 : 6 + line + (x_.label.empty() ? 0 : line + 2);
  box_ = {area.x, area.y, area.width, area.height - below};
  x_label_ = area.bottom() - line / 2;

  set_ticks(y_, std::clamp(box_.height / (text_size * 3), 2.0, 10.0));
  double left = 0;
  if (!y_.bare) {
    double widest = 0;
    for (const auto& tick : y_.marks) {
      widest = std::max(widest, canvas_.text_width(tick.label, text_));
    }
    // Names in place of numbers may be long; numbers are not.
    widest = std::min(widest, 0.35 * area.width);
    left = 8 + widest + (y_.label.empty() ? 0 : line + 4);
    y_label_ = area.x + line / 2;
  }
  box_.x += left;
  box_.width -= left + text_size * 0.5;  // half a label may stick out at the right end

  const bool computed = x_.marks.empty();
  const auto widest_x = [&] {
    double widest = 0;
    for (const auto& tick : x_.marks) {
      widest = std::max(widest, canvas_.text_width(tick.label, text_));
    }
    return widest;
  };
  for (double most = std::clamp(box_.width / (text_size * 4), 2.0, 12.0); computed; most *= 0.7) {
    x_.marks.clear();
    set_ticks(x_, most);
    const double room = box_.width / static_cast<double>(std::max<std::size_t>(1, x_.marks.size()));
    if (most < 2 || widest_x() + text_size < room) break;
  }
}

Box Axes::beginning_at(double left, const Box& area, const Axes& axes) {
  const double shift = left - axes.box().x;
  return {area.x + shift, area.y, area.width - shift, area.height};
}

Point Axes::at(double x, double y) const {
  return {box_.x + share_of(x_, x) * box_.width, box_.bottom() - share_of(y_, y) * box_.height};
}

std::vector<Point> Axes::at(const std::vector<Point>& line) const {
  std::vector<Point> result;
  for (const auto& point : line) result.push_back(at(point.x, point.y));
  return result;
}

void Axes::draw_grid(bool x, bool y) {
  const Stroke style{grid_gray, 0.8, {}};
  for (const auto& tick : x_.marks) {
    const double place = at(tick.value, y_.range.low).x;
    if (x) canvas_.stroke({{place, box_.y}, {place, box_.bottom()}}, style);
  }
  for (const auto& tick : y_.marks) {
    const double place = at(x_.range.low, tick.value).y;
    if (y) canvas_.stroke({{box_.x, place}, {box_.right(), place}}, style);
  }
}

void Axes::draw_frame() {
  const Stroke style{frame_gray, 0.9, {}};
  canvas_.stroke(box_, style);
  TextStyle text = text_;
  const double label_line = text.size * 0.8;
  for (const auto& tick : x_.marks) {
    if (x_.bare) break;
    const double place = at(tick.value, y_.range.low).x;
    canvas_.stroke({{place, box_.bottom()}, {place, box_.bottom() + 4}}, style);
    text.align = Align::center;
    canvas_.text({place, box_.bottom() + 5 + label_line}, tick.label, text);
  }
  for (const auto& tick : y_.marks) {
    if (y_.bare) break;
    const double place = at(x_.range.low, tick.value).y;
    canvas_.stroke({{box_.x - 4, place}, {box_.x, place}}, style);
    text.align = Align::right;
    const double room = box_.x - 8 - (y_.label.empty() ? 0 : y_label_ + label_line);
    const auto style = canvas_.shrunk(tick.label, text, std::max(room, 20.0), 0.75 * text.size);
    canvas_.text({box_.x - 7, place}, canvas_.fitted(tick.label, style, std::max(room, 20.0)),
                 style);
  }
  text.align = Align::center;
  text.size = text_.size + 1;
  if (!x_.label.empty() && !x_.bare) {
    const auto style = canvas_.shrunk(x_.label, text, box_.width, 0.7 * text.size);
    canvas_.text({box_.center().x, x_label_}, canvas_.fitted(x_.label, style, box_.width), style);
  }
  text.upwards = true;
  if (!y_.label.empty() && !y_.bare) {
    const auto style = canvas_.shrunk(y_.label, text, box_.height, 0.7 * text.size);
    canvas_.text({y_label_, box_.center().y}, canvas_.fitted(y_.label, style, box_.height), style);
  }
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/labels.hpp"

#include <algorithm>

namespace credence::plot {
namespace {

// By the parts of the straight line that lie within the box in either direction.
bool crosses(const Point& a, const Point& b, const Box& box) {
  double from = 0, to = 1;
  const auto clip = [&](double start, double step, double low, double high) {
    if (step == 0) return start >= low && start <= high;
    const double first = (low - start) / step, second = (high - start) / step;
    from = std::max(from, std::min(first, second));
    to = std::min(to, std::max(first, second));
    return from <= to;
  };
  return clip(a.x, b.x - a.x, box.x, box.right()) && clip(a.y, b.y - a.y, box.y, box.bottom());
}

}  // namespace

bool Labels::fits(const Box& box) const {
  const bool inside = box.x > frame_.x + 2 && box.right() < frame_.right() - 2 &&
                      box.y > frame_.y + 1 && box.bottom() < frame_.bottom() - 1;
  return inside && std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
           return box.x < other.right() + 3 && other.x < box.right() + 3 &&
                  box.y < other.bottom() && other.y < box.bottom();
         });
}

bool Labels::on_line(const Box& box) const {
  for (std::size_t i = 1; i < line_.size(); ++i) {
    if (crosses(line_[i - 1], line_[i], box)) return true;
  }
  return false;
}

bool Labels::write(const Point& at, const std::string& text, const TextStyle& style, bool plate) {
  const double width = canvas_.text_width(text, style), height = 1.2 * style.size;
  constexpr double aside = 7, above = 9, farther = 18;
  const double left = at.x - aside - width, right = at.x + aside, middle = at.x - width / 2;
  std::vector<Point> places;
  for (const double y : {at.y - above, at.y + above}) {
    places.push_back({left, y});
    places.push_back({right, y});
  }
  if (!line_.empty()) {
    for (const double y : {at.y - farther, at.y + farther}) {
      for (const double x : {left, right, middle}) places.push_back({x, y});
    }
  }
  const auto box_at = [&](const Point& place) {
    return Box{place.x, place.y - height / 2, width, height};
  };
  auto found = std::find_if(places.begin(), places.end(), [&](const Point& place) {
    return fits(box_at(place)) && !on_line(box_at(place));
  });
  if (found == places.end()) {
    found = std::find_if(places.begin(), places.end(),
                         [&](const Point& place) { return fits(box_at(place)); });
    plate = plate || !line_.empty();
  }
  if (found == places.end()) return false;
  const Box box = box_at(*found);
  if (plate) canvas_.fill({box.x - 2, box.y, box.width + 4, box.height}, {1, 1, 1, 0.75});
  TextStyle from_left = style;
  from_left.align = Align::left;
  canvas_.text({box.x, box.center().y}, text, from_left);
  taken_.push_back(box);
  return true;
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/labels.hpp"

#include <algorithm>

namespace credence::plot {

bool Labels::write(const Point& at, const std::string& text, const TextStyle& style, bool plate) {
  const double width = canvas_.text_width(text, style), height = 1.2 * style.size;
  constexpr double aside = 7, above = 9;
  for (const double y : {at.y - above, at.y + above}) {
    for (const double x : {at.x - aside - width, at.x + aside}) {
      const Box box{x, y - height / 2, width, height};
      const bool inside = box.x > frame_.x + 2 && box.right() < frame_.right() - 2 &&
                          box.y > frame_.y + 1 && box.bottom() < frame_.bottom() - 1;
      const bool free = std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
        return box.x < other.right() + 3 && other.x < box.right() + 3 && box.y < other.bottom() &&
               other.y < box.bottom();
      });
      if (!inside || !free) continue;
      if (plate) canvas_.fill({box.x - 2, box.y, box.width + 4, box.height}, {1, 1, 1, 0.75});
      TextStyle left = style;
      left.align = Align::left;
      canvas_.text({box.x, box.center().y}, text, left);
      taken_.push_back(box);
      return true;
    }
  }
  return false;
}

}  // namespace credence::plot

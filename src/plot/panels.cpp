// SPDX-License-Identifier: Apache-2.0
#include "plot/panels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence::plot {
namespace {

constexpr double between = 12;

// The columns of panels that keep them nearest to a little wider than high, with few places empty.
std::size_t panel_columns(std::size_t panels, const Box& area) {
  std::size_t best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t columns = 1; columns <= panels; ++columns) {
    const std::size_t rows = (panels + columns - 1) / columns;
    const double width = area.width / static_cast<double>(columns);
    const double height = area.height / static_cast<double>(rows);
    const auto empty = static_cast<double>(rows * columns - panels);
    const double wrong =
        std::abs(std::log(width / height / 1.1)) + 4 * empty / static_cast<double>(panels);
    if (wrong < least) {
      least = wrong;
      best = columns;
    }
  }
  return best;
}

}  // namespace

std::vector<Box> panel_boxes(std::size_t panels, const Box& area) {
  const std::size_t across = panel_columns(panels, area), down = (panels + across - 1) / across;
  const double width = (area.width + between) / static_cast<double>(across);
  const double height = (area.height + between) / static_cast<double>(down);
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < panels; ++i) {
    boxes.push_back({area.x + width * static_cast<double>(i % across),
                     area.y + height * static_cast<double>(i / across), width - between,
                     height - between});
  }
  return boxes;
}

Panels::Panels(Canvas& canvas, const Box& area, std::size_t count, double above, Axis x, Axis y,
               double text_size)
    : canvas_(canvas),
      count_(count),
      across_(panel_columns(count, area)),
      down_((count + across_ - 1) / across_),
      above_(above),
      text_size_(text_size),
      x_(std::move(x)),
      y_(std::move(y)) {
  // What labels take is measured on axes as high as a panel, for their numbers depend on it.
  const double height = area.height / static_cast<double>(down_);
  const Axes probe(canvas, {area.x, area.y, area.width, height}, x_, y_, text_size);
  left_ = probe.box().x - area.x;
  below_ = area.y + height - probe.box().bottom();
  area_ = {area.x + left_, area.y, area.width - left_, area.height - below_};
}

Axes Panels::axes(std::size_t panel) const {
  const double width = (area_.width + between) / static_cast<double>(across_);
  const double height = (area_.height + between / 2) / static_cast<double>(down_);
  const std::size_t row = panel / across_, column = panel % across_;
  Box box{area_.x + width * static_cast<double>(column),
          area_.y + height * static_cast<double>(row) + above_, width - between,
          height - between / 2 - above_};
  Axis x = x_, y = y_;
  x.bare = panel + across_ < count_;
  y.bare = column > 0;
  if (!x.bare) box.height += below_;
  if (!y.bare) {
    box.x -= left_;
    box.width += left_;
  }
  return Axes(canvas_, box, std::move(x), std::move(y), text_size_);
}

}  // namespace credence::plot

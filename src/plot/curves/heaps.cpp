// SPDX-License-Identifier: Apache-2.0
// The zeros of a column that have a probability of their own beside a density.
#include <fmt/format.h>

#include "core/strings.hpp"
#include "plot/curves/curves.hpp"

namespace credence::plot {

void draw_heaps(Canvas& canvas, const Axes& axes, double top, const std::vector<double>& heaps) {
  constexpr double wide = 4;
  const double middle = (static_cast<double>(heaps.size()) - 1) / 2;
  for (std::size_t c = 0; c < heaps.size(); ++c) {
    const double aside = (wide + 1) * (static_cast<double>(c) - middle);
    const Point foot = axes.at(0, 0), head = axes.at(0, heaps[c] * top);
    canvas.stroke({{foot.x + aside, foot.y}, {head.x + aside, head.y}}, {class_color(c), wide, {}});
  }
}

std::string said_of_heaps(const std::string& name, const std::vector<double>& heaps,
                          const std::vector<std::string>& classes) {
  if (heaps.empty()) return "";
  std::vector<std::string> parts;
  for (std::size_t c = 0; c < heaps.size() && heaps.size() <= 3; ++c) {
    parts.push_back(fmt::format("{} {:.3g}", classes[c], heaps[c]));
  }
  return fmt::format("bars at 0, to a height of 1: {}{}{}", name, parts.empty() ? "" : ": ",
                     join(parts, ", "));
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
// Where to write the name of a region.
#include <algorithm>
#include <cmath>

#include "plot/regions.hpp"

namespace credence::plot {
namespace {

// Which class each point of the grid belongs to.
std::vector<std::size_t> winners_of(const std::vector<double>& worth, std::size_t classes) {
  std::vector<std::size_t> result;
  for (std::size_t row = 0; row < worth.size(); row += classes) {
    const auto first = worth.begin() + static_cast<std::ptrdiff_t>(row);
    const auto best = std::max_element(first, first + static_cast<std::ptrdiff_t>(classes));
    result.push_back(static_cast<std::size_t>(best - first));
  }
  return result;
}

// How far each point is from another class or the rim, in pixels, by way of its neighbours: once
// from the first to the last point, once back.
std::vector<double> depths(const std::vector<std::size_t>& winners, std::size_t across,
                           std::size_t down, double wide, double high) {
  std::vector<double> depth(winners.size(), 1e9);
  const double slanted = std::hypot(wide, high);
  const auto relax = [&](std::size_t i, std::size_t j, int dx, int dy) {
    const auto x = static_cast<std::ptrdiff_t>(i) + dx, y = static_cast<std::ptrdiff_t>(j) + dy;
    const double step = dx == 0 ? high : dy == 0 ? wide : slanted;
    auto& here = depth[j * across + i];
    if (x < 0 || y < 0 || x >= static_cast<std::ptrdiff_t>(across) ||
        y >= static_cast<std::ptrdiff_t>(down)) {
      here = 0;
      return;
    }
    const std::size_t other = static_cast<std::size_t>(y) * across + static_cast<std::size_t>(x);
    const bool same = winners[other] == winners[j * across + i];
    here = std::min(here, same ? depth[other] + step : step / 2);
  };
  for (std::size_t j = 0; j < down; ++j) {
    for (std::size_t i = 0; i < across; ++i) {
      for (const int dx : {-1, 0, 1}) relax(i, j, dx, -1);
      relax(i, j, -1, 0);
    }
  }
  for (std::size_t j = down; j-- > 0;) {
    for (std::size_t i = across; i-- > 0;) {
      for (const int dx : {-1, 0, 1}) relax(i, j, dx, 1);
      relax(i, j, 1, 0);
    }
  }
  return depth;
}

}  // namespace

void draw_region_names(Canvas& canvas, const Axes& axes, const Grid& grid,
                       const std::vector<double>& worth, const std::vector<std::string>& classes) {
  const std::size_t across = grid.x.size(), down = grid.y.size();
  const auto winners = winners_of(worth, classes.size());
  const auto depth = depths(winners, across, down, axes.box().width / static_cast<double>(across),
                            axes.box().height / static_cast<double>(down));
  std::vector<std::size_t> deepest(classes.size(), winners.size());
  for (std::size_t i = 0; i < winners.size(); ++i) {
    auto& best = deepest[winners[i]];
    if (best == winners.size() || depth[i] > depth[best]) best = i;
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const std::size_t i = deepest[c];
    if (i == winners.size() || depth[i] < 8) continue;
    TextStyle style{12, true, dark(class_color(c)), Align::center, false};
    style = canvas.shrunk(classes[c], style, 1.9 * depth[i], 7);
    const auto name = canvas.fitted(classes[c], style, std::max(1.9 * depth[i], 16.0));
    const Point at = axes.at(grid.x[i % across], grid.y[i / across]);
    const double width = canvas.text_width(name, style), height = 1.2 * style.size;
    canvas.fill({at.x - width / 2 - 2, at.y - height / 2, width + 4, height}, {1, 1, 1, 0.6});
    canvas.text(at, name, style);
  }
}

}  // namespace credence::plot

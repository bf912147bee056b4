// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/pair_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot/drawing/heat.hpp"

namespace credence::plot {
namespace {

// A round number not below, of the kind that axes have: 1, 2 or 5 times a power of ten.
double round_up(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0, 10.0}) {
    if (step * power >= value * (1 - 1e-12)) return step * power;
  }
  return 10 * power;
}

}  // namespace

std::string pair_map(const PairMap& map, const Look& look) {
  double largest = 0;
  for (const auto& row : map.cells) {
    for (const double value : row) {
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
  }
  const double top = round_up(largest);
  HeatMap heat{"", "", map.names, map.names, {}};
  for (std::size_t i = 0; i < map.names.size(); ++i) {
    for (std::size_t j = 0; j < map.names.size(); ++j) {
      const double value = map.cells[i][j];
      HeatCell cell;
      cell.nothing = !std::isfinite(value);
      if (!cell.nothing) {
        cell.share = value / top;
        cell.text = fmt::format("{:.2g}", value);
      }
      cell.rim = !map.marked.empty() && map.marked[i][j];
      heat.cells.push_back(std::move(cell));
    }
  }
  Figure figure(look, map.title, map.subtitle);
  add_share_bar(figure, map.heading, top);
  draw_heat(figure.canvas(), figure.area(), heat);
  return figure.canvas().finish();
}

}  // namespace credence::plot

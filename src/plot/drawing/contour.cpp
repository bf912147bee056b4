// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/contour.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace credence::plot {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

// Edges of the grid have numbers: that from (i, j) to the right 2 (j nx + i), upwards one more.
// A contour crosses an edge at most once, and at most two segments end there.
class March {
 public:
  March(const Grid& grid, double level)
      : grid_(grid), level_(level), nx_(grid.x.size()), links_(2 * grid.z.size(), {none, none}) {
    for (std::size_t j = 0; j + 1 < grid.y.size(); ++j) {
      for (std::size_t i = 0; i + 1 < nx_; ++i) visit_cell(i, j);
    }
  }

  std::vector<Line> lines() {
    std::vector<Line> result;
    // Open lines from their ends first; what is left is closed.
    for (const bool open : {true, false}) {
      for (const std::size_t edge : edges_) {
        const bool is_end = links_[edge][1] == none;
        if (links_[edge][0] == none || (open && !is_end)) continue;
        result.push_back(walk(edge, !open));
      }
    }
    return result;
  }

 private:
  bool inside(std::size_t i, std::size_t j) const { return grid_.at(i, j) >= level_; }

  void visit_cell(std::size_t i, std::size_t j) {
    const std::size_t bottom = 2 * (j * nx_ + i), left = bottom + 1;
    const std::size_t top = 2 * ((j + 1) * nx_ + i), right = bottom + 3;
    const bool a = inside(i, j), b = inside(i + 1, j), c = inside(i + 1, j + 1),
               d = inside(i, j + 1);
    std::array<std::size_t, 4> crossed{};
    std::size_t count = 0;
    if (a != b) crossed[count++] = bottom;
    if (b != c) crossed[count++] = right;
    if (c != d) crossed[count++] = top;
    if (d != a) crossed[count++] = left;
    if (count == 2) link(crossed[0], crossed[1]);
    if (count != 4) return;
    // A saddle: the mean of the corners says whether the inside ones are joined.
    const double mean =
        (grid_.at(i, j) + grid_.at(i + 1, j) + grid_.at(i + 1, j + 1) + grid_.at(i, j + 1)) / 4;
    if ((mean >= level_) == a) {
      link(bottom, right);
      link(top, left);
    } else {
      link(bottom, left);
      link(top, right);
    }
  }

  void link(std::size_t a, std::size_t b) {
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
      auto& ends = links_[from];
      if (ends[0] == none) edges_.push_back(from);
      ends[ends[0] == none ? 0 : 1] = to;
    }
  }

  Point crossing(std::size_t edge) const {
    const std::size_t i = edge / 2 % nx_, j = edge / 2 / nx_;
    const bool upwards = edge % 2 == 1;
    const double from = grid_.at(i, j);
    const double to = upwards ? grid_.at(i, j + 1) : grid_.at(i + 1, j);
    const double share = std::clamp((level_ - from) / (to - from), 0.0, 1.0);
    const double x = grid_.x[i], y = grid_.y[j];
    if (upwards) return {x, y + share * (grid_.y[j + 1] - y)};
    return {x + share * (grid_.x[i + 1] - x), y};
  }

  // Follows the links, and unlinks what it has passed.
  Line walk(std::size_t edge, bool closed) {
    Line line;
    line.closed = closed;
    std::size_t before = none;
    while (edge != none && links_[edge][0] != none) {
      line.points.push_back(crossing(edge));
      const auto ends = links_[edge];
      links_[edge] = {none, none};
      const std::size_t next = ends[0] != before ? ends[0] : ends[1];
      before = edge;
      edge = next;
    }
    return line;
  }

  const Grid& grid_;
  double level_;
  std::size_t nx_;
  std::vector<std::array<std::size_t, 2>> links_;
  std::vector<std::size_t> edges_;  // in the order they were met
};

}  // namespace

std::vector<double> spaced(const Range& range, std::size_t count) {
  std::vector<double> result;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    result.push_back(range.low + share * range.width());
  }
  return result;
}

std::vector<Line> contour(const Grid& grid, double level) { return March(grid, level).lines(); }

std::vector<std::vector<Point>> region(const Grid& grid, double level) {
  // A rim of low values at the very border closes every outline along it.
  const std::size_t nx = grid.x.size() + 2, ny = grid.y.size() + 2;
  Grid padded;
  const auto pad = [](const std::vector<double>& values) {
    std::vector<double> result{values.front()};
    result.insert(result.end(), values.begin(), values.end());
    result.push_back(values.back());
    return result;
  };
  padded.x = pad(grid.x);
  padded.y = pad(grid.y);
  const double low = std::min(*std::min_element(grid.z.begin(), grid.z.end()), level) - 1;
  padded.z.assign(nx * ny, low);
  for (std::size_t j = 0; j < grid.y.size(); ++j) {
    for (std::size_t i = 0; i < grid.x.size(); ++i) {
      padded.z[(j + 1) * nx + i + 1] = grid.at(i, j);
    }
  }
  std::vector<std::vector<Point>> rings;
  for (auto& line : contour(padded, level)) rings.push_back(std::move(line.points));
  return rings;
}

}  // namespace credence::plot

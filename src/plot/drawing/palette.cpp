// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace credence::plot {
namespace {

constexpr Color hex(unsigned rgb) {
  return {(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0};
}

Color mix(const Color& a, const Color& b, double share) {
  return {a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share,
          a.blue + (b.blue - a.blue) * share};
}

// Okabe-Ito in an order whose first few differ most; yellow, faint on white, comes last.
constexpr std::array<Color, 8> hues = {hex(0x0072B2), hex(0xD55E00), hex(0x009E73), hex(0xCC79A7),
                                       hex(0xE69F00), hex(0x56B4E9), hex(0x555555), hex(0xE3D52E)};

}  // namespace

Color class_color(std::size_t i) {
  const Color hue = hues[i % hues.size()];
  switch (i / hues.size() % 3) {
    case 0:
      return hue;
    case 1:
      return mix(hue, {0, 0, 0}, 0.45);
    default:
      return mix(hue, {1, 1, 1}, 0.45);
  }
}

std::size_t class_marker(std::size_t i) { return i % Canvas::marker_shapes; }

Stroke class_stroke(std::size_t i, double width) {
  static const std::array<std::vector<double>, 3> dashes = {
      std::vector<double>{}, std::vector<double>{6, 3}, std::vector<double>{2, 2.5}};
  return {class_color(i), width, dashes[i / hues.size() % dashes.size()]};
}

Color tint(const Color& color, double share) { return mix({1, 1, 1}, color, share); }

Color faded(Color color, double alpha) {
  color.alpha = alpha;
  return color;
}

Color dark(const Color& color) { return mix(color, {0, 0, 0}, 0.4); }

Color sequential(double share) {
  // ColorBrewer's YlGnBu, nine steps.
  static constexpr std::array<Color, 9> steps = {hex(0xffffd9), hex(0xedf8b1), hex(0xc7e9b4),
                                                 hex(0x7fcdbb), hex(0x41b6c4), hex(0x1d91c0),
                                                 hex(0x225ea8), hex(0x253494), hex(0x081d58)};
  const double place = std::clamp(share, 0.0, 1.0) * (steps.size() - 1);
  const auto i = std::min<std::size_t>(static_cast<std::size_t>(place), steps.size() - 2);
  return mix(steps[i], steps[i + 1], place - static_cast<double>(i));
}

}  // namespace credence::plot

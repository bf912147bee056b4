// SPDX-License-Identifier: Apache-2.0
// A colour, a marker and a dash pattern for each class. Colours are those of Okabe and Ito (2008),
// which people with any kind of colour vision tell apart.
#pragma once

#include <cstddef>

#include "plot/drawing/canvas.hpp"

namespace credence::plot {

inline constexpr Color ink{0.13, 0.13, 0.13};
inline constexpr Color faint_ink{0.42, 0.42, 0.42};
inline constexpr Color grid_gray{0.90, 0.90, 0.90};
inline constexpr Color frame_gray{0.45, 0.45, 0.45};

// Eight hues; from the ninth class on they return darker, then lighter.
Color class_color(std::size_t i);
std::size_t class_marker(std::size_t i);
Stroke class_stroke(std::size_t i, double width);

// share 0: white, 1: the colour.
Color tint(const Color& color, double share);
Color faded(Color color, double alpha);
// Dark enough for letters.
Color dark(const Color& color);
// Light yellow to dark blue for 0 to 1; grows darker all the way, so that it also prints in gray.
Color sequential(double share);

}  // namespace credence::plot

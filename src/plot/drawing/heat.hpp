// SPDX-License-Identifier: Apache-2.0
// A table of shaded cells with names at the left and below: confusions, and whatever depends on two
// words.
#pragma once

#include <string>
#include <vector>

#include "plot/drawing/figure.hpp"

namespace credence::plot {

struct HeatCell {
  double share = 0;        // 0 to 1: how dark
  std::string text = {};   // shrunk to fit
  std::string below = {};  // small print, where there is room
  bool nothing = false;    // white
  bool rim = false;        // marked by a thick line around it
};

struct HeatMap {
  std::string down, across;  // what the names at the left and below are
  std::vector<std::string> rows, columns;
  std::vector<HeatCell> cells;  // row by row
};

// "1234", or "1.2k" and "3M" where there is no room for all digits.
std::string short_count(double count);

void draw_heat(Canvas& canvas, const Box& area, const HeatMap& map);
// The colours of shares from 0 to 1, or of what is so much at share 1, at the right side.
void add_share_bar(Figure& figure, const std::string& heading, double top = 1);

// A square of cells, one for every pair of names, shaded by a number.
struct PairMap {
  std::string title, subtitle;
  std::string heading;                     // of the colour bar
  std::vector<std::string> names;          // of rows and columns alike
  std::vector<std::vector<double>> cells;  // [row][column]; NaN: none, and left white
  std::vector<std::vector<bool>> marked;   // these have a thick rim; empty: none has
};
std::string pair_map(const PairMap& map, const Look& look);

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
// A density for each class along one axis, with the rows of the data behind.
#pragma once

#include <string>
#include <vector>

#include "plot/drawing/figure.hpp"
#include "plot/slice.hpp"

namespace credence::plot {

struct ClassCurves {
  std::string title, subtitle;
  std::string x, y;    // what the axes say
  std::string target;  // above the legend
  std::vector<std::string> classes;
  Range range;                            // of x
  bool counts = false;                    // x is a whole number
  std::vector<std::vector<Point>> lines;  // by class
  Points rows;
  std::vector<double> edges = {};    // the model's own bins; empty: it has none
  std::vector<double> heaps = {};    // P(0 | c) where a 0 has a probability of its own
  std::vector<double> weights = {};  // of the classes: the heaviest are drawn if not all can be
  bool dates = false;                // x is days since 1970-01-01
};

// Over each other; from seven classes on below each other, each to its own height.
std::string class_curves(const ClassCurves& chart, const Look& look);
std::string class_ridges(const ClassCurves& chart, const Look& look);

// The edges of bins for the rows: the model's own, else such that all hold equally many of the
// values that can occur.
std::vector<double> bins_for(const ClassCurves& chart);
// The share of a class's rows per unit of x, in every bin; zeros that stand apart are in none.
std::vector<double> histogram(const ClassCurves& chart, std::size_t cls,
                              const std::vector<double>& edges);
// The outline of bars, from zero to zero.
std::vector<Point> outline(const std::vector<double>& edges, const std::vector<double>& heights);

// Probabilities of a 0 as bars there, side by side; the whole height of the axes above 0 is 1.
void draw_heaps(Canvas& canvas, const Axes& axes, double top, const std::vector<double>& heaps);
// What these bars are, with the numbers of a few classes; "" where there are none.
std::string said_of_heaps(const std::string& name, const std::vector<double>& heaps,
                          const std::vector<std::string>& classes);

// A tick for each row above the axis, in a lane for each class, in the order of the legend; of
// many rows some.
constexpr double rug_lane = 8;
double rug_height(std::size_t classes);
void draw_rug(Canvas& canvas, const Axes& axes, const Points& rows, std::size_t classes);
bool any_values(const Points& rows);

}  // namespace credence::plot

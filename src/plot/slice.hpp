// SPDX-License-Identifier: Apache-2.0
// A model seen along one or two of its columns. The other columns are left out of the row, which
// sums them out exactly, or fixed.
#pragma once

#include <string>
#include <vector>

#include "credence/model.hpp"
#include "credence/scorer.hpp"
#include "plot/drawing/contour.hpp"
#include "plot/drawing/ticks.hpp"

namespace credence::plot {

// Which columns a picture is about.
struct View {
  std::string x, y;  // empty: chosen
  std::string at;    // "height=170, sex=f": columns that are fixed
};

// The model's columns by name, with the errors a person can act on.
std::size_t column_named(const Model& model, const std::string& option, const std::string& name);
// The family of the block that a column belongs to.
std::string family_of(const Model& model, std::size_t column);
// A column of numbers that has a density along a line: numbers and counts, not 0/1 or shares.
bool is_numeric(const Model& model, std::size_t column);
std::vector<std::size_t> numeric_columns(const Model& model);
// The columns to contour: those named, else the first two numeric ones.
std::pair<std::size_t, std::size_t> contour_columns(const Model& model, const View& view);

// Rows to draw, or the rows of a model without data.
struct Points {
  std::vector<double> values;        // of one column; NaN: missing
  std::vector<std::size_t> classes;  // places in Scorer::classes(); no_class: unknown
  static constexpr std::size_t no_class = static_cast<std::size_t>(-1);
};
Points points_of(const std::vector<Chunk>& chunks, std::size_t column,
                 const std::vector<std::string>& classes);

class Slice {
 public:
  Slice(const Model& model, const std::string& at);

  const Scorer& scorer() const { return scorer_; }
  const std::vector<std::string>& classes() const { return scorer_.classes(); }
  // "sex = f; 3 other columns summed out", for a subtitle; `shown` columns are on the axes.
  std::string subtitle(const std::vector<std::size_t>& shown) const;

  // Does a column of numbers have a density? One that never varies is left out of the model.
  bool has_density(std::size_t column) const;
  void require_density(std::size_t column) const;

  // From the data with 5 % to each side, else from rows drawn from the model.
  Range range(const std::vector<Chunk>& data, std::size_t column) const;
  // The same, and wide enough that no class's density is cut; the data keep a third of the axis.
  Range range_of_densities(const std::vector<Chunk>& data, std::size_t column) const;
  // Where a class has its rows, as drawn from the model.
  Range range_of_class(std::size_t column, std::size_t cls) const;
  // Its middle half.
  Range middle_of_class(std::size_t column, std::size_t cls) const;

  // log p(x | c) with one column set, for every value: [value * classes + c].
  std::vector<double> log_density(std::size_t column, Column values) const;
  // log p(x, y | c) or log P(c, x, y) on a grid: [(j * nx + i) * classes + c].
  std::vector<double> log_density(std::size_t x, std::size_t y, const Grid& grid) const;
  std::vector<double> log_joint(std::size_t x, std::size_t y, const Grid& grid) const;
  // log P(c, fixed columns), before anything on the axes is known.
  std::vector<double> log_joint_before() const { return scorer_.log_joint(base_); }

 private:
  std::vector<double> drawn(std::size_t column, std::size_t cls) const;
  bool is_count(std::size_t column) const;
  Chunk rows(std::size_t count) const;
  Chunk rows(std::size_t x, std::size_t y, const Grid& grid) const;

  const Model& model_;
  Scorer scorer_;
  Scorer even_;  // the same with all classes alike: their densities, and samples of each
  Chunk base_;   // one row with the fixed columns
  std::string at_;
  Chunk drawn_;
};

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
// A classifier seen along one or two of its columns. The other columns are fixed, or left out of
// the row: a model sums them out exactly, logistic regression takes their means.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "credence/decision.hpp"
#include "credence/model.hpp"
#include "credence/scorer.hpp"
#include "plot/drawing/contour.hpp"
#include "plot/drawing/ticks.hpp"

namespace credence::plot {

// Which columns a picture is about.
struct View {
  std::string x, y;        // empty: chosen
  std::string at;          // "height=170, sex=f": columns that are fixed
  std::string given = {};  // a new row, which is marked
  Costs costs = {};        // of decisions
  bool all = false;        // every word of a bag instead of those that tell the classes apart
  std::vector<double> around = {};  // density: lines around these shares of a class
  std::size_t points = 2500;        // at most: more would be a smear of ink, and megabytes
};

// The place of a column, with the errors a person can act on.
std::size_t column_named(const Schema& schema, const std::string& option, const std::string& name);
// The family of the block that a column belongs to.
std::string family_of(const Model& model, std::size_t column);
// A column of numbers that has a density along a line: numbers and counts, not 0/1 or shares.
bool is_numeric(const Schema& schema, std::size_t column);
// Words, or 0/1.
bool is_word(const Schema& schema, std::size_t column);
std::vector<std::size_t> numeric_columns(const Schema& schema);
// A usage error where a curve is asked of a column that has none.
void require_number(const Model& model, std::size_t column);
// The columns to contour: those named, else the first two numeric ones. `model` says what is in the
// way of others, if it is there.
std::pair<std::size_t, std::size_t> contour_columns(const Schema& schema, const View& view,
                                                    const Model* model = nullptr);

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
  // Of a classifier that has no densities; it must outlive the slice.
  Slice(const Classifier& classifier, const std::string& at);

  const Classifier& classifier() const { return *classifier_; }
  const Schema& schema() const { return classifier_->schema(); }
  const std::vector<std::string>& classes() const { return classifier_->classes(); }
  // "sex = f; 3 other columns summed out", for a subtitle; `shown` columns are on the axes.
  std::string subtitle(const std::vector<std::size_t>& shown) const;

  // Does a column of numbers have a density? One that never varies is left out of the model.
  bool has_density(std::size_t column) const;
  void require_density(std::size_t column) const;
  // The values that a column of words can have, from the model or else from the data.
  std::vector<std::string> words(const std::vector<Chunk>& data, std::size_t column) const;
  // Between which the density of a column is flat; empty: it is smooth.
  std::vector<double> edges(std::size_t column) const;

  // May a number be 0 with a probability of its own? A density says nothing of it there.
  bool zeros_apart(std::size_t column) const;
  // P(0 | c) by class where it may; else empty.
  std::vector<double> heaps(std::size_t column) const;

  // From the data with 5 % to each side, else from rows drawn from the model.
  Range range(const std::vector<Chunk>& data, std::size_t column) const;
  // The same, and wide enough that no class's density is cut, except at 0 where no row is negative;
  // the data keep a third of the axis.
  Range range_of_densities(const std::vector<Chunk>& data, std::size_t column) const;
  // "densities go on below 0", where the range of the densities leaves some of them out; or "".
  std::string cut(const Range& range, std::size_t column) const;
  // Where a class has its rows, as drawn from the model.
  Range range_of_class(std::size_t column, std::size_t cls) const;
  // Its middle half.
  Range middle_of_class(std::size_t column, std::size_t cls) const;

  // log p(x | c) with one column set, for every value: [value * classes + c].
  std::vector<double> log_density(std::size_t column, Column values) const;
  // log p(x, y | c) on a grid: [(j * nx + i) * classes + c].
  std::vector<double> log_density(std::size_t x, std::size_t y, const Grid& grid) const;
  // The classifier's scores, log P(c, x, y) or log P(c | x, y), of every pair of values, and of
  // every value of one column.
  std::vector<double> scores(std::size_t x, std::size_t y, const Column& xs,
                             const Column& ys) const;
  std::vector<double> scores(std::size_t x, std::size_t y, const Grid& grid) const;
  std::vector<double> scores(std::size_t x, Column xs) const;

 private:
  std::vector<double> drawn(std::size_t column, std::size_t cls) const;
  bool is_count(std::size_t column) const;
  Chunk rows(std::size_t count) const;
  Chunk rows(std::size_t x, std::size_t y, const Column& xs, const Column& ys) const;

  // The density of the block that is this column alone; none where there is no such block.
  const Density* density_of(std::size_t column) const;

  std::vector<BlockSpec> blocks_;
  std::unique_ptr<const Scorer> scorer_;  // none where the classifier is another's
  std::unique_ptr<const Scorer>
      even_;  // the same with all classes alike: their densities, and samples
  const Classifier* classifier_;
  Chunk base_;  // one row with the fixed columns
  std::string at_;
  Chunk drawn_;
};

// The new row of a view: where it is, and its posterior in words.
struct Marked {
  std::optional<Point> at;
  std::string note;
};
// y: no column for pictures of one; the point is then at 0.
Marked marked(const Slice& slice, const View& view, std::size_t x, std::size_t y);
constexpr std::size_t no_column = static_cast<std::size_t>(-1);
// Wide enough for a mark as well; NaN: there is none.
Range with_mark(const Range& range, double mark);
void draw_mark(Canvas& canvas, const Point& at);

}  // namespace credence::plot

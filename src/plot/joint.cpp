// SPDX-License-Identifier: Apache-2.0
// p(x | c) P(c) of one column of numbers: who is above decides, and what is below is the error.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "notation/moments_in_time.hpp"
#include "plot/curves/along.hpp"
#include "plot/curves/curves.hpp"
#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

// By class at every place, and what the most probable class leaves to the others.
struct Joints {
  std::vector<std::vector<double>> values, logarithms;
  std::vector<double> error;
  std::vector<std::size_t> winners;
};

Joints joints_of(const Slice& slice, std::size_t x, const std::vector<double>& places) {
  const std::size_t classes = slice.classes().size();
  const auto before = slice.scores(x, Numbers{{std::nan("")}});
  const double evidence = log_sum_exp(before);  // of fixed columns; without any it is 1
  const auto scores = slice.scores(x, Numbers{places});
  Joints result;
  result.values.resize(classes);
  result.logarithms.resize(classes);
  for (std::size_t i = 0; i < places.size(); ++i) {
    double sum = 0, most = 0;
    std::size_t winner = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const double score = scores[i * classes + c] - evidence;
      const double p = std::exp(score);
      const double value = std::isfinite(p) ? p : 0;
      result.values[c].push_back(value);
      result.logarithms[c].push_back(score);
      sum += value;
      most = std::max(most, value);
      // By the logarithms: far from all rows the densities themselves are 0.
      if (score > result.logarithms[winner].back()) winner = c;
    }
    result.error.push_back(sum - most);
    result.winners.push_back(winner);
  }
  return result;
}

// Where the decision changes, where anything at all is probable or between two classes that follow
// each other.
std::vector<double> changes(const Slice& slice, std::size_t x, const Joints& joints,
                            const Along& along, bool counts) {
  std::vector<double> result;
  double top = 0;
  for (const auto& of_class : joints.values) {
    for (const double value : of_class) top = std::max(top, value);
  }
  for (std::size_t i = 1; i < joints.winners.size(); ++i) {
    const std::size_t a = joints.winners[i - 1], b = joints.winners[i];
    if (a == b) continue;
    const double left = along.places()[i - 1], right = along.places()[i];
    const bool between =
        slice.middle_of_class(x, a).high <= left && right <= slice.middle_of_class(x, b).low;
    if (joints.values[b][i] < 1e-6 * top && !between) continue;
    if (!along.edges().empty()) {
      result.push_back(along.edges()[i]);
      continue;
    }
    if (counts) {
      result.push_back((left + right) / 2);
      continue;
    }
    // Where the straight lines between the logarithms at the two places cross.
    const double before = joints.logarithms[a][i - 1] - joints.logarithms[b][i - 1];
    const double after = joints.logarithms[b][i] - joints.logarithms[a][i];
    const bool cross = std::isfinite(before + after) && before + after > 0;
    result.push_back(cross ? left + (right - left) * before / (before + after) : left);
  }
  return result;
}

std::string share_said(double share) {
  return share < 0.00005 ? fmt::format("{:.2g}", share) : fmt::format("{:.4f}", share);
}

std::string said_of(const char* what, const std::vector<double>& places, bool dates) {
  if (places.empty() || places.size() > 6) return "";
  std::vector<std::string> names;
  for (const double place : places) {
    names.push_back(dates                    ? data::written_date(std::round(place))
                    : std::abs(place) >= 1e4 ? fmt::format("{:.6g}", place)
                                             : fmt::format("{:.4g}", place));
  }
  return what + join(names, ", ");
}

// Calibration is of posteriors: p(x | c) P(c) is as it was counted, as are the densities.
Model as_counted(Model model) {
  model.settings().calibration.reset();
  return model;
}

// On the highest curve, and clear of the numbers below the axis.
void draw_star(Canvas& canvas, const Axes& axes, double x, const Joints& there) {
  double height = 0;
  for (const auto& of_class : there.values) height = std::max(height, of_class[0]);
  Point at = axes.at(x, height);
  at.y = std::min(at.y, axes.box().bottom() - 13);
  draw_mark(canvas, at);
}

// The curves, the error below them, and where they cross.
Axes draw_joints(Figure& figure, const Along& along, const Joints& joints, const Axis& x,
                 const std::string& y, const std::vector<double>& cuts,
                 const std::vector<double>& heaps) {
  auto& canvas = figure.canvas();
  double top = 0;
  for (const auto& of_class : joints.values) {
    for (const double value : of_class) top = std::max(top, value);
  }
  // What several classes leave to others may be above each of them.
  for (const double value : joints.error) top = std::max(top, value);
  const double high = top > 0 ? 1.05 * top : 1;
  Axes axes(canvas, figure.area(), x, {y, {0, high}, false, false, {}, false});
  axes.draw_grid();
  canvas.clip(axes.box());
  auto shade = along.line(joints.error);
  shade.insert(shade.begin(), {shade.front().x, 0});
  shade.push_back({shade.back().x, 0});
  canvas.fill({axes.at(shade)}, faded({0.35, 0.35, 0.35}, 0.35));
  for (const double cut : cuts) {
    canvas.stroke({axes.at(cut, 0), axes.at(cut, 2 * top)}, {faint_ink, 1.1, {4, 4}});
  }
  draw_heaps(canvas, axes, high, heaps);
  for (std::size_t c = 0; c < joints.values.size(); ++c) {
    canvas.stroke(axes.at(along.line(joints.values[c])), class_stroke(c, 2.2));
  }
  canvas.unclip();
  axes.draw_frame();
  return axes;
}

}  // namespace

std::string joint(const Model& model, const std::vector<Chunk>& data, const View& view,
                  const Look& look) {
  const auto numeric = numeric_columns(model.schema());
  if (view.x.empty() && numeric.empty()) {
    throw Error(ErrorKind::usage, "joint: needs a column of numbers, and the model has none");
  }
  const std::size_t x =
      view.x.empty() ? numeric[0] : column_named(model.schema(), setting("x"), view.x);
  require_number(model, x);
  const Slice slice(as_counted(model), view.at), calibrated(model, view.at);
  slice.require_density(x);
  const auto& column = model.schema().columns[x];
  const auto& target = model.schema().target;
  const bool counts = column.kind == ColumnKind::count, dates = holds_dates(column);
  const auto star = marked(calibrated, view, x, no_column);
  const Range range = with_mark(range_along(slice, data, x), star.at ? star.at->x : not_a_number);
  const Along along(slice, x, range);
  const auto drawn = joints_of(slice, x, along.places());
  // The error reaches as far as the densities, not only as far as the picture.
  const Along all(slice, x, counts ? Range{-0.5, 3 * range.high + 20} : widened(range, 1.5));
  const auto zero = slice.zeros_apart(x) ? joints_of(slice, x, {0}) : Joints{};
  const double error =
      all.area(joints_of(slice, x, all.places()).error) + (zero.error.empty() ? 0 : zero.error[0]);
  const auto cuts = changes(slice, x, drawn, along, counts);
  std::vector<double> heaps;
  for (const auto& of_class : zero.values) heaps.push_back(of_class[0]);
  const bool differ = model.settings().calibration != nullptr;
  const auto decided =
      differ ? changes(slice, x, joints_of(calibrated, x, along.places()), along, counts)
             : std::vector<double>();
  const auto name = fmt::format("{0}({1} | {2}) P({2})", counts ? "P" : "p", column.name, target);
  Figure figure(
      look, name,
      sentence({slice.subtitle({x}),
                fmt::format("shaded: the Bayes error, {} of all rows", share_said(error)),
                said_of_heaps(fmt::format("P({} = 0 | {}) P({})", column.name, target, target),
                              heaps, slice.classes()),
                said_of(differ ? "the curves cross at " : "the decision changes at ", cuts, dates),
                said_of("calibrated, the decision changes at ", decided, dates),
                slice.cut(range, x), star.note}));
  figure.add_legend(target, class_legend(slice.classes(), LegendEntry::Kind::line));
  const auto axes = draw_joints(figure, along, drawn, axis_of(column, range), name, cuts, heaps);
  if (star.at) draw_star(figure.canvas(), axes, star.at->x, joints_of(slice, x, {star.at->x}));
  return figure.canvas().finish();
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
// Whether a model still fits: its measures over time, block by block.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "hold_out/folds.hpp"
#include "measure/intervals.hpp"
#include "plot/drawing/figure.hpp"
#include "plot/judged/judged.hpp"

namespace credence::plot {
namespace {

struct Block {
  std::size_t first = 0, last = 0;  // places in the order
  WeightedMean right, loss, evidence;
  std::size_t impossible = 0;  // rows of infinite loss
};

struct Panel {
  std::string name;
  WeightedMean Block::*values;
  bool share = false;
  double least = -infinity;  // of its values
};

std::string time_text(const Chunk& chunk, std::size_t column, std::size_t row) {
  if (const auto* words = std::get_if<Categories>(&chunk.columns[column])) {
    return words->dictionary[static_cast<std::size_t>(words->codes[row])];
  }
  return format_number(std::get<Numbers>(chunk.columns[column]).values[row]);
}

Interval interval_of(const Panel& panel, const Block& block) {
  const double z = normal_quantile(0.95);
  const auto& values = block.*panel.values;
  if (panel.share) return wilson(values.mean(), values.rows(), z);
  return normal(values.mean(), values.deviation(), z, panel.least, infinity);
}

Axis axis_of(const Panel& panel, const std::vector<Block>& blocks) {
  std::vector<double> ys;
  for (const auto& block : blocks) {
    const auto& values = block.*panel.values;
    if (!(values.weight() > 0)) continue;
    const auto interval = interval_of(panel, block);
    for (const double y : {values.mean(), interval.low, interval.high}) {
      if (std::isfinite(y)) ys.push_back(y);
    }
  }
  auto range = widened(range_of(ys), 0.08);
  range.low = std::max(range.low, panel.least);
  if (panel.share) range = {std::max(0.0, range.low), std::min(1.0, range.high)};
  return {panel.name, range, false, false, {}, false};
}

// One measure: a point and its interval for every block, the mean of all as a line.
void draw_panel(Canvas& canvas, Axes& axes, const Panel& panel, const std::vector<Block>& blocks,
                const Range& x, std::size_t color) {
  double sum = 0, weight = 0;
  for (const auto& block : blocks) {
    const auto& values = block.*panel.values;
    sum += values.weight() * values.mean();
    weight += values.weight();
  }
  axes.draw_grid();
  canvas.clip(axes.box());
  const double mean = sum / weight;
  canvas.stroke({axes.at(x.low, mean), axes.at(x.high, mean)}, {faint_ink, 1.1, {5, 4}});
  std::vector<Point> line;
  for (const auto& block : blocks) {
    const auto& values = block.*panel.values;
    if (!(values.weight() > 0)) continue;
    const double middle = (static_cast<double>(block.first) + static_cast<double>(block.last)) / 2;
    const auto interval = interval_of(panel, block);
    if (std::isfinite(interval.low)) {
      canvas.stroke({axes.at(middle, interval.low), axes.at(middle, interval.high)},
                    {faded(class_color(color), 0.6), 1.4, {}});
    }
    line.push_back(axes.at(middle, values.mean()));
  }
  canvas.stroke(line, class_stroke(color, 1.8));
  canvas.unclip();
  for (const auto& point : line) canvas.marker(point, 0, 3.8, class_color(color));
  axes.draw_frame();
}

// The rows in order, cut into blocks.
struct Blocks {
  std::vector<Block> blocks;
  std::size_t labelled = 0, impossible = 0;
};

Blocks cut_blocks(const ScoredRows& scored, const std::vector<std::size_t>& order,
                  std::size_t count) {
  Blocks result{std::vector<Block>(count)};
  for (std::size_t place = 0; place < order.size(); ++place) {
    auto& block = result.blocks[place * count / order.size()];
    if (block.last == 0) block.first = place;
    block.last = place + 1;
    const auto& row = scored.rows[order[place]];
    const auto joint = scored.scores(order[place]);
    const double evidence = log_sum_exp(joint);
    if (std::isfinite(evidence)) block.evidence.add(evidence, row.weight);
    if (row.cls == Outcome::no_label) continue;
    const bool known = row.cls < scored.classes.size();
    const auto outcome = judge(joint, known ? row.cls : Outcome::no_label, row.weight);
    ++result.labelled;
    block.right.add(outcome.prediction == row.cls, row.weight);
    if (outcome.log_probability == -infinity) {
      ++result.impossible;
    } else {
      block.loss.add(-outcome.log_probability, row.weight);
    }
  }
  return result;
}

std::vector<Panel> panels_of(const Classifier& classifier, const Blocks& rows) {
  std::vector<Panel> panels;
  if (rows.labelled > 0) {
    panels.push_back({"accuracy", &Block::right, true});
    panels.push_back({"log-loss", &Block::loss, false, 0});
  }
  if (classifier.knows_evidence()) panels.push_back({"log evidence", &Block::evidence, false});
  if (panels.empty()) throw Error(ErrorKind::data, "drift: no row has a class");
  return panels;
}

// Along x are rows, not time: a busy week is as wide as it has rows.
Axis time_axis(const ScoredRows& scored, const std::vector<Chunk>& data,
               const std::vector<std::size_t>& order, const Drift& options) {
  const bool timed = options.time_column != Folds::no_column;
  Axis x{timed ? options.schema.columns[options.time_column].name +
                     " (equally many rows between ticks)"
               : "row",
         {0, static_cast<double>(order.size())},
         true,
         false,
         {},
         false};
  for (std::size_t i = 0; timed && i < 5; ++i) {
    const std::size_t place = i * (order.size() - 1) / 4;
    const auto& row = scored.rows[order[place]];
    x.marks.push_back(
        {static_cast<double>(place), time_text(data[row.chunk], options.time_column, row.row)});
  }
  return x;
}

void draw_panels(Figure& figure, const std::vector<Panel>& panels, const std::vector<Block>& blocks,
                 const Axis& x) {
  const Box area = figure.area();
  const double below = 40, gap = 12;
  const auto many = static_cast<double>(panels.size());
  const double height = (area.height - below - gap * (many - 1)) / many;
  auto& canvas = figure.canvas();
  std::vector<Axis> xs, ys;
  std::vector<Box> boxes;
  double left = 0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    xs.push_back(x);
    xs[i].bare = i + 1 < panels.size();
    ys.push_back(axis_of(panels[i], blocks));
    boxes.push_back({area.x, area.y + static_cast<double>(i) * (height + gap), area.width,
                     height + (xs[i].bare ? 0 : below)});
    left = std::max(left, Axes(canvas, boxes[i], xs[i], ys[i], 11).box().x);
  }
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Axes own(canvas, boxes[i], xs[i], ys[i], 11);
    Axes axes(canvas, Axes::beginning_at(left, boxes[i], own), xs[i], ys[i], 11);
    draw_panel(canvas, axes, panels[i], blocks, x.range, i);
  }
}

}  // namespace

std::string drift(const Classifier& classifier, const std::vector<Chunk>& data,
                  const Drift& options, const Look& look) {
  const auto scored = score_rows(classifier, data, WhichRows::all);
  const std::size_t rows = scored.rows.size();
  if (rows < 2) throw Error(ErrorKind::data, "drift: needs at least 2 rows");
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options.time_column != Folds::no_column) {
    const auto& name = options.schema.columns[options.time_column].name;
    const auto times = values_of(data, scored.rows, name, options.time_column, true);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return times[a] < times[b]; });
  }
  const auto found = cut_blocks(scored, order, std::min(options.blocks, rows));
  const auto panels = panels_of(classifier, found);
  std::string subtitle = fmt::format("{} rows in {} blocks; 95 % intervals; dashed: the mean", rows,
                                     found.blocks.size());
  if (found.impossible > 0) {
    subtitle += fmt::format("; log-loss without {} row{} of infinite loss", found.impossible,
                            found.impossible == 1 ? "" : "s");
  }
  Figure figure(look, fmt::format("{}: does the model still fit?", classifier.schema().target),
                subtitle);
  draw_panels(figure, panels, found.blocks, time_axis(scored, data, order, options));
  return figure.canvas().finish();
}

}  // namespace credence::plot

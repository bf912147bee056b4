// SPDX-License-Identifier: Apache-2.0
#include "plot/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "plot/drawing/figure.hpp"
#include "plot/panels.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

constexpr std::size_t most_word_panels = 20;

// Bars to the right, the heaviest on top, the words inside or beside them.
void draw_list(Canvas& canvas, const Box& box, const ParameterTable::WordList& list, double top,
               std::size_t cls, double size) {
  const auto title =
      canvas.shrunk(list.title, {size + 1, true, ink, Align::left, false}, box.width, 0.7 * size);
  canvas.text({box.x, box.y + 0.8 * size}, canvas.fitted(list.title, title, box.width), title);
  const double head = 2 * size + 2, line = 1.5 * size;
  const auto room = static_cast<std::size_t>(std::max(1.0, (box.height - head) / line));
  const double half = 0.45 * box.width;  // for the words
  for (std::size_t i = 0; i < std::min(room, list.words.size()); ++i) {
    const auto& [word, weight] = list.words[i];
    const double y = box.y + head + line * (static_cast<double>(i) + 0.5);
    const TextStyle name{size, false, ink, Align::right, false};
    canvas.text({box.x + half - 6, y}, canvas.fitted(word, name, half - 6), name);
    const auto number = fmt::format("{:.3g}", weight);
    const TextStyle style{0.9 * size, false, faint_ink, Align::left, false};
    const double longest = box.width - half - canvas.text_width("0.000", style) - 8;
    const double width = std::isfinite(weight) ? longest * weight / top : longest;
    canvas.fill(Box{box.x + half, y - 0.42 * line, std::max(0.5, width), 0.84 * line},
                tint(class_color(cls), 0.75));
    canvas.text({box.x + half + width + 4, y}, std::isfinite(weight) ? number : "∞", style);
  }
}

// Those that speak for a class; others say what is frequent, which most classes share.
std::vector<ParameterTable::WordList> speaking(const ParameterTable& table) {
  std::vector<ParameterTable::WordList> result;
  constexpr std::string_view start = "speak for ", end = " (log-odds)";
  for (const auto& list : table.lists) {
    if (!list.title.starts_with(start)) continue;
    result.push_back(list);
    auto& title = result.back().title;
    title.erase(0, start.size());
    if (title.ends_with(end)) title.erase(title.size() - end.size());
  }
  return result;
}

double longest_bar(const std::vector<ParameterTable::WordList>& lists) {
  double top = 0;
  for (const auto& list : lists) {
    for (const auto& [word, weight] : list.words) {
      if (std::isfinite(weight)) top = std::max(top, weight);
    }
  }
  return top > 0 ? top : 1;
}

}  // namespace

std::string word_panels(const ParameterTable& table, const Look& look) {
  auto lists = speaking(table);
  if (lists.empty()) lists = table.lists;
  const std::size_t all = lists.size();
  if (lists.size() > most_word_panels) lists.resize(most_word_panels);
  const std::size_t panels = lists.size();
  Figure figure(
      look, fmt::format("{}: words that speak for each class", table.title),
      sentence({table.remark,
                "bars: log-odds against the other classes; first what adds most to a document, "
                "log-odds times "
                "how frequent the word is there",
                panels < all ? fmt::format("the first {} of {} classes", panels, all) : ""}));
  auto& canvas = figure.canvas();
  const auto boxes = panel_boxes(panels, figure.area());
  const double size = panels > 9 ? 8 : panels > 4 ? 9.5 : 11.5;
  const double top = longest_bar(lists);
  for (std::size_t c = 0; c < panels; ++c) {
    draw_list(canvas, boxes[c], lists[c], top, c, size);
  }
  return canvas.finish();
}

std::string all_words(const ParameterTable& table, const std::vector<std::string>& classes,
                      const std::string& target, const Look& look) {
  constexpr std::size_t most = 12;
  const std::size_t panels = std::min(most, classes.size());
  double top = 0;
  for (const auto& row : table.rows) {
    for (const auto& cell : row.cells)
      top = std::isfinite(cell.value) ? std::max(top, cell.value) : top;
  }
  Figure figure(
      look, fmt::format("{}: all {} features", table.title, table.rows.size()),
      sentence({table.remark, panels < classes.size() ? fmt::format("the first {} of {} classes",
                                                                    panels, classes.size())
                                                      : ""}));
  auto& canvas = figure.canvas();
  const auto count = static_cast<double>(table.rows.size());
  const double text = panels > 4 ? 9 : 11;
  const TextStyle name{text + 1, true, ink, Align::left, false};
  Panels grid(canvas, figure.area(), panels, 1.8 * name.size,
              {"feature, in their order", {0, count + 1}, true, false, {}, false},
              {"probability", {0, top > 0.5 ? 1.0 : 1.05 * top}, false, false, {}, false}, text);
  for (std::size_t c = 0; c < panels; ++c) {
    auto axes = grid.axes(c);
    canvas.text({axes.box().x, axes.box().y - 0.9 * name.size},
                canvas.fitted(fmt::format("{} = {}", target, classes[c]), name, axes.box().width),
                name);
    axes.draw_grid(false, true);
    canvas.clip(axes.box());
    const double width = std::clamp(0.8 * axes.box().width / count, 0.35, 6.0);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const double x = static_cast<double>(i) + 1, value = table.rows[i].cells[c].value;
      if (!(value > 0)) continue;
      canvas.stroke({axes.at(x, 0), axes.at(x, value)}, {class_color(c), width, {}});
    }
    canvas.unclip();
    axes.draw_frame();
  }
  return canvas.finish();
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
// Which column depends on which: a tree from left to right. The heavier a line, the more its two
// columns tell of each other within a class.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "credence/error.hpp"
#include "plot/drawing/figure.hpp"
#include "plot/plot.hpp"

namespace credence::plot {
namespace {

struct Twig {
  const ParameterTable::Dependence* entry;
  std::size_t depth = 0;
  std::size_t parent = 0;  // among the twigs; of a root, itself
  double row = 0;          // leaves have whole numbers, the others lie in the middle of theirs
};

// All columns of one block, each behind its parent.
class Twigs {
 public:
  explicit Twigs(const ParameterTable& table, double first_row) : next_row_(first_row) {
    for (const auto& entry : table.structure) children_[entry.parent].push_back(&entry);
    for (const auto* root : children_[""]) grow(*root, 0, twigs_.size());
  }
  const std::vector<Twig>& all() const { return twigs_; }
  double rows() const { return next_row_; }

 private:
  void grow(const ParameterTable::Dependence& entry, std::size_t depth, std::size_t parent) {
    const std::size_t own = twigs_.size();
    twigs_.push_back({&entry, depth, parent});
    const auto below = children_.find(entry.column);
    if (below == children_.end()) {
      twigs_[own].row = next_row_++;
      return;
    }
    std::size_t last = own;
    const std::size_t first = twigs_.size();
    for (const auto* child : below->second) {
      last = twigs_.size();
      grow(*child, depth + 1, own);
    }
    twigs_[own].row = (twigs_[first].row + twigs_[last].row) / 2;
  }

  std::map<std::string, std::vector<const ParameterTable::Dependence*>> children_;
  std::vector<Twig> twigs_;
  double next_row_;
};

// Where the columns of the tree stand: every depth is as wide as its longest name.
std::vector<double> places_of_depths(const std::vector<Twig>& twigs, const Canvas& canvas,
                                     const TextStyle& style, const Box& area) {
  std::vector<double> widths;
  for (const auto& twig : twigs) {
    if (twig.depth >= widths.size()) widths.resize(twig.depth + 1, 0.0);
    widths[twig.depth] = std::max(widths[twig.depth], canvas.text_width(twig.entry->column, style));
  }
  double total = 0;
  for (const double width : widths) total += width;
  const double gaps = std::max<double>(1, static_cast<double>(widths.size()) - 1);
  const double gap = std::clamp((area.width - total) / gaps, 18.0, 90.0);
  const double scale = std::min(1.0, (area.width - gap * gaps) / std::max(total, 1.0));
  std::vector<double> places{area.x};
  for (const double width : widths) places.push_back(places.back() + scale * width + gap);
  return places;
}

// The trees of all blocks, one below the other.
struct Grove {
  std::vector<ParameterTable> tables;
  std::vector<Twig> twigs = {};
  double rows = 0;
  double most = 0;  // information of an edge

  explicit Grove(const Scorer& scorer) {
    for (auto& table : scorer.tables()) {
      if (!table.structure.empty()) tables.push_back(std::move(table));
    }
    for (const auto& table : tables) {
      const Twigs own(table, rows);
      const std::size_t before = twigs.size();
      for (auto twig : own.all()) {
        twig.parent += before;
        twigs.push_back(twig);
        most = std::max(most, twig.entry->information);
      }
      rows = own.rows();
    }
    if (!twigs.empty()) return;
    throw Error(
        ErrorKind::usage,
        fmt::format("this model has no tree of columns: pairs read as tan or kdb=1 have one "
                    "({})",
                    setting("as", "a, b, c: pairs")));
  }
  Grove(const Grove&) = delete;  // twigs point into tables
  Grove& operator=(const Grove&) = delete;
};

void draw_grove(const Grove& grove, Canvas& canvas, const Box& area) {
  const double step = area.height / std::max(grove.rows, 1.0);
  TextStyle style;
  style.size = std::clamp(step * 0.75, 5.0, 13.0);
  const auto places = places_of_depths(grove.twigs, canvas, style, area);
  const auto at = [&](const Twig& twig) {
    return Point{places[twig.depth], area.y + (twig.row + 0.5) * step};
  };
  const auto name = [&](const Twig& twig) {
    const double room = places[twig.depth + 1] - places[twig.depth] - 14;
    return canvas.fitted(twig.entry->column, style, std::max(room, 10.0));
  };
  for (const auto& twig : grove.twigs) {
    if (twig.entry->parent.empty()) continue;
    const auto& parent = grove.twigs[twig.parent];
    const Point from{at(parent).x + canvas.text_width(name(parent), style) + 5, at(parent).y};
    const Point to{at(twig).x - 5, at(twig).y};
    const double share = grove.most > 0 ? twig.entry->information / grove.most : 0;
    canvas.stroke({from, to}, {tint(class_color(4), 0.35 + 0.65 * share), 0.8 + 4 * share, {}});
  }
  for (const auto& twig : grove.twigs) canvas.text(at(twig), name(twig), style);
}

}  // namespace

std::string structure(const Model& model, const Look& look) {
  const Grove grove{Scorer(model)};
  const auto& remark = grove.tables[0].remark;
  Figure figure(look, fmt::format("{}: which column depends on which", model.schema().target),
                fmt::format("{}; heavier lines: more information given the class, {:.3g} nats per "
                            "row at most",
                            remark.substr(0, remark.find(';')), grove.most));
  draw_grove(grove, figure.canvas(), figure.area());
  return figure.canvas().finish();
}

}  // namespace credence::plot

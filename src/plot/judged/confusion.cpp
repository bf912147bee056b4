// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "plot/drawing/heat.hpp"
#include "plot/judged/judged.hpp"

namespace credence::plot {
namespace {

// Blank where nothing was confused, so that the eye finds what was.
HeatCell confusion_cell(double count, double support) {
  if (count == 0) return {.nothing = true};
  const double share = support > 0 ? count / support : 0;
  return {share, short_count(count), fmt::format("{:.{}f} %", 100 * share, share < 0.0995 ? 1 : 0)};
}

}  // namespace

std::string confusion(const Judged& judged, const Look& look) {
  const auto& labels = judged.labels;
  const auto& metrics = judged.metrics;
  if (labels.size() > most_classes) {
    throw Error(ErrorKind::usage,
                fmt::format("confusion: {} classes do not fit a picture, {} do; {} has all counts",
                            labels.size(), most_classes, setting("Metrics::confusion")));
  }
  std::string subtitle = fmt::format("{} rows, {:.2f} % right; shaded by share of the true class",
                                     format_number(metrics.rows), 100 * metrics.accuracy);
  if (metrics.undecided > 0) {
    subtitle += fmt::format("; {} without a label", format_number(metrics.undecided));
  }
  Figure figure(look, fmt::format("{}: truth and prediction", judged.target), subtitle);
  add_share_bar(figure, "share");
  HeatMap map{"truth", "prediction", labels, labels, {}};
  const auto table = metrics.confusion.table();
  for (std::size_t t = 0; t < labels.size(); ++t) {
    for (std::size_t p = 0; p < labels.size(); ++p) {
      map.cells.push_back(confusion_cell(table[t][p], metrics.classes[t].support));
    }
  }
  draw_heat(figure.canvas(), figure.area(), map);
  return figure.canvas().finish();
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/strings.hpp"

namespace credence::plot {
namespace {

constexpr double margin = 14;
constexpr double swatch = 20;  // width of a legend's sample of colour

// Levels are sums of steps: what is beyond six digits is rounding.
std::string level_name(double level) { return fmt::format("{:.6g}", level); }

}  // namespace

std::vector<LegendEntry> class_legend(const std::vector<std::string>& classes,
                                      LegendEntry::Kind kind) {
  std::vector<LegendEntry> entries;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    entries.push_back({classes[c], kind, class_stroke(c, 2), class_marker(c)});
  }
  return entries;
}

Figure::Figure(const Look& look, const std::string& title, const std::string& subtitle)
    : canvas_(look) {
  area_ = {margin, margin, canvas_.width() - 2 * margin, canvas_.height() - 2 * margin};
  const auto lines = [&](const std::string& text, const TextStyle& style, double height) {
    for (const auto& line : canvas_.wrapped(text, style, area_.width, 3)) {
      canvas_.text({area_.x, area_.y + height / 2}, line, style);
      area_.y += height;
      area_.height -= height;
    }
  };
  lines(look.title.empty() ? title : look.title, {17, true, ink, Align::left, false}, 22);
  lines(subtitle, {11.5, false, faint_ink, Align::left, false}, 17);
  area_.y += 8;
  area_.height -= 8;
}

Box Figure::add_legend(const std::string& heading, const std::vector<LegendEntry>& entries) {
  const TextStyle style{12, false, ink, Align::left, false};
  const TextStyle bold{12, true, ink, Align::left, false};
  const double longest = std::max(60.0, 0.24 * canvas_.width());
  const double top = heading.empty() ? 0 : 22;
  const double spacing =
      std::clamp((area_.height - top) / static_cast<double>(entries.size()), 15.0, 20.0);
  const auto room = static_cast<std::size_t>(std::max(1.0, (area_.height - top) / spacing));
  const std::size_t shown = entries.size() <= room ? entries.size() : room - 1;
  double width = std::min(longest, canvas_.text_width(heading, bold));
  for (std::size_t i = 0; i < shown; ++i) {
    const double text = std::min(longest, canvas_.text_width(entries[i].name, style));
    width = std::max(width, swatch + 8 + text);
  }
  if (shown < entries.size()) width = std::max(width, 80.0);
  const Box box{area_.right() - width, area_.y, width,
                top + spacing * static_cast<double>(std::min(room, entries.size()))};
  area_.width -= width + 18;

  canvas_.text({box.x, box.y + 8}, canvas_.fitted(heading, bold, width), bold);
  double y = box.y + top + 8;
  for (std::size_t i = 0; i < shown; ++i, y += spacing) {
    const auto& entry = entries[i];
    const Point middle{box.x + swatch / 2, y};
    if (entry.kind == LegendEntry::Kind::patch) {
      canvas_.fill(Box{box.x + 2, y - 5, swatch - 4, 10}, entry.stroke.color);
    } else if (entry.kind == LegendEntry::Kind::marker) {
      canvas_.marker(middle, entry.marker, 4.5, entry.stroke.color);
    } else {
      canvas_.stroke({{box.x, y}, {box.x + swatch, y}}, entry.stroke);
      if (entry.kind == LegendEntry::Kind::line_with_marker) {
        canvas_.marker(middle, entry.marker, 3.5, entry.stroke.color);
      }
    }
    canvas_.text({box.x + swatch + 8, y},
                 canvas_.fitted(entry.name, style, width - swatch - 8 + 0.01), style);
  }
  if (shown < entries.size()) {
    const auto rest = fmt::format("… {} more", entries.size() - shown);
    canvas_.text({box.x, y}, rest, {12, false, faint_ink, Align::left, false});
  }
  return box;
}

Box Figure::add_color_bar(const std::string& heading, const std::vector<double>& levels,
                          const std::vector<Color>& bands) {
  const TextStyle style{11, false, ink, Align::left, false};
  const TextStyle bold{12, true, ink, Align::left, false};
  double width = canvas_.text_width(heading, bold);
  for (const double level : levels) {
    width = std::max(width, 24 + canvas_.text_width(level_name(level), style));
  }
  const Box box{area_.right() - width, area_.y, width, std::min(area_.height, 320.0)};
  area_.width -= width + 18;
  canvas_.text({box.x, box.y + 8}, heading, bold);
  const Box bar{box.x, box.y + 24, 16, box.height - 32};
  const double step = bar.height / static_cast<double>(bands.size());
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const double y = bar.bottom() - step * static_cast<double>(i + 1);
    canvas_.fill(Box{bar.x, y, bar.width, step}, bands[i]);
  }
  canvas_.stroke(bar, {frame_gray, 0.8, {}});
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double y = bar.bottom() - step * static_cast<double>(i + 1);
    canvas_.stroke({{bar.right(), y}, {bar.right() + 3, y}}, {frame_gray, 0.8, {}});
    canvas_.text({bar.right() + 7, y}, level_name(levels[i]), style);
  }
  return box;
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "plot/drawing/cairo_library.hpp"
#include "plot/drawing/text.hpp"

#ifdef CREDENCE_SANITIZED
// Fontconfig keeps what it has found of fonts to the end of the process.
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }
#endif

namespace credence::plot {
namespace {

const CairoLibrary& library() { return CairoLibrary::loaded(); }

cairo_status_t append(void* bytes, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  throw Error(ErrorKind::system,
              fmt::format("drawing failed: {}", library().status_to_string(status)));
}

// Cairo numbers its surfaces through the life of the process: a second picture would differ.
void drop_surface_numbers(std::string& svg) {
  constexpr std::string_view start = " id=\"surface";
  for (auto at = svg.find(start); at != std::string::npos; at = svg.find(start, at)) {
    svg.erase(at, svg.find('"', at + start.size()) + 1 - at);
  }
}

// What would be so without being said; joins are round, so that no miter has a limit.
void drop_defaults(std::string& svg) {
  for (const std::string_view said :
       {"stroke-linecap:butt;", "stroke-miterlimit:10;", "stroke-opacity:1;", "fill-opacity:1;"}) {
    std::string rest;
    std::size_t from = 0;
    for (auto at = svg.find(said); at != std::string::npos; at = svg.find(said, from)) {
      rest.append(svg, from, at - from);
      from = at + said.size();
    }
    svg = rest + svg.substr(from);
  }
}

// Cairo writes six decimals. Half of a file is gone without those that nobody sees: a thousandth
// of a pixel, or of what small numbers scale.
std::string with_short_numbers(const std::string& svg) {
  std::string result;
  result.reserve(svg.size());
  const auto digit = [&](std::size_t i) {
    return i < svg.size() && svg[i] >= '0' && svg[i] <= '9';
  };
  for (std::size_t i = 0; i < svg.size();) {
    std::size_t point = i;
    while (digit(point)) ++point;
    std::size_t end = point + 1;
    while (digit(end)) ++end;
    if (point == i || point >= svg.size() || svg[point] != '.' || end < point + 4) {
      const std::size_t next = std::max(i + 1, point);
      result.append(svg, i, next - i);
      i = next;
      continue;
    }
    auto number = fmt::format("{:.{}f}", *to_number(svg.substr(i, end - i)), point - i > 1 ? 2 : 4);
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    result += number;
    i = end;
  }
  return result;
}

}  // namespace

struct Canvas::Surface {
  Format format;
  std::string bytes;
  cairo_surface_t* surface = nullptr;
  cairo_t* cairo = nullptr;

  explicit Surface(const Look& look) : format(look.format) {
    constexpr double points_per_pixel = 0.75;
    if (format == Format::png) {
      surface = library().image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(look.width),
                                               static_cast<int>(look.height));
    } else if (format == Format::svg) {
      surface = library().svg_surface_create_for_stream(append, &bytes, look.width, look.height);
      library().svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    } else {
      surface = library().pdf_surface_create_for_stream(
          append, &bytes, look.width * points_per_pixel, look.height * points_per_pixel);
      // Without this Cairo writes the present time.
      library().pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                         "2000-01-01T00:00:00Z");
    }
    cairo = library().create(surface);
    if (format == Format::pdf) library().scale(cairo, points_per_pixel, points_per_pixel);
    auto* options = library().font_options_create();
    library().font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    library().font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    library().font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    library().set_font_options(cairo, options);
    library().font_options_destroy(options);
    library().set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    library().set_fill_rule(cairo, CAIRO_FILL_RULE_EVEN_ODD);
  }
  ~Surface() {
    library().destroy(cairo);
    library().surface_destroy(surface);
  }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  void use(const Color& color) {
    library().set_source_rgba(cairo, color.red, color.green, color.blue, color.alpha);
  }
  void use(const TextStyle& style) {
    library().select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                               style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    library().set_font_size(cairo, style.size);
  }
};

Format format_of(const std::string& path) {
  const std::vector<std::pair<std::string, Format>> endings = {
      {".svg", Format::svg}, {".png", Format::png}, {".pdf", Format::pdf}};
  std::string lower = path;
  for (auto& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  for (const auto& [ending, format] : endings) {
    if (lower.ends_with(ending)) return format;
  }
  throw Error(ErrorKind::usage,
              fmt::format("-o {}: a picture's name ends in .svg, .png or .pdf", path));
}

double Look::scale() const { return std::max(0.7, std::min(width / 800, height / 300)); }

Canvas::Canvas(const Look& look) {
  for (const double side : {look.width, look.height}) {
    if (side >= 200 && side <= 10000 && side == std::floor(side)) continue;
    throw Error(ErrorKind::usage,
                fmt::format("a picture of {} x {} pixels: each side is a whole number from 200 "
                            "to 10000",
                            look.width, look.height));
  }
  surface_ = std::make_unique<Surface>(look);
  const double scale = look.scale();
  width_ = look.width / scale;
  height_ = look.height / scale;
  library().scale(surface_->cairo, scale, scale);
  fill({0, 0, width_, height_}, {1, 1, 1});
}

Canvas::~Canvas() = default;

void Canvas::trace(const std::vector<Point>& line, bool closed) {
  auto* cairo = surface_->cairo;
  const auto points = simplified(line, 0.05);
  for (std::size_t i = 0; i < points.size(); ++i) {
    // A hundredth of a pixel is as fine as anyone sees; files stay small.
    const Point at{std::round(points[i].x * 100) / 100, std::round(points[i].y * 100) / 100};
    if (i == 0) {
      library().move_to(cairo, at.x, at.y);
    } else {
      library().line_to(cairo, at.x, at.y);
    }
  }
  if (closed) library().close_path(cairo);
}

void Canvas::fill(const Box& box, const Color& color) {
  surface_->use(color);
  library().rectangle(surface_->cairo, box.x, box.y, box.width, box.height);
  library().fill(surface_->cairo);
}

void Canvas::fill(const std::vector<std::vector<Point>>& rings, const Color& color) {
  if (rings.empty()) return;
  for (const auto& ring : rings) trace(ring, true);
  surface_->use(color);
  library().fill(surface_->cairo);
}

void Canvas::stroke(const Box& box, const Stroke& style) {
  stroke({{box.x, box.y}, {box.right(), box.y}, {box.right(), box.bottom()}, {box.x, box.bottom()}},
         style, true);
}

void Canvas::stroke(const std::vector<Point>& line, const Stroke& style, bool closed) {
  if (line.size() < 2) return;
  trace(line, closed);
  surface_->use(style.color);
  library().set_line_width(surface_->cairo, style.width);
  library().set_dash(surface_->cairo, style.dashes.data(), static_cast<int>(style.dashes.size()),
                     0);
  library().stroke(surface_->cairo);
}

void Canvas::marker(const Point& at, std::size_t shape, double radius, const Color& color) {
  auto* cairo = surface_->cairo;
  const auto polygon = [&](int corners, double turn, double size) {
    for (int i = 0; i < corners; ++i) {
      const double angle = turn + 2 * std::numbers::pi * i / corners;
      library().line_to(cairo, at.x + size * std::cos(angle), at.y + size * std::sin(angle));
    }
    library().close_path(cairo);
  };
  const auto star = [&](int arms, double turn, double waist) {
    for (int i = 0; i < 2 * arms; ++i) {
      const double angle = turn + std::numbers::pi * i / arms;
      const double size = radius * (i % 2 ? waist : 1.35);
      library().line_to(cairo, at.x + size * std::cos(angle), at.y + size * std::sin(angle));
    }
    library().close_path(cairo);
  };
  constexpr double up = -std::numbers::pi / 2;
  library().new_path(cairo);
  switch (shape % marker_shapes) {
    case 0:
      library().arc(cairo, at.x, at.y, radius, 0, 2 * std::numbers::pi);
      library().close_path(cairo);
      break;
    case 1:
      polygon(3, up, radius * 1.35);
      break;
    case 2:
      polygon(4, std::numbers::pi / 4, radius * 1.25);
      break;
    case 3:
      polygon(4, 0, radius * 1.35);
      break;
    case 4:
      polygon(3, -up, radius * 1.35);
      break;
    case 5:
      star(4, std::numbers::pi / 4, 0.45);
      break;
    default:
      star(5, up, 0.6);
  }
  surface_->use(color);
  library().fill_preserve(cairo);
  library().set_source_rgba(cairo, 1, 1, 1, 0.85);
  library().set_line_width(cairo, 0.6);
  library().set_dash(cairo, nullptr, 0, 0);
  library().stroke(cairo);
}

void Canvas::text(const Point& at, std::string_view text, const TextStyle& style) {
  const std::string clean = clean_text(text);
  if (clean.empty()) return;
  if (surface_->format == Format::svg) said_ += escaped(clean) + "\n";
  auto* cairo = surface_->cairo;
  surface_->use(style);
  surface_->use(style.color);
  cairo_text_extents_t extents;
  library().text_extents(cairo, clean.c_str(), &extents);
  const double share = style.align == Align::left ? 0 : (style.align == Align::center ? 0.5 : 1);
  library().save(cairo);
  library().translate(cairo, at.x, at.y);
  if (style.upwards) library().rotate(cairo, -std::numbers::pi / 2);
  // The middle of a capital letter, whatever letters the text has, so that lines align.
  library().move_to(cairo, -share * extents.x_advance, 0.36 * style.size);
  library().show_text(cairo, clean.c_str());
  library().restore(cairo);
}

double Canvas::text_width(std::string_view text, const TextStyle& style) const {
  surface_->use(style);
  cairo_text_extents_t extents;
  library().text_extents(surface_->cairo, clean_text(text).c_str(), &extents);
  return extents.x_advance;
}

std::string Canvas::fitted(std::string_view text, const TextStyle& style, double room) const {
  // A room that was measured from the text itself may have lost its last bits.
  const double enough = room + 1e-6;
  return shortened(text, [&](const std::string& t) { return text_width(t, style) <= enough; });
}

TextStyle Canvas::shrunk(std::string_view text, TextStyle style, double room, double least) const {
  const double width = text_width(text, style);
  if (width > room) style.size = std::max(least, style.size * room / width);
  return style;
}

std::vector<std::string> Canvas::wrapped(std::string_view text, const TextStyle& style, double room,
                                         std::size_t most) const {
  std::vector<std::string> lines;
  std::string line, rest = clean_text(text);
  while (!rest.empty()) {
    const auto space = rest.find(' ', 1);
    const std::string word = rest.substr(0, space);
    const bool last = lines.size() + 1 >= most;
    if (!line.empty() && !last && text_width(line + word, style) > room) {
      lines.push_back(line);
      line = word.substr(std::min(word.size(), word.find_first_not_of(' ')));
    } else {
      line += word;
    }
    rest.erase(0, word.size());
  }
  if (!line.empty()) lines.push_back(line);
  for (auto& one : lines) one = fitted(one, style, room);
  return lines;
}

void Canvas::clip(const Box& box) {
  library().save(surface_->cairo);
  library().rectangle(surface_->cairo, box.x, box.y, box.width, box.height);
  library().clip(surface_->cairo);
}

void Canvas::unclip() { library().restore(surface_->cairo); }

std::string Canvas::finish() {
  check(library().status(surface_->cairo));
  if (surface_->format == Format::png) {
    check(library().surface_write_to_png_stream(surface_->surface, append, &surface_->bytes));
  }
  library().surface_finish(surface_->surface);
  check(library().surface_status(surface_->surface));
  if (surface_->format == Format::svg) {
    drop_surface_numbers(surface_->bytes);
    drop_defaults(surface_->bytes);
    surface_->bytes = with_short_numbers(surface_->bytes);
    const auto inside = surface_->bytes.find('>', surface_->bytes.find("<svg"));
    if (!said_.empty()) surface_->bytes.insert(inside + 1, "\n<desc>" + said_ + "</desc>");
  }
  return std::move(surface_->bytes);
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
// One drawing surface for three formats. Cairo does the drawing; nothing else sees it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace credence::plot {

enum class Format { svg, png, pdf };

// By the ending of the file's name; a usage error names the three that exist.
Format format_of(const std::string& path);

struct Point {
  double x = 0, y = 0;
};

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  Point center() const { return {x + width / 2, y + height / 2}; }
};

struct Color {
  double red = 0, green = 0, blue = 0, alpha = 1;
};

// The line without the points that lie no farther than `tolerance` from what is left of it (Douglas
// and Peucker 1973).
std::vector<Point> simplified(const std::vector<Point>& line, double tolerance);

enum class Align { left, center, right };

struct TextStyle {
  double size = 12;
  bool bold = false;
  Color color{0.13, 0.13, 0.13};
  Align align = Align::left;
  bool upwards = false;  // turned to read from bottom to top
};

struct Stroke {
  Color color;
  double width = 1;
  std::vector<double> dashes;
};

// What every picture is told about itself.
struct Look {
  Format format = Format::svg;
  double width = 800, height = 600;  // pixels; in a PDF, 96 of them to the inch
  std::string title;                 // empty: the picture's own

  // Sizes are meant for a width of 800: a larger picture has larger text and lines.
  double scale() const;
};

class Canvas {
 public:
  explicit Canvas(const Look& look);
  ~Canvas();

  double width() const { return width_; }
  double height() const { return height_; }

  void fill(const Box& box, const Color& color);
  // The inside of rings, holes left out (even-odd).
  void fill(const std::vector<std::vector<Point>>& rings, const Color& color);
  void stroke(const Box& box, const Stroke& stroke);
  void stroke(const std::vector<Point>& line, const Stroke& stroke, bool closed = false);
  // One of marker_shapes shapes, white-rimmed so that neighbours stay apart.
  void marker(const Point& at, std::size_t shape, double radius, const Color& color);
  static constexpr std::size_t marker_shapes = 7;

  // y is the middle of the line of text.
  void text(const Point& at, std::string_view text, const TextStyle& style);
  double text_width(std::string_view text, const TextStyle& style) const;
  // The text, cut with … where it is wider than `room`.
  std::string fitted(std::string_view text, const TextStyle& style, double room) const;
  // The style with letters as much smaller as the text needs to fit, down to the size `least`.
  TextStyle shrunk(std::string_view text, TextStyle style, double room, double least) const;
  // Lines no wider than `room`, broken between words; the last of `most` is cut.
  std::vector<std::string> wrapped(std::string_view text, const TextStyle& style, double room,
                                   std::size_t most) const;

  // Nothing outside the box is drawn until unclip().
  void clip(const Box& box);
  void unclip();

  // The file's bytes; the same drawing gives the same bytes. Draws nothing after this. Letters are
  // outlines in an SVG, so what they say is in its <desc>, for those who search or listen.
  std::string finish();

 private:
  struct Surface;
  void trace(const std::vector<Point>& line, bool closed);

  std::unique_ptr<Surface> surface_;
  double width_, height_;
  std::string said_;  // all texts, a line each
};

}  // namespace credence::plot

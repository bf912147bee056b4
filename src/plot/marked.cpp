// SPDX-License-Identifier: Apache-2.0
// A new row in a picture of columns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "plot/slice.hpp"

namespace credence::plot {
namespace {

double place_of(const Chunk& row, std::size_t column, const Slice& slice) {
  const auto* numbers = std::get_if<Numbers>(&row.columns[column]);
  const double value = numbers ? numbers->values[0] : std::nan("");
  if (std::isfinite(value)) return value;
  throw Error(ErrorKind::usage, fmt::format("{}: has no value of \"{}\", which is on an axis",
                                            setting("given"), slice.schema().columns[column].name));
}

// The most probable classes.
std::string in_words(const Posterior& posterior, const std::vector<std::string>& classes) {
  if (posterior.undecidable()) return "star: every class has probability 0";
  std::vector<std::string> parts;
  for (const std::size_t c : most_probable(posterior, 3)) {
    parts.push_back(fmt::format("P({}) = {:.4g}", classes[c], posterior.probabilities[c]));
  }
  return "star: " + join(parts, ", ") + (classes.size() > 3 ? ", …" : "");
}

}  // namespace

Marked marked(const Slice& slice, const View& view, std::size_t x, std::size_t y) {
  if (view.given.empty()) return {};
  const Chunk row = parse_given(slice.schema(), {view.given}, "given");
  const Point at{place_of(row, x, slice), y == no_column ? 0 : place_of(row, y, slice)};
  return {at, in_words(posteriors(slice.classifier(), row)[0], slice.classes())};
}

Range with_mark(const Range& range, double mark) {
  if (!std::isfinite(mark)) return range;
  const double room = 0.04 * range.width();
  return {std::min(range.low, mark - room), std::max(range.high, mark + room)};
}

void draw_mark(Canvas& canvas, const Point& at) {
  constexpr std::size_t star = 6;
  canvas.marker(at, star, 12.5, {1, 1, 1});
  canvas.marker(at, star, 10, {0, 0, 0});
}

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/pair_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {

std::size_t PairColumn::bin_of(double x) const {
  if (edges.size() < 3) return 0;
  const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, x);
  return static_cast<std::size_t>(above - edges.begin()) - 1;
}

std::string PairColumn::bin_name(std::size_t first, std::size_t end) const {
  const bool from_below = first == 0, to_above = end == bins();
  if (from_below && to_above) return "any";
  if (from_below) return "< " + format_number(edges[end]);
  if (to_above) return ">= " + format_number(edges[first]);
  return fmt::format("[{}, {})", format_number(edges[first]), format_number(edges[end]));
}

double PairColumn::draw(std::size_t bin, Random& random) const {
  if (edges.size() < 2) return edges[0];
  const double low = edges[bin], high = edges[bin + 1];
  // The next bin begins at `high`, which rounding must not reach.
  return std::min(low + random.uniform() * (high - low), std::nextafter(high, low));
}

PairColumn make_pair_column(std::size_t index, const ColumnSpec& spec) {
  PairColumn column{index, spec.name, spec.kind == ColumnKind::number, {}, spec.values};
  if (!column.number) return column;
  for (const auto& text : spec.values) {
    const auto edge = to_number(text);
    if (!edge || (!column.edges.empty() && !(column.edges.back() < *edge))) {
      throw Error(ErrorKind::usage,
                  fmt::format("column \"{}\": the edges of its bins must be ascending numbers, but "
                              "\"{}\" is among them ({})",
                              spec.name, text, setting("values", spec.name + "=0|10|20")));
    }
    column.edges.push_back(*edge);
  }
  if (column.edges.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("column \"{}\": pairs count numbers in bins, and nothing says where "
                            "these begin and end ({})",
                            spec.name, setting("values", spec.name + "=0|10|20")));
  }
  column.declared.clear();
  for (std::size_t b = 0; b < column.bins(); ++b) {
    column.declared.push_back(column.bin_name(b, b + 1));
  }
  return column;
}

CodedCells::CodedCells(const Chunk& chunk, const PairColumn& column) {
  if (!column.number) {
    const auto& words = std::get<Categories>(chunk.columns[column.index]);
    dictionary = &words.dictionary;
    codes = &words.codes;
    return;
  }
  const auto& values = std::get<Numbers>(chunk.columns[column.index]).values;
  bins.reserve(values.size());
  for (const double x : values) {
    bins.push_back(std::isnan(x) ? Categories::missing_code
                                 : static_cast<std::int32_t>(column.bin_of(x)));
  }
  dictionary = &column.declared;
  codes = &bins;
}

std::string cell_text(const Chunk& chunk, const PairColumn& column, std::size_t row) {
  const auto& cells = chunk.columns[column.index];
  if (column.number) return format_number(std::get<Numbers>(cells).values[row]);
  const auto& words = std::get<Categories>(cells);
  return words.dictionary[static_cast<std::size_t>(words.codes[row])];
}

}  // namespace credence

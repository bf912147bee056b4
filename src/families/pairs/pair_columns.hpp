// SPDX-License-Identifier: Apache-2.0
// The columns of a block of pairs: words as they are, numbers through bins whose edges stand in the
// schema.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "families/registry.hpp"

namespace credence {

struct PairColumn {
  std::size_t index = 0;  // in the chunk
  std::string name;
  bool number = false;
  std::vector<double> edges = {};     // of a number's bins, ascending; at least one
  std::vector<std::string> declared;  // the values of words, or the names of the bins

  std::size_t bins() const { return edges.size() < 2 ? 1 : edges.size() - 1; }
  // Numbers beyond the outermost edges are in the outermost bins.
  std::size_t bin_of(double x) const;
  // "< 5", "[5, 9)", ">= 9": from bin `first` up to the one before `end`.
  std::string bin_name(std::size_t first, std::size_t end) const;
  // A number of the bin, each as probable as any other.
  double draw(std::size_t bin, Random& random) const;
};

PairColumn make_pair_column(std::size_t index, const ColumnSpec& spec);

// The cells of a chunk's column as codes into a dictionary; negative: missing.
struct CodedCells {
  const std::vector<std::string>* dictionary;
  const std::vector<std::int32_t>* codes;
  std::vector<std::int32_t> bins = {};  // what `codes` points to for numbers

  CodedCells(const Chunk& chunk, const PairColumn& column);
  CodedCells(const CodedCells&) = delete;
  CodedCells& operator=(const CodedCells&) = delete;
};

// A cell as people read it; it must not be missing.
std::string cell_text(const Chunk& chunk, const PairColumn& column, std::size_t row);

}  // namespace credence

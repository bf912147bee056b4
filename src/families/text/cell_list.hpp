// SPDX-License-Identifier: Apache-2.0
// Sums by (word, class), one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/double_double.hpp"

namespace credence {

// How much a word weighs in a class, and how much the documents of the class that have it do.
struct CellSums {
  DoubleDouble weight;
  DoubleDouble documents = {};

  CellSums operator+(const CellSums& other) const {
    return {weight + other.weight, documents + other.documents};
  }
  CellSums operator-() const { return {-weight, -documents}; }
};

// Whole numbers need one double each: the low halves of sums take room only where there are some.
class CellList {
 public:
  struct Cell {
    std::uint32_t word;
    std::uint32_t cls;
    CellSums sums;
  };

  std::size_t size() const { return cells_.size(); }
  bool empty() const { return cells_.empty(); }
  void reserve(std::size_t cells) { cells_.reserve(cells); }
  void resize(std::size_t cells) {
    cells_.resize(cells);
    if (!lows_.empty()) lows_.resize(cells);
  }

  std::uint32_t word(std::size_t i) const { return cells_[i].word; }
  std::uint32_t cls(std::size_t i) const { return cells_[i].cls; }
  double weight(std::size_t i) const { return cells_[i].weight; }        // the high half, as
  double documents(std::size_t i) const { return cells_[i].documents; }  // is this one
  Cell operator[](std::size_t i) const {
    const High& cell = cells_[i];
    const Low low = lows_.empty() ? Low{} : lows_[i];
    return {cell.word, cell.cls, {{cell.weight, low.weight}, {cell.documents, low.documents}}};
  }
  bool has_lows() const { return !lows_.empty(); }
  void prefetch(std::size_t i) const { __builtin_prefetch(cells_.data() + i); }

  void push_back(const Cell& cell) {
    cells_.push_back({cell.word, cell.cls, cell.sums.weight.hi, cell.sums.documents.hi});
    const Low low{cell.sums.weight.lo, cell.sums.documents.lo};
    if (lows_.empty() && low.weight == 0 && low.documents == 0) return;
    lows_.resize(cells_.size());
    lows_.back() = low;
  }
  // By force: where many files are compiled as one, compilers would call it, for each of millions
  // of cells.
  [[gnu::always_inline]] void set(std::size_t i, const Cell& cell) {
    cells_[i] = {cell.word, cell.cls, cell.sums.weight.hi, cell.sums.documents.hi};
    const Low low{cell.sums.weight.lo, cell.sums.documents.lo};
    if (lows_.empty() && low.weight == 0 && low.documents == 0) return;
    lows_.resize(cells_.size());
    lows_[i] = low;
  }
  // A list of so many zeros that has room for low halves where `like` has.
  static CellList zeros(std::size_t cells, const CellList& like) {
    CellList result;
    result.cells_.resize(cells);
    if (like.has_lows()) result.lows_.resize(cells);
    return result;
  }

 private:
  struct High {
    std::uint32_t word, cls;
    double weight, documents;
  };
  struct Low {
    double weight = 0, documents = 0;
  };
  std::vector<High> cells_;
  std::vector<Low> lows_;  // empty: all zero
};

}  // namespace credence

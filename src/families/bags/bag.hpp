// SPDX-License-Identifier: Apache-2.0
// A row as a set of named counts: one sparse column, or several columns of counts side by side.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "credence/chunk.hpp"

namespace credence {

struct BagColumns {
  std::vector<std::size_t> indices;
  std::vector<std::string> names;
  bool sparse = true;                      // one Bags column; else Numbers columns
  std::vector<std::string> declared = {};  // features of a sparse one that are known beforehand

  std::string title() const {
    std::string text = names.front();
    for (std::size_t i = 1; i < names.size() && i < 8; ++i) text += ", " + names[i];
    return names.size() > 8 ? text + ", …" : text;
  }

  // The features of the chunk, as for_each numbers them.
  const std::vector<std::string>& features(const Chunk& chunk) const {
    if (chunk.matrix || chunk.sparse) return declared;
    return sparse ? std::get<Bags>(chunk.columns[indices[0]]).dictionary : names;
  }

  bool missing(const Chunk& chunk, std::size_t row) const {
    if (chunk.matrix || chunk.sparse) return false;
    if (sparse) return std::get<Bags>(chunk.columns[indices[0]]).missing[row] != 0;
    for (const auto i : indices) {
      if (!std::isnan(std::get<Numbers>(chunk.columns[i]).values[row])) return false;
    }
    return true;
  }

  template <typename Visit>  // visit(feature, count) for every feature with a count above 0
  void for_each(const Chunk& chunk, std::size_t row, const Visit& visit) const {
    if (chunk.matrix) {
      const double* counts = chunk.matrix.row(row);
      for (std::size_t f = 0; f < chunk.matrix.columns; ++f) {
        if (counts[f] > 0) visit(f, counts[f]);
      }
      return;
    }
    if (chunk.sparse) {
      const auto& rows = chunk.sparse;
      for (std::size_t i = rows.starts[row]; i < rows.starts[row + 1]; ++i) {
        if (rows.counts[i] > 0) visit(static_cast<std::size_t>(rows.features[i]), rows.counts[i]);
      }
      return;
    }
    if (sparse) {
      const auto& bags = std::get<Bags>(chunk.columns[indices[0]]);
      for (std::size_t i = bags.offsets[row]; i < bags.offsets[row + 1]; ++i) {
        if (bags.counts[i] > 0) visit(static_cast<std::size_t>(bags.features[i]), bags.counts[i]);
      }
      return;
    }
    for (std::size_t f = 0; f < indices.size(); ++f) {
      const double count = std::get<Numbers>(chunk.columns[indices[f]]).values[row];
      if (count > 0) visit(f, count);
    }
  }
};

}  // namespace credence

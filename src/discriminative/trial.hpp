// SPDX-License-Identifier: Apache-2.0
// Labelled rows that are dealt out, learnt from and judged, whatever the model.
#pragma once

#include <span>
#include <vector>

#include "core/random.hpp"
#include "discriminative/compare.hpp"

namespace credence {

class Trial {
 public:
  // Throws a data error when the chunks hold fewer than two classes.
  Trial(const std::vector<Chunk>& chunks, const Schema& schema);

  const std::vector<std::string>& classes() const { return classes_; }
  std::size_t rows() const { return rows_.size(); }
  std::size_t class_of(std::size_t row) const { return rows_[row].cls; }

  // Learns the training rows, judges the others; places of rows as numbered here, ascending.
  std::vector<Outcome> judge(const Contender& contender, std::span<const std::size_t> training,
                             std::span<const std::size_t> held_out,
                             const LogisticOptions& options) const;

 private:
  struct Row {
    std::size_t chunk, row, cls;
  };
  std::vector<Chunk> select(std::span<const std::size_t> rows) const;

  const std::vector<Chunk>& chunks_;
  std::vector<std::string> classes_;  // sorted
  std::vector<Row> rows_;
};

std::vector<std::size_t> shuffled(std::size_t count, Random& random);

Figures figures(const Metrics& metrics);
// The mean of repeated figures, and its standard error.
Figures mean_of(const std::vector<Figures>& values);
Figures standard_error(const std::vector<Figures>& values);

}  // namespace credence

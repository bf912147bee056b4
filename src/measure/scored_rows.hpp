// SPDX-License-Identifier: Apache-2.0
// Rows with their classes and scores, whatever it was that scored them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "credence/evaluate.hpp"

namespace credence {

inline double weight_of(const Chunk& chunk, std::size_t row) {
  return chunk.weights.empty() ? 1.0 : chunk.weights[row];
}

// The rows of the chunks in order, their classes as places in `classes`; all in fold 0. Classes
// that are not among those go to `unknown`, unless only known ones are asked for.
std::vector<ScoredRows::Row> rows_of(std::span<const Chunk> chunks,
                                     const std::vector<std::string>& classes, WhichRows which,
                                     std::vector<std::string>* unknown = nullptr);

// The rows that have one of these classes.
std::vector<ScoredRows::Row> labelled_rows(std::span<const Chunk> chunks,
                                           const std::vector<std::string>& classes);

// rows x classes, from what `score` says of whole chunks.
std::vector<double> scores_of(const std::vector<ScoredRows::Row>& rows,
                              std::span<const Chunk> chunks, std::size_t classes, unsigned threads,
                              const std::function<std::vector<double>(const Chunk&)>& score);

}  // namespace credence

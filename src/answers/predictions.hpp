// SPDX-License-Identifier: Apache-2.0
// Rows judged: the lines of CSV that predict gives.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ask/models/uncertainty.hpp"
#include "credence/decision.hpp"
#include "credence/novelty.hpp"
#include "credence/scorer.hpp"
#include "model/coordinates.hpp"

namespace credence {

// What the answers are made from, and which columns they have.
struct Judge {
  const Classifier& classifier;
  std::optional<Coordinates> coordinates;
  DecisionRule rule;
  std::size_t top = 0;    // so many of the most probable classes, at most all
  bool proba = false;     // the probability of every class
  bool evidence = false;  // log p(x)
  std::optional<NoveltyTest> novelty = {};
  double novel_below = 0;              // no label below this p-value
  std::vector<std::string> kept = {};  // names of the chunk's columns after the model's own
  bool numbered = false;               // the number of the row
  const Uncertainty* uncertainty = nullptr;
};

// The numbers of a chunk's rows, from 1 on, among all that were read.
struct RowNumbers {
  std::size_t before = 0;                  // rows in front of it
  std::vector<std::size_t> left_out = {};  // of the chunk

  std::size_t of(std::size_t row) const {
    for (std::size_t i = 0; i < left_out.size() && left_out[i] <= row; ++i) ++row;
    return before + row + 1;
  }
};

// The rows to judge, and what they are called where the source knows it.
struct Rows {
  const Chunk& chunk;
  bool named;
  std::span<const std::string> names;  // fewer than rows: the others have none
  const RowNumbers& numbers;
  std::size_t first = 0;  // the chunk begins with this one of the numbered rows
};

struct Answers {
  std::string text;
  std::vector<std::pair<std::size_t, std::string>> undecidable;  // the row's number, why
};

// The first line; `named`: rows have a name.
std::string header(const Judge& judge, bool named);
Answers answer(const Judge& judge, const Rows& rows);

}  // namespace credence

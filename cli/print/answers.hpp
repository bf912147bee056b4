// SPDX-License-Identifier: Apache-2.0
// Rows judged: the lines that predict prints.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ask/uncertainty.hpp"
#include "cli/options/decision_options.hpp"
#include "credence/novelty.hpp"
#include "credence/scorer.hpp"
#include "model/coordinates.hpp"

namespace credence::cli {

// What the answers are made from, and which columns they have.
struct Judge {
  const Classifier& classifier;
  std::optional<Coordinates> coordinates;  // --coordinates
  DecisionRule rule;                       // --reject, --threshold, --costs
  std::size_t top = 0;                     // --top, at most all classes
  bool proba = false;                      // --proba
  bool evidence = false;                   // --evidence
  std::optional<NoveltyTest> novelty = {};
  double novel_below = 0;
  std::vector<std::string> kept = {};  // --keep: names of the chunk's columns after the model's own
  bool numbered = false;               // --number-rows
  const Uncertainty* uncertainty = nullptr;
};

// The rows to judge, and what they are called where the source knows it.
struct Rows {
  const Chunk& chunk;
  bool named;
  std::span<const std::string> names;  // fewer than rows: the others have none
  std::size_t before = 0;              // rows in front of them
};

struct Answers {
  std::string text;
  std::vector<std::pair<std::size_t, std::string>> undecidable;  // row in the chunk, why
  std::size_t rows = 0;
};

// The first line; `named`: rows have a name.
std::string header(const Judge& judge, bool named);
Answers answer(const Judge& judge, const Rows& rows);

}  // namespace credence::cli

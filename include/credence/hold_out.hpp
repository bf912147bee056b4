// SPDX-License-Identifier: Apache-2.0
// Every row judged by a model that has not seen it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/evaluate.hpp"
#include "credence/model.hpp"

namespace credence {

// Which rows are held out together.
struct Folds {
  static constexpr std::size_t no_column = static_cast<std::size_t>(-1);

  std::size_t count = 10;
  bool leave_one_out = false;  // with groups: each group
  bool stratified = true;
  std::uint64_t seed = 1;
  std::size_t repeats = 1;  // of cross_validate(), with seeds seed, seed + 1, …
  // Places in the chunks' columns. Rows of one group are always in one fold.
  std::size_t group_column = no_column;
  // Rows in this order, cut into count + 1 parts: all but the first are judged by those before.
  std::size_t time_column = no_column;
  bool at_most = false;          // fewer than `count` where so many are not possible
  std::string column_name = {};  // of the group or time, where the schema does not have it
};

// The place of a column that says how rows are held out; a schema that does not have it gets it, so
// that it is read.
std::size_t place_beside(Schema& schema, const std::string& column);

// Every labelled row (in time order: all but those of the first part), scored without refitting: a
// fold's statistics are subtracted from the whole. `model` is the model before any row; a
// calibration of its is not applied.
ScoredRows hold_out(const Model& model, const std::vector<Chunk>& chunks, const Folds& folds,
                    unsigned threads = 0, bool by_block = false);

struct CrossValidation {
  Metrics all;                        // of the first repeat
  std::vector<double> fold_accuracy;  // empty for leave-one-out
  std::vector<Metrics> folds;         // the same
  std::vector<Metrics> repeats;       // one for each if there are several, without intervals
  std::vector<std::string> notes;     // what a person should know of the folds
};

// What the rows held out are worth.
CrossValidation cross_validate(const Model& model, const std::vector<Chunk>& chunks,
                               const Folds& folds, unsigned threads = 0,
                               const MeasureOptions& options = {});

}  // namespace credence

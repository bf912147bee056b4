// SPDX-License-Identifier: Apache-2.0
// Rows dealt out: which are judged together, and which those learn from that judge them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "credence/hold_out.hpp"

namespace credence {

struct Dealt {
  static constexpr std::size_t no_fold = static_cast<std::size_t>(-1);

  const std::vector<Chunk>* chunks = nullptr;
  std::vector<std::string> classes = {};             // sorted
  std::vector<ScoredRows::Row> rows = {};            // to be judged, in the order of the chunks
  std::vector<std::vector<std::size_t>> folds = {};  // of each its places in `rows`
  // Rows that are only learnt from: those before all folds in time, and rows without a class.
  std::vector<ScoredRows::Row> learnt = {};
  bool one_by_one = false;  // every fold is one row, whatever it is like
  bool in_time = false;     // a fold is judged by what came before it, else by all others
  bool of_learned = false;  // these are some of the rows that a model has learned

  // Whether the model that judges a fold learns a row.
  bool learns(std::size_t fold, const ScoredRows::Row& row) const {
    return row.fold == no_fold || (in_time ? row.fold < fold : row.fold != fold);
  }
  // Of each row, whether its class has no other row in what judges it: nobody can say it.
  std::vector<bool> of_unseen_class() const;
  // The rows that a fold is judged by, chunk by chunk.
  std::vector<Chunk> learnt_for(std::size_t fold) const;
  // These rows, in their order; a piece ends where their chunk does.
  std::vector<Chunk> pieces(std::span<const ScoredRows::Row> of) const;
  std::vector<Chunk> pieces(const std::vector<std::size_t>& places) const;
};

// Throws a data error when there are fewer than two classes. Rows without a class are dealt out too
// if asked for.
Dealt deal_out(const std::vector<Chunk>& chunks, const Schema& schema, const Folds& folds,
               bool unlabelled = false);

// Some of the rows that a model has learned, each of them judged by all that it has learned but the
// rows of its fold.
Dealt deal_learned(const std::vector<Chunk>& chunks, const Model& model, const Folds& folds);

// Of rows that are dealt out already, by subtraction as from all chunks.
ScoredRows hold_out(const Model& model, const Dealt& dealt, unsigned threads,
                    bool by_block = false);

// What judges a fold, from the rows it may learn from.
using Learner = std::function<std::unique_ptr<const Classifier>(const std::vector<Chunk>& rows)>;
// By any classifier, which is learnt anew for every fold; threads 1: on this thread.
ScoredRows hold_out(const Learner& learn, const Dealt& dealt, unsigned threads);

// What a person should know of the folds.
std::vector<std::string> notes_on(const Dealt& dealt, const Folds& folds);

}  // namespace credence

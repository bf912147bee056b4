// SPDX-License-Identifier: Apache-2.0
// What novelty is measured by, shared by those who make references and those who use them.
#pragma once

#include <span>
#include <vector>

#include "credence/novelty.hpp"

namespace credence {

// How much of a block a row has: the tokens of a bag or text that are known, else the share of its
// columns that are not missing. NaN: nothing, or only words or values never seen. log_density: of
// the row's block, for every class. known: by code of the bag's dictionary; empty: all are.
double block_size(const BlockSpec& block, const Chunk& chunk, std::size_t row,
                  std::span<const double> log_density, const std::vector<bool>& known);

// Which words of a chunk's dictionary a block has ever seen: the others say nothing, so a document
// must not be expected to say the more for having them. Empty where the block is no bag.
std::vector<bool> known_words(const Scorer& scorer, const BlockSpec& spec, std::size_t block,
                              const Chunk& chunk);

// log Σ P(c) p(c)^weight; the lowest double where that is 0, which files can hold.
double mixed_evidence(std::span<const double> log_density, double weight,
                      const std::vector<double>& log_prior);

// -log p(column | the block's other columns) of every row for each of the block's columns: rows x
// columns; NaN where it is missing. All rows at once, so that each pattern of gaps is met once.
std::vector<double> surprises(const Scorer& scorer, const BlockSpec& spec, std::size_t block,
                              const std::vector<double>& log_prior, const Chunk& rows);

// Whether a block's columns can be told apart by their surprise.
bool has_surprises(const Schema& schema, const BlockSpec& block);

}  // namespace credence

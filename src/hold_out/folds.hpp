// SPDX-License-Identifier: Apache-2.0
// Which rows are held out together.
#pragma once

#include <string>
#include <vector>

#include "credence/hold_out.hpp"

namespace credence {

// 0 to count - 1 in a random order.
std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed);

// Deals rows of these classes into folds: the fold of every row. Shuffled, then dealt out in turn;
// class after class when stratified, so that every fold gets its share of each.
std::vector<std::size_t> deal(const std::vector<std::size_t>& classes, const Folds& folds);

// The same for whole groups. Large ones first, each to the fold that has least of its classes (or
// of rows, when not stratified).
std::vector<std::size_t> deal_groups(const std::vector<std::size_t>& classes,
                                     const std::vector<std::size_t>& groups, const Folds& folds);

// Rows in the order of their times, cut into folds.count + 1 parts of about as many rows; equal
// times stay together. The first part, 0, is only learnt from; part i + 1 is fold i.
std::vector<std::size_t> parts_in_time(const std::vector<std::size_t>& times, const Folds& folds);

// For every row a number that is the same where the column's values are, from 0 on. In the order of
// the values if asked for: numbers as numbers, else digits in texts as numbers ("day 9" is before
// "day 10"). A row without a value is refused; one that has no class either is of no group, Dealt's
// no_fold.
std::vector<std::size_t> values_of(const std::vector<Chunk>& chunks,
                                   const std::vector<ScoredRows::Row>& rows,
                                   const std::string& name, std::size_t column, bool in_order);

// A class with fewer rows than folds cannot be in all of them: says which, or "".
std::string rare_classes(const std::vector<ScoredRows::Row>& rows,
                         const std::vector<std::string>& classes, const Folds& folds);

}  // namespace credence

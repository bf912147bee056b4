// SPDX-License-Identifier: Apache-2.0
// Which rows are held out together.
#pragma once

#include <string>
#include <vector>

#include "credence/evaluate.hpp"

namespace credence {

// The labelled rows of the chunks, their classes as places in `classes`; all in fold 0.
std::vector<HeldOut::Row> labelled_rows(const std::vector<Chunk>& chunks,
                                        const std::vector<std::string>& classes);

// Deals rows of these classes into folds: the fold of every row. Shuffled, then dealt out in turn;
// class after class when stratified, so that every fold gets its share of each.
std::vector<std::size_t> deal(const std::vector<std::size_t>& classes, const Folds& folds);

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Answers to questions about probabilities, as text and as JSON.
#pragma once

#include <string>

#include "answers/query.hpp"
#include "ask/dependence.hpp"
#include "ask/query.hpp"
#include "cli/options/common.hpp"
#include "plot/drawing/heat.hpp"

namespace credence::cli {

std::string text_of(const Answer& answer);

// Which columns depend on each other; the class is the last of the table's columns.
std::string text_of(const CodedTable& table, const std::vector<PairDependence>& pairs);
Json json_of(const CodedTable& table, const std::vector<PairDependence>& pairs);
// Of the columns of the first pairs, as many as one can look at.
plot::PairMap pair_map_of(const CodedTable& table, const std::vector<PairDependence>& pairs);

}  // namespace credence::cli

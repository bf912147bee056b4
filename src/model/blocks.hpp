// SPDX-License-Identifier: Apache-2.0
// From the description of a block to its statistics.
#pragma once

#include <memory>

#include "credence/model.hpp"
#include "families/registry.hpp"

namespace credence {

// The statistics of one block, before any row. Refuses columns the family cannot read.
std::unique_ptr<BlockStatistics> make_block(const Schema& schema, const BlockSpec& spec);

// Whether it tosses a coin for each feature of a bag: shares p then need not sum to 1.
bool is_coins(const Schema& schema, const BlockSpec& block);

// Throws a usage error where shares p are given for a column that there is not, or that takes none.
void check_shares(const Settings& settings, const Schema& schema,
                  const std::vector<BlockSpec>& blocks);

// How a column is used where nobody says anything of it, and why.
PlannedColumn inferred_use(const ColumnProfile& column);

// The places of the columns that a pattern of Plan::as names: "age", "zip*", "numbers".
std::vector<std::size_t> columns_matching(const std::string& pattern,
                                          const std::vector<ColumnProfile>& profile,
                                          const Plan& plan);

}  // namespace credence

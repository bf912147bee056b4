// SPDX-License-Identifier: Apache-2.0
// How often the evidence of columns counts, as a person writes it. docs/tune.md
#pragma once

#include <string>
#include <vector>

#include "credence/model.hpp"

namespace credence {

// "age=0.5, income=1.2", of blocks by any of their columns. A column that is read in several ways
// has a block for each: named once, all of them are meant; named as often as it has blocks, each.
void give_trust(const std::vector<std::string>& lines, const Schema& schema,
                std::vector<BlockSpec>& blocks);

}  // namespace credence

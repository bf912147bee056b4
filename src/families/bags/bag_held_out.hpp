// SPDX-License-Identifier: Apache-2.0
// Bags of words, or of other features, judged row by row, each by the counts without it. Only the
// row's own features, the totals of its class, the number of known features and the number of rows
// change. Derivation: docs/families/text.md
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/exact_sums.hpp"
#include "families/bags/bag.hpp"
#include "families/family.hpp"
#include "families/text/counted_words.hpp"
#include "families/text/text.hpp"

namespace credence {

struct CountedBags {
  BagColumns columns;
  TextOptions options;
  std::shared_ptr<const CountedWords> counts;  // words need not have their names here
  ExactSums documents;                         // per class
  // The numbers of the features of a chunk, or -1.
  std::function<std::vector<std::int32_t>(const std::vector<std::string>&)> find;
  bool declared = false;          // a feature is known even if no row has it
  bool rounded_products = false;  // weight times count was rounded before it was added
};

// The short way of BlockStatistics::held_out(). Rows that leave nothing to estimate from, and all
// of them where the mode of a prior cuts counts off, go the long one.
BlockStatistics::AddHeldOut hold_out_bags(const BlockStatistics& statistics, CountedBags bags,
                                          const Estimation& estimation);

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Bags judged row by row, each row by the counts without it: only the row's own features, the
// totals of its class and the number of known features change.
#pragma once

#include <span>
#include <vector>

#include "families/bag_statistics.hpp"

namespace credence {

class BagHeldOut {
 public:
  // One row: its features with their counts, by their places in the table (npos: never seen with
  // any weight).
  struct Item {
    std::size_t place;
    double count;
  };

  BagHeldOut(const BagStatistics& statistics, const Estimation& estimation);
  virtual ~BagHeldOut() = default;

  // Whether all rows can be estimated in the plain way; then a row whose bag is missing, which says
  // nothing, can be left out too.
  bool usable() const { return usable_; }
  // out[c] += weight * log p(row | c) without the row. False, and nothing done, for rows that need
  // the long way.
  virtual bool add(std::span<const Item> row, std::size_t cls, double own_weight, double weight,
                   std::span<double> out) = 0;

 protected:
  // Imaginary draws of each of so many values.
  double prior_of(double values) const;
  // Whether some row but this one has the feature; left: what its class keeps of it.
  bool still_known(std::size_t place, std::size_t cls, double left) const;

  const BagStatistics& statistics_;
  const CountTable& counts_;
  const Estimation& estimation_;
  std::size_t known_;   // features
  bool usable_ = true;  // with all rows, in the plain way
};

std::unique_ptr<BagHeldOut> hold_out_bags(const BagStatistics& statistics, BagFamily family,
                                          const Estimation& estimation);

}  // namespace credence

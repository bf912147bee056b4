// SPDX-License-Identifier: Apache-2.0
// The rows of the data that a reader of a report should see.
#pragma once

#include <string>
#include <vector>

#include "credence/classifier.hpp"

namespace credence::plot {

struct TellingRow {
  std::size_t chunk = 0, row = 0;  // in the data
  std::size_t number = 0;          // from 1
  std::string truth = {};          // its class; empty: it has none
  double own = 0;                  // the probability of that class; 0 where it is not known
  bool wrong = false;
};

// The worst mistakes, those whose true class was the least probable first; where there is none, the
// rows whose class was the least probable. Without labels, the first rows.
std::vector<TellingRow> telling_rows(const Classifier& classifier, const std::vector<Chunk>& data,
                                     std::size_t count);

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
// Where a histogram's bins begin and end: equal width, equal frequency, Freedman & Diaconis, or the
// cuts of Fayyad & Irani that tell the classes apart. docs/families/histogram.md
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "families/bags/value_counts.hpp"

namespace credence {

struct Binning {
  enum class Kind {
    automatic,  // mdl if it cuts at all, else freedman_diaconis
    bins,       // `number` bins of equal width
    width,      // bins of width `number`, from multiple to multiple
    frequency,  // `number` bins of about equal weight
    freedman_diaconis,
    mdl,
  };
  Kind kind = Kind::automatic;
  double number = 0;
};

// "", "20", "bins=20", "width=5", "frequency=10", "fd", "mdl".
Binning parse_binning(std::string_view parameters);

// Ascending edges, one more than there are bins. The values must not all be equal.
std::vector<double> bin_edges(const WeightedValues& values, const Binning& binning,
                              const std::string& column);

// Edges of bins that are fine enough to be put together later: about 64 of equal weight, but
// numbers that weigh more have one each. So has every number where there are no more than 64. None
// where there is no number.
std::vector<double> fine_edges(std::vector<double> numbers);

// Fayyad & Irani (1993): the cuts alone, none if no cut pays for its own description.
std::vector<double> mdl_cuts(const WeightedValues& values);

// The bin [edge, next edge) a number lies in, the last one closed; no_bin outside of all.
std::size_t bin_of(const std::vector<double>& edges, double x);
inline constexpr std::size_t no_bin = static_cast<std::size_t>(-1);

}  // namespace credence

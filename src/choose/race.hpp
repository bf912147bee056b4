// SPDX-License-Identifier: Apache-2.0
// The automatic choice of a model: a race of candidates over rows held out, in rounds.
#pragma once

#include <string>
#include <vector>

#include "choose/grid.hpp"
#include "credence/tune.hpp"

namespace credence {

// How much time the choice may take.
enum class Effort { quick, normal, thorough };
const std::vector<std::string>& effort_names();
Effort parse_effort(const std::string& name);

// The candidates that came to the last round, and what they were worth there.
struct Race {
  Grid grid;
  Tuning tuning;
  std::size_t step = 1;  // every so manieth row was judged there; all were learnt from
};

// Candidates of one shape have the same blocks. In the first round every shape runs under the first
// settings alone, plain and weighed, and few rows are judged; the best shapes, and the first, go
// on. In the second they run under all settings, on many rows; and each is weighed under the one
// that suited it. Of those that are not clearly worse than the best, the first wins. Derivation:
// docs/tune.md
Race race(const Grid& grid, const std::vector<Chunk>& chunks, const TuneOptions& options,
          Effort effort);

}  // namespace credence

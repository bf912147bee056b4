// SPDX-License-Identifier: Apache-2.0
// A model on one HTML page: facts, tables, pictures and, with data, how good it is.
#pragma once

#include <string>
#include <vector>

#include "credence/model.hpp"

namespace credence::plot {

struct ReportOptions {
  std::string title;          // empty: made from the target
  std::size_t columns = 40;   // with tables and pictures
  std::size_t explained = 3;  // rows of the data
};

std::string report(const Model& model, const std::vector<Chunk>& data,
                   const ReportOptions& options = {});

// The columns of numbers, from that whose classes are farthest apart (in interquartile ranges).
std::vector<std::size_t> most_telling(const Model& model);

}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
// How rows are held out, as Python says it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "credence/error.hpp"
#include "credence/hold_out.hpp"

namespace credence::python {

// Groups or times are a column of the table, or numbers beside it, one for each row.
struct HoldingOut {
  Folds folds;
  std::string column;
  std::vector<double> codes;
  bool in_time = false;

  // The rows, and how they are held out: with the column, or with the numbers as one.
  std::pair<std::vector<Chunk>, Folds> read(Source& source, Schema schema, unsigned threads) const {
    Folds result = folds;
    const bool beside = !codes.empty() || !column.empty();
    std::size_t place = schema.columns.size();
    if (!column.empty()) place = place_beside(schema, column);
    source.select(schema, true);
    auto chunks = read_all(source, threads);
    std::size_t next = 0;
    for (auto& chunk : chunks) {
      if (!codes.empty() && next + chunk.rows <= codes.size()) {
        const auto from = codes.begin() + static_cast<std::ptrdiff_t>(next);
        chunk.columns.emplace_back(Numbers{{from, from + static_cast<std::ptrdiff_t>(chunk.rows)}});
      }
      next += chunk.rows;
    }
    if (!codes.empty() && next != codes.size()) {
      throw Error(ErrorKind::usage, (in_time ? "time: " : "groups: ") +
                                        std::to_string(codes.size()) + " values for " +
                                        std::to_string(next) + " rows");
    }
    if (beside) (in_time ? result.time_column : result.group_column) = place;
    result.column_name = !column.empty() ? column : in_time ? "time" : "groups";
    return {std::move(chunks), std::move(result)};
  }
};

}  // namespace credence::python

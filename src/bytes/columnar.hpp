// SPDX-License-Identifier: Apache-2.0
// Parquet, Feather, Arrow and DuckDB files, by way of a Python that has pyarrow (and duckdb):
// docs/design.md says why.
#pragma once

#include <string>
#include <string_view>

#include "bytes/stages.hpp"

namespace credence::data {

// The file as CSV, whose lines are made while they are read. Throws Error data, with the way out,
// when there is no pyarrow. table: of a DuckDB file; empty: the only one that it has.
BytesPointer columnar_as_csv(const std::string& path, std::string_view kind,
                             const std::string& table = {});

}  // namespace credence::data

// SPDX-License-Identifier: Apache-2.0
// Parquet, Feather and Arrow files, by way of a Python that has pyarrow: docs/design.md says why.
#pragma once

#include <string>
#include <string_view>

#include "bytes/stages.hpp"

namespace credence::data {

// The file as CSV, whose lines are made while they are read. Throws Error data, with the way out,
// when there is no pyarrow.
BytesPointer columnar_as_csv(const std::string& path, std::string_view kind);

}  // namespace credence::data

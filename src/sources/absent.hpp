// SPDX-License-Identifier: Apache-2.0
// Rows that lack some of the columns a model wants.
#pragma once

#include <memory>

#include "credence/source.hpp"

namespace credence::data {

// The same rows; a column that the source does not have is missing in every one of them. At least
// one must be there: rows without any would all get the same answer.
std::unique_ptr<Source> absent_as_missing(std::unique_ptr<Source> rows);

}  // namespace credence::data

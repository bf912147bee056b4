// SPDX-License-Identifier: Apache-2.0
// Rows as JSON objects.
#pragma once

#include <cstddef>
#include <string>

#include "answers/json.hpp"
#include "credence/chunk.hpp"
#include "credence/schema.hpp"

namespace credence {

// The word of a row; "" where it is missing.
std::string word_of(const Categories& column, std::size_t row);
// The columns of a row, and its class.
Json to_json(const Chunk& chunk, const Schema& schema, std::size_t row);

}  // namespace credence

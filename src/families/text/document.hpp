// SPDX-License-Identifier: Apache-2.0
// A document in several columns, such as a title and what stands below it, is one bag of words.
#pragma once

#include <cstddef>
#include <vector>

#include "credence/chunk.hpp"

namespace credence {

// The words of the columns together; `room` holds them where there are several columns. A document
// is missing where all of its columns are.
const Bags& document_of(const Chunk& chunk, const std::vector<std::size_t>& columns, Bags& room);

// The chunk with all words of the columns in the first of them.
Chunk as_one_document(const Chunk& chunk, const std::vector<std::size_t>& columns);

}  // namespace credence

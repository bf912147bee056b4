// SPDX-License-Identifier: Apache-2.0
// Some of a chunk's rows as a chunk of their own.
#pragma once

#include <span>

#include "credence/chunk.hpp"

namespace credence {

Chunk select_rows(const Chunk& chunk, std::span<const std::size_t> rows);

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Asking for memory before it is needed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace credence {

// All lines of the cache that some bytes lie in, or the first few: once a walk through memory has
// begun, the processor goes ahead by itself.
inline void prefetch_lines(const void* bytes, std::size_t size) {
  constexpr std::uintptr_t line = 64, most = 4;
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes), end = begin + size;
  const std::uintptr_t first = begin & ~(line - 1);
  for (std::uintptr_t at = first; at < end && at < first + most * line; at += line) {
    __builtin_prefetch(reinterpret_cast<const void*>(at));
  }
}

}  // namespace credence

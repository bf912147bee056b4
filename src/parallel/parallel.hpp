// SPDX-License-Identifier: Apache-2.0
// Loops in parallel, with results that do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>

#include "parallel/crew.hpp"

namespace credence {

// body(i) for every i below count, several at a time (0 threads: as many as here). Of errors that
// of the lowest i is thrown; what comes after it may be left undone.
void parallel_for(unsigned threads, std::size_t count,
                  const std::function<void(std::size_t)>& body);

// As std::sort: parts of equal size, then the parts merged by twos.
template <typename Iterator, typename Less>
void parallel_sort(Iterator first, Iterator last, const Less& less) {
  const auto size = static_cast<std::size_t>(last - first);
  const std::size_t parts =
      size < 4096 ? 1 : std::min<std::size_t>(std::bit_ceil(threads_here()), 64);
  const auto border = [&](std::size_t part) {
    return first + static_cast<std::ptrdiff_t>(size * part / parts);
  };
  parallel_for(0, parts, [&](std::size_t i) { std::sort(border(i), border(i + 1), less); });
  for (std::size_t of = 2; of <= parts; of *= 2) {
    parallel_for(0, parts / of, [&](std::size_t i) {
      std::inplace_merge(border(i * of), border(i * of + of / 2), border(i * of + of), less);
    });
  }
}

}  // namespace credence

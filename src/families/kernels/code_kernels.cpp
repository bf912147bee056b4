// SPDX-License-Identifier: Apache-2.0
#include "families/kernels/code_kernels.hpp"

#include <type_traits>

#include "families/kernels/eights.hpp"

namespace credence {

// Rows take turns between two tables: where neighbours are alike, as in sorted tables, one need not
// wait until the other is counted.
std::vector<std::uint32_t> count_codes(std::span<const std::int32_t> codes,
                                       std::span<const std::int32_t> class_of, std::size_t values,
                                       std::size_t classes) {
  const std::size_t width = classes + 1, cells = (values + 1) * width;
  std::vector<std::uint32_t> found(2 * cells);
  std::uint32_t* even = found.data() + width + 1;  // where code 0 of class 0 is counted
  std::uint32_t* odd = even + cells;
  const auto stride = static_cast<std::int64_t>(width);
  const auto place = [&](std::size_t r) { return codes[r] * stride + class_of[r]; };
  std::size_t r = 0;
  for (; r + 2 <= codes.size(); r += 2) {
    ++even[place(r)];
    ++odd[place(r + 1)];
  }
  if (r < codes.size()) ++even[place(r)];
  for (std::size_t i = 0; i < cells; ++i) found[i] += found[cells + i];
  found.resize(cells);
  return found;
}

namespace {

// Eight classes at a time, and then the others, whose number is known when this is compiled: loops
// of a known length need no second loop within.
template <class Eight, std::size_t rest>
[[gnu::always_inline]] inline void add_in_eights(std::span<const std::int32_t> codes,
                                                 const double* vectors, std::size_t count,
                                                 double* to) {
  const std::size_t whole = count - rest;
  const auto stride = static_cast<std::int64_t>(count);
  for (const std::int32_t code : codes) {
    const double* from = vectors + (code + 1) * stride;
    for (std::size_t c = 0; c < whole; c += 8)
      (Eight::at(to + c) + Eight::at(from + c)).store(to + c);
    for (std::size_t c = 0; c < rest; ++c) to[whole + c] += from[whole + c];
    to += count;
  }
}

}  // namespace

void add_vectors(std::span<const std::int32_t> codes, const double* vectors, std::size_t count,
                 double* to) {
  with_eights([&](auto eights) __attribute__((always_inline)) {
    using Eight = decltype(eights);
    switch (count % 8) {
      case 0:
        return add_in_eights<Eight, 0>(codes, vectors, count, to);
      case 1:
        return add_in_eights<Eight, 1>(codes, vectors, count, to);
      case 2:
        return add_in_eights<Eight, 2>(codes, vectors, count, to);
      case 3:
        return add_in_eights<Eight, 3>(codes, vectors, count, to);
      case 4:
        return add_in_eights<Eight, 4>(codes, vectors, count, to);
      case 5:
        return add_in_eights<Eight, 5>(codes, vectors, count, to);
      case 6:
        return add_in_eights<Eight, 6>(codes, vectors, count, to);
      default:
        return add_in_eights<Eight, 7>(codes, vectors, count, to);
    }
  });
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/chunk_rows.hpp"
#include "core/exact_sums.hpp"
#include "credence/error.hpp"
#include "sql/query.hpp"

namespace credence {

std::vector<sql::Expression> Density::sql(sql::Query&) const {
  const auto block = table();
  throw Error(ErrorKind::usage,
              fmt::format("column \"{}\": SQL does not say what {} makes of it (learn without it, "
                          "or {})",
                          block.title, block.family, setting("as", block.title + ": histogram")));
}

void BlockStatistics::add_held_out(const Estimation& estimation, const Chunk& chunk,
                                   std::span<const std::int32_t> classes, double weight,
                                   std::span<double> joint) const {
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    if (classes[r] >= 0) add_row_held_out(estimation, chunk, r, classes[r], weight, joint);
  }
}

BlockStatistics::AddHeldOut BlockStatistics::held_out(const Estimation& estimation) const {
  return [this, estimation](const Chunk& chunk, std::span<const std::int32_t> classes,
                            double weight, std::span<double> joint) {
    add_held_out(estimation, chunk, classes, weight, joint);
  };
}

void BlockStatistics::add_row_held_out(const Estimation& estimation, const Chunk& chunk,
                                       std::size_t row, std::int32_t cls, double weight,
                                       std::span<double> joint) const {
  const std::size_t count = estimation.classes.size();
  std::vector<std::size_t> same(count);
  for (std::size_t c = 0; c < count; ++c) same[c] = c;
  const std::size_t only[] = {row};
  const std::int32_t its_class[] = {cls};
  const Chunk alone = select_rows(chunk, only);
  auto part = empty();
  part->rearrange_classes(std::vector<std::size_t>(count, ExactSums::npos));
  part->observe(alone, its_class);
  auto rest = clone();
  rest->merge(*part, same, -1);
  Estimation without = estimation;
  without.tell = {};
  without.class_weights[static_cast<std::size_t>(cls)] -=
      chunk.weights.empty() ? 1.0 : chunk.weights[row];
  rest->fit(without)->add_log_density(alone, weight, joint.subspan(row * count, count));
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "model/blocks.hpp"

#include <fmt/format.h>

#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {

std::unique_ptr<BlockStatistics> make_block(const Schema& schema, const BlockSpec& spec) {
  const auto& family = find_family(spec.family);
  const auto& first = schema.columns.at(spec.columns.at(0));
  BlockColumns columns{spec.columns, {}, first.kind, first.values};
  bool fits =
      spec.columns.size() == 1 || (family.joins(spec.parameters) && first.kind != ColumnKind::bag);
  for (const auto i : spec.columns) {
    const auto& column = schema.columns.at(i);
    columns.names.push_back(column.name);
    fits = fits && column.kind == first.kind && reads(family, column.kind);
  }
  if (!fits) {
    throw Error(
        ErrorKind::model,
        fmt::format("the columns of a {} block are of the wrong kind or number", spec.family));
  }
  if (!family.takes_parameters && !trim(spec.parameters).empty()) {
    throw Error(ErrorKind::usage, fmt::format("{}({}): {} takes no parameters", family.name,
                                              spec.parameters, family.name));
  }
  return family.make(columns, spec.parameters);
}

}  // namespace credence

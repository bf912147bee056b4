// SPDX-License-Identifier: Apache-2.0
#include "model/beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "core/tensors.hpp"
#include "credence/error.hpp"
#include "model/statistics.hpp"

namespace credence {
namespace {

[[noreturn]] void refuse_beside(ErrorKind kind, const std::string& why) {
  throw Error(kind, "models cannot stand side by side: " + why);
}

void check_settings(const Model& a, const Model& b) {
  if (a.schema().target != b.schema().target) {
    refuse_beside(ErrorKind::usage, fmt::format("one has the target \"{}\", the other \"{}\"",
                                                a.schema().target, b.schema().target));
  }
  for (const auto& column : b.schema().columns) {
    for (const auto& other : a.schema().columns) {
      if (column.name != other.name) continue;
      refuse_beside(ErrorKind::usage, fmt::format("both have the column \"{}\"", column.name));
    }
  }
  if (a.settings().rule != b.settings().rule || a.settings().prior != b.settings().prior ||
      a.settings().reserve_unseen != b.settings().reserve_unseen) {
    refuse_beside(ErrorKind::usage, "their rules or priors differ");
  }
  if (!a.windows().empty() || !b.windows().empty() || a.decayed() || b.decayed()) {
    refuse_beside(ErrorKind::usage, "one has windows, or has decayed");
  }
}

void check_rows(const Model& a, const Model& b) {
  if (a.classes() != b.classes()) {
    refuse_beside(ErrorKind::data, fmt::format("one has the classes {}, the other {}",
                                               join_some(a.classes()), join_some(b.classes())));
  }
  const auto of_a = a.class_weights(), of_b = b.class_weights();
  for (std::size_t c = 0; c < of_a.size(); ++c) {
    if (std::abs(of_a[c] - of_b[c]) <= 1e-9 * of_a[c]) continue;
    refuse_beside(
        ErrorKind::data,
        fmt::format("they have not seen the same rows: class \"{}\" weighs {} in one and {} in "
                    "the other",
                    a.classes()[c], format_number(of_a[c]), format_number(of_b[c])));
  }
}

}  // namespace

Model beside(const Model& first, Model second) {
  check_settings(first, second);
  second.order_classes(first.schema().classes);
  check_rows(first, second);
  Schema schema = first.schema();
  auto blocks = first.blocks();
  Tensors arrays, more;
  first.statistics().save(arrays);
  second.statistics().save(more);
  for (std::size_t b = 0; b < second.blocks().size(); ++b) {
    auto block = second.blocks()[b];
    for (auto& column : block.columns) column += schema.columns.size();
    const auto from = fmt::format("block.{}.", b), to = fmt::format("block.{}.", blocks.size());
    for (auto& [name, array] : more.all) {
      if (name.starts_with(from)) arrays.all[to + name.substr(from.size())] = std::move(array);
    }
    blocks.push_back(std::move(block));
  }
  const auto& columns = second.schema().columns;
  schema.columns.insert(schema.columns.end(), columns.begin(), columns.end());
  Settings settings = first.settings();
  settings.calibration.reset();
  settings.novelty.reset();
  for (const auto& [column, shares] : second.settings().shares) settings.shares[column] = shares;
  Model result(std::move(schema), std::move(blocks), std::move(settings));
  result.statistics().load(arrays);
  result.statistics().canonicalise();
  result.record_all(first.journal());
  return result;
}

}  // namespace credence

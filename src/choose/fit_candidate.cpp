// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/tensors.hpp"
#include "credence/tune.hpp"
#include "model/statistics.hpp"

namespace credence {

Model fit_candidate(const Model& whole, const Candidate& candidate,
                    const std::vector<double>& weights) {
  std::vector<bool> used(whole.schema().columns.size(), false);
  for (const auto b : candidate.blocks) {
    for (const auto column : whole.blocks()[b].columns) used[column] = true;
  }
  Schema schema = whole.schema();
  schema.columns.clear();
  std::vector<std::size_t> place(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    place[i] = schema.columns.size();
    if (used[i]) schema.columns.push_back(whole.schema().columns[i]);
  }
  std::vector<BlockSpec> blocks;
  // As if it had been saved with other blocks and were loaded without them.
  Tensors all, chosen;
  whole.statistics().save(all);
  for (const auto& [name, tensor] : all.all) {
    if (!name.starts_with("block.")) chosen.all[name] = tensor;
  }
  for (std::size_t i = 0; i < candidate.blocks.size(); ++i) {
    blocks.push_back(whole.blocks()[candidate.blocks[i]]);
    for (auto& column : blocks.back().columns) column = place[column];
    blocks.back().weight = weights.empty() ? 1 : weights[i];
    const auto from = fmt::format("block.{}.", candidate.blocks[i]);
    const auto to = fmt::format("block.{}.", i);
    for (const auto& [name, tensor] : all.all) {
      if (name.starts_with(from)) chosen.all[to + name.substr(from.size())] = tensor;
    }
  }
  Model model(std::move(schema), std::move(blocks), candidate.settings);
  model.statistics().load(chosen);
  return model;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// A file as a model and the rows that it learned from.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "credence/model.hpp"
#include "credence/source.hpp"

namespace credence {

struct Table {
  Model model;
  std::vector<Chunk> chunks;
};

inline Table read_table(const std::string& path, const std::string& target,
                        const std::string& rule = "bayes",
                        const std::vector<std::string>& as = {}) {
  auto source = open_source({path});
  Plan plan;
  plan.target = target;
  plan.as = as;
  plan.settings.rule = parse_rule(rule);
  Model model = plan_model(source->profile(), plan);
  source->select(model.schema(), true);
  auto chunks = read_all(*source);
  for (const auto& chunk : chunks) model.observe(chunk);
  return {std::move(model), std::move(chunks)};
}

}  // namespace credence

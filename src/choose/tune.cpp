// SPDX-License-Identifier: Apache-2.0
#include "credence/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "choose/tuner.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {

const std::vector<std::string>& objective_names() {
  static const std::vector<std::string> names = {"accuracy", "log-loss", "cost", "f1", "auc"};
  return names;
}

Objective parse_objective(const std::string& name) {
  const auto& names = objective_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw Error(ErrorKind::usage, fmt::format("{}: no objective \"{}\"{}; choose {}", setting("by"),
                                              name, suggestion(name, names), join(names, ", ")));
  }
  return static_cast<Objective>(found - names.begin());
}

Tuning tune(const Model& model, const std::vector<Candidate>& candidates,
            const std::vector<Chunk>& chunks, const TuneOptions& options) {
  if (candidates.empty()) throw Error(ErrorKind::usage, "no candidates to choose from");
  if (options.objective == Objective::cost && !options.costs.given()) {
    throw Error(ErrorKind::usage,
                fmt::format("to choose by cost, say what decisions cost ({})", setting("costs")));
  }
  Tuner tuner(model, candidates, chunks, options);
  std::vector<std::size_t> all(candidates.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  tuner.judge(all, 1);
  return {tuner.tried(), tuner.best(all), tuner.whole(), tuner.notes(all)};
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// fit --trust on.
#include <algorithm>
#include <numeric>

#include "cli/choosing/tuning.hpp"
#include "cli/options/option_names.hpp"
#include "core/strings.hpp"
#include "families/registry.hpp"

namespace credence::cli {

Candidate all_trusted(const Model& model) {
  Candidate result;
  result.blocks.resize(model.blocks().size());
  std::iota(result.blocks.begin(), result.blocks.end(), std::size_t{0});
  result.settings = model.settings();
  result.weigh = true;
  return result;
}

void say_found(const Model& model, PlanOptions& options) {
  const auto trust = trust_text(model);
  options.plan.trust.clear();
  if (!trust.empty()) options.plan.trust.push_back(trust);
  if (model.settings().prior.kind == ClassPrior::Kind::given) {
    options.prior = to_string(model.settings().prior);
  }
  // A block of several factors has the trust in each of them among its parameters.
  for (const auto& block : model.blocks()) {
    if (!find_family(block.family).has_readings) continue;
    std::vector<std::string> names;
    for (const auto column : block.columns) names.push_back(model.schema().columns[column].name);
    options.plan.as.push_back(
        fmt::format("{}: {}({})", join(names, ", "), block.family, block.parameters));
  }
}

void find_trust(PlanOptions& options, const FoldOptions& folds, const Common& common) {
  const auto& paths = options.data.paths;
  if (std::find(paths.begin(), paths.end(), "-") != paths.end()) {
    throw Error(ErrorKind::usage,
                "--trust on reads DATA twice, which stdin does not allow (save it to a file)");
  }
  Common quiet = common;
  quiet.quiet = true;
  auto planned = plan(options, quiet);
  const auto chunks = read_watched(*planned.source, quiet);
  TuneOptions how;
  how.folds = folds.parse(planned.beside);
  how.folds.at_most = true;
  how.threads = common.threads;
  const Candidate candidate = all_trusted(planned.model);
  const auto tuning = tune(planned.model, {candidate}, chunks, how);
  for (const auto& text : tuning.notes) note(common, "{}", worded(text));
  const Model found = fit_candidate(tuning.whole, candidate, tuning.tried[0]);
  say_found(found, options);
  const auto text = trust_text(found);
  note(common, "trust: {}", text.empty() ? "every column counts once" : text);
  if (!tuning.tried[0].shifts.empty()) note(common, "prior: {}", options.prior);
}

}  // namespace credence::cli

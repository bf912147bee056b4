// SPDX-License-Identifier: Apache-2.0
#include "cli/options/specification.hpp"

#include "core/strings.hpp"

namespace credence::cli {
namespace {

Specified parse_spec(const std::string& text, const PlanOptions& base) {
  const auto colon = text.find(':');
  Specified result{std::string(trim(std::string_view(text).substr(0, colon))), base, false};
  if (colon == std::string::npos || result.name.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("--spec '{}': write 'NAME: OPTIONS OF FIT', for example 'smooth: "
                            "--estimate laplace=10'",
                            text));
  }
  CLI::App app;
  app.set_help_flag();
  PlanOptions own;
  add_learning(&app, own);
  app.add_flag("--discriminative", result.logistic);
  try {
    app.parse(text.substr(colon + 1));
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::usage, fmt::format("--spec '{}': {}", text, error.what()));
  }
  if (!own.plan.target.empty() || !own.plan.weights.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("--spec '{}': --target and --weights are the same for all: give them "
                            "outside",
                            text));
  }
  auto& plan = result.plan;
  const auto extend = [](auto& list, const auto& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  extend(plan.plan.as, own.plan.as);
  extend(plan.plan.values, own.plan.values);
  extend(plan.shares, own.shares);
  if (!own.plan.model.empty()) plan.plan.model = own.plan.model;
  if (!own.rule.empty()) plan.rule = own.rule;
  if (!own.prior.empty()) plan.prior = own.prior;
  if (!own.unseen.empty()) plan.unseen = own.unseen;
  return result;
}

}  // namespace

std::vector<Specified> parse_specs(const std::vector<std::string>& texts, const PlanOptions& base) {
  std::vector<Specified> specs;
  for (const auto& text : texts) {
    specs.push_back(parse_spec(text, base));
    for (std::size_t i = 0; i + 1 < specs.size(); ++i) {
      if (specs[i].name != specs.back().name) continue;
      throw Error(ErrorKind::usage, fmt::format("--spec: \"{}\" stands twice", specs[i].name));
    }
  }
  if (specs.empty()) return specs;
  for (const auto& path : base.data.paths) {
    if (path != "-") continue;
    throw Error(ErrorKind::usage, "--spec reads the data once for each: it cannot be stdin");
  }
  return specs;
}

}  // namespace credence::cli

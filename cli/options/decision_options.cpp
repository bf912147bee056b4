// SPDX-License-Identifier: Apache-2.0
#include "cli/options/decision_options.hpp"

#include <algorithm>

#include "core/strings.hpp"

namespace credence::cli {

void add_deciding(CLI::App* command, DecideOptions& options) {
  command->add_option("--reject", options.reject, "No label below this probability")
      ->check(probability());
  command
      ->add_option(
          "--threshold", options.thresholds,
          "A class from this probability on and only then, as in 'spam=0.9'; repeat for others")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--costs", options.costs,
                      "A CSV file of what each decision costs: decide by least expected cost");
}

DecisionRule rule_of(const DecideOptions& options, const std::vector<std::string>& classes) {
  DecisionRule rule;
  rule.reject_below = options.reject;
  if (!options.costs.empty()) rule.costs = read_costs(options.costs, classes);
  for (const auto& text : options.thresholds) {
    const auto equals = text.rfind('=');
    const auto value = equals == std::string::npos
                           ? std::nullopt
                           : to_number_or_fraction(std::string_view(text).substr(equals + 1));
    if (!value || !(*value >= 0 && *value <= 1)) {
      throw Error(ErrorKind::usage,
                  fmt::format("--threshold '{}': write 'CLASS=P' with P from 0 to 1", text));
    }
    const std::string name(trim(std::string_view(text).substr(0, equals)));
    const auto found = std::find(classes.begin(), classes.end(), name);
    if (found == classes.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("--threshold '{}': \"{}\" is no class of the model{}", text, name,
                              suggestion(name, classes)));
    }
    rule.thresholds.resize(classes.size(), 0.0);
    rule.thresholds[static_cast<std::size_t>(found - classes.begin())] = *value;
  }
  return rule;
}

}  // namespace credence::cli

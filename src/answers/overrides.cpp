// SPDX-License-Identifier: Apache-2.0
#include "answers/overrides.hpp"

#include <fmt/format.h>

#include "credence/calibration.hpp"
#include "credence/error.hpp"

namespace credence {

Model overridden(Model model, const std::string& name, const Overrides& overrides) {
  if (!overrides.rule.empty()) {
    if (model.settings().hand_written) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: a hand-written model has probabilities, not counts: {} cannot "
                              "change them",
                              name, setting("rule")));
    }
    model.settings().rule = parse_rule(overrides.rule);
  }
  if (!overrides.prior.empty()) model.settings().prior = parse_class_prior(overrides.prior);
  auto& calibration = model.settings().calibration;
  if (overrides.calibration == "off") calibration.reset();
  if (calibration && calibration->rule != model.settings().rule && !overrides.rule.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} is calibrated for the rule {} (add {})",
                            setting("rule", overrides.rule), name, to_string(calibration->rule),
                            setting("calibration", "off")));
  }
  return model;
}

}  // namespace credence

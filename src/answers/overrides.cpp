// SPDX-License-Identifier: Apache-2.0
#include "answers/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "credence/calibration.hpp"
#include "credence/error.hpp"
#include "families/pairs/reading.hpp"
#include "families/registry.hpp"

namespace credence {
namespace {

void read_pairs_as(Model& model, const std::string& name, const std::string& reading) {
  const auto counts_pairs = [](const BlockSpec& block) {
    return find_family(block.family).has_readings;
  };
  if (std::none_of(model.blocks().begin(), model.blocks().end(), counts_pairs)) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} has counted no pairs (fit {})", setting("reading", reading),
                            name, setting("as", "a, b, c: pairs")));
  }
  if (model.settings().calibration) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} is calibrated for another reading (add {})",
                            setting("reading", reading), name, setting("calibration", "off")));
  }
  parse_reading(reading);
  model.settings().reading = reading;
}

}  // namespace

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
  // What fit found by itself, nobody has asked for: it goes where it no longer holds.
  if (calibration && calibration->model_rows != 0 &&
      (calibration->rule != model.settings().rule || !overrides.reading.empty())) {
    calibration.reset();
  }
  if (calibration && calibration->rule != model.settings().rule && !overrides.rule.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} is calibrated for the rule {} (add {})",
                            setting("rule", overrides.rule), name, to_string(calibration->rule),
                            setting("calibration", "off")));
  }
  if (!overrides.reading.empty()) read_pairs_as(model, name, overrides.reading);
  return model;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// A model under other settings than its own.
#pragma once

#include <string>

#include "credence/model.hpp"

namespace credence {

// Each empty: the model's own.
struct Overrides {
  std::string rule;
  std::string prior;
  std::string calibration = {};  // "off": as if the model had none
  std::string reading = {};      // of pairs

  bool any() const { return *this != Overrides(); }
  bool operator==(const Overrides&) const = default;
};

// name: what messages call the model.
Model overridden(Model model, const std::string& name, const Overrides& overrides);

}  // namespace credence

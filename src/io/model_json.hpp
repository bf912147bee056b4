// SPDX-License-Identifier: Apache-2.0
// The parts of a model that are not arrays, as JSON.
#pragma once

#include <string>
#include <vector>

#include "credence/model.hpp"

namespace credence {

std::string describe_model(const Model& model);

// The model described, before any row; the names of its windows, and whether the rows outside of
// them have decayed.
struct Described {
  Model model;
  std::vector<Window> windows;
  bool decayed = false;
};
// Throws nlohmann's or our own errors on nonsense.
Described model_from_description(const std::string& text);

}  // namespace credence

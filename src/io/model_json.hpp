// SPDX-License-Identifier: Apache-2.0
// The parts of a model that are not arrays, as JSON.
#pragma once

#include <string>

#include "credence/model.hpp"

namespace credence {

std::string describe_model(const Model& model);
// The model described, before any row. Throws nlohmann's or our own errors on nonsense.
Model model_from_description(const std::string& text);

}  // namespace credence

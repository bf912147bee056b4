// SPDX-License-Identifier: Apache-2.0
// Models typed in by hand: priors and tables as JSON, without data. docs/handwritten.md
#pragma once

#include <string>
#include <string_view>

#include "credence/model.hpp"

namespace credence {

Model parse_hand_written(std::string_view text, const std::string& name);

}  // namespace credence

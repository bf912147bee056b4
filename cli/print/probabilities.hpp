// SPDX-License-Identifier: Apache-2.0
// Answers to questions about probabilities, as text and as JSON.
#pragma once

#include <string>

#include "ask/query.hpp"
#include "cli/options/common.hpp"

namespace credence::cli {

std::string text_of(const Answer& answer);
Json json_of(const Answer& answer);

}  // namespace credence::cli

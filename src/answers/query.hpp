// SPDX-License-Identifier: Apache-2.0
// Answers to questions about probabilities, as JSON.
#pragma once

#include "answers/json.hpp"
#include "ask/query.hpp"

namespace credence {

Json to_json(const Answer& answer);

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// show --evidence.
#pragma once

#include "cli/options/common.hpp"

namespace credence::cli {

Json evidence_json(const Model& model);
std::string evidence_text(const Model& model);

}  // namespace credence::cli

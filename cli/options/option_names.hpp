// SPDX-License-Identifier: Apache-2.0
// What the library says, with the settings it names called as the command line calls them.
#pragma once

#include <string>
#include <string_view>

#include "credence/error.hpp"

namespace credence::cli {

// The rule has two names; most messages use the first.
std::string worded(const Message& message, std::string_view rule_option = "--estimate");

}  // namespace credence::cli

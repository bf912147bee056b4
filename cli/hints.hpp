// SPDX-License-Identifier: Apache-2.0
// What people who come from other programs type, and what it is called here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace credence::cli {

// The arguments in the order in which they are read here: `help fit` and options before the command
// are understood.
std::vector<std::string> usual_order(const std::vector<std::string>& arguments,
                                     const std::vector<std::string_view>& commands);

// " (did you mean …?)" for a command or option of another program; "" where none is known.
std::string hint_for_command(std::string_view word);
std::string hint_for_option(std::string_view command, std::string_view option);

// The same for arguments of which one was refused with this message: arguments in the wrong order,
// a row in several arguments.
std::string hint_for_failure(const std::vector<std::string>& arguments, std::string_view message);

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// Words too common to tell classes apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace credence::text {

// The list of that name, or null.
const std::vector<std::string_view>* built_in_stop_words(std::string_view name);

}  // namespace credence::text

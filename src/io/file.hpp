// SPDX-License-Identifier: Apache-2.0
// Whole files: read at once, written atomically.
#pragma once

#include <string>
#include <string_view>

namespace credence {

std::string read_model_bytes(const std::string& path);
void write_atomically(const std::string& path, std::string_view bytes);

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Discriminant coordinates as a table for people, or as JSON.
#pragma once

#include "cli/options/common.hpp"
#include "model/coordinates.hpp"

namespace credence::cli {

std::string coordinates_text(const Coordinates& coordinates);
Json coordinates_json(const Coordinates& coordinates);

}  // namespace credence::cli

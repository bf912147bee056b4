// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "credence/source.hpp"

namespace credence::data {

// The rows of another source, which has no classes of its own, all in one class.
std::unique_ptr<Source> in_class(std::unique_ptr<Source> rows, std::string label);

}  // namespace credence::data

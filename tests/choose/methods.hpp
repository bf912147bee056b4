// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "credence/calibrate.hpp"

namespace credence {

using Method = Calibration::Method;
constexpr Method all_methods[] = {Method::temperature, Method::platt, Method::isotonic};

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// What an action says when it is refused.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "credence/error.hpp"

namespace credence {

// The message of the Error that `action` ends with, which is of the kind that is given; "" where it
// ends well.
template <class Action>
std::string error_of(Action&& action, std::optional<ErrorKind> kind = std::nullopt) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind.value_or(error.kind())) << error.what();
    return error.what();
  }
  return "";
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Where tests find files: in the sources, and in the folder of data beside them.
#pragma once

#include <string>

namespace credence {

std::string tests_folder();
std::string examples_folder();
std::string shared_data();

}  // namespace credence

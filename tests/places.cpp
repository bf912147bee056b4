// SPDX-License-Identifier: Apache-2.0
// The only file of the tests that knows where it is compiled: all others are the same to a compiler
// cache wherever the sources lie.
#include "places.hpp"

namespace credence {

std::string tests_folder() { return CREDENCE_TESTS; }
std::string examples_folder() { return CREDENCE_EXAMPLES; }
std::string shared_data() { return CREDENCE_SHARED_DATA; }

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Compiles against the installed headers, links the installed library, and calls into it.
#include <credence/error.hpp>

int main() { return credence::suggestion("outlok", {"outlook", "wind"}).empty() ? 1 : 0; }

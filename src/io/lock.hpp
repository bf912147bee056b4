// SPDX-License-Identifier: Apache-2.0
// Advisory locks of files that another file takes the place of when they are written.
#pragma once

#include <memory>
#include <string>

#include "io/file.hpp"

namespace credence {

// flock(), not ended by signals. False where somebody else has the lock, or files here cannot be
// locked.
bool lock_file(int descriptor, int how);

// Whether the name still leads to the file that is open.
bool leads_to(const std::string& path, int descriptor);

// The lock that a ModelLock of this program holds on the file of this name, or a null pointer.
std::shared_ptr<Descriptor> held_lock_of(const std::string& path);

}  // namespace credence

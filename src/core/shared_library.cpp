// SPDX-License-Identifier: Apache-2.0
#include "core/shared_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "credence/error.hpp"

namespace credence {

// Never closed: such libraries keep threads and memory of their own to the end of the process.
SharedLibrary::SharedLibrary(const char* name, const char* use)
    : name_(name), handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_) return;
  const char* const why = ::dlerror();
  throw Error(ErrorKind::system, fmt::format("{} {}, which cannot be loaded: {}", use, name_,
                                             why ? why : "no reason given"));
}

void* SharedLibrary::address(const char* name) const {
  void* const found = ::dlsym(handle_, name);
  if (!found) {
    throw Error(ErrorKind::system,
                fmt::format("{} has no {}: it is not the version that credence was built for",
                            name_, name));
  }
  return found;
}

}  // namespace credence

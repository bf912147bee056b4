// SPDX-License-Identifier: Apache-2.0
// A library of the system that is loaded when it is first needed. Those that draw pictures and read
// mail bring thirty others along: loading them takes longer than most commands, which need none.
#pragma once

#include <string>

namespace credence {

class SharedLibrary {
 public:
  // `use` begins the sentence that says what cannot be done without it: "pictures need".
  // Throws Error system when it is not there.
  SharedLibrary(const char* name, const char* use);
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  // Function: the type of a pointer to it, from the library's own header.
  template <typename Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(address(name));
  }

 private:
  void* address(const char* name) const;

  std::string name_;
  void* handle_;
};

}  // namespace credence

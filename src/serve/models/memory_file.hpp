// SPDX-License-Identifier: Apache-2.0
// Bytes that have a path, so that whoever reads files can read them; none of it is on a disk.
#pragma once

#include <string>
#include <string_view>

#include "io/file.hpp"

namespace credence::serve {

class MemoryFile {
 public:
  // Throws an HttpError 503 where there is no room.
  explicit MemoryFile(std::string_view bytes);

  std::string path() const;
  // A message with `name` in the place of the path.
  std::string renamed(std::string message, std::string_view name) const;

 private:
  Descriptor file_;
};

}  // namespace credence::serve

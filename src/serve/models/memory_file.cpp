// SPDX-License-Identifier: Apache-2.0
#include "serve/models/memory_file.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "serve/http/message.hpp"

namespace credence::serve {

MemoryFile::MemoryFile(std::string_view bytes) : file_(::memfd_create("credence", MFD_CLOEXEC)) {
  while (!bytes.empty()) {
    const auto size =
        uninterrupted([&] { return ::write(file_.get(), bytes.data(), bytes.size()); });
    if (size <= 0) throw HttpError(503, "there is no room for the table");
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
}

std::string MemoryFile::path() const { return fmt::format("/proc/self/fd/{}", file_.get()); }

std::string MemoryFile::renamed(std::string message, std::string_view name) const {
  const auto own = path();
  for (auto at = message.find(own); at != message.npos; at = message.find(own, at + name.size())) {
    message.replace(at, own.size(), name);
  }
  return message;
}

}  // namespace credence::serve

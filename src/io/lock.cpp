// SPDX-License-Identifier: Apache-2.0
#include "io/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <mutex>
#include <vector>

#include "credence/error.hpp"
#include "credence/io.hpp"

namespace credence {
namespace {

struct HeldLocks {
  std::mutex mutex;
  std::vector<std::weak_ptr<Descriptor>> all;
};

HeldLocks& held_locks() {
  static HeldLocks held;
  return held;
}

}  // namespace

bool lock_file(int descriptor, int how) {
  return uninterrupted([&] { return ::flock(descriptor, how); }) == 0;
}

bool leads_to(const std::string& path, int descriptor) {
  struct stat named {};
  struct stat opened {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

std::shared_ptr<Descriptor> held_lock_of(const std::string& path) {
  auto& held = held_locks();
  const std::lock_guard guard(held.mutex);
  std::erase_if(held.all, [](const auto& lock) { return lock.expired(); });
  for (const auto& weak : held.all) {
    const auto lock = weak.lock();
    if (lock && leads_to(path, lock->get())) return lock;
  }
  return nullptr;
}

ModelLock::ModelLock(const std::string& path, bool wait, const std::function<void()>& busy) {
  for (bool told = false;;) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
    auto file = std::make_shared<Descriptor>(open_file(path, O_RDONLY));
    if (file->get() < 0) return;  // who reads or writes it will say why
    if (!lock_file(file->get(), LOCK_EX | LOCK_NB)) {
      if (errno != EWOULDBLOCK) return;  // files here cannot be locked
      if (!wait) {
        throw Error(ErrorKind::system,
                    fmt::format("{}: another program is changing it, so nothing was done (try "
                                "again when it has finished)",
                                path));
      }
      if (busy && !std::exchange(told, true)) busy();
      if (!lock_file(file->get(), LOCK_EX)) return;
    }
    // While we waited another file may have taken its place: that one counts.
    if (!leads_to(path, file->get())) continue;
    auto& held = held_locks();
    const std::lock_guard guard(held.mutex);
    held.all.push_back(file);
    held_ = std::move(file);
    return;
  }
}

}  // namespace credence

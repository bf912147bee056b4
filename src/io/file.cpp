// SPDX-License-Identifier: Apache-2.0
#include "io/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "credence/error.hpp"
#include "io/container.hpp"

namespace credence {
namespace {

[[noreturn]] void cannot_write(const std::string& path) {
  if (errno == ENOENT) {
    throw Error(ErrorKind::system,
                fmt::format("{}: cannot be written: the folder does not exist", path));
  }
  throw Error(ErrorKind::system,
              fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

void write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) cannot_write(path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ > STDERR_FILENO) ::close(number_);
}

ModelFile::ModelFile(std::string path)
    : path_(std::move(path)),
      file_(path_ == "-" ? STDIN_FILENO : ::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_.get() >= 0) return;
  if (errno == ENOENT) throw Error(ErrorKind::model, path_ + ": no such model file");
  cannot_read();
}

void ModelFile::cannot_read() const {
  throw Error(ErrorKind::model, fmt::format("{}: cannot be read: {}", path_, std::strerror(errno)));
}

std::string ModelFile::beginning(std::size_t most) {
  const off_t start = ::lseek(file_.get(), 0, SEEK_CUR);  // stdin may be open in the middle
  if (start < 0) return "";
  std::string bytes(most, '\0');
  const ssize_t count = ::pread(file_.get(), bytes.data(), most, start);
  bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  beginning_ = bytes;
  return bytes;
}

FileBytes ModelFile::read() const {
  struct stat status {};
  const bool known = ::fstat(file_.get(), &status) == 0 && S_ISREG(status.st_mode);
  // One byte more than there are, so that the end is found without growing.
  std::size_t room = known ? static_cast<std::size_t>(status.st_size) + 1 : std::size_t{1} << 16;
  FileBytes result;
  result.bytes_ = std::make_unique_for_overwrite<char[]>(room);
  for (;;) {
    const ssize_t count =
        ::read(file_.get(), result.bytes_.get() + result.size_, room - result.size_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) cannot_read();
    if (count == 0) break;
    result.size_ += static_cast<std::size_t>(count);
    if (result.size_ > most_bytes(result.view())) break;  // and whoever reads it will say why
    if (result.size_ < room) continue;
    auto larger = std::make_unique_for_overwrite<char[]>(room *= 2);
    std::memcpy(larger.get(), result.bytes_.get(), result.size_);
    result.bytes_ = std::move(larger);
  }
  if (!result.view().starts_with(beginning_)) {
    throw Error(ErrorKind::model, path_ + ": another program wrote to the file while it was read");
  }
  return result;
}

FileBytes read_model_bytes(const std::string& path) { return ModelFile(path).read(); }

struct AtomicFile::State {
  std::string path;
  std::filesystem::path target = {};
  std::string temporary = {};  // empty: written to directly
  mode_t mode = 0;
  int descriptor = STDOUT_FILENO;
};

AtomicFile::AtomicFile(std::string path) : state_(std::make_unique<State>(State{std::move(path)})) {
  if (state_->path == "-") {
    state_->path = "stdout";
    return;
  }
  struct stat status {};
  const bool exists = ::stat(state_->path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    cannot_write(state_->path);
  }
  if (exists && !S_ISREG(status.st_mode)) {  // a device or a pipe cannot be renamed over
    state_->descriptor = ::open(state_->path.c_str(), O_WRONLY | O_CLOEXEC);
    if (state_->descriptor < 0) cannot_write(state_->path);
    return;
  }
  // Through a symbolic link, so that the link stays one.
  std::error_code ignored;
  state_->target = exists ? std::filesystem::canonical(state_->path, ignored)
                          : std::filesystem::path(state_->path);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  state_->mode = exists ? status.st_mode & 07777 : 0666 & ~mask;
  std::string temporary = state_->target.string() + ".XXXXXX";
  state_->descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (state_->descriptor < 0) cannot_write(state_->path);
  state_->temporary = std::move(temporary);
}

AtomicFile::~AtomicFile() {
  if (state_->descriptor > STDERR_FILENO) ::close(state_->descriptor);
  if (!state_->temporary.empty()) ::unlink(state_->temporary.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  write_all(state_->descriptor, bytes, state_->path);
}

void AtomicFile::finish() {
  if (state_->temporary.empty()) return;
  if (::fchmod(state_->descriptor, state_->mode) != 0 || ::fsync(state_->descriptor) != 0 ||
      ::rename(state_->temporary.c_str(), state_->target.c_str()) != 0) {
    cannot_write(state_->path);
  }
  state_->temporary.clear();
  // The rename itself must survive a power cut.
  const auto folder =
      state_->target.parent_path().empty() ? "." : state_->target.parent_path().string();
  const Descriptor parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0) ::fsync(parent.get());
}

void write_atomically(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.finish();
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "io/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "credence/error.hpp"
#include "io/container.hpp"
#include "io/lock.hpp"

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
    const ssize_t written =
        uninterrupted([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
    if (written == 0) errno = EIO;
    if (written <= 0) cannot_write(path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

Descriptor open_file(const std::string& path, int flags) {
  return Descriptor(uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC); }));
}

Descriptor::~Descriptor() {
  if (number_ > STDERR_FILENO) ::close(number_);
}

ModelFile::ModelFile(std::string path)
    : path_(std::move(path)),
      file_(path_ == "-" ? Descriptor(STDIN_FILENO) : open_file(path_, O_RDONLY)) {
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
  const ssize_t count =
      uninterrupted([&] { return ::pread(file_.get(), bytes.data(), most, start); });
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
    const ssize_t count = uninterrupted([&] {
      return ::read(file_.get(), result.bytes_.get() + result.size_, room - result.size_);
    });
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

namespace {

// A temporary file is called like its target, with a dot, six of these, and this at its end.
constexpr std::string_view letters_and_digits =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::string_view unfinished = ".unfinished";

// Through symbolic links, those included that lead to no file yet, so that a link stays one.
std::filesystem::path written_through(std::filesystem::path path) {
  for (int links = 0; links < 40; ++links) {
    std::error_code none;
    const auto next = std::filesystem::read_symlink(path, none);
    if (none) return path;
    path = path.parent_path() / next;
  }
  errno = ELOOP;
  cannot_write(path.string());
}

std::string folder_of(const std::filesystem::path& file) {
  return file.parent_path().empty() ? "." : file.parent_path().string();
}

// Whoever is writing holds the lock of its unfinished file: one without is a dead writer's.
void remove_left_by_dead_writers(const std::filesystem::path& target) {
  const std::string start = target.filename().string() + ".";
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder_of(target), failed), end; !failed && at != end;
       at.increment(failed)) {
    const auto name = at->path().filename().string();
    if (!name.starts_with(start) || !name.ends_with(unfinished)) continue;
    if (name.size() != start.size() + 6 + unfinished.size() ||
        name.find_first_not_of(letters_and_digits, start.size()) != start.size() + 6) {
      continue;
    }
    const auto file = open_file(at->path().string(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (file.get() >= 0 && lock_file(file.get(), LOCK_EX | LOCK_NB) &&
        leads_to(at->path().string(), file.get())) {
      ::unlink(at->path().c_str());
    }
  }
}

}  // namespace

struct AtomicFile::State {
  std::string path;
  std::filesystem::path target = {};
  std::string temporary = {};  // empty: written to directly
  mode_t mode = 0;
  Descriptor file{STDOUT_FILENO};

  void open_temporary();
};

void AtomicFile::State::open_temporary() {
  for (;;) {
    file = Descriptor(uninterrupted([&] {
      temporary = target.string() + ".XXXXXX" + std::string(unfinished);
      return ::mkostemps(temporary.data(), static_cast<int>(unfinished.size()), O_CLOEXEC);
    }));
    if (file.get() < 0) {
      temporary.clear();
      cannot_write(path);
    }
    // Between its making and its locking another writer may have taken it for a dead one's.
    if (!lock_file(file.get(), LOCK_EX) || leads_to(temporary, file.get())) return;
  }
}

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
    state_->file = open_file(state_->path, O_WRONLY);
    if (state_->file.get() < 0) cannot_write(state_->path);
    return;
  }
  state_->target = written_through(state_->path);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  state_->mode = exists ? status.st_mode & 07777 : 0666 & ~mask;
  state_->open_temporary();
  remove_left_by_dead_writers(state_->target);
}

AtomicFile::~AtomicFile() {
  if (!state_->temporary.empty()) ::unlink(state_->temporary.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  write_all(state_->file.get(), bytes, state_->path);
}

void AtomicFile::finish() {
  if (state_->temporary.empty()) return;
  const int file = state_->file.get();
  const auto held = held_lock_of(state_->target.string());
  const int done = uninterrupted([&] {
    const bool ready = ::fchmod(file, state_->mode) == 0 && ::fsync(file) == 0;
    return ready ? ::rename(state_->temporary.c_str(), state_->target.c_str()) : -1;
  });
  if (done != 0) cannot_write(state_->path);
  state_->temporary.clear();
  if (held) *held = std::move(state_->file);  // the lock of the old file goes over to the new one
  // The rename itself must survive a power cut.
  const auto parent = open_file(folder_of(state_->target), O_RDONLY | O_DIRECTORY);
  if (parent.get() >= 0) ::fsync(parent.get());
}

void write_atomically(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.finish();
}

}  // namespace credence

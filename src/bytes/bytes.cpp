// SPDX-License-Identifier: Apache-2.0
#include "bytes/bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "credence/error.hpp"

namespace credence::data {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::data, name + ": " + why);
}

std::string reason(int code) {
  return code == ENOENT || code == ENOTDIR
             ? "no such file"
             : "cannot be read (" + std::string(std::strerror(code)) + ")";
}

}  // namespace

std::string display_name(const std::string& path) { return path == "-" ? "stdin" : path; }

std::uint64_t check_file(const std::string& path) {
  if (path == "-") return 0;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) refuse(path, reason(errno));
  if (S_ISDIR(status.st_mode)) refuse(path, "is a folder, not a file");
  return S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
}

ByteInput::ByteInput(const std::string& path) : name_(display_name(path)) {
  check_file(path);
  const int descriptor =
      path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) refuse(name_, reason(errno));
  file_ = ::gzdopen(descriptor, "rb");
  if (!file_) {
    ::close(descriptor);
    throw Error(ErrorKind::system, name_ + ": no memory to open it");
  }
  ::gzbuffer(file_, 1 << 17);
}

ByteInput::~ByteInput() { ::gzclose(file_); }

std::size_t ByteInput::read(char* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    // gzread counts in int.
    const auto asked = static_cast<unsigned>(std::min<std::size_t>(size - done, 1U << 30));
    const int got = ::gzread(file_, to + done, asked);
    if (got > 0) done += static_cast<std::size_t>(got);
    if (got == static_cast<int>(asked)) continue;
    // A short read is the end of the file, or data cut short (Z_BUF_ERROR), or damage.
    int problem = Z_OK;
    ::gzerror(file_, &problem);
    if (problem == Z_ERRNO) refuse(name_, reason(errno));
    if (problem != Z_OK && problem != Z_STREAM_END) {
      refuse(name_, "damaged or cut short gzip data");
    }
    break;
  }
  delivered_ += done;
  return done;
}

std::uint64_t ByteInput::position() const {
  const auto offset = ::gzoffset(file_);
  return offset < 0 ? delivered_ : static_cast<std::uint64_t>(offset);  // a pipe has no offset
}

}  // namespace credence::data

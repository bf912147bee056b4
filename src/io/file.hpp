// SPDX-License-Identifier: Apache-2.0
// Model files read at once, and any output written atomically.
#pragma once

#include <cerrno>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace credence {

// A call to the system, made again where a signal came in between.
template <typename Call>
auto uninterrupted(const Call& call) {
  for (;;) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int get() const { return number_; }

 private:
  int number_;
};

// open(2) of what is there already.
Descriptor open_file(const std::string& path, int flags);

// All of a file, without the zeros that a string would be filled with first.
class FileBytes {
 public:
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  friend class ModelFile;
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

// Opened once, so that all of it is of one file even if another one takes its place meanwhile. "-"
// is standard input.
class ModelFile {
 public:
  explicit ModelFile(std::string path);

  const std::string& path() const { return path_; }
  // Its first bytes, at most so many. None of a pipe, where they would be gone.
  std::string beginning(std::size_t most);
  // All of it. Throws if it no longer begins as it did.
  FileBytes read() const;

 private:
  [[noreturn]] void cannot_read() const;

  std::string path_;
  Descriptor file_;
  std::string beginning_;
};
FileBytes read_model_bytes(const std::string& path);
void write_atomically(const std::string& path, std::string_view bytes);

// The same piece by piece: a temporary file beside `path` that takes its place when all is
// written, and is gone if that never comes. What killed writers of the same file left is removed.
// "-" is standard output.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace credence

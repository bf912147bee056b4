// SPDX-License-Identifier: Apache-2.0
// Model files read at once, and any output written atomically.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace credence {

// All of a file, without the zeros that a string would be filled with first.
class FileBytes {
 public:
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  friend FileBytes read_model_bytes(const std::string& path);
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};
FileBytes read_model_bytes(const std::string& path);
void write_atomically(const std::string& path, std::string_view bytes);

// The same piece by piece: a temporary file beside `path` that takes its place when all is
// written, and is gone if that never comes. "-" is standard output.
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

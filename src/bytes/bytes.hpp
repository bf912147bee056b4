// SPDX-License-Identifier: Apache-2.0
// The bytes of one file or of standard input, unpacked when they are gzip-compressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

struct gzFile_s;

namespace credence::data {

// How messages call a path: itself, or "stdin" for "-".
std::string display_name(const std::string& path);

// Throws Error data unless the path can be opened as a file. Returns its size, 0 when unknown.
std::uint64_t check_file(const std::string& path);

class ByteInput {
 public:
  explicit ByteInput(const std::string& path);
  ~ByteInput();
  ByteInput(const ByteInput&) = delete;
  ByteInput& operator=(const ByteInput&) = delete;

  // Fills `to`; fewer bytes than asked only at the end of the file.
  std::size_t read(char* to, std::size_t size);

  // Bytes taken from the file itself, before unpacking where that is known.
  std::uint64_t position() const;

 private:
  std::string name_;
  gzFile_s* file_ = nullptr;
  std::uint64_t delivered_ = 0;
};

}  // namespace credence::data

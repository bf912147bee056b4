// SPDX-License-Identifier: Apache-2.0
// The bytes of one file or of standard input, unpacked when they are packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "bytes/stages.hpp"

namespace credence::data {

// How messages call a path: itself, or "stdin" for "-".
std::string display_name(const std::string& path);

// mails.mbox.gz -> mails.mbox
std::string without_packing(const std::string& path);
// The last extension of a path, in lower case, not counting what says how it is packed.
std::string extension_of(const std::string& path);

// Throws Error data unless the path can be opened as a file. Returns its size, 0 when unknown.
// "data.zip/train.csv" is a file of a zip.
std::uint64_t check_file(const std::string& path);

class ByteInput {
 public:
  // table: a text is wanted. UTF-16 becomes UTF-8, Parquet and the like become CSV, and what is
  // known to hold no table is refused by its name.
  explicit ByteInput(const std::string& path, bool table = false);

  // Fills `to`; fewer bytes than asked only at the end of the file.
  std::size_t read(char* to, std::size_t size) { return bytes_->read(to, size); }

  // Bytes taken from the file itself, before unpacking where that is known.
  std::uint64_t position() const { return bytes_->position(); }

  bool is_csv() const { return is_csv_; }  // whatever its name says

 private:
  BytesPointer bytes_;
  bool is_csv_ = false;
};

}  // namespace credence::data

// SPDX-License-Identifier: Apache-2.0
// Bytes on their way from a file to a reader: each stage changes what the one below it gives.
// Nobody holds more than a buffer, so a few packed bytes may stand for any number without taking
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace credence::data {

class Bytes {
 public:
  virtual ~Bytes() = default;
  // Fills `to`; fewer bytes than asked only at the end.
  virtual std::size_t read(char* to, std::size_t size) = 0;
  // Bytes taken from the file itself.
  virtual std::uint64_t position() const = 0;
};
using BytesPointer = std::unique_ptr<Bytes>;

// Throws Error data "name: why".
[[noreturn]] void refuse_bytes(const std::string& name, const std::string& why);

// Takes the descriptor over. `name` is for messages, here and below.
BytesPointer file_bytes(int descriptor, std::string name);
// Bytes in memory, which must stay.
BytesPointer memory_bytes(std::string_view bytes);

// The same bytes, whose beginning can be looked at.
class Headed final : public Bytes {
 public:
  explicit Headed(BytesPointer below);
  std::string_view head() const { return head_; }  // until bytes are read
  std::size_t read(char* to, std::size_t size) override;
  std::uint64_t position() const override { return below_->position(); }

 private:
  BytesPointer below_;
  std::string head_;
  std::size_t taken_ = 0;
};

enum class Packing { none, gzip, bzip2, xz, zstd, zip };
// What a file that begins so is packed by.
Packing packing_of(std::string_view head);
const char* name_of(Packing packing);

// Unpacks anything but zip. Throws Error data for what is damaged or cut short.
BytesPointer unpacked(Packing packing, BytesPointer below, const std::string& name);

enum class Utf16 { no, little, big };
// By the mark at its beginning, or by the zeros that ASCII in UTF-16 is full of.
Utf16 utf16_of(std::string_view head);
// Whether lines end as they did on old Macintoshes, by a carriage return alone.
bool ends_lines_by_cr(std::string_view head);
// With line feeds in their place.
BytesPointer from_cr(BytesPointer below);

// As UTF-8, without the mark. Throws Error data for what is no UTF-16.
BytesPointer from_utf16(Utf16 order, BytesPointer below, const std::string& name);

}  // namespace credence::data

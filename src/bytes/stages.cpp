// SPDX-License-Identifier: Apache-2.0
#include "bytes/stages.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "bytes/archive.hpp"
#include "core/utf8.hpp"
#include "credence/error.hpp"

namespace credence::data {
namespace {

constexpr std::size_t head_bytes = 4096;
constexpr std::size_t buffer_bytes = std::size_t{1} << 17;

class FileBytes final : public Bytes {
 public:
  FileBytes(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  ~FileBytes() override { ::close(descriptor_); }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    std::size_t done = 0;
    while (done < size) {
      const auto got = ::read(descriptor_, to + done, size - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        refuse_bytes(name_, "cannot be read (" + std::string(std::strerror(errno)) + ")");
      }
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    position_ += done;
    return done;
  }
  std::uint64_t position() const override { return position_; }

 private:
  int descriptor_;
  std::string name_;
  std::uint64_t position_ = 0;
};

class MemoryBytes final : public Bytes {
 public:
  explicit MemoryBytes(std::string_view bytes) : rest_(bytes) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t given = rest_.copy(to, size);
    rest_.remove_prefix(given);
    position_ += given;
    return given;
  }
  std::uint64_t position() const override { return position_; }

 private:
  std::string_view rest_;
  std::uint64_t position_ = 0;
};

class GzipBytes final : public Bytes {
 public:
  GzipBytes(BytesPointer below, std::string name)
      : below_(std::move(below)), name_(std::move(name)), buffer_(buffer_bytes) {
    constexpr int gzip = 15 + 16;
    if (::inflateInit2(&stream_, gzip) != Z_OK) {
      throw Error(ErrorKind::system, name_ + ": no memory to unpack it");
    }
  }
  ~GzipBytes() override { ::inflateEnd(&stream_); }
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    std::size_t done = 0;
    while (done < size && !ended_) {
      if (stream_.avail_in == 0 && !refill()) refuse();
      const auto room = static_cast<uInt>(std::min<std::size_t>(size - done, 1U << 30));
      stream_.next_out = reinterpret_cast<Bytef*>(to + done);
      stream_.avail_out = room;
      const int state = ::inflate(&stream_, Z_NO_FLUSH);
      done += room - stream_.avail_out;
      if (state == Z_STREAM_END) {
        next_member();
      } else if (state != Z_OK && state != Z_BUF_ERROR) {
        refuse();
      }
    }
    return done;
  }
  std::uint64_t position() const override { return below_->position(); }

 private:
  bool refill() {
    stream_.avail_in = static_cast<uInt>(below_->read(buffer_.data(), buffer_.size()));
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    return stream_.avail_in > 0;
  }

  // Packed files one behind the other are one; zeros behind the last are what tapes leave.
  void next_member() {
    while (stream_.avail_in > 0 || refill()) {
      if (*stream_.next_in == 0x1F) {
        ::inflateReset(&stream_);
        return;
      }
      if (*stream_.next_in != 0) refuse();
      ++stream_.next_in;
      --stream_.avail_in;
    }
    ended_ = true;
  }

  [[noreturn]] void refuse() const { refuse_bytes(name_, "damaged or cut short gzip data"); }

  BytesPointer below_;
  std::string name_;
  std::vector<char> buffer_;
  z_stream stream_{};
  bool ended_ = false;
};

class Utf16Bytes final : public Bytes {
 public:
  Utf16Bytes(Utf16 order, BytesPointer below, std::string name)
      : little_(order == Utf16::little),
        below_(std::move(below)),
        name_(std::move(name)),
        buffer_(buffer_bytes) {}

  std::size_t read(char* to, std::size_t size) override {
    std::size_t done = 0;
    while (done < size) {
      if (at_ == text_.size() && !convert()) break;
      const std::size_t given = text_.copy(to + done, size - done, at_);
      at_ += given;
      done += given;
    }
    return done;
  }
  std::uint64_t position() const override { return below_->position(); }

 private:
  // False at the end. A buffer holds whole units: its size is even.
  bool convert() {
    const std::size_t got = below_->read(buffer_.data(), buffer_.size());
    if (got % 2 != 0) refuse_bytes(name_, "cut short UTF-16: half a character at the end");
    text_.clear();
    at_ = 0;
    for (std::size_t i = 0; i < got; i += 2) add(unit(i));
    if (got == 0 && high_ != 0) refuse_half();
    started_ = true;
    return got > 0;
  }

  std::uint32_t unit(std::size_t i) const {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(buffer_[at]); };
    return little_ ? byte(i) | byte(i + 1) << 8u : byte(i) << 8u | byte(i + 1);
  }

  void add(std::uint32_t point) {
    const bool low = point >= 0xDC00 && point < 0xE000;
    if (low != (high_ != 0)) refuse_half();
    if (low) point = 0x10000 + ((high_ - 0xD800) << 10) + (point - 0xDC00);
    high_ = 0;
    if (point >= 0xD800 && point < 0xDC00) {
      high_ = point;
    } else if (started_ || !text_.empty() || point != 0xFEFF) {
      append_utf8(text_, point);
    }
  }

  [[noreturn]] void refuse_half() const {
    refuse_bytes(name_, "not valid UTF-16: half of a pair of surrogates");
  }

  bool little_, started_ = false;
  BytesPointer below_;
  std::string name_;
  std::vector<char> buffer_;
  std::string text_;
  std::size_t at_ = 0;
  std::uint32_t high_ = 0;  // the first half of a pair
};

class CrBytes final : public Bytes {
 public:
  explicit CrBytes(BytesPointer below) : below_(std::move(below)) {}

  std::size_t read(char* to, std::size_t size) override {
    const std::size_t got = below_->read(to, size);
    std::replace(to, to + got, '\r', '\n');
    return got;
  }
  std::uint64_t position() const override { return below_->position(); }

 private:
  BytesPointer below_;
};

}  // namespace

void refuse_bytes(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::data, name + ": " + why);
}

BytesPointer file_bytes(int descriptor, std::string name) {
  return std::make_unique<FileBytes>(descriptor, std::move(name));
}

BytesPointer memory_bytes(std::string_view bytes) { return std::make_unique<MemoryBytes>(bytes); }

Headed::Headed(BytesPointer below) : below_(std::move(below)), head_(head_bytes, '\0') {
  head_.resize(below_->read(head_.data(), head_.size()));
}

std::size_t Headed::read(char* to, std::size_t size) {
  const std::size_t given = head_.copy(to, size, taken_);
  taken_ += given;
  return given < size ? given + below_->read(to + given, size - given) : given;
}

Packing packing_of(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.starts_with("\x1F\x8B")) return Packing::gzip;
  if (head.starts_with("BZh") && head.size() >= 10 &&
      (head.substr(4, 6) == "\x31\x41\x59\x26\x53\x59" ||
       head.substr(4, 6) == "\x17\x72\x45\x38\x50\x90")) {
    return Packing::bzip2;
  }
  if (head.starts_with("\xFD"
                       "7zXZ\0"sv)) {
    return Packing::xz;
  }
  if (head.starts_with("\x28\xB5\x2F\xFD")) return Packing::zstd;
  if (head.starts_with("PK\3\4") || head.starts_with("PK\5\6")) return Packing::zip;
  return Packing::none;
}

const char* name_of(Packing packing) {
  constexpr const char* names[] = {"plain", "gzip", "bzip2", "xz", "zstd", "zip"};
  return names[static_cast<std::size_t>(packing)];
}

Utf16 utf16_of(std::string_view head) {
  if (head.starts_with(std::string_view("\xFF\xFE\0\0", 4))) return Utf16::no;  // UTF-32
  if (head.starts_with("\xFF\xFE")) return Utf16::little;
  if (head.starts_with("\xFE\xFF")) return Utf16::big;
  std::size_t zeros[2] = {0, 0};
  const std::size_t units = head.size() / 2;
  for (std::size_t i = 0; i < 2 * units; ++i) zeros[i % 2] += head[i] == '\0' ? 1 : 0;
  // Digits, delimiters and line ends are ASCII in any language; no text holds a NUL of its own.
  const auto mostly = [&](std::size_t with, std::size_t without) {
    return zeros[with] * 3 > units && zeros[without] == 0;
  };
  if (units < 2) return Utf16::no;
  return mostly(1, 0) ? Utf16::little : mostly(0, 1) ? Utf16::big : Utf16::no;
}

// One at the end of what is seen may have its line feed behind it.
bool ends_lines_by_cr(std::string_view head) {
  const std::size_t first = head.find('\r');
  return first < head.size() - 1 && head.find('\n') == head.npos;
}

BytesPointer from_cr(BytesPointer below) { return std::make_unique<CrBytes>(std::move(below)); }

BytesPointer from_utf16(Utf16 order, BytesPointer below, const std::string& name) {
  return std::make_unique<Utf16Bytes>(order, std::move(below), name);
}

BytesPointer unpacked(Packing packing, BytesPointer below, const std::string& name) {
  if (packing == Packing::none) return below;
  if (packing == Packing::gzip) return std::make_unique<GzipBytes>(std::move(below), name);
  return filtered(packing, std::move(below), name);
}

}  // namespace credence::data

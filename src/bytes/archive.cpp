// SPDX-License-Identifier: Apache-2.0
#include "bytes/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <vector>

#include "bytes/foreign.hpp"
#include "core/shared_library.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence::data {
namespace {

struct ArchiveLibrary {
#ifdef __APPLE__
  SharedLibrary library{"libarchive.dylib", "files packed by bzip2, xz, zstd or zip need"};
#else
  SharedLibrary library{"libarchive.so.13", "files packed by bzip2, xz, zstd or zip need"};
#endif

#define CREDENCE_ARCHIVE(name) \
  decltype(&archive_##name) name = library.function<decltype(&archive_##name)>("archive_" #name)
  CREDENCE_ARCHIVE(read_new);
  CREDENCE_ARCHIVE(read_free);
  CREDENCE_ARCHIVE(read_support_filter_bzip2);
  CREDENCE_ARCHIVE(read_support_filter_xz);
  CREDENCE_ARCHIVE(read_support_filter_zstd);
  CREDENCE_ARCHIVE(read_support_format_empty);
  CREDENCE_ARCHIVE(read_support_format_raw);
  CREDENCE_ARCHIVE(read_support_format_zip);
  CREDENCE_ARCHIVE(read_open);
  CREDENCE_ARCHIVE(read_open_filename);
  CREDENCE_ARCHIVE(read_next_header);
  CREDENCE_ARCHIVE(read_data);
  decltype(&archive_errno) error_number =
      library.function<decltype(&archive_errno)>("archive_errno");
  CREDENCE_ARCHIVE(filter_bytes);
  CREDENCE_ARCHIVE(entry_pathname);
  CREDENCE_ARCHIVE(entry_pathname_utf8);
  CREDENCE_ARCHIVE(entry_is_encrypted);
#undef CREDENCE_ARCHIVE
};

const ArchiveLibrary& library() {
  static const ArchiveLibrary loaded;
  return loaded;
}

struct FreeArchive {
  void operator()(archive* opened) const { library().read_free(opened); }
};
using ArchivePointer = std::unique_ptr<archive, FreeArchive>;

std::string path_of(archive_entry* entry) {
  const char* name = library().entry_pathname_utf8(entry);
  if (!name) name = library().entry_pathname(entry);
  return name ? name : "?";
}

// Folders, and what macOS adds to every zip.
bool is_no_file(const std::string& member) {
  return member.ends_with('/') || member.starts_with("__MACOSX/") || member.ends_with(".DS_Store");
}

class ArchiveBytes final : public Bytes {
 public:
  ArchiveBytes(BytesPointer below, std::string name, const char* what)
      : below_(std::move(below)), name_(std::move(name)), what_(what), buffer_(1 << 16) {
    archive_.reset(library().read_new());
  }
  ArchiveBytes(const ArchiveBytes&) = delete;
  ArchiveBytes& operator=(const ArchiveBytes&) = delete;

  void open_packed(Packing packing) {
    const auto& lib = library();
    if (packing == Packing::bzip2) lib.read_support_filter_bzip2(archive_.get());
    if (packing == Packing::xz) lib.read_support_filter_xz(archive_.get());
    if (packing == Packing::zstd) lib.read_support_filter_zstd(archive_.get());
    lib.read_support_format_raw(archive_.get());
    lib.read_support_format_empty(archive_.get());
    open();
    whole_ = true;
    if (!next_entry()) {
      if (library().error_number(archive_.get()) != 0) refuse();
      end();
    }
  }

  void open_zip(const std::string& path) {
    library().read_support_format_zip(archive_.get());
    if (!path.empty()) {
      check(library().read_open_filename(archive_.get(), path.c_str(), buffer_.size()));
    } else {
      open();
    }
  }

  // The next file of a zip; "": there is none.
  std::string next_file() {
    while (next_entry()) {
      auto member = path_of(entry_);
      if (!is_no_file(member)) return member;
    }
    return "";
  }

  // All that follows is the file at hand.
  void start_file(bool only) {
    if (library().entry_is_encrypted(entry_)) {
      refuse_bytes(name_, "encrypted (unpack it with its password first)");
    }
    only_ = only;
  }

  std::size_t read(char* to, std::size_t size) override {
    std::size_t done = 0;
    while (done < size && !ended_) {
      const auto got = library().read_data(archive_.get(), to + done, size - done);
      if (got < 0) refuse();
      if (got == 0) end();
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

  std::uint64_t position() const override {
    const auto bytes = library().filter_bytes(archive_.get(), -1);
    return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
  }

 private:
  void open() {
    check(library().read_open(archive_.get(), this, nullptr, &ArchiveBytes::take, nullptr));
  }

  // Called by the library, through which no exception may pass.
  static la_ssize_t take(archive*, void* self, const void** bytes) {
    auto& own = *static_cast<ArchiveBytes*>(self);
    try {
      *bytes = own.buffer_.data();
      const std::size_t given = own.below_->read(own.buffer_.data(), own.buffer_.size());
      own.given_ += given;
      return static_cast<la_ssize_t>(given);
    } catch (...) {
      own.problem_ = std::current_exception();
      return -1;
    }
  }

  bool next_entry() {
    const int state = library().read_next_header(archive_.get(), &entry_);
    if (state != ARCHIVE_EOF) check(state);
    return state != ARCHIVE_EOF;
  }

  // Of what follows a packed stream nothing may be passed over: it might be the rest of the table.
  void end() {
    ended_ = true;
    if (whole_ && (position() < given_ || below_->read(buffer_.data(), 1) > 0)) refuse();
    if (only_ && !next_file().empty()) {
      refuse_bytes(name_, "a zip of several files (unpack it, and name the file)");
    }
  }

  void check(int state) const {
    if (state != ARCHIVE_OK) refuse();
  }

  [[noreturn]] void refuse() const {
    if (problem_) std::rethrow_exception(problem_);
    refuse_bytes(name_, fmt::format("damaged or cut short {} data", what_));
  }

  BytesPointer below_;
  std::string name_;
  const char* what_;
  std::vector<char> buffer_;
  ArchivePointer archive_;
  archive_entry* entry_ = nullptr;
  std::exception_ptr problem_;
  std::uint64_t given_ = 0;  // bytes, to the library
  bool whole_ = false;       // one packed stream
  bool ended_ = false;
  bool only_ = false;
};

// A zip ends with a record of its own, without which files may be lacking.
bool ends_as_zip(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  constexpr std::streamoff record = 22, longest_comment = 65535;
  const std::streamoff size = file.tellg();
  const std::streamoff start = std::max<std::streamoff>(0, size - record - longest_comment);
  std::string tail(static_cast<std::size_t>(std::max<std::streamoff>(0, size - start)), '\0');
  file.seekg(start);
  file.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  if (!file) return false;
  for (auto at = tail.rfind("PK\5\6"); at != tail.npos;
       at = at == 0 ? at : tail.rfind("PK\5\6", at - 1)) {
    if (at + record <= tail.size()) {
      const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(tail[at + i]); };
      if (at + record + byte(20) + 256u * byte(21) == tail.size()) return true;
    }
    if (at == 0) break;
  }
  return false;
}

std::vector<std::string> members_of(const std::string& path) {
  if (!ends_as_zip(path)) refuse_bytes(path, "damaged or cut short zip data");
  ArchiveBytes zip(nullptr, path, "zip");
  zip.open_zip(path);
  std::vector<std::string> members;
  for (auto member = zip.next_file(); !member.empty(); member = zip.next_file()) {
    members.push_back(std::move(member));
  }
  return members;
}

// Throws unless one of the members is meant.
std::string choose_member(const std::string& path, const std::string& wanted) {
  const auto members = members_of(path);
  if (!wanted.empty()) {
    if (std::find(members.begin(), members.end(), wanted) == members.end()) {
      refuse_bytes(
          path, fmt::format("no file \"{}\" in this zip{}", wanted, suggestion(wanted, members)));
    }
    return wanted;
  }
  refuse_foreign_zip(path, members);
  if (members.empty()) refuse_bytes(path, "a zip without files");
  if (members.size() > 1) {
    refuse_bytes(path, fmt::format("a zip of {} files: {} (name one of them: {}/{})",
                                   members.size(), join_some(members), path, members[0]));
  }
  return members[0];
}

}  // namespace

BytesPointer filtered(Packing packing, BytesPointer below, const std::string& name) {
  auto result = std::make_unique<ArchiveBytes>(std::move(below), name, name_of(packing));
  result->open_packed(packing);
  return result;
}

BytesPointer unzipped(const std::string& path, const std::string& member) {
  const auto chosen = choose_member(path, member);
  auto result = std::make_unique<ArchiveBytes>(nullptr, path, "zip");
  result->open_zip(path);
  for (auto file = result->next_file(); file != chosen; file = result->next_file()) {
    if (file.empty()) refuse_bytes(path, "the zip has changed while it was read");
  }
  result->start_file(false);
  return result;
}

BytesPointer unzipped(BytesPointer below, const std::string& name) {
  auto result = std::make_unique<ArchiveBytes>(std::move(below), name, "zip");
  result->open_zip("");
  const auto first = result->next_file();
  refuse_foreign_zip(name, {first});
  if (first.empty()) refuse_bytes(name, "a zip without files");
  result->start_file(true);
  return result;
}

}  // namespace credence::data

// SPDX-License-Identifier: Apache-2.0
#include "bytes/bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "bytes/archive.hpp"
#include "bytes/columnar.hpp"
#include "bytes/foreign.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence::data {
namespace {

std::string reason(int code) {
  return code == ENOENT || code == ENOTDIR
             ? "no such file"
             : "cannot be read (" + std::string(std::strerror(code)) + ")";
}

// A file, and the name of the member that is meant where the file is a zip, or of the table where
// it is a database.
struct Place {
  std::string file, member, table = {};
};

Place place_of(const std::string& path) {
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) == 0) return {path, ""};
  const int problem = errno;
  constexpr std::string_view of_table = "?table=";
  if (const auto mark = path.rfind(of_table); mark != path.npos) {
    const Place place{path.substr(0, mark), "", path.substr(mark + of_table.size())};
    if (::stat(place.file.c_str(), &status) == 0) return place;
  }
  if (problem != ENOTDIR) return {path, ""};
  for (std::size_t slash = path.find('/', 1); slash != path.npos;
       slash = path.find('/', slash + 1)) {
    const std::string front = path.substr(0, slash);
    if (::stat(front.c_str(), &status) != 0) break;
    if (S_ISREG(status.st_mode)) return {front, path.substr(slash + 1)};
  }
  return {path, ""};
}

BytesPointer open_file(const std::string& path, const std::string& name) {
  const int descriptor =
      path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) refuse_bytes(name, reason(errno));
  return file_bytes(descriptor, name);
}

using HeadedPointer = std::unique_ptr<Headed>;

// Unpacks what may be packed more than once, as a .csv.gz in a zip is.
HeadedPointer unpack_all(HeadedPointer bytes, const Place& place, const std::string& name) {
  constexpr int most_layers = 4;
  for (int layer = 0; layer < most_layers; ++layer) {
    const Packing packing = packing_of(bytes->head());
    if (packing == Packing::none) return bytes;
    const bool file = layer == 0 && place.file != "-";
    BytesPointer inside = packing != Packing::zip ? unpacked(packing, std::move(bytes), name)
                          : file                  ? unzipped(place.file, place.member)
                                                  : unzipped(std::move(bytes), name);
    bytes = std::make_unique<Headed>(std::move(inside));
  }
  refuse_bytes(name, "packed too many times over");
}

}  // namespace

std::string display_name(const std::string& path) { return path == "-" ? "stdin" : path; }

std::string without_packing(const std::string& path) {
  const std::string name = ascii_lower(path);
  for (const char* packed : {".gz", ".bz2", ".xz", ".zst", ".zip"}) {
    if (name.ends_with(packed)) return path.substr(0, path.rfind('.'));
  }
  return path;
}

std::string extension_of(const std::string& path) {
  const std::string name = ascii_lower(without_packing(path));
  const std::size_t dot = name.find_last_of("./");
  return dot == name.npos || name[dot] == '/' ? "" : name.substr(dot);
}

std::uint64_t check_file(const std::string& path) {
  if (path == "-") return 0;
  if (path.find("://") != std::string::npos) {
    refuse_bytes(path, "an address, not a file (fetch it first, for example with curl -LO)");
  }
  const auto file = place_of(path).file;
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) refuse_bytes(path, reason(errno));
  if (S_ISDIR(status.st_mode)) refuse_bytes(path, "is a folder, not a file");
  return S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
}

ByteInput::ByteInput(const std::string& path, bool table) {
  const auto name = display_name(path);
  check_file(path);
  const Place place = place_of(path);
  auto bytes = std::make_unique<Headed>(open_file(place.file, name));
  if (!place.member.empty() && packing_of(bytes->head()) != Packing::zip) {
    refuse_bytes(path, reason(ENOTDIR));
  }
  const bool plain = packing_of(bytes->head()) == Packing::none;
  if (!plain) bytes = unpack_all(std::move(bytes), place, name);
  if (!table) {
    bytes_ = std::move(bytes);
    return;
  }
  const auto kind = columnar_kind(bytes->head());
  if (!place.table.empty() && kind != "DuckDB") {
    refuse_bytes(place.file, "holds no tables by name, as a DuckDB file does (leave ?table= out)");
  }
  if (!kind.empty() && plain && path != "-") {
    bytes_ = columnar_as_csv(place.file, kind, place.table);
    is_csv_ = true;
    return;
  }
  if (!kind.empty()) {
    refuse_bytes(name, "a " + std::string(kind) + " file in a pipe or packed (give it as a file)");
  }
  const Utf16 order = utf16_of(bytes->head());
  if (order == Utf16::no) refuse_foreign(name, bytes->head());
  const bool old_mac = order == Utf16::no && ends_lines_by_cr(bytes->head());
  bytes_ = order == Utf16::no ? std::move(bytes) : from_utf16(order, std::move(bytes), name);
  if (old_mac) bytes_ = from_cr(std::move(bytes_));
}

}  // namespace credence::data

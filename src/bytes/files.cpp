// SPDX-License-Identifier: Apache-2.0
#include "bytes/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>

#include "credence/error.hpp"

namespace credence::data {
namespace {

constexpr std::uint64_t largest_file = std::uint64_t{1} << 31;

[[noreturn]] void cannot_read(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::data, path + ": cannot be read: " + why);
}

[[noreturn]] void cannot_list(const std::string& path, int error) {
  // A folder that holds itself has a name without end.
  cannot_read(path.size() > 200 ? path.substr(0, 60) + "…" : path, std::strerror(error));
}

// What stands behind a link, or where the folder does not say what its entries are. A link to
// nothing is a file, which then cannot be read.
unsigned char type_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return static_cast<unsigned char>(IFTODT(status.st_mode));
  if (errno != ENOENT && errno != ENOTDIR) cannot_list(path, errno);
  return DT_REG;
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

void FileReader::leave_folder() {
  if (folder_ >= 0) ::close(folder_);
  folder_ = -1;
}

int FileReader::open(const std::string& path) {
  constexpr int flags = O_RDONLY | O_CLOEXEC;
  const std::size_t name = path.rfind('/') + 1;
  if (folder_ < 0 || path.compare(0, name, prefix_) != 0) {
    leave_folder();
    prefix_ = path.substr(0, name);
#ifdef O_PATH
    constexpr int only_a_place = O_PATH | O_DIRECTORY | O_CLOEXEC;
#else
    constexpr int only_a_place = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
#endif
    if (name > 0) folder_ = ::open(prefix_.c_str(), only_a_place);
  }
  return folder_ < 0 ? ::open(path.c_str(), flags) : ::openat(folder_, path.c_str() + name, flags);
}

// Most files are small: a read that does not fill the room has reached the end, so that opening,
// reading and closing are one call to the system each.
std::string_view FileReader::operator()(const std::string& path) {
  const int file = open(path);
  if (file < 0) cannot_read(path, std::strerror(errno));
  auto& room = room_;
  std::size_t filled = 0;
  std::string problem;
  while (problem.empty()) {
    const std::size_t space = room.size() - filled;
    const auto got = ::read(file, room.data() + filled, space);
    if (got < 0) problem = std::strerror(errno);
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
    if (static_cast<std::size_t>(got) < space) break;
    if (room.size() >= largest_file) {
      problem = "larger than 2 GB";
    } else {
      room.resize(2 * room.size());
    }
  }
  ::close(file);
  if (!problem.empty()) cannot_read(path, problem);
  return {room.data(), filled};
}

std::string path_in(const std::string& folder, const std::string& name) {
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

// Read by hand, as a path object for every file takes longer than the folder itself.
std::vector<FolderEntry> entries_of(const std::string& folder, std::vector<std::string>& notes) {
  const std::unique_ptr<DIR, CloseFolder> listing(::opendir(folder.c_str()));
  if (!listing) cannot_list(folder, errno);
  std::vector<FolderEntry> entries;
  errno = 0;
  while (const dirent* entry = ::readdir(listing.get())) {
    if (entry->d_name[0] == '.') continue;
    std::string name = entry->d_name;
    auto type = entry->d_type;
    if (type == DT_LNK || type == DT_UNKNOWN) type = type_of(path_in(folder, name));
    if (type == DT_REG || type == DT_DIR) {
      entries.push_back({std::move(name), type == DT_DIR});
    } else {
      notes.push_back(path_in(folder, name) + ": neither a file nor a folder, left out");
    }
    errno = 0;
  }
  if (errno != 0) cannot_list(folder, errno);
  std::sort(entries.begin(), entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return entries;
}

void collect_files(const std::string& folder, std::vector<std::string>& files,
                   std::vector<std::string>& notes) {
  for (const auto& [name, is_folder] : entries_of(folder, notes)) {
    if (is_folder) {
      collect_files(path_in(folder, name), files, notes);
    } else {
      files.push_back(path_in(folder, name));
    }
  }
}

}  // namespace credence::data

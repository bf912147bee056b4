// SPDX-License-Identifier: Apache-2.0
// The files of folders: their names and their bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace credence::data {

struct FolderEntry {
  std::string name;
  bool is_folder;
};

// In the order of their names. Hidden files are not meant, and reading a pipe or a device might
// never end: the notes say which were left out.
std::vector<FolderEntry> entries_of(const std::string& folder, std::vector<std::string>& notes);

// The paths of all files of a folder and of the folders in it, in that order.
void collect_files(const std::string& folder, std::vector<std::string>& files,
                   std::vector<std::string>& notes);

std::string path_in(const std::string& folder, const std::string& name);

// Reads files, mostly of one folder after the other: the way to a folder is walked once, and the
// memory is used again.
class FileReader {
 public:
  FileReader() : room_(std::size_t{1} << 16) {}
  ~FileReader() { leave_folder(); }
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  // To be looked at until the next one is read.
  std::string_view operator()(const std::string& path);

 private:
  int open(const std::string& path);
  void leave_folder();

  std::vector<char> room_;
  std::string prefix_;  // of the folder's files, up to the last slash
  int folder_ = -1;     // below 0: none
};

}  // namespace credence::data

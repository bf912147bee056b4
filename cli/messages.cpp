// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

#include <algorithm>
#include <filesystem>

#include "data/messages.hpp"

namespace credence::cli {

bool reads_messages(const Schema& schema) { return data::MessageColumns(schema).any(); }

bool are_messages(const std::vector<std::string>& paths, FileFormat format) {
  if (format != FileFormat::automatic) return format == FileFormat::mail;
  return std::none_of(paths.begin(), paths.end(), [](std::string path) {
    if (path.ends_with(".gz")) path.resize(path.size() - 3);
    const auto extension = std::filesystem::path(path).extension().native();
    for (const char* table : {".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".svm", ".libsvm"}) {
      if (extension == table) return true;
    }
    return false;
  });
}

bool has_subfolders(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_directory(path, failed)) return false;
  for (const auto& entry : std::filesystem::directory_iterator(path, failed)) {
    if (entry.path().filename().native().starts_with('.')) continue;
    if (entry.is_directory(failed)) return true;
  }
  return false;
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
#include "sources/copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

namespace credence::data {
namespace {

constexpr std::size_t block = std::size_t{1} << 16;

std::string next_block(std::ifstream& file) {
  std::string bytes(block, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

bool same_bytes(const std::string& a, const std::string& b) {
  std::ifstream left(a, std::ios::binary), right(b, std::ios::binary);
  while (left && right) {
    if (next_block(left) != next_block(right)) return false;
  }
  return !left && !right;
}

}  // namespace

std::vector<std::string> notes_on_copies(const std::vector<std::string>& paths) {
  std::vector<std::string> result;
  if (paths.size() < 2) return result;
  std::map<std::uintmax_t, std::vector<std::string>> by_size;
  for (const auto& path : paths) {
    std::error_code problem;
    if (!std::filesystem::is_regular_file(path, problem)) continue;
    auto& others = by_size[std::filesystem::file_size(path, problem)];
    const auto same = std::find_if(others.begin(), others.end(), [&](const std::string& other) {
      return std::filesystem::equivalent(path, other, problem) || same_bytes(path, other);
    });
    if (same == others.end()) {
      others.push_back(path);
    } else if (path == *same) {
      result.push_back(fmt::format("{} is given twice, so its rows count twice", path));
    } else {
      result.push_back(
          fmt::format("{} has the same bytes as {}: its rows count twice", path, *same));
    }
  }
  return result;
}

}  // namespace credence::data

// SPDX-License-Identifier: Apache-2.0
// The values a column (or the features a bag) may take: declared ones first, then discovered ones.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace credence {

class Domain {
 public:
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  Domain() = default;
  explicit Domain(const std::vector<std::string>& declared) {
    values_.reserve(declared.size());
    index_.reserve(declared.size());
    for (const auto& value : declared) insert(value);
    declared_ = values_.size();
  }

  std::size_t size() const { return values_.size(); }
  std::size_t declared() const { return declared_; }
  const std::string& operator[](std::size_t i) const { return values_[i]; }
  const std::vector<std::string>& values() const { return values_; }

  std::size_t find(std::string_view value) const {
    const auto found = index_.find(value);
    return found == index_.end() ? npos : found->second;
  }
  // The same, where a value often stands at a place that can be guessed: no hash is needed there.
  std::size_t find(std::string_view value, std::size_t guess) const {
    return guess < values_.size() && values_[guess] == value ? guess : find(value);
  }
  std::size_t insert(std::string_view value) {
    const auto found = index_.find(value);
    if (found != index_.end()) return found->second;
    values_.emplace_back(value);
    index_.emplace(values_.back(), values_.size() - 1);
    return values_.size() - 1;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::vector<std::string> values_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> index_;
  std::size_t declared_ = 0;
};

}  // namespace credence

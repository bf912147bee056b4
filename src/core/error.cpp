// SPDX-License-Identifier: Apache-2.0
#include "credence/error.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace credence {
namespace {

// Around a setting, and between its name and its value: bytes that no text in UTF-8 holds, and no
// name of a column or a class is anything else.
constexpr char opening = '\xfd', between = '\xfe', closing = '\xff';

std::string in_own_words(const Setting& setting) {
  std::string text = "`";
  text.append(setting.name);
  if (setting.value) text.append(" ").append(*setting.value);
  return text.append("`");
}

// Levenshtein's edit distance, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string setting(std::string_view name) {
  return std::string(1, opening).append(name) + closing;
}

std::string setting(std::string_view name, std::string_view value) {
  return (std::string(1, opening).append(name) + between).append(value) + closing;
}

std::string Message::text() const { return worded(in_own_words); }

std::string Message::worded(const Wording& wording) const {
  std::string result;
  std::string_view rest = marked_;
  for (;;) {
    // The last opening before a closing, should bytes that are no text have come in all the same.
    const auto to = rest.find(closing);
    const auto from = to == rest.npos ? to : rest.rfind(opening, to);
    if (to == rest.npos) return result.append(rest);
    if (from == rest.npos) {
      result.append(rest.substr(0, to + 1));
      rest.remove_prefix(to + 1);
      continue;
    }
    Setting found{rest.substr(from + 1, to - from - 1)};
    if (const auto at = found.name.find(between); at != rest.npos) {
      found = {found.name.substr(0, at), found.name.substr(at + 1)};
    }
    result.append(rest.substr(0, from)).append(wording(found));
    rest.remove_prefix(to + 1);
  }
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer - std::min(name.size(), candidate.size()) >= best_distance) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best ? " (did you mean \"" + *best + "\"?)" : "";
}

}  // namespace credence

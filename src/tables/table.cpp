// SPDX-License-Identifier: Apache-2.0
#include "tables/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "credence/error.hpp"

namespace credence::data {

void require_columns(const std::string& file, const std::vector<std::string>& wanted,
                     const std::vector<std::string>& names) {
  const std::unordered_set<std::string_view> known(names.begin(), names.end());
  std::vector<std::string> absent;
  for (const std::string& name : wanted) {
    if (!known.contains(name)) absent.push_back(name);
  }
  if (absent.empty()) return;
  if (absent.size() == 1) {
    throw Error(ErrorKind::data, fmt::format("{}: no column {}, which is needed{}", file,
                                             in_quotes(absent[0]), suggestion(absent[0], names)));
  }
  const std::size_t most = absent.size() <= 3 ? absent.size() - 1 : 2;
  std::string list = in_quotes(absent[0]);
  for (std::size_t i = 1; i < most; ++i) list += ", " + in_quotes(absent[i]);
  const std::string rest =
      absent.size() <= 3 ? in_quotes(absent.back()) : fmt::format("{} more", absent.size() - most);
  throw Error(ErrorKind::data,
              fmt::format("{}: no columns {} and {}, which are needed", file, list, rest));
}

void refuse_nul(const std::string& file, std::string_view bytes, std::size_t first_line) {
  const std::size_t at = bytes.find('\0');
  if (at == std::string_view::npos) return;
  const auto lines =
      std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  fail(file, first_line + static_cast<std::size_t>(lines), "a NUL byte (is this a text file?)");
}

}  // namespace credence::data

// SPDX-License-Identifier: Apache-2.0
#include "model/planning/as_line.hpp"

#include <fmt/format.h>

#include <string_view>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/registry.hpp"
#include "notation/reading.hpp"

namespace credence {
namespace {

FamilyText parse_family(const std::string& line, std::string_view text) {
  FamilyText result{std::string(trim(text)), ""};
  const auto open = result.family.find('(');
  if (open != std::string::npos && result.family.ends_with(')')) {
    result.parameters = result.family.substr(open + 1, result.family.size() - open - 2);
    result.family = std::string(trim(result.family.substr(0, open)));
  }
  if (result.family == "ignore" || result.family == "auto") return result;
  if (data::is_reading_name(result.family)) return result;
  try {
    find_family(result.family);
  } catch (const Error& error) {
    throw Error(error.kind(),
                fmt::format("{}: {}, ignore, auto{}", setting("as", line), error.message().marked(),
                            suggestion(result.family, data::reading_names())));
  }
  return result;
}

// The first plus that is in no parentheses.
std::size_t plus_in(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (text[i] == '+' && depth == 0) return i;
  }
  return text.npos;
}

}  // namespace

Assignment parse_as(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: write 'COLUMNS: FAMILY', for example 'age: gaussian'",
                            setting("as", text)));
  }
  Assignment result{split(std::string_view(text).substr(0, colon), ','), {}, {}};
  // Several ways to read a text stand with + between.
  std::string_view rest = std::string_view(text).substr(colon + 1);
  for (bool first = true;; first = false) {
    const auto end = plus_in(rest);
    auto family = parse_family(text, rest.substr(0, end));
    first ? void(result.first = std::move(family)) : result.more.push_back(std::move(family));
    if (end == rest.npos) break;
    rest.remove_prefix(end + 1);
  }
  for (const auto& family : result.more) {
    if (family.family == result.first.family && !data::is_reading_name(family.family) &&
        reads(find_family(family.family), ColumnKind::text)) {
      continue;
    }
    throw Error(ErrorKind::usage, fmt::format("{}: only texts are read in several ways at once",
                                              setting("as", text)));
  }
  return result;
}

}  // namespace credence

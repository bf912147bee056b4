// SPDX-License-Identifier: Apache-2.0
#include "serve/api/form.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/strings.hpp"

namespace credence::serve {
namespace {

constexpr std::size_t most_parts = 32, longest_boundary = 70;

// The value of a parameter behind a semicolon: boundary=x, name="a \"b\"". Nothing where it is not
// there. A semicolon between quotes is part of a value.
std::optional<std::string> parameter(std::string_view header, std::string_view wanted) {
  std::size_t at = header.find(';');
  while (at < header.size()) {
    auto rest = trim(header.substr(at + 1));
    const auto equals = rest.find_first_of("=;");
    const auto name = trim(rest.substr(0, equals));
    std::string value;
    std::size_t used = equals == rest.npos ? rest.size() : equals;
    if (used < rest.size() && rest[used] == '=') {
      ++used;
      const bool quoted = used < rest.size() && rest[used] == '"';
      for (used += quoted; used < rest.size(); ++used) {
        if (rest[used] == (quoted ? '"' : ';')) break;
        if (quoted && rest[used] == '\\' && used + 1 < rest.size()) ++used;
        value += rest[used];
      }
      if (quoted && used < rest.size()) ++used;
    }
    if (equal_ignoring_case(name, wanted)) return std::string(trim(value));
    header = rest.substr(used);
    at = header.find(';');
  }
  return std::nullopt;
}

[[noreturn]] void refuse(std::string_view why) {
  throw HttpError(400, fmt::format("the form cannot be read: {}", why));
}

FormPart part_of(std::string_view text) {
  FormPart part;
  bool named = false;
  while (true) {
    const auto end = text.find("\r\n");
    if (end == text.npos) refuse("a part has no empty line behind its header");
    const auto line = text.substr(0, end);
    text.remove_prefix(end + 2);
    if (line.empty()) break;
    const auto colon = line.find(':');
    if (colon == line.npos || !equal_ignoring_case(line.substr(0, colon), "content-disposition")) {
      continue;
    }
    const auto name = parameter(line, "name");
    if (!name) continue;
    part.name = *name;
    named = true;
    // `curl -F 'table=<rows.csv'` sends the table as a field.
    part.is_file = part.name == "table" || parameter(line, "filename").has_value();
  }
  if (!named) refuse("a part has no name");
  part.body = text;
  return part;
}

}  // namespace

std::vector<FormPart> form_parts(const Request& request) {
  const auto boundary = parameter(request.content_type, "boundary").value_or("");
  if (boundary.empty() || boundary.size() > longest_boundary) {
    refuse("its Content-Type names no boundary");
  }
  const std::string mark = "\r\n--" + boundary;
  std::string_view rest = request.body;
  // The first mark may stand at the very beginning, without the end of a line before it.
  const auto first = std::string_view(mark).substr(2);
  if (rest.starts_with(first)) {
    rest.remove_prefix(first.size());
  } else {
    const auto begin = rest.find(mark);
    if (begin == rest.npos) refuse("the boundary is not in it");
    rest.remove_prefix(begin + mark.size());
  }
  std::vector<FormPart> parts;
  while (!rest.starts_with("--")) {
    const auto line = rest.find("\r\n");
    if (line == rest.npos || !trim(rest.substr(0, line)).empty()) refuse("it has no end");
    rest.remove_prefix(line + 2);
    const auto end = rest.find(mark);
    if (end == rest.npos) refuse("it has no end");
    if (parts.size() == most_parts) refuse(fmt::format("it has more than {} parts", most_parts));
    parts.push_back(part_of(rest.substr(0, end)));
    rest.remove_prefix(end + mark.size());
  }
  return parts;
}

std::string_view file_of(const std::vector<FormPart>& parts) {
  const FormPart* file = nullptr;
  for (const auto& part : parts) {
    if (!part.is_file) continue;
    if (file) throw HttpError(422, "the form has several files where one table is wanted");
    file = &part;
  }
  if (!file)
    throw HttpError(422, "the form has no file: a table is wanted, as in curl -F table=@table.csv");
  return file->body;
}

}  // namespace credence::serve

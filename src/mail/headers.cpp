// SPDX-License-Identifier: Apache-2.0
#include "mail/headers.hpp"

#include "core/strings.hpp"

namespace credence::text {
namespace {

bool blank(char c) { return c == ' ' || c == '\t'; }

void keep_first(std::optional<std::string_view>& kept, std::string_view value) {
  if (!kept) kept = value;
}

void note_field(Headers& headers, std::string_view name, std::string_view value) {
  const auto is = [&](std::string_view other) { return equal_ignoring_case(name, other); };
  switch (name.size()) {
    case 2:
      if (is("to")) keep_first(headers.to, value);
      break;
    case 4:
      if (is("from")) keep_first(headers.from, value);
      headers.known |= is("from") || is("date");
      break;
    case 7:
      if (is("subject")) keep_first(headers.subject, value);
      headers.known |= is("subject");
      break;
    case 8:
      headers.known |= is("received");
      break;
    case 10:
      headers.known |= is("message-id");
      break;
    case 11:
      headers.known |= is("return-path");
      break;
    case 12:
      if (is("content-type")) keep_first(headers.content_type, value);
      break;
    case 19:
      if (is("content-disposition")) keep_first(headers.content_disposition, value);
      break;
    case 25:
      if (is("content-transfer-encoding")) keep_first(headers.content_encoding, value);
      break;
    default:
      break;
  }
}

}  // namespace

std::string_view line_at(std::string_view bytes, std::size_t at) {
  const auto end = bytes.find('\n', at);
  return bytes.substr(at, end == std::string_view::npos ? end : end + 1 - at);
}

bool is_blank_line(std::string_view line) { return line == "\n" || line == "\r\n" || line == "\r"; }

std::string_view header_name(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && line[end] > ' ' && line[end] < '\x7F' && line[end] != ':') ++end;
  std::size_t colon = end;
  while (colon < line.size() && blank(line[colon])) ++colon;
  return colon < line.size() && line[colon] == ':' ? line.substr(0, end) : std::string_view();
}

bool is_envelope_line(std::string_view line) {
  return line.starts_with("From ") || line.starts_with(">From ");
}

std::size_t envelope_size(std::string_view bytes) {
  std::size_t at = 0;
  while (is_envelope_line(line_at(bytes, at))) at += line_at(bytes, at).size();
  return at > 0 && !header_name(line_at(bytes, at)).empty() ? at : 0;
}

Headers take_headers(std::string_view& bytes) {
  Headers headers;
  std::size_t at = 0;
  if (bytes.starts_with("\xEF\xBB\xBF")) at = 3;
  while (is_envelope_line(line_at(bytes, at))) at += line_at(bytes, at).size();
  // Posts there are that begin with the rest of a folded header whose first line was removed.
  const std::size_t begin = at;
  while (at < bytes.size() && blank(bytes[at])) at += line_at(bytes, at).size();
  const bool headless = at > begin;
  while (true) {
    std::string_view line = line_at(bytes, at);
    if (line.empty()) {
      headers.cut = true;
      break;
    }
    if (is_blank_line(line)) {
      headers.separated = true;
      at += line.size();
      break;
    }
    const std::string_view name = header_name(line);
    if (name.empty()) {
      headers.cut = line.back() != '\n';
      break;
    }
    const std::size_t start = at;
    at += line.size();
    while (at < bytes.size() && blank(bytes[at])) at += line_at(bytes, at).size();
    const std::string_view whole = bytes.substr(start, at - start);
    note_field(headers, name, whole.substr(whole.find(':') + 1));
    headers.any = true;
  }
  if (headless && !headers.known) return Headers();  // but just as well it is an indented text
  // A text that has no headers does not lose its first line either.
  if (headers.any || headers.separated) bytes.remove_prefix(at);
  return headers;
}

}  // namespace credence::text

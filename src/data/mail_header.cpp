// SPDX-License-Identifier: Apache-2.0
#include "core/utf8.hpp"
#include "data/mail_header.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text/headers.hpp"

namespace credence::data {
namespace {

std::string_view line_at(std::string_view mail, std::size_t at) {
  const auto end = mail.find('\n', at);
  return mail.substr(at, end == std::string_view::npos ? end : end + 1 - at);
}

bool blank(char c) { return c == ' ' || c == '\t'; }
bool is_blank_line(std::string_view line) { return line == "\n" || line == "\r\n"; }
bool continues(std::string_view line) { return !line.empty() && blank(line.front()); }

// The name before the colon, blanks between the two passed over; empty: the line is no header.
std::string_view name_of(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && line[end] > ' ' && line[end] < '\x7F' && line[end] != ':') ++end;
  std::size_t colon = end;
  while (colon < line.size() && blank(line[colon])) ++colon;
  return colon < line.size() && line[colon] == ':' ? line.substr(0, end) : std::string_view();
}

// Where the headers begin: behind the line of a mailbox.
std::size_t envelope(std::string_view mail) {
  return mail.starts_with("From ") || mail.starts_with(">From ") ? line_at(mail, 0).size() : 0;
}

// use(line, whether it is no header) for every line up to the first blank one, but for the headers
// of that name. Where it stopped.
template <typename Use>
std::size_t copy_headers(std::string_view mail, std::size_t at, std::string_view name,
                         const Use& use) {
  bool dropping = false;
  while (at < mail.size()) {
    const auto line = line_at(mail, at);
    if (is_blank_line(line)) break;
    at += line.size();
    bool odd = false;
    if (!continues(line)) {
      const auto field = name_of(line);
      dropping = text::equal_ignoring_case(field, name);
      odd = field.empty();
    }
    if (!dropping) use(line, odd);
  }
  return at;
}

bool plain(std::string_view text) {
  return text.size() < 200 && text.find("=?") == text.npos &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

std::string header_value(std::string_view label, std::string_view probability) {
  if (plain(label)) return fmt::format("{} {}", label, probability);
  // No encoded word may be longer than 75 characters, nor break a character in two.
  std::string result, word;
  for (std::size_t i = 0; i < label.size();) {
    std::size_t end = i + 1;
    while (end < label.size() && end < i + 4 && !begins_code_point(label[end])) ++end;
    for (; i < end; ++i) {
      const char c = label[i];
      const bool letter =
          (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      word += letter ? std::string(1, c) : fmt::format("={:02X}", static_cast<unsigned char>(c));
    }
    if (word.size() < 50 && i < label.size()) continue;
    result += fmt::format("=?UTF-8?Q?{}?= ", word);
    word.clear();
    if (result.size() > 600) break;  // a line has 998 bytes at most
  }
  return result.append(probability);
}

std::string with_header(std::string_view mail, std::string_view name, std::string_view value) {
  std::size_t at = envelope(mail);
  const std::string_view first = line_at(mail, at);
  const std::string_view end_of_line = first.ends_with("\r\n") ? "\r\n" : "\n";
  const std::string header = fmt::format("{}: {}{}", name, value, end_of_line);
  std::string result(mail.substr(0, at));
  const auto end_line = [&] {
    if (!result.empty() && !result.ends_with('\n')) result.append(end_of_line);
  };
  if (!is_blank_line(first) && !continues(first) && name_of(first).empty()) {
    end_line();
    result.append(header);
    if (at < mail.size()) result.append(end_of_line);
    return result.append(mail.substr(at));
  }
  // Programs do not agree whether a line that is no header ends the headers. So the header goes
  // before the first such line, and forged ones are taken out up to the first blank line.
  bool written = false;
  at = copy_headers(mail, at, name, [&](std::string_view line, bool odd) {
    if (odd && !written) {
      result.append(header);
      written = true;
    }
    result.append(line);
  });
  if (!written) {
    end_line();
    result.append(header);
  }
  return result.append(mail.substr(at));
}

std::string without_header(std::string_view mail, std::string_view name) {
  std::size_t at = envelope(mail);
  std::string result(mail.substr(0, at));
  at = copy_headers(mail, at, name, [&](std::string_view line, bool) { result.append(line); });
  return result.append(mail.substr(at));
}

}  // namespace credence::data

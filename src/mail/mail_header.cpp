// SPDX-License-Identifier: Apache-2.0
#include "mail/mail_header.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/strings.hpp"
#include "core/utf8.hpp"
#include "mail/headers.hpp"

namespace credence::text {
namespace {

bool continues(std::string_view line) { return line.starts_with(' ') || line.starts_with('\t'); }

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
      const auto field = header_name(line);
      dropping = equal_ignoring_case(field, name);
      odd = field.empty();
    }
    if (!dropping) use(line, odd);
  }
  return at;
}

bool has_header(std::string_view mail, std::string_view name) {
  for (std::size_t at = 0; at < mail.size();) {
    const auto line = line_at(mail, at);
    if (is_blank_line(line)) break;
    if (ascii_lower(line[0]) == ascii_lower(name[0]) &&
        equal_ignoring_case(header_name(line), name)) {
      return true;
    }
    at += line.size();
  }
  return false;
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
  std::size_t at = is_envelope_line(mail) ? line_at(mail, 0).size() : 0;
  const std::string_view first = line_at(mail, at);
  const std::string_view end_of_line = first.ends_with("\r\n") ? "\r\n" : "\n";
  const std::string header = fmt::format("{}: {}{}", name, value, end_of_line);
  std::string result(mail.substr(0, at));
  const auto end_line = [&] {
    if (!result.empty() && !result.ends_with('\n')) result.append(end_of_line);
  };
  if (!is_blank_line(first) && !continues(first) && header_name(first).empty()) {
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

std::string_view without_header(std::string_view mail, std::string_view name, std::string& buffer) {
  if (!has_header(mail, name)) return mail;
  buffer.clear();
  const auto copy = [&](std::string_view line, bool) { buffer.append(line); };
  const std::size_t at = copy_headers(mail, 0, name, copy);
  return buffer.append(mail.substr(at));
}

}  // namespace credence::text

// SPDX-License-Identifier: Apache-2.0
#include "mail/multipart.hpp"

namespace credence::text {
namespace {

enum class Line { other, boundary, last_boundary };

Line kind_of(std::string_view line, std::string_view boundary) {
  if (!line.starts_with("--")) return Line::other;
  line.remove_prefix(2);
  if (!line.starts_with(boundary)) return Line::other;
  line.remove_prefix(boundary.size());
  const bool last = line.starts_with("--");
  if (last) line.remove_prefix(2);
  if (line.find_first_not_of(" \t\r\n") != std::string_view::npos) return Line::other;
  return last ? Line::last_boundary : Line::boundary;
}

std::string_view without_line_end(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

Pieces split_at_boundary(std::string_view content, std::string_view boundary, std::size_t most) {
  Pieces pieces;
  if (boundary.empty()) return pieces;
  bool within = false;  // a first boundary has come
  std::size_t start = 0;
  std::size_t at = 0;
  while (at < content.size()) {
    const auto newline = content.find('\n', at);
    const std::size_t next = newline == std::string_view::npos ? content.size() : newline + 1;
    const Line kind = kind_of(content.substr(at, next - at), boundary);
    if (kind != Line::other) {
      if (within) pieces.parts.push_back(without_line_end(content.substr(start, at - start)));
      pieces.closed = kind == Line::last_boundary || pieces.parts.size() == most;
      if (pieces.closed) return pieces;
      within = true;
      start = next;
    }
    at = next;
  }
  if (within && start < content.size()) pieces.parts.push_back(content.substr(start));
  return pieces;
}

}  // namespace credence::text

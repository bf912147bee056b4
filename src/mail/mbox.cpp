// SPDX-License-Identifier: Apache-2.0
#include "mail/mbox.hpp"

#include <utility>

namespace credence::text {
namespace {

bool blank_line(std::string_view line) { return line == "\n" || line == "\r\n"; }

}  // namespace

void MboxSplitter::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto newline = bytes.find('\n');
    if (newline == std::string_view::npos) {
      line_ += bytes;
      return;
    }
    const std::string_view piece = bytes.substr(0, newline + 1);
    bytes.remove_prefix(newline + 1);
    if (line_.empty()) {
      take_line(piece);
    } else {
      line_ += piece;
      take_line(line_);
      line_.clear();
    }
  }
}

void MboxSplitter::take_line(std::string_view line) {
  if (after_blank_ && line.starts_with("From ")) {
    end_message();
    started_ = true;
    after_blank_ = false;
    return;
  }
  after_blank_ = blank_line(line);
  if (!started_ && after_blank_) return;  // blank lines before anything else
  started_ = true;
  const auto quotes = line.find_first_not_of('>');
  if (quotes != std::string_view::npos && quotes > 0 && line.substr(quotes).starts_with("From ")) {
    line.remove_prefix(1);
  }
  message_ += line;
}

void MboxSplitter::end_message() {
  if (!started_) return;
  // The blank line before the next "From ", or at the end of the file.
  if (message_.ends_with("\n\n")) {
    message_.resize(message_.size() - 1);
  } else if (message_.ends_with("\n\r\n")) {
    message_.resize(message_.size() - 2);
  }
  whole_.push_back(std::exchange(message_, {}));
  started_ = false;
}

void MboxSplitter::finish() {
  if (!line_.empty()) take_line(std::exchange(line_, {}));
  end_message();
  after_blank_ = true;
}

std::optional<std::string> MboxSplitter::next() {
  if (whole_.empty()) return std::nullopt;
  std::string message = std::move(whole_.front());
  whole_.pop_front();
  return message;
}

}  // namespace credence::text

// SPDX-License-Identifier: Apache-2.0
// What a piece of text is: a number, a yes or no, a missing value; and how a message shows it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace credence::data {

inline bool is_space(char c) { return c == ' ' || c == '\t'; }

// Without the spaces and tabs around it.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

enum class NumberState { finite, not_finite, not_a_number };

// Reads the whole of a trimmed text as a number; value is set only when it is finite.
NumberState parse_number(std::string_view text, double& value);

// 0/1, true/false, yes/no, y/n, t/f in any case, or a finite number (1 when above 0).
std::optional<bool> parse_binary(std::string_view text);

// The text in quotes for a message: one line, not too long, no raw control bytes.
std::string in_quotes(std::string_view text);
// The same without the quotes.
std::string shown(std::string_view text, std::size_t limit = 80);

// The cells that mean "no value".
class MissingTokens {
 public:
  explicit MissingTokens(const std::vector<std::string>& tokens);

  bool contains(std::string_view text) const {
    text = trimmed(text);
    if (text.empty()) return true;  // whatever else the list says
    return may_start(text.front()) && listed(text);
  }
  // Nearly every cell is turned away by its first byte.
  bool may_start(char first) const { return starts_[static_cast<unsigned char>(first)]; }

 private:
  bool listed(std::string_view text) const;

  std::vector<std::string> tokens_;
  std::array<bool, 256> starts_{};  // by first byte
};

// Throws Error data "file:line: message".
[[noreturn]] void fail(const std::string& file, std::size_t line, const std::string& message);

}  // namespace credence::data

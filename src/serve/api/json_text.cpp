// SPDX-License-Identifier: Apache-2.0
#include "serve/api/json_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "core/ordered_json.hpp"
#include "serve/http/message.hpp"

namespace credence::serve {
namespace {

constexpr std::size_t deepest = 32;

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) { space(); }

  bool at_end() const { return at_ == text_.size(); }
  char here() const { return at_end() ? '\0' : text_[at_]; }
  [[noreturn]] void refuse(std::string_view wanted) const {
    if (at_end()) throw HttpError(400, fmt::format("the JSON ends where {} is wanted", wanted));
    throw HttpError(400, fmt::format("this is no JSON: byte {} is {} where {} is wanted", at_ + 1,
                                     json_text(text_.substr(at_, 1)), wanted));
  }
  bool take(char c) {
    if (here() != c) return false;
    ++at_;
    space();
    return true;
  }
  void want(char c) {
    if (!take(c)) refuse(fmt::format("'{}'", c));
  }

  // The value that begins here, with what is nested in it.
  std::string_view value() {
    const std::size_t begin = at_;
    if (here() == '"') {
      text();
    } else if (here() == '{' || here() == '[') {
      nested();
    } else {
      while (!at_end() && !ends_word(text_[at_])) ++at_;
      if (at_ == begin) refuse("a value");
    }
    const auto result = text_.substr(begin, at_ - begin);
    space();
    return result;
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static bool ends_word(char c) {
    return is_space(c) || c == ',' || c == ':' || c == '}' || c == ']' || c == '{' || c == '[' ||
           c == '"';
  }
  void space() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  void text() {
    for (++at_;; ++at_) {
      at_ = text_.find_first_of("\"\\", at_);
      if (at_ == text_.npos) {
        at_ = text_.size();
        refuse("'\"'");
      }
      if (text_[at_] == '"') break;
      if (++at_ >= text_.size()) refuse("'\"'");
    }
    ++at_;
  }
  void nested() {
    std::string open;
    do {
      const char c = here();
      if (c == '\0') refuse("the end of an object or array");
      if (c == '"') {
        text();
        continue;
      }
      if (c == '{' || c == '[') {
        if (open.size() == deepest) {
          throw HttpError(400, fmt::format("the JSON is nested more than {} deep", deepest));
        }
        open += c == '{' ? '}' : ']';
      } else if (c == '}' || c == ']') {
        if (open.back() != c) refuse(fmt::format("'{}'", open.back()));
        open.pop_back();
      }
      ++at_;
    } while (!open.empty());
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string key_of(std::string_view text) {
  if (text.find('\\') == text.npos) return std::string(text.substr(1, text.size() - 2));
  const auto parsed = OrderedJson::parse(text, nullptr, false);
  if (!parsed.is_string()) throw HttpError(400, "this is no JSON: a key is no text");
  return parsed.get<std::string>();
}

}  // namespace

std::vector<std::pair<std::string, std::string_view>> members_of(std::string_view object) {
  std::vector<std::pair<std::string, std::string_view>> result;
  Cursor at(object);
  at.want('{');
  if (!at.take('}')) {
    do {
      if (at.here() != '"') at.refuse("a key");
      auto key = key_of(at.value());
      at.want(':');
      result.emplace_back(std::move(key), at.value());
    } while (at.take(','));
    at.want('}');
  }
  if (!at.at_end()) at.refuse("the end");
  return result;
}

std::vector<std::string_view> elements_of(std::string_view array) {
  std::vector<std::string_view> result;
  Cursor at(array);
  at.want('[');
  if (!at.take(']')) {
    do {
      result.push_back(at.value());
    } while (at.take(','));
    at.want(']');
  }
  if (!at.at_end()) at.refuse("the end");
  return result;
}

void append_number(double value, std::string& out) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char room[32];
  const auto end = std::to_chars(room, room + sizeof room, value).ptr;
  out.append(room, end);
}

}  // namespace credence::serve

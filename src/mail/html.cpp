// SPDX-License-Identifier: Apache-2.0
#include "mail/html.hpp"

#include <algorithm>
#include <array>

#include "core/strings.hpp"
#include "core/utf8.hpp"
#include "mail/html_entities.hpp"

namespace credence::text {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

template <std::size_t n>
bool one_of(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

constexpr std::array<std::string_view, 43> blocks = {
    "address", "article", "aside", "blockquote", "body",     "br",     "caption", "center", "dd",
    "dir",     "div",     "dl",    "dt",         "fieldset", "figure", "footer",  "form",   "h1",
    "h2",      "h3",      "h4",    "h5",         "h6",       "head",   "header",  "hr",     "html",
    "legend",  "li",      "main",  "menu",       "nav",      "ol",     "option",  "p",      "pre",
    "section", "select",  "table", "title",      "tr",       "ul",     "textarea"};
// What is between their tags is not text; tags within do not count.
constexpr std::array<std::string_view, 5> unshown = {"script", "style", "iframe", "noembed",
                                                     "noframes"};
constexpr std::array<std::string_view, 4> links = {"href", "src", "action", "background"};

std::string decode_entities(std::string_view text) {
  std::string decoded;
  while (!text.empty()) {
    const auto plain = std::min(text.find('&'), text.size());
    decoded.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Entity entity = entity_at(text);
    if (entity.length == 0) {
      decoded += '&';
    } else {
      append_utf8(decoded, entity.character);
    }
    text.remove_prefix(std::max<std::size_t>(entity.length, 1));
  }
  return decoded;
}

// The host an address leads to, as browsers read it: blanks within are dropped, \ is /, what
// stands before @ is a user's name. Empty for relative addresses and those within the mail.
std::string host_of(std::string_view raw) {
  std::string address;
  // No host lies further in; a picture written out in the address may take megabytes.
  for (const char c : decode_entities(cut_utf8(raw, 4096))) {
    if (c == '\t' || c == '\n' || c == '\r') continue;
    if (c == ' ' && address.empty()) continue;
    address += c == '\\' ? '/' : ascii_lower(c);
  }
  std::string_view rest = address;
  const auto colon = rest.find_first_of(":/?#");
  std::string_view scheme;
  if (colon != std::string_view::npos && rest[colon] == ':') {
    scheme = rest.substr(0, colon);
    rest.remove_prefix(colon + 1);
  }
  if (scheme != "mailto") {
    if (!rest.starts_with("//")) return {};
    rest.remove_prefix(std::min(rest.find_first_not_of('/'), rest.size()));
  }
  rest = rest.substr(0, rest.find_first_of("/?#"));
  if (const auto at = rest.rfind('@'); at != std::string_view::npos) rest.remove_prefix(at + 1);
  if (!rest.starts_with('[')) rest = rest.substr(0, rest.find(':'));
  constexpr std::size_t longest_host = 253;
  if (rest.size() > longest_host || rest.find_first_of(" <>\"'") != std::string_view::npos) {
    return {};
  }
  return std::string(rest);
}

class Reader {
 public:
  explicit Reader(std::string_view html) : html_(html) { text_.reserve(html.size() / 2); }

  std::string read() {
    while (at_ < html_.size()) {
      const char c = html_[at_];
      if (c == '<') {
        markup();
      } else if (c == '&') {
        reference();
      } else {
        if (c == '\r' && looking_at("\r\n")) ++at_;
        put(html_[at_++]);
      }
    }
    while (!text_.empty() && is_space(text_.back())) text_.pop_back();
    if (!text_.empty()) text_ += '\n';
    return std::move(text_);
  }

 private:
  bool looking_at(std::string_view what) const { return html_.substr(at_).starts_with(what); }
  char peek(std::size_t ahead) const {
    return at_ + ahead < html_.size() ? html_[at_ + ahead] : '\0';
  }

  // Behind the next `what`, or at the end.
  void skip_past(std::string_view what) {
    const auto found = html_.find(what, at_);
    at_ = found == std::string_view::npos ? html_.size() : found + what.size();
  }

  void put(char c) {
    if (!is_space(c)) {
      text_ += c;
    } else if (preformatted_ > 0 && c == '\n') {
      text_ += '\n';
    } else {
      space();
    }
  }

  void space() {
    if (preformatted_ > 0 || (!text_.empty() && !is_space(text_.back()))) text_ += ' ';
  }

  // One line end at most, without the space before it.
  void end_line() {
    while (!text_.empty() && text_.back() == ' ') text_.pop_back();
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
  }

  void word(std::string_view word) {
    if (word.empty()) return;
    if (!text_.empty() && !is_space(text_.back())) text_ += ' ';
    text_ += word;
    text_ += ' ';
  }

  void reference() {
    const Entity entity = entity_at(html_.substr(at_));
    at_ += std::max<std::size_t>(entity.length, 1);
    constexpr std::uint32_t no_break_space = 0xA0;
    if (entity.length == 0) {
      text_ += '&';
    } else if (entity.character == no_break_space) {
      space();
    } else if (entity.character < 0x80) {
      put(static_cast<char>(entity.character));
    } else {
      append_utf8(text_, entity.character);
    }
  }

  void markup() {
    if (looking_at("<!--")) {
      comment();
    } else if (is_letter(peek(1)) || (peek(1) == '/' && is_letter(peek(2)))) {
      tag();
    } else if (peek(1) == '!' || peek(1) == '?' || peek(1) == '/') {
      skip_past(">");
    } else {
      text_ += '<';
      ++at_;
    }
  }

  // A comment that never ends hides the rest, as in a browser.
  void comment() {
    at_ += 4;
    if (looking_at(">")) {
      at_ += 1;
    } else if (looking_at("->")) {
      at_ += 2;
    } else {
      skip_past("-->");
    }
  }

  void tag() {
    ++at_;
    const bool closing = peek(0) == '/';
    if (closing) ++at_;
    std::string name;
    for (; at_ < html_.size() && !is_space(html_[at_]) && html_[at_] != '>' && html_[at_] != '/';
         ++at_) {
      if (name.size() < longest_name) name += ascii_lower(html_[at_]);
    }
    shape(name, closing);
    attributes(closing);
    if (!closing && one_of(unshown, name)) skip_to_end_tag(name);
  }

  // What the tag does to the lines of text.
  void shape(std::string_view name, bool closing) {
    if (name == "pre") preformatted_ = closing ? std::max(preformatted_ - 1, 0) : preformatted_ + 1;
    if (one_of(blocks, name)) {
      end_line();
    } else if (name == "td" || name == "th" || name == "img") {
      space();
    }
  }

  void attributes(bool closing) {
    while (at_ < html_.size() && html_[at_] != '>') {
      if (is_space(html_[at_]) || html_[at_] == '/') {
        ++at_;
        continue;
      }
      std::string name;
      do {
        if (name.size() < longest_name) name += ascii_lower(html_[at_]);
        ++at_;
      } while (at_ < html_.size() && !is_space(html_[at_]) && html_[at_] != '=' &&
               html_[at_] != '>' && html_[at_] != '/');
      while (at_ < html_.size() && is_space(html_[at_])) ++at_;
      if (peek(0) != '=') continue;
      const std::string_view value = attribute_value();
      if (!closing && one_of(links, name)) word(host_of(value));
    }
    if (at_ < html_.size()) ++at_;
  }

  std::string_view attribute_value() {
    ++at_;
    while (at_ < html_.size() && is_space(html_[at_])) ++at_;
    const char quote = peek(0);
    if (quote == '"' || quote == '\'') {
      const std::size_t start = ++at_;
      const std::size_t end = std::min(html_.find(quote, start), html_.size());
      at_ = std::min(end + 1, html_.size());
      return html_.substr(start, end - start);
    }
    const std::size_t start = at_;
    while (at_ < html_.size() && !is_space(html_[at_]) && html_[at_] != '>') ++at_;
    return html_.substr(start, at_ - start);
  }

  void skip_to_end_tag(std::string_view name) {
    while (at_ < html_.size()) {
      skip_past("</");
      if (equal_ignoring_case(html_.substr(at_, name.size()), name) &&
          !is_letter(peek(name.size()))) {
        skip_past(">");
        return;
      }
    }
  }

  static constexpr std::size_t longest_name = 32;

  std::string_view html_;
  std::size_t at_ = 0;
  std::string text_;
  int preformatted_ = 0;
};

}  // namespace

std::string html_to_text(std::string_view html) {
  const std::string valid = to_utf8(html);
  return Reader(valid).read();
}

}  // namespace credence::text

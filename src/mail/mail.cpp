// SPDX-License-Identifier: Apache-2.0
#include "mail/mail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "mail/charset.hpp"
#include "mail/gmime.hpp"
#include "mail/headers.hpp"
#include "mail/html.hpp"
#include "mail/multipart.hpp"

namespace credence::text {
namespace {

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Unfolded, which is without line ends before white space (RFC 5322); any other control character
// is a space; no spaces around.
std::string one_line(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    if (c == '\r' && next == '\n') continue;
    if (c == '\n' && (next == ' ' || next == '\t')) continue;
    line += (c >= 0 && c < ' ') || c == '\x7F' ? ' ' : c;
  }
  const auto first = line.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  line.erase(line.find_last_not_of(' ') + 1);
  return line.erase(0, first);
}

std::string unix_lines(std::string text) {
  auto end = text.find("\r\n");
  if (end == std::string::npos) return text;
  std::size_t write = end;
  for (std::size_t read = end; read < text.size(); ++read) {
    if (text[read] == '\r' && read + 1 < text.size() && text[read + 1] == '\n') continue;
    text[write++] = text[read];
  }
  text.resize(write);
  return text;
}

// GMime reads iso-8859-1 by the letter, so that words of Windows-1252 which say they are that come
// with control characters.
std::string decode_header(const std::string& value) {
  const std::string decoded = to_utf8(decode_words(value));
  std::string text;
  for (const char* at = decoded.data(); at < decoded.data() + decoded.size();) {
    const auto point = decode_utf8(at);
    append_utf8(text, point < 0xA0 ? latin1_point(static_cast<unsigned char>(point)) : point);
  }
  return text;
}

// A mail, or a part of one: what its headers say, and the bytes after them.
struct Part {
  Headers headers;
  ContentType type;
  std::string_view content;

  bool is_text() const { return type.type == "text" || type.type == "message"; }
  bool is_plain() const { return type.type == "text" && type.subtype == "plain"; }
  bool is_multipart() const { return type.type == "multipart"; }
  bool is_mail() const {
    return type.type == "message" && (type.subtype == "rfc822" || type.subtype == "rfc2822" ||
                                      type.subtype == "global" || type.subtype == "news");
  }
};

class MailReader {
 public:
  explicit MailReader(const MailLimits& limits) : limits_(limits) {}

  Mail read(std::string_view bytes) {
    const Part part = open(bytes, {});
    const Headers& headers = part.headers;
    if (!headers.any && !blank(bytes)) note("no headers: all of it is body");
    mail_.has_subject = headers.subject.has_value();
    mail_.has_from = headers.from.has_value();
    mail_.has_to = headers.to.has_value();
    mail_.subject = header(headers.subject);
    mail_.from = header(headers.from);
    mail_.to = header(headers.to);
    add(part, 0);
    return std::move(mail_);
  }

 private:
  // Each kind of note once: a mail can be broken in the same way a thousand times.
  void note(std::string text) {
    if (std::ranges::find(mail_.notes, text) == mail_.notes.end()) {
      mail_.notes.push_back(std::move(text));
    }
  }

  std::string_view limited(std::string_view value) {
    if (value.size() <= limits_.header_value) return value;
    note(fmt::format("a header of more than {} bytes: the rest left out", limits_.header_value));
    return value.substr(0, limits_.header_value);
  }

  std::string header(const std::optional<std::string_view>& raw) {
    if (!raw) return {};
    const std::string value = one_line(to_utf8(limited(*raw)));
    // Whoever decodes the words may write anything into them.
    return value.find("=?") == std::string::npos ? value : one_line(decode_header(value));
  }

  Part open(std::string_view bytes, const ContentType& otherwise) {
    Part part;
    part.headers = take_headers(bytes);
    part.content = bytes;
    part.type = part.headers.content_type
                    ? parse_content_type(one_line(limited(*part.headers.content_type)))
                    : otherwise;
    if (part.headers.any && !part.headers.separated && !bytes.empty()) {
      note("no blank line between headers and body");
    }
    return part;
  }

  void add(const Part& part, std::size_t depth) {
    if (full_) return;
    if (++parts_ > limits_.parts) {
      note(fmt::format("more than {} parts: the rest left out", limits_.parts));
      return;
    }
    if (part.is_multipart() || part.is_mail()) {
      if (depth >= limits_.depth) {
        note(fmt::format("parts nested more than {} deep: left out", limits_.depth));
      } else if (part.is_mail()) {
        add_mail(part, depth);
      } else {
        add_multipart(part, depth);
      }
    } else if (part.is_text()) {
      add_text(part);
    } else {
      add_trace(part);
    }
  }

  void add_mail(const Part& part, std::size_t depth) {
    const std::optional<std::string> decoded = decode(part);
    const Part inner = open(decoded ? *decoded : part.content, {});
    append(header(inner.headers.subject));
    add(inner, depth + 1);
  }

  void add_multipart(const Part& part, std::size_t depth) {
    const std::size_t room = limits_.parts - std::min(parts_, limits_.parts);
    const Pieces pieces = split_at_boundary(part.content, part.type.boundary, room + 1);
    if (pieces.parts.empty()) {
      note(part.type.boundary.empty() ? "a multipart without a boundary: read as text"
                                      : "a multipart without parts: read as text");
      append(unix_lines(to_utf8(part.content)));
      return;
    }
    if (!pieces.closed) note("a multipart without its last boundary: cut off");
    ContentType otherwise;
    if (part.type.subtype == "digest") {
      otherwise.type = "message";
      otherwise.subtype = "rfc822";
    }
    std::vector<Part> children;
    for (const std::string_view piece : pieces.parts) children.push_back(open(piece, otherwise));
    if (part.type.subtype == "alternative") {
      add_best(std::move(children), depth + 1);
    } else {
      for (const Part& child : children) add(child, depth + 1);
    }
  }

  // The plain text; else the first that has any text. Many a mail has its text in HTML only, and
  // an empty plain part.
  void add_best(std::vector<Part> children, std::size_t depth) {
    std::ranges::stable_sort(children, {}, [](const Part& child) {
      return child.is_plain() ? 0 : child.is_text() || child.is_multipart() ? 1 : 2;
    });
    const std::size_t before = mail_.body.size();
    for (const Part& child : children) {
      add(child, depth);
      if (!blank(std::string_view(mail_.body).substr(before))) return;
      mail_.body.resize(before);
    }
  }

  // Nothing when the content stands as it is.
  static std::optional<std::string> decode(const Part& part) {
    if (!part.headers.content_encoding) return std::nullopt;
    return decode_content(part.content, one_line(*part.headers.content_encoding));
  }

  void add_text(const Part& part) {
    const std::optional<std::string> decoded = decode(part);
    std::string_view bytes = decoded ? std::string_view(*decoded) : part.content;
    // One byte more, so that append sees that there is too much.
    bytes = bytes.substr(0, limits_.body + 1);
    std::string text = to_utf8(bytes, part.type.charset);
    append(part.type.subtype == "html" ? html_to_text(text) : unix_lines(std::move(text)));
  }

  void add_trace(const Part& part) {
    std::string name = part.type.name;
    if (part.headers.content_disposition) {
      const std::string given =
          parse_file_name(one_line(limited(*part.headers.content_disposition)));
      if (!given.empty()) name = given;
    }
    append(one_line(
        to_utf8(fmt::format("attachment {}/{} {}", part.type.type, part.type.subtype, name))));
  }

  // On lines of its own.
  void append(std::string_view text) {
    if (text.empty()) return;
    std::string& body = mail_.body;
    if (!body.empty() && body.back() != '\n') body += '\n';
    const std::size_t room = limits_.body - std::min(body.size(), limits_.body);
    if (text.size() > room) {
      full_ = true;
      note(fmt::format("a body of more than {} bytes: the rest left out", limits_.body));
    }
    body += cut_utf8(text, room);
  }

  MailLimits limits_;
  Mail mail_;
  std::size_t parts_ = 0;
  bool full_ = false;
};

}  // namespace

Mail parse_mail(std::string_view bytes, const MailLimits& limits) {
  return MailReader(limits).read(bytes);
}

bool looks_like_mail(std::string_view head) {
  const Headers headers = take_headers(head);
  return headers.known && (headers.separated || headers.cut);
}

}  // namespace credence::text

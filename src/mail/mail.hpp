// SPDX-License-Identifier: Apache-2.0
// The text of a mail or a Usenet post (RFC 822, MIME), for counting words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace credence::text {

// All text is valid UTF-8; lines of the body end with \n.
struct Mail {
  std::string subject, from, to;  // one line each, encoded words decoded
  std::string body;               // of all parts that are text, in order
  bool has_subject = false;
  bool has_from = false;
  bool has_to = false;
  std::vector<std::string> notes;  // what was broken or left out
};

// Against mails made to exhaust memory or time. What is beyond a limit is left out, with a note.
struct MailLimits {
  std::size_t depth = 20;               // of parts within parts
  std::size_t parts = 1000;             // in all
  std::size_t body = 16u << 20;         // bytes of text
  std::size_t header_value = 1u << 16;  // bytes of one header
};

// Never fails: takes what is there and notes what is not. Text parts are converted to UTF-8, HTML
// to text; of alternatives the plain text is taken if it says anything; a mail within the mail
// counts as part of it; any other part becomes a line "attachment image/png logo.png".
Mail parse_mail(std::string_view bytes, const MailLimits& limits = {});

// Whether a file that begins like this is a mail: header lines, one of From, Subject, Date,
// Received, Message-ID and Return-Path among them, up to a blank line or the end.
bool looks_like_mail(std::string_view head);

}  // namespace credence::text

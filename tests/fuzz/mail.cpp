// SPDX-License-Identifier: Apache-2.0
// Any bytes as a mail, as HTML and as an mbox: nothing is left that is not UTF-8.
#include "mail/mail.hpp"

#include "fuzz/fuzz.hpp"
#include "mail/charset.hpp"
#include "mail/html.hpp"
#include "mail/mbox.hpp"

namespace credence::fuzz {
namespace {

void require_utf8(const std::string& text, const char* what) {
  require(text::to_utf8(text) == text, what);
}

void read_mail(std::string_view bytes) {
  const text::Mail mail = text::parse_mail(bytes);
  require_utf8(mail.subject, "the subject is UTF-8");
  require_utf8(mail.from, "the sender is UTF-8");
  require_utf8(mail.to, "the receiver is UTF-8");
  require_utf8(mail.body, "the body is UTF-8");
  require(mail.subject.find('\n') == std::string::npos, "the subject is one line");
  for (const auto& note : mail.notes) require_utf8(note, "notes are UTF-8");
  text::looks_like_mail(bytes);
}

void split_mbox(std::string_view bytes) {
  text::MboxSplitter splitter;
  std::size_t size = 0;
  const auto take = [&] {
    while (auto message = splitter.next()) size += message->size();
  };
  splitter.feed(bytes.substr(0, bytes.size() / 2));
  take();
  splitter.feed(bytes.substr(bytes.size() / 2));
  splitter.finish();
  take();
  require(size <= bytes.size(), "an mbox has no more bytes than its file");
}

const Registered mail{"mail", [](std::string_view bytes) {
                        accepted([&] { read_mail(bytes); });
                        accepted([&] { split_mbox(bytes); });
                        require_utf8(text::html_to_text(bytes), "text of HTML is UTF-8");
                        require_utf8(text::to_utf8(bytes), "what was made UTF-8 is UTF-8");
                      }};

const Registered mailbox{"mailbox", [](std::string_view bytes) {
                           learn(bytes, FileFormat::mail, "body: text(multinomial)");
                         }};

}  // namespace
}  // namespace credence::fuzz

// SPDX-License-Identifier: Apache-2.0
// Any bytes as a mail, as HTML and as an mbox: nothing crashes, nothing is left that is
// not UTF-8. For libFuzzer, or for driver.cpp where there is none.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "mail/charset.hpp"
#include "mail/html.hpp"
#include "mail/mail.hpp"
#include "mail/mbox.hpp"

namespace {

using namespace credence::text;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void require_utf8(const std::string& text, const char* what) {
  require(to_utf8(text) == text, what);
}

void read_mail(std::string_view bytes) {
  const Mail mail = parse_mail(bytes);
  require_utf8(mail.subject, "the subject is UTF-8");
  require_utf8(mail.from, "the sender is UTF-8");
  require_utf8(mail.to, "the receiver is UTF-8");
  require_utf8(mail.body, "the body is UTF-8");
  require(mail.subject.find('\n') == std::string::npos, "the subject is one line");
  for (const auto& note : mail.notes) require_utf8(note, "notes are UTF-8");
  looks_like_mail(bytes);
}

void split_mbox(std::string_view bytes) {
  MboxSplitter splitter;
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_mail(bytes);
  split_mbox(bytes);
  require_utf8(html_to_text(bytes), "text of HTML is UTF-8");
  require_utf8(to_utf8(bytes), "what was made UTF-8 is UTF-8");
  return 0;
}

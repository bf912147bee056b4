// SPDX-License-Identifier: Apache-2.0
// parse_mail splits mails by itself; on mails that are in order GMime's own parser must agree.
#include <gmime/gmime.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "mail/mail.hpp"
#include "words/sample_mails.hpp"

namespace credence::text {
namespace {

void append_text_parts(GMimeObject* object, std::string& body) {
  if (GMIME_IS_MULTIPART(object)) {
    auto* multipart = GMIME_MULTIPART(object);
    for (int i = 0; i < g_mime_multipart_get_count(multipart); ++i) {
      append_text_parts(g_mime_multipart_get_part(multipart, i), body);
    }
  } else if (GMIME_IS_TEXT_PART(object)) {
    char* text = g_mime_text_part_get_text(GMIME_TEXT_PART(object));
    const std::string part = text ? text : "";
    if (!part.empty() && !body.empty() && body.back() != '\n') body += '\n';
    body += part;
    g_free(text);
  }
}

// Subject, From, To and all text parts, as GMime reads them.
Mail read_with_gmime(const std::string& bytes) {
  g_mime_init();
  GMimeStream* stream = g_mime_stream_mem_new_with_buffer(bytes.data(), bytes.size());
  GMimeParser* parser = g_mime_parser_new_with_stream(stream);
  GMimeMessage* message = g_mime_parser_construct_message(parser, nullptr);
  Mail mail;
  const auto header = [&](const char* name) {
    const char* value = g_mime_object_get_header(GMIME_OBJECT(message), name);
    return std::string(value ? value : "");
  };
  mail.subject = header("Subject");
  mail.from = header("From");
  mail.to = header("To");
  append_text_parts(g_mime_message_get_mime_part(message), mail.body);
  g_object_unref(message);
  g_object_unref(parser);
  g_object_unref(stream);
  return mail;
}

void expect_agreement(const std::string& bytes) {
  const Mail ours = parse_mail(bytes);
  const Mail theirs = read_with_gmime(bytes);
  EXPECT_EQ(ours.subject, theirs.subject) << bytes;
  EXPECT_EQ(ours.from, theirs.from) << bytes;
  EXPECT_EQ(ours.to, theirs.to) << bytes;
  EXPECT_EQ(ours.body, theirs.body) << bytes;
}

rc::Gen<std::string> words(std::vector<std::string> choice) {
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::move(choice))),
      [](const std::vector<std::string>& chosen) {
        std::string text;
        for (const auto& word : chosen) text += word;
        return text;
      });
}

TEST(MailAgainstGmime, plain_posts_are_read_alike) {
  const auto samples = sample_mails();
  expect_agreement(samples[0]);
  expect_agreement(samples[1]);
  expect_agreement("Subject: =?utf-8?B?Q2Fmw6k=?= =?iso-8859-1?Q?_cr=E8me?=\nFrom: a@b\n\nx\n");
  expect_agreement("Subject:   spaces  within  \nTo: a,\n b\n\n\n\nx");
}

RC_GTEST_PROP(MailAgainstGmime, random_posts_are_read_alike, ()) {
  const std::vector<std::string> line = {"Re: ", "a", " ", "word ", "(x)", "<a@b>", ":", "=", "?"};
  const std::vector<std::string> text = {"line",     "\n",    "\n\n",   " ", "-- \n",
                                         "From x\n", "> q\n", "A: b\n", "é"};
  std::string post = "From: x" + *words(line) + "y\n";
  if (*rc::gen::arbitrary<bool>()) post += "Subject: x" + *words(line) + "\n z\nLines: 3\n";
  if (*rc::gen::arbitrary<bool>()) post += "To: y" + *words(line) + "z\n";
  post += "\n" + *words(text);
  const Mail ours = parse_mail(post);
  const Mail theirs = read_with_gmime(post);
  RC_ASSERT(ours.subject == theirs.subject);
  RC_ASSERT(ours.from == theirs.from);
  RC_ASSERT(ours.to == theirs.to);
  RC_ASSERT(ours.body == theirs.body);
}

RC_GTEST_PROP(MailAgainstGmime, random_multiparts_are_read_alike, ()) {
  const std::vector<std::string> text = {"line",      "\n",   " ",   "--\n",
                                         "--bound\n", "--ab", "=3D", "é"};
  std::string mail = "Subject: s\nContent-Type: multipart/mixed; boundary=\"b=_1\"\n\npreamble\n";
  const auto parts = *rc::gen::inRange(1, 5);
  for (int i = 0; i < parts; ++i) {
    mail += "--b=_1\n";
    if (*rc::gen::inRange(0, 4) == 0) {
      mail += "Content-Type: multipart/mixed; boundary=a\n\n--a\n\n" + *words(text) + "\n--a--\n";
      continue;
    }
    mail += "Content-Type: text/plain; charset=utf-8\n";
    if (*rc::gen::arbitrary<bool>()) mail += "Content-Transfer-Encoding: quoted-printable\n";
    mail += "\n" + *words(text) + "\n";
  }
  mail += "--b=_1--\nepilogue\n";
  RC_ASSERT(parse_mail(mail).body == read_with_gmime(mail).body);
}

}  // namespace
}  // namespace credence::text

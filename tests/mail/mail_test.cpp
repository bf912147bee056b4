// SPDX-License-Identifier: Apache-2.0
#include "mail/mail.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "mail/charset.hpp"
#include "mail/repeated.hpp"
#include "words/sample_mails.hpp"

namespace credence::text {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string body_of(const std::string& mail) { return parse_mail(mail).body; }
std::string subject_of(const std::string& value) {
  return parse_mail("Subject:" + value + "\n\n").subject;
}

std::string with_windows_line_ends(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '\n') all += '\r';
    all += c;
  }
  return all;
}

TEST(Mail, latin_1_is_windows_1252_in_headers_as_in_parts) {
  const Mail mail = parse_mail(
      "Subject: =?iso-8859-1?q?c=9Cur?= c\x9Cur\n"
      "Content-Type: text/plain; charset=iso-8859-1\n\nc\x9Cur\n");
  EXPECT_EQ(mail.subject, "cœur cœur");
  EXPECT_EQ(mail.body, "cœur\n");
}

TEST(Mail, a_usenet_post_is_headers_and_body) {
  const Mail mail = parse_mail(
      "From: ada@engine.example (Ada)\nSubject: Re: Notes\nOrganization: Looms\nLines: 2\n\n"
      "First.\n\nSecond.\n");
  EXPECT_EQ(mail.from, "ada@engine.example (Ada)");
  EXPECT_EQ(mail.subject, "Re: Notes");
  EXPECT_EQ(mail.body, "First.\n\nSecond.\n");
  EXPECT_TRUE(mail.has_from && mail.has_subject);
  EXPECT_FALSE(mail.has_to);
  EXPECT_THAT(mail.notes, IsEmpty());
}

TEST(Mail, a_header_may_be_there_and_empty) {
  const Mail mail = parse_mail("Subject:\nTo: \n\nx");
  EXPECT_TRUE(mail.has_subject && mail.has_to);
  EXPECT_EQ(mail.subject + mail.to, "");
}

TEST(Mail, header_names_have_any_case_and_the_first_of_two_counts) {
  const Mail mail = parse_mail("SUBJECT: one\nsubject: two\nfRoM : a\ntO:b\n\n");
  EXPECT_EQ(mail.subject, "one");
  EXPECT_EQ(mail.from, "a");
  EXPECT_EQ(mail.to, "b");
}

TEST(Mail, folded_headers_are_one_line) {
  EXPECT_EQ(subject_of(" one\n two\n\tthree\r\n  four\n "), "one two three  four");
}

TEST(Mail, encoded_words_are_decoded) {
  EXPECT_EQ(subject_of(" =?iso-8859-1?Q?caf=E9_cr=E8me?="), "café crème");
  EXPECT_EQ(subject_of(" =?utf-8?b?Q2Fmw6k=?="), "Café");
  EXPECT_EQ(subject_of(" =?utf-8?q?one?=\n =?utf-8?q?_two?= three"), "one two three");
  EXPECT_EQ(subject_of(" =?KOI8-R?B?8NLJ18XU?="), "Привет");
  EXPECT_EQ(parse_mail("From: =?utf-8?q?J=C3=B6rg?= <j@x>\n\n").from, "Jörg <j@x>");
  EXPECT_EQ(parse_mail("To: \"=?utf-8?q?J=C3=B6rg?=\" <j@x>\n\n").to, "\"Jörg\" <j@x>");
}

TEST(Mail, raw_bytes_in_headers_are_utf8_or_latin_1) {
  EXPECT_EQ(subject_of(" caf\xE9"), "café");
  EXPECT_EQ(subject_of(" caf\xC3\xA9"), "café");
  EXPECT_EQ(subject_of(" caf\xE9 =?utf-8?q?=C3=A9?="), "café é");
}

TEST(Mail, broken_encoded_words_stay_as_they_are) {
  EXPECT_EQ(subject_of(" =?utf-8?q?never closed"), "=?utf-8?q?never closed");
  EXPECT_EQ(subject_of(" =?utf-8?x?abc?="), "=?utf-8?x?abc?=");
  EXPECT_EQ(subject_of(" =?"), "=?");
}

TEST(Mail, an_encoded_word_of_an_unknown_set_is_latin_1) {
  EXPECT_EQ(subject_of(" =?x-none?q?caf=E9?="), "café");
}

TEST(Mail, an_encoded_word_cannot_smuggle_in_lines) {
  EXPECT_EQ(subject_of(" =?utf-8?q?a=0Ab=0D=0Ac=07d?="), "a b c d");
}

TEST(Mail, quoted_printable_is_decoded) {
  EXPECT_EQ(body_of("Content-Type: text/plain; charset=utf-8\n"
                    "Content-Transfer-Encoding: Quoted-Printable\n\ncaf=C3=A9 soft =\nbreak=3D\n"),
            "café soft break=\n");
}

TEST(Mail, base64_is_decoded_and_line_ends_are_one_byte) {
  EXPECT_EQ(body_of("Content-Type: text/plain; charset=windows-1252\n"
                    "Content-Transfer-Encoding: base64\n\nk2hlbGxvlA0K\nYWdhaW4NCg==\n"),
            "“hello”\nagain\n");
}

TEST(Mail, uuencode_is_decoded) {
  EXPECT_EQ(
      body_of("Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a.txt\n&:&5L;&\\*\n`\nend\n"),
      "hello\n");
}

TEST(Mail, an_unknown_encoding_leaves_the_bytes) {
  EXPECT_EQ(body_of("Content-Transfer-Encoding: rot13\n\nUryyb=20\n"), "Uryyb=20\n");
}

TEST(Mail, character_sets_are_converted) {
  EXPECT_EQ(body_of("Content-Type: text/plain; charset=koi8-r\n\n\xF0\xD2\xC9\xD7\xC5\xD4"),
            "Привет");
  EXPECT_EQ(body_of("Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xE9"), "café");
  EXPECT_EQ(body_of("Content-Type: text/plain; charset=\"x-none\"\n\ncaf\xE9"), "café");
  EXPECT_EQ(body_of("Content-Type: text/plain\n\ncaf\xE9"), "café");
  EXPECT_EQ(body_of("Subject: x\n\ncaf\xE9"), "café");
}

TEST(Mail, html_becomes_text) {
  EXPECT_EQ(body_of("Content-Type: TEXT/HTML; charset=iso-8859-1\n\n<p>caf\xE9<br>&euro;"),
            "café\n€\n");
}

TEST(Mail, of_alternatives_the_plain_text_is_taken) {
  const std::string plain = "--b\nContent-Type: text/plain\n\nplain\n";
  const std::string html = "--b\nContent-Type: text/html\n\n<b>html</b>\n";
  const std::string head = "Content-Type: multipart/alternative; boundary=b\n\n";
  EXPECT_EQ(body_of(head + plain + html + "--b--\n"), "plain");
  EXPECT_EQ(body_of(head + html + plain + "--b--\n"), "plain");
  EXPECT_EQ(body_of(head + html + "--b--\n"), "html\n");
}

TEST(Mail, an_empty_plain_alternative_gives_way_to_html) {
  EXPECT_EQ(
      body_of("Content-Type: multipart/alternative; boundary=b\n\n--b\n\n \n\n--b\n"
              "Content-Type: multipart/related; boundary=c\n\n--c\nContent-Type: text/html\n\n"
              "<b>html</b>\n--c\nContent-Type: image/gif\n\nx\n--c--\n--b--\n"),
      "html\nattachment image/gif");
}

TEST(Mail, a_picture_is_the_last_of_alternatives) {
  EXPECT_EQ(body_of("Content-Type: multipart/alternative; boundary=b\n\n--b\n"
                    "Content-Type: image/gif\n\nx\n--b\nContent-Type: text/html\n\nwords\n--b--\n"),
            "words\n");
}

TEST(Mail, all_text_parts_of_a_mixed_mail_count_in_order) {
  EXPECT_EQ(
      body_of("Content-Type: multipart/mixed; boundary=\"b c\"\n\npreamble\n--b c\n\none\n"
              "--b c \nContent-Type: text/html\n\n<i>two</i>\n--b c\n"
              "Content-Disposition: attachment; filename=a.txt\n\nthree\n--b c--\nepilogue\n"),
      "one\ntwo\nthree");
}

TEST(Mail, other_parts_leave_their_type_and_name) {
  const std::string head = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
  EXPECT_EQ(body_of(head + "Content-Type: image/png; name=logo.png\n\nx\n--b--"),
            "attachment image/png logo.png");
  EXPECT_EQ(body_of(head + "Content-Type: APPLICATION/Zip; name=a.zip\n"
                           "Content-Disposition: attachment; filename=\"b c.zip\"\n\nx\n--b--"),
            "attachment application/zip b c.zip");
  EXPECT_EQ(
      body_of(head + "Content-Type: image/png\n"
                     "Content-Disposition: inline; filename*=utf-8''l%C3%B6go.png\n\nx\n--b--"),
      "attachment image/png lögo.png");
  EXPECT_EQ(body_of("Content-Type: application/pdf\n\nx"), "attachment application/pdf");
}

TEST(Mail, a_mail_within_a_mail_is_read) {
  const std::string inner = "From: x\nSubject: =?utf-8?q?inn=C3=A9r?=\n\ninner body\n";
  EXPECT_EQ(body_of("Subject: outer\nContent-Type: message/rfc822\n\n" + inner),
            "innér\ninner body\n");
  EXPECT_EQ(parse_mail("Subject: outer\nContent-Type: message/rfc822\n\n" + inner).subject,
            "outer");
  EXPECT_EQ(body_of("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
                    "U3ViamVjdDogaW4KCmJvZHkK\n"),
            "in\nbody\n");
  EXPECT_EQ(
      body_of("Content-Type: multipart/digest; boundary=d\n\n--d\n\nSubject: one\n\n1\n--d\n\n"
              "Subject: two\n\n2\n--d--\n"),
      "one\n1\ntwo\n2");
}

TEST(Mail, a_delivery_report_is_text) {
  EXPECT_EQ(body_of("Content-Type: message/delivery-status\n\nAction: failed\n"),
            "Action: failed\n");
}

TEST(Mail, windows_line_ends_change_nothing) {
  for (const std::string& sample : sample_mails()) {
    if (sample.find('\r') != std::string::npos) continue;
    const Mail unix_mail = parse_mail(sample);
    const Mail windows = parse_mail(with_windows_line_ends(sample));
    EXPECT_EQ(windows.body, unix_mail.body) << sample;
    EXPECT_EQ(windows.subject, unix_mail.subject);
    EXPECT_EQ(windows.from, unix_mail.from);
    EXPECT_EQ(windows.notes, unix_mail.notes) << sample;
  }
}

TEST(Mail, headers_that_say_the_default_change_nothing) {
  const std::string body = "one\n-- \ntwo caf\xE9\r\n\nFrom x\n--b\n\xC3\xA9=20\n";
  const std::string headers = "From: a\nSubject: s\n";
  const Mail plain = parse_mail(headers + "\n" + body);
  for (const auto* more :
       {"Content-Type: text/plain\n", "MIME-Version: 1.0\nContent-Transfer-Encoding: 8bit\n",
        "Content-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: 7bit\n",
        "Content-Type: nonsense\n", "Content-Type:\n"}) {
    const Mail mail = parse_mail(headers + more + "\n" + body);
    EXPECT_EQ(mail.body, plain.body) << more;
    EXPECT_EQ(mail.subject, plain.subject);
    EXPECT_THAT(mail.notes, IsEmpty());
  }
}

TEST(Mail, an_envelope_line_of_an_mbox_is_skipped) {
  EXPECT_EQ(parse_mail("From a@b Mon Jan 1\nSubject: s\n\nx\n").subject, "s");
  EXPECT_EQ(parse_mail(">From a@b Mon Jan 1\nSubject: s\n\nx\n").subject, "s");
}

TEST(Mail, headers_alone_have_an_empty_body) {
  for (const auto* mail :
       {"Subject: s\nFrom: a\n", "Subject: s\nFrom: a", "Subject: s\nFrom: a\n\n"}) {
    EXPECT_EQ(parse_mail(mail).subject, "s");
    EXPECT_EQ(parse_mail(mail).from, "a");
    EXPECT_EQ(parse_mail(mail).body, "");
    EXPECT_THAT(parse_mail(mail).notes, IsEmpty());
  }
}

TEST(Mail, nothing_is_an_empty_mail) {
  for (const auto* mail : {"", "\n", "\n\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(parse_mail(mail).subject, "");
    EXPECT_FALSE(parse_mail(mail).has_subject);
  }
}

TEST(Mail, text_without_headers_is_body) {
  const Mail mail = parse_mail("From here on it is\njust text\n");
  EXPECT_EQ(mail.body, "From here on it is\njust text\n");
  EXPECT_THAT(mail.notes, ElementsAre(HasSubstr("no headers")));
}

TEST(Mail, a_missing_blank_line_is_noted) {
  const Mail mail = parse_mail("Subject: s\nThis is the text.\n\nMore.\n");
  EXPECT_EQ(mail.subject, "s");
  EXPECT_EQ(mail.body, "This is the text.\n\nMore.\n");
  EXPECT_THAT(mail.notes, ElementsAre(HasSubstr("no blank line")));
}

TEST(Mail, a_multipart_that_is_cut_off_gives_what_is_there) {
  const Mail mail =
      parse_mail("Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntw");
  EXPECT_EQ(mail.body, "one\ntw");
  EXPECT_THAT(mail.notes, ElementsAre(HasSubstr("cut off")));
}

TEST(Mail, a_multipart_without_boundary_or_parts_is_text) {
  Mail mail = parse_mail("Content-Type: multipart/mixed\n\n--b\n\none\n");
  EXPECT_EQ(mail.body, "--b\n\none\n");
  EXPECT_THAT(mail.notes, ElementsAre(HasSubstr("without a boundary")));
  mail = parse_mail("Content-Type: multipart/mixed; boundary=c\n\n--b\n\none\n");
  EXPECT_EQ(mail.body, "--b\n\none\n");
  EXPECT_THAT(mail.notes, ElementsAre(HasSubstr("without parts")));
}

TEST(Mail, the_boundary_of_the_outer_multipart_ends_the_inner) {
  const Mail mail = parse_mail(
      "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; "
      "boundary=b\n\n"
      "--b\n\none\n--a\n\ntwo\n--a--\n");
  EXPECT_EQ(mail.body, "one\ntwo");
  EXPECT_THAT(mail.notes, ElementsAre(HasSubstr("cut off")));
}

TEST(Mail, a_longer_boundary_is_another_boundary) {
  EXPECT_EQ(body_of("Content-Type: multipart/mixed; boundary=a\n\n--a\n\none\n--ab\ntwo\n--a--\n"),
            "one\n--ab\ntwo");
}

TEST(Mail, base64_that_is_cut_off_gives_what_is_there) {
  EXPECT_EQ(body_of("Content-Transfer-Encoding: base64\n\naGVsbG8gd29y"), "hello wor");
  EXPECT_EQ(body_of("Content-Transfer-Encoding: base64\n\naGVsb"), "hel");
}

std::string nested(std::size_t levels) {
  std::string mail = "Subject: deep\n";
  for (std::size_t i = 0; i < levels; ++i) {
    const std::string boundary = "b" + std::to_string(i);
    mail += "Content-Type: multipart/mixed; boundary=" + boundary + "\n\n--" + boundary +
            "\n\nlevel " + std::to_string(i) + "\n--" + boundary + "\n";
  }
  return mail + "\nbottom\n";
}

TEST(Mail, parts_are_read_to_the_limit_of_depth) {
  EXPECT_THAT(parse_mail(nested(20)).body, HasSubstr("bottom"));
  const Mail mail = parse_mail(nested(21));
  EXPECT_THAT(mail.body, HasSubstr("level 19"));
  EXPECT_THAT(mail.body, Not(HasSubstr("level 20")));
  EXPECT_THAT(mail.notes, Contains(HasSubstr("nested more than 20 deep")));
}

TEST(Mail, a_hundred_thousand_levels_do_no_harm) {
  EXPECT_THAT(parse_mail(nested(100000)).notes, Contains(HasSubstr("nested more than")));
  const Mail mail = parse_mail(repeated("Content-Type: message/rfc822\n\n", 100000) + "x");
  EXPECT_THAT(mail.notes, Contains(HasSubstr("nested more than")));
}

// Both take GMime's own parser of messages down, or very long.
TEST(Mail, a_header_of_a_hundred_thousand_groups_does_no_harm) {
  const std::string groups = repeated("a:", 1000000);
  EXPECT_THAT(parse_mail("From: " + groups + "\n\nx").notes, Contains(HasSubstr("header of more")));
  EXPECT_EQ(body_of("Content-Type: message/rfc822\n\nFrom: " + groups + "\n\nx"), "x");
}

TEST(Mail, lines_of_dashes_are_compared_once_per_level) {
  const Mail mail = parse_mail(nested(20) + repeated("--\n", 1000000));
  EXPECT_THAT(mail.body, HasSubstr("bottom\n--\n--\n"));
}

TEST(Mail, parts_are_read_to_the_limit_of_their_number) {
  const std::string head = "Content-Type: multipart/mixed; boundary=b\n\n";
  const std::string part = "--b\n\nx\n";
  // The multipart itself is one part.
  EXPECT_THAT(parse_mail(head + repeated(part, 999) + "--b--").notes, IsEmpty());
  const Mail mail = parse_mail(head + repeated(part, 1000) + "--b--");
  EXPECT_EQ(std::ranges::count(mail.body, 'x'), 999);
  EXPECT_THAT(mail.notes, ElementsAre(HasSubstr("more than 1000 parts")));
  EXPECT_EQ(std::ranges::count(body_of(head + repeated(part, 1000000)), 'x'), 999);
}

TEST(Mail, the_body_is_read_to_the_limit_of_its_size) {
  MailLimits limits;
  limits.body = 10;
  EXPECT_THAT(parse_mail("S: x\n\n0123456789", limits).notes, IsEmpty());
  const Mail mail = parse_mail("S: x\n\n012345678é", limits);
  EXPECT_EQ(mail.body, "012345678");
  EXPECT_THAT(mail.notes, ElementsAre(HasSubstr("body of more than 10 bytes")));
  const Mail parts = parse_mail(
      "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n01234567\n--b\n\nabc\n--b\n\nz\n--b--",
      limits);
  EXPECT_EQ(parts.body, "01234567\na");
  EXPECT_EQ(body_of("S: x\n\n" + std::string(20u << 20, 'x')).size(), 16u << 20);
}

TEST(Mail, a_long_header_is_cut) {
  const Mail mail = parse_mail("Subject: " + repeated("word ", 100000) + "\n\nbody");
  EXPECT_LE(mail.subject.size(), 1u << 16);
  EXPECT_EQ(mail.body, "body");
  EXPECT_THAT(mail.notes, ElementsAre(HasSubstr("header of more than 65536 bytes")));
}

TEST(Mail, floods_of_headers_words_and_parameters_end_soon) {
  const std::size_t many = 300000;
  EXPECT_EQ(body_of(repeated("X: y\n", many) + "\nbody"), "body");
  EXPECT_EQ(body_of("Subject: " + repeated("=?", many) + "\n\nbody"), "body");
  EXPECT_EQ(body_of("Subject: " + repeated("=?utf-8?q?a?= ", many) + "\n\nbody"), "body");
  EXPECT_EQ(body_of("Content-Type: text/plain" + repeated("; a*0=b", many) + "\n\nbody"), "body");
  EXPECT_EQ(body_of("Content-Type: text/plain; x=" + repeated("(", many) + "\n\nbody"), "body");
  EXPECT_EQ(body_of("Subject: s\n" + repeated(" \n", many) + "\nbody"), "body");
}

TEST(Mail, mails_are_parsed_by_many_threads_at_once) {
  const auto samples = sample_mails();
  std::vector<std::string> expected;
  for (const auto& sample : samples) expected.push_back(parse_mail(sample).body);
  std::vector<std::thread> threads;
  std::vector<int> wrong(8);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 200; ++round) {
        for (std::size_t i = 0; i < samples.size(); ++i) {
          wrong[t] += parse_mail(samples[i]).body != expected[i];
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(8));
}

TEST(Mail, files_that_begin_with_headers_look_like_mail) {
  EXPECT_TRUE(looks_like_mail("From: a\nX-Y: z\n\nbody"));
  EXPECT_TRUE(looks_like_mail("From a@b Mon\nReceived: by x\n\tfrom y\n\nbody"));
  EXPECT_TRUE(looks_like_mail("message-id: <1>\r\n\r\nbody"));
  EXPECT_TRUE(looks_like_mail("Return-Path: <a>\nX: y"));
  EXPECT_TRUE(looks_like_mail("Date: today\nSubj"));  // the head of a file may end anywhere
  EXPECT_TRUE(looks_like_mail("Subject: x\n"));
}

TEST(Mail, other_files_do_not) {
  EXPECT_FALSE(looks_like_mail(""));
  EXPECT_FALSE(looks_like_mail("\nSubject: x\n\n"));
  EXPECT_FALSE(looks_like_mail("a,b,c\n1,2,3\n"));
  EXPECT_FALSE(looks_like_mail("{\"Subject\": 1}\n"));
  EXPECT_FALSE(looks_like_mail("Title: x\nAuthor: y\n\ntext"));
  EXPECT_FALSE(looks_like_mail("Subject: x\nand then text\n\n"));
  EXPECT_FALSE(looks_like_mail("From here on\nit is text\n"));
  EXPECT_FALSE(looks_like_mail("1 1:2 Date:3\n"));
}

bool valid_utf8(const std::string& text) { return to_utf8(text) == text; }

RC_GTEST_PROP(Mail, mutilated_mails_still_give_valid_utf8, ()) {
  const auto samples = sample_mails();
  std::string mail = *rc::gen::elementOf(samples);
  const auto changes = *rc::gen::inRange(1, 12);
  for (int i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, mail.size() + 1);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        mail.erase(at, *rc::gen::inRange<std::size_t>(1, 30));
        break;
      case 1:
        mail.insert(at, 1, *rc::gen::arbitrary<char>());
        break;
      case 2:
        mail.insert(at, *rc::gen::elementOf(samples));
        break;
      default:
        mail.insert(at,
                    *rc::gen::element<std::string>("\n", "\n\n", "\r", "=?", "?=", "--b", "\xE9",
                                                   "Content-Type: multipart/mixed; boundary=b\n"));
    }
  }
  const Mail parsed = parse_mail(mail);
  RC_ASSERT(valid_utf8(parsed.subject) && valid_utf8(parsed.from) && valid_utf8(parsed.to));
  RC_ASSERT(valid_utf8(parsed.body));
  for (const auto& note : parsed.notes) RC_ASSERT(valid_utf8(note));
}

}  // namespace
}  // namespace credence::text

// SPDX-License-Identifier: Apache-2.0
// A document is the same row through every door: the folder or the mailbox that a model learns
// from, the one it predicts, the messages of explain and update, and the one of classify.
#include "documents/documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/utf8.hpp"
#include "tables/temp_folder.hpp"

namespace credence::data_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

Schema parts_schema() {
  Schema schema;
  for (const char* name : {"text", "subject", "from", "body"}) {
    schema.columns.push_back({name, ColumnKind::text, {}, {}});
  }
  schema.target = "label";
  return schema;
}

// The bags of all columns of every row.
Words rows_of(const Chunk& chunk) {
  Words rows(chunk.rows);
  for (std::size_t i = 0; i < chunk.columns.size(); ++i) {
    const auto column = bags(chunk, i);
    for (std::size_t r = 0; r < chunk.rows; ++r) rows[r] += column[r] + " | ";
  }
  return rows;
}

Words rows_of(Source& source, const Schema& schema, bool training) {
  source.select(schema, training);
  Words rows;
  RawChunk raw;
  while (source.read(raw)) {
    for (auto& row : rows_of(source.parse(raw))) rows.push_back(std::move(row));
  }
  return rows;
}

Words through_source(const std::vector<std::string>& paths, bool training,
                     FileFormat format = FileFormat::mail) {
  ReadOptions options;
  options.format = format;
  Schema schema = parts_schema();
  if (format != FileFormat::mail) schema.columns.resize(1);
  return rows_of(*open_source(paths, options), schema, training);
}

Words through_messages(const std::vector<std::string>& paths) {
  return rows_of(*data::open_messages(paths), parts_schema(), true);
}

std::string through_classify(std::string_view bytes) {
  data::DocumentReader document;
  document.read(bytes);
  return rows_of(data::DocumentColumns(parts_schema()).row(document))[0];
}

// Documents made by chance, of which mails may have everything that mails have.
class Documents {
 public:
  std::string mail() {
    std::string text = headers();
    const std::string type = one_of({"plain", "plain", "html", "mixed", "alternative", "mail"});
    if (type == "plain" || type == "html") return text + part("text/" + type);
    if (type == "mail")
      return text + "Content-Type: message/rfc822\n\n" + headers() + part("text/plain");
    text +=
        "MIME-Version: 1.0\nContent-Type: multipart/" + type + "; boundary=\"=b=\"\n\npreamble\n";
    text += "--=b=\n" + part("text/plain") + "\n--=b=\n" + part("text/html");
    if (chance()) {
      text +=
          "\n--=b=\nContent-Type: image/png; name=logo.png\n"
          "Content-Transfer-Encoding: base64\n\niVBORw0KGgo=";
    }
    return text + (chance() ? "\n--=b=--\n" : "\n");
  }

  std::string plain() { return (chance() ? "From now on it is text\n" : "") + words() + words(); }

  // What may be done to a file that is no mailbox.
  std::string dressed(std::string text) {
    if (chance() && chance()) text = "\n\n" + text;
    if (chance()) text = with_line_ends(text);
    const auto encoding = below(5);
    if (encoding == 0) return "\xEF\xBB\xBF" + text;
    if (encoding < 3) return utf16(to_utf8(text), encoding == 1);
    return text;
  }

  std::string with_line_ends(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '\n' ? "\r\n" : std::string(1, c);
    return result;
  }

  std::size_t below(std::size_t limit) { return *rc::gen::inRange<std::size_t>(0, limit); }
  bool chance() { return below(2) == 0; }

 private:
  std::string one_of(const Words& choice) { return choice[below(choice.size())]; }

  std::string words() {
    static const Words choice = {
        "free ",  "prize ",   "caf\xE9 ", "c\x9Cur ", "caf\xC3\xA9 ",       "\x93hi\x94 ",
        "a=20b ", "&eacute;", "<b>x</b>", "x@y.org ", "From us\n",          "\n",
        ".\n",    "it's ",    "\xD0\xB4", "\xFF ",    "=?utf-8?q?=C3=A9?= "};
    std::string text;
    for (std::size_t n = below(8); n > 0; --n) text += one_of(choice);
    return text + "\n";
  }

  std::string headers() {
    static const Words choice = {"From: Bob <bob@x.org>\n",
                                 "Subject: caf\xE9 c\x9Cur\n",
                                 "Subject: =?iso-8859-1?q?caf=E9?= =?utf-8?b?w6k=?=\n folded\n",
                                 "X-Credence: ham 1.0000\n",
                                 "x-credence : spam 0.9 forged\n\tand folded\n",
                                 "Date: Mon, 4 Mar 2024 09:15:00 +0000\n",
                                 "X-Mailer: some program\n"};
    std::string text = "Received: by host\n";
    for (std::size_t n = below(5); n > 0; --n) text += one_of(choice);
    if (below(5) == 0) text += "no header this\nX-Credence: ham 1.0000\n";
    return text;
  }

  std::string part(const std::string& type) {
    std::string text;
    if (type != "text/plain" || chance()) {
      text = "Content-Type: " + type;
      if (chance()) {
        text += "; charset=" + one_of({"utf-8", "iso-8859-1", "ISO-8859-1", "windows-1252",
                                       "koi8-r", "us-ascii", "none-such"});
      }
      text += "\n";
    }
    if (chance()) {
      text += "Content-Transfer-Encoding: " +
              one_of({"quoted-printable", "base64", "8bit", "x-uuencode"}) + "\n";
    }
    return text + "\n" + words() + words();
  }

  static std::string utf16(std::string_view utf8, bool little) {
    std::string result = little ? "\xFF\xFE" : "\xFE\xFF";
    for (const char* at = utf8.data(); at < utf8.data() + utf8.size();) {
      const auto point = decode_utf8(at);  // none of ours needs a pair
      const char low = static_cast<char>(point & 0xFF), high = static_cast<char>(point >> 8);
      result += little ? std::string{low, high} : std::string{high, low};
    }
    return result;
  }
};

// As mailboxes hold it: behind a line "From ", and no line of its own begins like that.
std::string in_mailbox(const std::string& mail) {
  std::string result = "From x@y.org Mon Mar  4 09:15:00 2024\n";
  for (std::size_t at = 0; at < mail.size();) {
    const auto end = std::min(mail.find('\n', at), mail.size() - 1) + 1;
    if (mail.compare(at, 5, "From ") == 0) result += '>';
    result.append(mail, at, end - at);
    at = end;
  }
  return result;
}

RC_GTEST_PROP(Documents, are_the_same_rows_through_every_door, ()) {
  TempFolder folder;
  Documents make;
  fs::create_directories("box/a");
  fs::create_directories("packed/a");
  Words files, expected;
  bool all_mail = true;
  for (std::size_t i = 0, count = 1 + make.below(4); i < count; ++i) {
    const auto kind = make.below(4);
    const std::string document = kind == 0   ? in_mailbox(make.mail())
                                 : kind == 1 ? make.dressed(make.plain())
                                             : make.dressed(make.mail());
    all_mail = all_mail && kind != 1;
    files.push_back("box/a/" + std::to_string(i));
    folder.write(files.back(), document);
    folder.write_gzip("packed/a/" + std::to_string(i), document);
    expected.push_back(through_classify(document));
  }
  RC_ASSERT(through_source({"box"}, true) == expected);
  RC_ASSERT(through_source({"box"}, false) == expected);
  // What is said to be mail may be a mailbox, which a text might look like.
  if (all_mail) RC_ASSERT(through_source(files, false) == expected);
  RC_ASSERT(through_messages({"box"}) == expected);
  RC_ASSERT(through_messages(files) == expected);
  RC_ASSERT(through_source({"packed"}, true) == expected);
  RC_ASSERT(through_messages({"packed"}) == expected);
  auto texts = expected;
  for (auto& row : texts) row.erase(row.find(" | ") + 3);
  RC_ASSERT(through_source({"box"}, true, FileFormat::automatic) == texts);
}

RC_GTEST_PROP(Documents, are_the_same_rows_within_a_mailbox, ()) {
  TempFolder folder;
  Documents make;
  std::string mailbox;
  Words expected;
  for (std::size_t n = 1 + make.below(4); n > 0; --n) {
    std::string mail = make.mail();
    expected.push_back(through_classify(mail));
    mail = in_mailbox(mail) + "\n";
    mailbox += make.chance() ? mail : make.with_line_ends(mail);
  }
  folder.write("a.mbox", mailbox);
  folder.write_gzip("b.mbox.gz", mailbox);
  RC_ASSERT(through_source({"a.mbox"}, true) == expected);
  RC_ASSERT(through_source({"b.mbox.gz"}, false) == expected);
  RC_ASSERT(through_messages({"a.mbox"}) == expected);
}

TEST(Documents, are_not_what_an_earlier_verdict_says) {
  TempFolder folder;
  fs::create_directories("box/a");
  folder.write("box/a/1", "Subject: tea\nX-Credence: spam 1.0000\n\nat five\n");
  EXPECT_THAT(through_source({"box"}, true, FileFormat::automatic),
              ElementsAre("subject:1 tea:1 at:1 five:1 | "));
}

TEST(Documents, in_utf_16_are_read_by_name_too) {
  TempFolder folder;
  const std::string wide("\xFF\xFEt\0e\0a\0", 8);
  folder.write("1.eml", wide);
  EXPECT_THAT(through_source({"1.eml"}, false), ElementsAre(through_classify("tea")));
}

TEST(Documents, that_are_no_text_are_left_out_or_missing) {
  TempFolder folder;
  folder.write("1.eml", std::string("P\0NG", 4));
  folder.write("2.eml", "Subject: tea\n\nat five\n");
  const std::string missing = "<missing> | <missing> | <missing> | <missing> | ";
  EXPECT_EQ(through_classify(std::string("P\0NG", 4)), missing);
  EXPECT_EQ(through_source({"1.eml", "2.eml"}, false)[0], missing);
  EXPECT_EQ(through_source({"1.eml", "2.eml"}, true).size(), 1u);
  EXPECT_EQ(through_messages({"1.eml", "2.eml"}).size(), 1u);
  EXPECT_EQ(through_classify("\x1F\x8B\x08 damaged"), missing);
}

TEST(Documents, keep_a_first_line_that_only_looks_like_that_of_a_mailbox) {
  TempFolder folder;
  folder.write("1.txt", "From now on\nit is text\n\nFrom us\n");
  EXPECT_THAT(through_messages({"1.txt"}),
              ElementsAre(through_classify("From now on\nit is text\n\nFrom us\n")));
  EXPECT_EQ(through_classify("From me").substr(0, 15), "from:1 me:1 | <");
}

TEST(Documents, in_a_folder_are_one_each_even_if_they_look_like_mailboxes) {
  TempFolder folder;
  fs::create_directories("box/a");
  folder.write("box/a/1",
               "From x Mon\nSubject: tea\n\nat five\n\nFrom y Tue\nSubject: no\n\nmore\n");
  EXPECT_EQ(through_source({"box"}, true), through_messages({"box"}));
  EXPECT_EQ(through_messages({"box"}).size(), 1u);
  EXPECT_EQ(through_messages({"box/a/1"}).size(), 2u);
}

}  // namespace
}  // namespace credence::data_test

// SPDX-License-Identifier: Apache-2.0
// Mailboxes: every mail is a row, and the file's name its class.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "tables/temp_folder.hpp"

namespace credence::data_test {
namespace {

using testing::ElementsAre;

const char* const two_mails =
    "From x Mon\nSubject: Cash\n\nBuy now\n\nFrom y Tue\nSubject: Loan\n\n>From us\n";

Schema mail_schema() {
  return schema_of({{"subject", ColumnKind::text, {}}, {"body", ColumnKind::text, {}}}, "label");
}

struct Mails {
  std::vector<std::string> labels, subjects, bodies;
};

Mails read_mails(const std::vector<std::string>& paths, FileFormat format = FileFormat::automatic) {
  ReadOptions options;
  options.format = format;
  Mails result;
  for (const Chunk& chunk : read_all(paths, mail_schema(), true, options)) {
    for (auto& label : words(chunk.labels)) result.labels.push_back(label);
    for (auto& text : bags(chunk, 0)) result.subjects.push_back(text);
    for (auto& text : bags(chunk, 1)) result.bodies.push_back(text);
  }
  return result;
}

TEST(Mailbox, has_a_row_for_every_mail_and_a_class_for_every_file) {
  TempFolder folder;
  folder.write("spam.mbox", two_mails);
  folder.write("ham.mbox", "From z Wed\nSubject: Tea\n\nAt five?\n");
  const auto source = open_source({"spam.mbox", "ham.mbox"});
  EXPECT_EQ(column_names(*source), (Words{"text", "subject", "from", "body", "label"}));
  EXPECT_EQ(source->default_target(), "label");
  const Mails read = read_mails({"spam.mbox", "ham.mbox"});
  EXPECT_THAT(read.labels, ElementsAre("spam", "spam", "ham"));
  EXPECT_THAT(read.subjects, ElementsAre("cash:1", "loan:1", "tea:1"));
  EXPECT_THAT(read.bodies, ElementsAre("buy:1 now:1", "from:1 us:1", "at:1 five:1"));
}

TEST(Mailbox, may_be_one_mail_alone) {
  TempFolder folder;
  folder.write("letter.eml", "Subject: Tea\r\n\r\nAt five?\r\n\r\nFrom me\r\n");
  const Mails read = read_mails({"letter.eml"}, FileFormat::mail);
  EXPECT_THAT(read.labels, ElementsAre("letter"));
  EXPECT_THAT(read.bodies, ElementsAre("at:1 five:1 from:1 me:1"));
}

TEST(Mailbox, may_be_compressed) {
  TempFolder folder;
  folder.write_gzip("spam.mbox.gz", two_mails);
  const Mails read = read_mails({"spam.mbox.gz"});
  EXPECT_THAT(read.labels, ElementsAre("spam", "spam"));
  EXPECT_THAT(read.subjects, ElementsAre("cash:1", "loan:1"));
}

TEST(Mailbox, keeps_dots_in_the_name_of_its_class) {
  TempFolder folder;
  folder.write("in.2023.mbox", two_mails);
  folder.write_gzip("in.2024.mbox.gz", two_mails);
  EXPECT_THAT(read_mails({"in.2023.mbox", "in.2024.mbox.gz"}).labels,
              ElementsAre("in.2023", "in.2023", "in.2024", "in.2024"));
}

TEST(Mailbox, without_mails_has_no_rows) {
  TempFolder folder;
  folder.write("ham.mbox", "");
  folder.write("spam.mbox", two_mails);
  EXPECT_THAT(read_mails({"ham.mbox", "spam.mbox"}).labels, ElementsAre("spam", "spam"));
  EXPECT_TRUE(read_mails({"ham.mbox"}).labels.empty());
}

TEST(Mailbox, on_standard_input_has_no_class) {
  TempFolder folder;
  folder.write("in", two_mails);
  const int before = ::dup(STDIN_FILENO);
  ASSERT_NE(std::freopen("in", "r", stdin), nullptr);
  ReadOptions options;
  options.format = FileFormat::mail;
  const auto chunks = read_all({"-"}, mail_schema(), false, options);
  ::dup2(before, STDIN_FILENO);
  ::close(before);
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(words(chunks[0].labels), (Words{"<missing>", "<missing>"}));
  EXPECT_EQ(bags(chunks[0], 0), (Words{"cash:1", "loan:1"}));
}

TEST(Mailbox, of_many_mails_is_read_in_pieces) {
  TempFolder folder;
  std::string text;
  for (int i = 0; i < 1300; ++i) {
    text +=
        "From x\nSubject: s" + std::to_string(i) + "\n\nbody " + std::string(4000, 'x') + "\n\n";
  }
  folder.write("spam.mbox", text);
  const Mails read = read_mails({"spam.mbox"});
  ASSERT_EQ(read.subjects.size(), 1300u);
  for (std::size_t i = 0; i < 1300; ++i)
    EXPECT_EQ(read.subjects[i], "s" + std::to_string(i) + ":1");
}

TEST(Mailbox, takes_a_mail_without_a_subject_as_missing_one) {
  TempFolder folder;
  folder.write("spam.mbox", "From x\nTo: y\n\nhello\n");
  const Mails read = read_mails({"spam.mbox"});
  EXPECT_THAT(read.subjects, ElementsAre("<missing>"));
  EXPECT_THAT(read.bodies, ElementsAre("hello:1"));
}

TEST(Mailbox, that_is_absent_or_damaged_is_refused) {
  TempFolder folder;
  EXPECT_EQ(data_error([] { read_mails({"absent.mbox"}); }), "absent.mbox: no such file");
  folder.write_gzip("cut.mbox.gz", two_mails);
  std::filesystem::resize_file("cut.mbox.gz", 40);
  EXPECT_EQ(data_error([] { read_mails({"cut.mbox.gz"}); }),
            "cut.mbox.gz: damaged or cut short gzip data");
  folder.write("spam.mbox", two_mails);
  EXPECT_EQ(data_error([] {
              read_all({"spam.mbox"}, schema_of({{"date", ColumnKind::text, {}}}, "label"));
            }).substr(0, 27),
            "spam.mbox: no column \"date\"");
}

}  // namespace
}  // namespace credence::data_test

// SPDX-License-Identifier: Apache-2.0
// Folders of documents: every file is a row, every subfolder a class.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/random.hpp"
#include "credence/io.hpp"
#include "credence/scorer.hpp"
#include "tables/temp_folder.hpp"

namespace credence::data_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Writes a file and the folders above it.
void put(const TempFolder& folder, const std::string& path, std::string_view text) {
  fs::create_directories(fs::path(path).parent_path());
  folder.write(path, text);
}

// Rows of a folder, and what was said of it. A binary file makes fewer rows than files.
struct Read {
  std::vector<std::string> names, labels, texts, notes;
};

Read read_folder(const std::string& path, bool training, const ReadOptions& options = {}) {
  const auto source = open_source({path}, options);
  source->select(text_schema(), training);
  Read result;
  RawChunk raw;
  while (source->read(raw)) {
    const Chunk chunk = source->parse(raw);
    for (auto& name : source->row_names(raw)) result.names.push_back(name);
    for (auto& label : words(chunk.labels)) result.labels.push_back(label);
    for (auto& text : bags(chunk, 0)) result.texts.push_back(text);
  }
  result.notes = source->notes();
  return result;
}

TEST(Folder, has_a_row_for_every_file_and_a_class_for_every_subfolder) {
  TempFolder folder;
  put(folder, "mails/spam/2.txt", "Buy now, buy!");
  put(folder, "mails/spam/1.txt", "cash");
  put(folder, "mails/ham/a", "see you");
  const auto source = open_source({"mails"});
  EXPECT_EQ(column_names(*source), (Words{"text", "label"}));
  EXPECT_TRUE(source->profile()[0].text);
  EXPECT_EQ(source->default_target(), "label");
  const Read read = read_folder("mails", true);
  EXPECT_THAT(read.labels, ElementsAre("ham", "spam", "spam"));
  EXPECT_THAT(read.texts, ElementsAre("see:1 you:1", "cash:1", "buy:2 now:1"));
  EXPECT_THAT(read.names, ElementsAre("mails/ham/a", "mails/spam/1.txt", "mails/spam/2.txt"));
  EXPECT_THAT(read.notes, IsEmpty());
}

TEST(Folder, takes_folders_within_a_class_as_part_of_it) {
  TempFolder folder;
  put(folder, "mails/spam/2023/jan/x", "one");
  put(folder, "mails/spam/2024/x", "two");
  put(folder, "mails/ham/x", "three");
  const Read read = read_folder("mails", true);
  EXPECT_THAT(read.labels, ElementsAre("ham", "spam", "spam"));
  EXPECT_THAT(read.texts, ElementsAre("three:1", "one:1", "two:1"));
}

TEST(Folder, passes_over_hidden_files_and_folders) {
  TempFolder folder;
  put(folder, "mails/spam/x", "one");
  put(folder, "mails/spam/.swp", "hidden");
  put(folder, "mails/spam/.cache/x", "hidden");
  put(folder, "mails/.git/x", "hidden");
  put(folder, "mails/.DS_Store", "hidden");
  EXPECT_THAT(read_folder("mails", true).texts, ElementsAre("one:1"));
}

TEST(Folder, leaves_binary_files_out_of_training_and_scores_them_as_missing) {
  TempFolder folder;
  const std::string binary("PNG\0\0words", 10);
  put(folder, "mails/spam/a", "one");
  put(folder, "mails/spam/b.png", binary);
  put(folder, "mails/ham/c", "two");
  const Read training = read_folder("mails", true);
  EXPECT_THAT(training.texts, ElementsAre("two:1", "one:1"));
  EXPECT_THAT(training.labels, ElementsAre("ham", "spam"));
  EXPECT_THAT(training.notes, ElementsAre("1 file is not text, left out: mails/spam/b.png"));
  const Read scoring = read_folder("mails", false);
  EXPECT_THAT(scoring.texts, ElementsAre("two:1", "one:1", "<missing>"));
  EXPECT_THAT(scoring.labels, ElementsAre("ham", "spam", "spam"));
  EXPECT_EQ(scoring.names.size(), 3u);
  for (const char* more : {"1", "2", "3"}) put(folder, std::string("mails/ham/") + more, binary);
  EXPECT_THAT(
      read_folder("mails", true).notes,
      ElementsAre("4 files are not text, left out: mails/ham/1, mails/ham/2, mails/ham/3, …"));
}

TEST(Folder, reads_a_text_with_a_late_nul) {
  TempFolder folder;
  put(folder, "mails/spam/a", std::string(9000, ' ') + std::string("cash\0now", 8));
  EXPECT_THAT(read_folder("mails", true).texts, ElementsAre("cash:1 now:1"));
}

TEST(Folder, names_an_empty_class_folder_and_loose_files) {
  TempFolder folder;
  put(folder, "mails/spam/a", "one");
  put(folder, "mails/readme.txt", "not a mail");
  fs::create_directories("mails/ham/inner");
  const Read training = read_folder("mails", true);
  EXPECT_THAT(training.labels, ElementsAre("spam"));
  EXPECT_THAT(training.notes, ElementsAre("mails/ham: an empty folder, no class",
                                          "1 file of mails in no class folder"));
  const Read scoring = read_folder("mails", false);
  EXPECT_THAT(scoring.labels, ElementsAre("spam", "<missing>"));
}

TEST(Folder, without_files_or_classes_is_refused) {
  TempFolder folder;
  fs::create_directories("empty/inner");
  EXPECT_EQ(data_error([] { open_source({"empty"}); }), "empty: no files in this folder");
  put(folder, "flat/a", "one");
  EXPECT_EQ(data_error([] { read_folder("flat", true); }),
            "flat: no subfolders; each class is a subfolder with its documents in it");
  EXPECT_THAT(read_folder("flat", false).labels, ElementsAre("<missing>"));
  folder.write("other.csv", "x\n1\n");
  EXPECT_THROW(open_source({"flat", "other.csv"}), Error);
  EXPECT_EQ(data_error([] { open_source({"absent"}); }), "absent: no such file");
}

TEST(Folder, takes_an_empty_file_as_a_missing_text) {
  TempFolder folder;
  put(folder, "mails/spam/a", "");
  put(folder, "mails/spam/b", "\n\n");  // a text without a word
  put(folder, "mails/ham/c", "one");
  EXPECT_THAT(read_folder("mails", true).texts, ElementsAre("one:1", "<missing>", ""));
}

TEST(Folder, says_which_file_cannot_be_read) {
  TempFolder folder;
  put(folder, "mails/spam/a", "one");
  fs::create_symlink("nowhere", "mails/spam/broken");
  EXPECT_EQ(data_error([] { read_folder("mails", true); }),
            "mails/spam/broken: cannot be read: No such file or directory");
}

TEST(Folder, says_which_file_may_not_be_read) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  TempFolder folder;
  put(folder, "mails/spam/secret", "two");
  ::chmod("mails/spam/secret", 0);
  EXPECT_EQ(data_error([] { read_folder("mails", true); }),
            "mails/spam/secret: cannot be read: Permission denied");
}

TEST(Folder, follows_links_to_files_and_folders) {
  TempFolder folder;
  put(folder, "store/a", "one");
  put(folder, "store/more/b", "two");
  fs::create_directories("mails/ham");
  fs::create_symlink("../../store/a", "mails/ham/a");
  fs::create_symlink("../store", "mails/spam");
  const Read read = read_folder("mails", true);
  EXPECT_THAT(read.labels, ElementsAre("ham", "spam", "spam"));
  EXPECT_THAT(read.texts, ElementsAre("one:1", "one:1", "two:1"));
}

TEST(Folder, that_holds_itself_is_an_error_and_no_endless_walk) {
  TempFolder folder;
  put(folder, "mails/spam/a", "one");
  fs::create_symlink("..", "mails/spam/loop");
  EXPECT_EQ(
      data_error([] { read_folder("mails", true); }),
      "mails/spam/loop/spam/loop/spam/loop/spam/loop/spam/loop/spam…: cannot be read: Too many "
      "levels of symbolic links");
}

TEST(Folder, leaves_out_what_is_neither_a_file_nor_a_folder) {
  TempFolder folder;
  put(folder, "mails/spam/a", "one");
  ASSERT_EQ(::mkfifo("mails/spam/pipe", 0600), 0);
  const Read read = read_folder("mails", true);
  EXPECT_THAT(read.texts, ElementsAre("one:1"));
  EXPECT_THAT(read.notes, ElementsAre("mails/spam/pipe: neither a file nor a folder, left out"));
}

TEST(Folder, reads_latin_1_where_a_file_is_not_utf_8) {
  TempFolder folder;
  put(folder, "mails/de/latin",
      "Stra\xDF"
      "e f\xFCr");
  put(folder, "mails/de/utf", "Straße für");
  EXPECT_THAT(read_folder("mails", true).texts, ElementsAre("strasse:1 für:1", "strasse:1 für:1"));
}

TEST(Folder, reads_files_larger_than_its_room) {
  TempFolder folder;
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "word ";
  put(folder, "mails/spam/long", text);
  put(folder, "mails/spam/other", "short");
  EXPECT_THAT(read_folder("mails", true).texts, ElementsAre("word:100000", "short:1"));
}

TEST(Folder, of_mails_has_their_parts) {
  TempFolder folder;
  put(folder, "mails/spam/1", "From: Bob <bob@x.org>\nSubject: Cash\n\nBuy now\n");
  ReadOptions options;
  options.format = FileFormat::mail;
  const auto source = open_source({"mails"}, options);
  EXPECT_EQ(column_names(*source), (Words{"text", "subject", "from", "body", "label"}));
  EXPECT_TRUE(source->profile()[0].spare);
  const auto chunks = read_all({"mails"},
                               schema_of({{"subject", ColumnKind::text, {}},
                                          {"body", ColumnKind::text, {}},
                                          {"from", ColumnKind::text, {}}},
                                         "label"),
                               true, options);
  EXPECT_EQ(bags(chunks[0], 0), (Words{"cash:1"}));
  EXPECT_EQ(bags(chunks[0], 1), (Words{"buy:1 now:1"}));
  EXPECT_THAT(bags(chunks[0], 2)[0], HasSubstr("bob@x.org"));
}

TEST(Folder, gives_the_same_model_with_any_number_of_threads) {
  TempFolder folder;
  Random random(5);
  for (int i = 0; i < 2500; ++i) {
    std::string text;
    for (int w = 0; w < 8; ++w) text += "w" + std::to_string(random.below(500)) + " ";
    put(folder, std::string("mails/") + "abc"[random.below(3)] + "/" + std::to_string(i), text);
  }
  const auto bytes = [](unsigned threads) {
    const auto source = open_source({"mails"});
    return to_bytes(fit(*source, {}, threads));
  };
  const std::string one = bytes(1);
  EXPECT_EQ(bytes(2), one);
  EXPECT_EQ(bytes(8), one);
}

}  // namespace
}  // namespace credence::data_test

// SPDX-License-Identifier: Apache-2.0
#include "serve/journal/journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "credence/error.hpp"

namespace credence::serve {
namespace {

class JournalTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }

  static JournalChange change(std::uint64_t version, const std::string& key = "",
                              std::uint64_t undoes = 0) {
    JournalChange result;
    result.version = version;
    result.kind = undoes > 0 ? "undo" : "update";
    result.key = key;
    result.undoes = undoes;
    result.rows = 1;
    result.body = "[{\"x\":" + std::to_string(version) + "}]";
    return result;
  }
  static void keep(Journal& journal, const JournalChange& change) {
    journal.begin();
    journal.put(change);
    journal.commit();
  }

  std::string path_ = testing::TempDir() + "credence_journal_test.journal";
};

TEST_F(JournalTest, KeepsWhatWasCommittedAndNothingElse) {
  std::string id;
  {
    Journal journal(path_, "base");
    id = journal.id();
    keep(journal, change(1, "k"));
    journal.begin();
    journal.put(change(2));
    journal.roll_back();
    journal.begin();
    journal.put(change(2));
  }
  Journal again(path_, "another");
  EXPECT_EQ(again.id(), id);
  EXPECT_EQ(again.base(), "base");
  EXPECT_EQ(again.last(), 1U);
  ASSERT_EQ(again.after(0).size(), 1U);
  EXPECT_EQ(again.after(0)[0].body, "[{\"x\":1}]");
  EXPECT_TRUE(again.after(1).empty());
}

TEST_F(JournalTest, HasAKeyOnce) {
  Journal journal(path_, "");
  keep(journal, change(1, "k"));
  EXPECT_EQ(journal.with_key("k")->version, 1U);
  EXPECT_FALSE(journal.with_key("other"));
  journal.begin();
  EXPECT_THROW(journal.put(change(2, "k")), Error);
  journal.roll_back();
  keep(journal, change(2));
  keep(journal, change(3));  // no key is no key twice
  EXPECT_EQ(journal.last(), 3U);
}

TEST_F(JournalTest, KnowsWhatStillStands) {
  Journal journal(path_, "");
  EXPECT_FALSE(journal.last_standing());
  keep(journal, change(1));
  keep(journal, change(2));
  keep(journal, change(3, "", 2));
  EXPECT_EQ(journal.last_standing()->version, 1U);
  EXPECT_EQ(journal.at(2)->undone, 3U);
  EXPECT_EQ(journal.listed(2).front().version, 3U);
  EXPECT_TRUE(journal.listed(2).front().body.empty());
  journal.begin();
  EXPECT_THROW(journal.put(change(4, "", 2)), Error);  // nothing is taken back twice
  journal.roll_back();
}

}  // namespace
}  // namespace credence::serve

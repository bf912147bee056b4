// SPDX-License-Identifier: Apache-2.0
// Messages name settings, and everybody who shows them calls the settings by names of their own.
#include "credence/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "credence/credence.hpp"

namespace credence {
namespace {

std::string as_option(const Setting& setting) {
  return "--" + std::string(setting.name) +
         (setting.value ? "=" + std::string(*setting.value) : "");
}

TEST(Message, calls_settings_by_the_names_of_the_library) {
  EXPECT_EQ(Message("use " + setting("rule", "bayes") + ", or " + setting("missing")).text(),
            "use `rule bayes`, or `missing`");
}

TEST(Message, calls_settings_as_whoever_shows_it_does) {
  const Message message(setting("target") + ": use " + setting("rule", "bayes") + ".");
  EXPECT_EQ(message.worded(as_option), "--target: use --rule=bayes.");
}

TEST(Message, tells_an_empty_value_from_none) {
  EXPECT_EQ(Message(setting("as", "")).worded(as_option), "--as=");
  EXPECT_EQ(Message(setting("as")).worded(as_option), "--as");
}

TEST(Message, without_settings_is_as_it_was_written) {
  for (const std::string text :
       {"", "a class", "`a`", "é {} %s", "\x01", "\x02", "\x01 a", "\x1f"}) {
    EXPECT_EQ(Message(text).text(), text);
    EXPECT_EQ(Message(text).worded(as_option), text);
  }
}

TEST(Message, takes_nothing_that_text_can_hold_for_a_setting) {
  for (const char mark : {'\x01', '\x02', '\x1f', '\x7f'}) {
    const std::string name = std::string("a") + mark + "target" + mark + "b";
    const Message message("no column \"" + name + "\": use " + setting("as", name));
    EXPECT_EQ(message.worded(as_option), "no column \"" + name + "\": use --as=" + name);
  }
  const std::string forged = "\x01target\x02";
  EXPECT_EQ(Message(forged).worded(as_option), forged);
}

TEST(Message, becomes_a_part_of_another_one) {
  const Message inner("no " + setting("as", "x: y"));
  EXPECT_EQ(Message("a.csv: " + inner.marked()).worded(as_option), "a.csv: no --as=x: y");
}

TEST(Error, says_what_it_is_in_the_words_of_the_library) {
  const Error error(ErrorKind::usage, setting("level", "2") + ": too high");
  EXPECT_STREQ(error.what(), "`level 2`: too high");
  EXPECT_EQ(error.message().worded(as_option), "--level=2: too high");
  const Error copy = error;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_STREQ(copy.what(), error.what());
  EXPECT_EQ(copy.kind(), ErrorKind::usage);
}

TEST(Error, of_a_model_that_knows_no_usual_evidence_names_the_remedy) {
  Model model({{{"x", ColumnKind::number, {}}}, "y", "", {}}, {{"gaussian", {0}, 1, ""}});
  Chunk chunk{4, {Numbers{{1, 2, 3, 5}}}, {{0, 0, 1, 1}, {"a", "b"}}, {}};
  model.observe(chunk);
  const Scorer scorer(model);
  try {
    const NoveltyTest test(model, scorer);
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "`novelty`: the model does not know what evidence is usual (`calibrate novelty`)");
  }
}

}  // namespace
}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Lines of a label, a tab and a text; and texts that come in any of the formats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "credence/credence.hpp"
#include "model/statistics.hpp"
#include "tables/temp_folder.hpp"

namespace credence::data_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const char* const messages =
    "ham\tsee you at five\nspam\tcash \"now\" or never\nham\tok then\nspam\tcall, text, pay\n";

std::string format_of(const TempFolder& folder, const std::string& text) {
  folder.write("data.txt", text);
  const auto source = open_source({"data.txt"});
  return source->default_target() == "label" ? "labelled" : "table";
}

TEST(Labelled, lines_are_known_by_their_look) {
  TempFolder folder;
  EXPECT_EQ(format_of(folder, messages), "labelled");
  const auto source = open_source({"data.txt"});
  EXPECT_EQ(column_names(*source), (Words{"label", "text"}));
  EXPECT_TRUE(source->profile()[1].text);
  const auto chunk = read_all({"data.txt"}, text_schema()).at(0);
  EXPECT_THAT(words(chunk.labels), ElementsAre("ham", "spam", "ham", "spam"));
  EXPECT_THAT(bags(chunk, 0), ElementsAre("see:1 you:1 at:1 five:1", "cash:1 now:1 or:1 never:1",
                                          "ok:1 then:1", "call:1 text:1 pay:1"));
}

TEST(Labelled, other_tables_are_not_taken_for_it) {
  TempFolder folder;
  // A header, whose first word does not come again.
  EXPECT_EQ(format_of(folder, std::string("label\ttext\n") + messages), "table");
  // Numbers.
  EXPECT_EQ(format_of(folder, "1\t2.5\n1\t3.5\n2\t4.25\n2\t5\n1\t7\n"), "table");
  // Codes and names.
  EXPECT_EQ(format_of(folder, "a\tx1\na\tx2\nb\tx3\nb\tx4\na\tx5\n"), "table");
  // Three columns.
  EXPECT_EQ(format_of(folder, "a\tx y\t1\na\tx z\t2\nb\tz w\t3\nb\tw v\t4\n"), "table");
  // Few texts, again and again.
  EXPECT_EQ(format_of(folder, "a\tnot so\na\tnot so\nb\tjust so\nb\tjust so\n"), "table");
  // Too few lines to tell.
  EXPECT_EQ(format_of(folder, "ham\tsee you\nham\tat five\n"), "table");
}

TEST(Labelled, lines_may_be_asked_for) {
  TempFolder folder;
  folder.write("two.tsv", "ham\tok\nspam\tcash\n");
  ReadOptions options;
  options.format = FileFormat::labelled;
  const auto chunk = read_all({"two.tsv"}, text_schema(), true, options).at(0);
  EXPECT_THAT(bags(chunk, 0), ElementsAre("ok:1", "cash:1"));
}

TEST(Labelled, short_texts_are_still_texts) {
  TempFolder folder;
  folder.write("short.txt", "a\tyes I\nb\tno no\na\tyes yes\nb\tno I\n");
  std::vector<PlannedColumn> decisions;
  Plan plan;
  plan.target = "label";
  plan_model(open_source({"short.txt"})->profile(), plan, &decisions);
  EXPECT_EQ(decisions[1].family, "text");
}

TEST(Labelled, lines_may_end_as_in_dos_and_quotes_are_literal) {
  TempFolder folder;
  folder.write("dos.txt",
               "a\t\"one\r\nb\ttwo \"three\r\n\r\na\tfour, five\r\nb\tsix \"\" seven\r\n");
  ReadOptions options;
  options.format = FileFormat::labelled;
  const auto chunk = read_all({"dos.txt"}, text_schema(), true, options).at(0);
  EXPECT_THAT(words(chunk.labels), ElementsAre("a", "b", "a", "b"));
  EXPECT_THAT(bags(chunk, 0),
              ElementsAre("one:1", "two:1 three:1", "four:1 five:1", "six:1 seven:1"));
}

TEST(Labelled, lines_may_be_in_latin_1_but_labels_not) {
  TempFolder folder;
  folder.write("latin.txt",
               "de\tf\xFCr mich\nen\tfor me\nde\tStra\xDF"
               "e da\nen\ta street\n");
  const auto chunk = read_all({"latin.txt"}, text_schema()).at(0);
  EXPECT_EQ(bags(chunk, 0)[0], "für:1 mich:1");
  EXPECT_EQ(bags(chunk, 0)[2], "strasse:1 da:1");
  folder.write("label.txt", "\xFC\tfor me\nen\tfor us\n\xFC\tmine too\nen\ta street\n");
  EXPECT_THAT(read_error("label.txt", text_schema()), HasSubstr("label.txt:1:"));
  EXPECT_THAT(read_error("label.txt", text_schema()), HasSubstr("not valid UTF-8"));
}

TEST(Labelled, a_line_without_a_tab_is_named) {
  TempFolder folder;
  folder.write("bad.txt", "a\tone\nb two\n");
  ReadOptions options;
  options.format = FileFormat::labelled;
  EXPECT_EQ(read_error("bad.txt", text_schema(), true, options),
            "bad.txt:2: no tab between a label and a text");
}

struct Document {
  const char* label;
  const char* text;
};
const std::vector<Document> documents = {{"ham", "see you at five"},
                                         {"ham", "tea at five, as ever"},
                                         {"spam", "cash now or never"},
                                         {"spam", "Call for cash: now!"},
                                         {"ham", "Schön, bis fünf"}};

// The arrays of the statistics; the file's schema may name columns in another order.
std::map<std::string, std::string> statistics_of(const std::string& path) {
  const auto source = open_source({path});
  Plan plan;
  plan.target = "label";
  plan.as = {"text: text"};
  const Model model = fit(*source, plan);
  Tensors tensors;
  model.statistics().save(tensors);
  std::map<std::string, std::string> result;
  for (const auto& [name, tensor] : tensors.all) result[name] = tensor.bytes;
  return result;
}

TEST(Documents, give_the_same_model_in_every_format) {
  TempFolder folder;
  std::string csv = "text,label\n", json, lines;
  int number = 0;
  for (const auto& [label, text] : documents) {
    csv += std::string("\"") + text + "\"," + label + "\n";
    json += std::string("{\"label\": \"") + label + "\", \"text\": \"" + text + "\"}\n";
    lines += std::string(label) + "\t" + text + "\n";
    fs::create_directories(std::string("folder/") + label);
    folder.write(std::string("folder/") + label + "/" + std::to_string(number++), text);
  }
  folder.write("documents.csv", csv);
  folder.write("documents.jsonl", json);
  folder.write("documents.txt", lines);
  const auto expected = statistics_of("folder");
  EXPECT_GT(expected.at("block.0.words").size(), 50u);
  EXPECT_EQ(statistics_of("documents.csv"), expected);
  EXPECT_EQ(statistics_of("documents.jsonl"), expected);
  EXPECT_EQ(statistics_of("documents.txt"), expected);
}

// Texts, two numbers and a word in one table.
std::string mixed_table(int rows) {
  Random random(11);
  std::string csv = "class,text,x,y,color\n";
  for (int r = 0; r < rows; ++r) {
    const bool a = random.below(2) == 0;
    std::string text;
    for (int w = 0; w < 6; ++w) {
      text += " w" + std::to_string(random.below(40) + (a ? 0 : 15));
    }
    csv += std::string(a ? "a," : "b,") + (random.below(6) == 0 ? "" : text) + "," +
           std::to_string(random.normal() + a) + "," + std::to_string(random.normal() - a) + "," +
           (random.below(3) ? "red" : "blue") + "\n";
  }
  return csv;
}

TEST(Documents, stand_beside_numbers_and_words) {
  TempFolder folder;
  folder.write("mixed.csv", mixed_table(20000));
  Plan plan;
  plan.target = "class";
  std::vector<PlannedColumn> decisions;
  plan_model(open_source({"mixed.csv"})->profile(), plan, &decisions);
  EXPECT_EQ(decisions[1].family, "text");
  EXPECT_EQ(decisions[1].reason, "6 words on average");
  EXPECT_EQ(decisions[2].family, "gaussian");
  EXPECT_EQ(decisions[4].family, "categorical");
  const auto bytes = [&](unsigned threads) {
    const auto source = open_source({"mixed.csv"});
    return to_bytes(fit(*source, plan, threads));
  };
  const std::string one = bytes(1);
  EXPECT_EQ(bytes(2), one);
  EXPECT_EQ(bytes(8), one);
}

TEST(Documents, that_are_missing_are_left_out) {
  TempFolder folder;
  folder.write("mixed.csv", mixed_table(400));
  Plan plan;
  plan.target = "class";
  const Scorer whole(fit(*open_source({"mixed.csv"}), plan));
  plan.as = {"text: ignore"};
  const Scorer without(fit(*open_source({"mixed.csv"}), plan));
  const std::string row = "x=0.5,y=-1,color=red";
  const auto a = whole.log_joint(parse_given(whole.schema(), {row}));
  EXPECT_EQ(a, without.log_joint(parse_given(without.schema(), {row})));
  EXPECT_NE(a, whole.log_joint(parse_given(whole.schema(), {row + ",text=w1 w2"})));
}

TEST(Documents, cut_in_different_ways_do_not_merge) {
  TempFolder folder;
  folder.write("d.txt", messages);
  const auto model_with = [](const std::string& family) {
    Plan plan;
    plan.as = {"text: " + family};
    return fit(*open_source({"d.txt"}), plan);
  };
  Model model = model_with("text(multinomial)");
  try {
    model.merge(model_with("text(multinomial, stem=english)"));
    FAIL() << "an error was due";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "the models do not fit together: the text of column \"text\" is cut by \"\" in one "
              "and by \"stem=english\" in the other");
  }
}

}  // namespace
}  // namespace credence::data_test

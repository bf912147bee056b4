// SPDX-License-Identifier: Apache-2.0
#include "tables/temp_folder.hpp"

namespace credence::data_test {
namespace {

const ColumnSpec column_a{"a", ColumnKind::category, {}};
const ColumnSpec bag_a{"a", ColumnKind::bag, {}};

std::string line_error(const std::string& text, const ColumnSpec& column) {
  TempFolder folder;
  folder.write("x.jsonl", text);
  return read_error("x.jsonl", schema_of({column}));
}

TEST(JsonLines, names_are_the_keys_in_order_of_first_appearance) {
  TempFolder folder;
  folder.write("x.jsonl", "{\"z\":1,\"a\":2}\n\n{\"m\":3,\"a\":4}\n");
  EXPECT_EQ(column_names(*open_source({"x.jsonl"})), (Words{"z", "a", "m"}));
}

TEST(JsonLines, scalars_become_text_and_null_or_absent_is_missing) {
  TempFolder folder;
  folder.write("x.jsonl",
               "{\"a\":1.50}\r\n{\"a\":true}\n{\"a\":null}\n{\"b\":{\"c\":[1]}}\n{\"a\":\"NA\"}\n"
               "{\"a\":1.0}\n{\"a\":12345678901234567890}\n{\"a\":0.1}\n{\"a\":\"h\\u00e9\"}");
  EXPECT_EQ(read_words("x.jsonl", "a"), (Words{"1.5", "true", "<missing>", "<missing>", "<missing>",
                                               "1", "12345678901234567890", "0.1", "hé"}));
}

TEST(JsonLines, objects_and_arrays_are_bags_whose_repeats_add_up) {
  TempFolder folder;
  folder.write("x.jsonl",
               "{\"a\":{\"x\":2,\"y\":0.5,\"z\":0}}\n{\"a\":[\"y\",\"x\",\"y\"]}\n{\"a\":[]}\n"
               "{\"a\":null}\n{}\n{\"a\":\"\"}\n{\"a\":{\"x\":1}}\n");
  EXPECT_EQ(bags(read_all({"x.jsonl"}, schema_of({bag_a}))[0], 0),
            (Words{"x:2 y:0.5", "y:2 x:1", "", "<missing>", "<missing>", "<missing>", "x:1"}));
}

TEST(JsonLines, a_key_that_first_appears_beyond_the_sample_is_ignored) {
  TempFolder folder;
  std::string text;
  for (int i = 0; i < 300000; ++i) text += "{\"a\":\"some words\"}\n";
  folder.write("x.jsonl", text + "{\"late\":1,\"a\":\"end\"}\n");
  EXPECT_EQ(column_names(*open_source({"x.jsonl"})), (Words{"a"}));
  const Words all = read_words("x.jsonl", "a");
  EXPECT_EQ(all.size(), 300001);
  EXPECT_EQ(all.back(), "end");
}

TEST(JsonLines, a_line_that_is_no_object_is_an_error) {
  EXPECT_EQ(line_error("{\"a\":1}\n\n{\"a\":x}\n", column_a),
            "x.jsonl:3: not a JSON object: syntax error while parsing value - invalid literal; "
            "last read: '\"a\":x'");
  EXPECT_EQ(line_error("{\"a\":1}\n[1]\n", column_a),
            "x.jsonl:2: not a JSON object: it is an array (write one object a line)");
  EXPECT_EQ(line_error("{\"a\":1}\n3\n", column_a),
            "x.jsonl:2: not a JSON object: it is a number (write one object a line)");
  EXPECT_EQ(line_error("{\"a\":1e999}\n", column_a),
            "x.jsonl:1: not a JSON object: number overflow parsing '1e999'");
}

TEST(JsonLines, a_value_must_have_the_form_of_its_column) {
  EXPECT_EQ(line_error("{\"a\":[\"x\"]}\n", column_a),
            "x.jsonl:1: column \"a\": an object or array where a single value is wanted");
  EXPECT_EQ(line_error("{\"a\":5}\n", bag_a),
            "x.jsonl:1: column \"a\": \"5\" is not an object of numbers or an array of words");
  for (const char* value : {"[1]", "{\"x\":\"y\"}", "[[\"x\"]]", "{\"x\":{\"y\":1}}", "[true]"}) {
    EXPECT_EQ(
        line_error("{\"a\":" + std::string(value) + "}\n", bag_a),
        "x.jsonl:1: column \"a\": not a single value, an object of numbers or an array of words")
        << value;
  }
  EXPECT_EQ(line_error("{\"a\":1,\"a\":2}\n", column_a), "x.jsonl:1: the key \"a\" stands twice");
}

TEST(JsonLines, a_later_file_may_lack_a_key) {
  TempFolder folder;
  folder.write("x.jsonl", "{\"a\":\"p\"}\n");
  folder.write("y.jsonl", "{\"b\":\"q\"}\n");
  const auto chunks = read_all({"x.jsonl", "y.jsonl"}, schema_of({column_a}));
  EXPECT_EQ(words(chunks.at(1), 0), (Words{"<missing>"}));
}

}  // namespace
}  // namespace credence::data_test

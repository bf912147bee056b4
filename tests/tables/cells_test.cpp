// SPDX-License-Identifier: Apache-2.0
#include "tables/temp_folder.hpp"

namespace credence::data_test {
namespace {

// Reads one cell as this kind of column, on line 3 of x.csv.
Values read_cell(const std::string& cell, ColumnKind kind) {
  TempFolder folder;
  folder.write("x.csv", "n,z\n1,z\n" + cell + ",z\n");
  return {numbers(read_all({"x.csv"}, schema_of({{"n", kind, {}}})).at(0), 0).at(1)};
}
std::string cell_error(const std::string& cell, ColumnKind kind) {
  return data_error([&] { read_cell(cell, kind); });
}

TEST(Cells, numbers_may_have_a_sign_and_an_exponent) {
  EXPECT_EQ(read_cell("+1.5e3", ColumnKind::number), Values{1500});
  EXPECT_EQ(read_cell("-.5", ColumnKind::number), Values{-0.5});
  EXPECT_EQ(read_cell("\" 7 \"", ColumnKind::number), Values{7});
  EXPECT_EQ(read_cell("1e-999", ColumnKind::number), Values{0});
  EXPECT_EQ(read_cell("0." + std::string(400, '0') + "1", ColumnKind::number), Values{0});
  EXPECT_EQ(read_cell("5e-324", ColumnKind::number), Values{5e-324});
  EXPECT_TRUE(std::isnan(read_cell("NA", ColumnKind::number)[0]));
}

TEST(Cells, a_word_is_not_a_number) {
  for (const char* word : {"abc", "1.2.3", "+-1", "0x10", "--1", "1e", "+"}) {
    EXPECT_EQ(cell_error(word, ColumnKind::number),
              "x.csv:3: column \"n\": \"" + std::string(word) +
                  "\" is not a number (use `as n: categorical` in fit to treat it as words, or "
                  "`missing` to name it as missing)");
  }
}

TEST(Cells, infinities_are_not_finite_numbers) {
  for (const std::string word : {"1e999", "-1e999", "inf", "-Inf", "+INFINITY", "nan", "-NAN"}) {
    EXPECT_EQ(cell_error(word, ColumnKind::number),
              "x.csv:3: column \"n\": \"" + word +
                  "\" is not a finite number (use `missing` to name it as missing)");
  }
}

TEST(Cells, a_count_is_whole_and_not_below_0) {
  EXPECT_EQ(read_cell("3.0", ColumnKind::count), Values{3});
  EXPECT_EQ(
      cell_error("-2", ColumnKind::count),
      "x.csv:3: column \"n\": \"-2\" is not a count: it is below 0 (use `as n: gaussian` in fit)");
  EXPECT_EQ(cell_error("2.5", ColumnKind::count),
            "x.csv:3: column \"n\": \"2.5\" is not a count: it is not a whole number (use `as n: "
            "gaussian` in fit)");
}

TEST(Cells, an_amount_is_not_below_0) {
  EXPECT_EQ(read_cell("2.5", ColumnKind::amount), Values{2.5});
  EXPECT_EQ(cell_error("-2", ColumnKind::amount),
            "x.csv:3: column \"n\": \"-2\" is not an amount: it is below 0 (use `as n: gaussian` "
            "in fit)");
}

TEST(Cells, yes_no_true_false_and_numbers_are_binary) {
  for (const char* word : {"1", "TRUE", "Yes", "y", "T", "2.5", "+1"}) {
    EXPECT_EQ(read_cell(word, ColumnKind::binary), Values{1}) << word;
  }
  for (const char* word : {"0", "false", "No", "N", "f", "-3", "0.0"}) {
    EXPECT_EQ(read_cell(word, ColumnKind::binary), Values{0}) << word;
  }
  EXPECT_EQ(cell_error("maybe", ColumnKind::binary),
            "x.csv:3: column \"n\": \"maybe\" is not 0/1, yes/no or true/false (use `as n: "
            "categorical` in fit)");
}

TEST(Cells, a_message_stays_on_one_line_and_short) {
  EXPECT_EQ(cell_error("\"a\nb\x01\"", ColumnKind::binary),
            "x.csv:3: column \"n\": \"a\\nb\\x01\" is not 0/1, yes/no or true/false (use `as n: "
            "categorical` in fit)");
  EXPECT_EQ(cell_error(std::string(1000, 'x'), ColumnKind::binary),
            "x.csv:3: column \"n\": \"" + std::string(80, 'x') +
                "…\" is not 0/1, yes/no or true/false (use `as n: categorical` in fit)");
}

TEST(Cells, the_schema_says_what_is_missing) {
  TempFolder folder;
  folder.write("x.csv", "n,w\n-999,NA\n5,none\n");
  Schema schema = schema_of({{"n", ColumnKind::number, {}}, {"w", ColumnKind::category, {}}});
  schema.missing = {"-999", "none"};
  const auto chunks = read_all({"x.csv"}, schema);
  EXPECT_TRUE(std::isnan(numbers(chunks[0], 0)[0]));
  EXPECT_EQ(numbers(chunks[0], 0)[1], 5);
  EXPECT_EQ(words(chunks[0], 1), (Words{"NA", "<missing>"}));
}

TEST(Cells, the_dictionary_is_in_order_of_first_appearance) {
  TempFolder folder;
  std::string text = "w,z\n";
  Words expected;
  for (int i = 0; i < 500; ++i) {
    expected.push_back("word" + std::to_string(i * 7 % 300));
    text += expected.back() + ",z\n";
  }
  folder.write("x.csv", text);
  const auto chunk = read_all({"x.csv"}, schema_of({{"w", ColumnKind::category, {}}})).at(0);
  EXPECT_EQ(words(chunk, 0), expected);
  const auto& dictionary = std::get<Categories>(chunk.columns[0]).dictionary;
  EXPECT_EQ(dictionary.size(), 300);
  EXPECT_EQ(dictionary[1], "word7");
}

TEST(Cells, an_undeclared_word_is_an_error_in_training_alone) {
  TempFolder folder;
  folder.write("x.csv", "size,z\nsmall,1\n?,1\ntiny,1\n");
  const Schema schema = schema_of({{"size", ColumnKind::category, {"small", "medium", "large"}}});
  EXPECT_EQ(read_error("x.csv", schema),
            "x.csv:4: column \"size\": \"tiny\" is not among the declared values small, medium, "
            "large (add it to `values` or `shares`)");
  EXPECT_EQ(words(read_all({"x.csv"}, schema, false)[0], 0), (Words{"small", "<missing>", "tiny"}));
}

TEST(Cells, labels_and_weights_are_read_beside_the_columns) {
  TempFolder folder;
  folder.write("x.csv", "w,n,class\n2,5,yes\n0.5,6,\n");
  const auto chunk =
      read_all({"x.csv"}, schema_of({{"n", ColumnKind::number, {}}}, "class", "w")).at(0);
  EXPECT_EQ(words(chunk.labels), (Words{"yes", "<missing>"}));
  EXPECT_EQ(chunk.weights, (Values{2, 0.5}));
  EXPECT_EQ(numbers(chunk, 0), (Values{5, 6}));
  EXPECT_EQ(chunk.columns.size(), 1);
}

TEST(Cells, a_weight_is_a_number_not_below_0) {
  TempFolder folder;
  const auto weight_error = [&](const std::string& cell) {
    folder.write("x.csv", "w,n\n1,2\n1,2\n" + cell + ",2\n");
    return read_error("x.csv", schema_of({{"n", ColumnKind::number, {}}}, "", "w"));
  };
  EXPECT_EQ(weight_error("-1"),
            "x.csv:4: column \"w\": the weight \"-1\" is below 0 (weights are numbers from 0 on)");
  EXPECT_EQ(
      weight_error("abc"),
      "x.csv:4: column \"w\": the weight \"abc\" is not a number (weights are numbers from 0 on)");
  EXPECT_EQ(weight_error("inf"),
            "x.csv:4: column \"w\": the weight \"inf\" is not a finite number (weights are numbers "
            "from 0 on)");
  EXPECT_EQ(weight_error(""),
            "x.csv:4: column \"w\": the weight is missing (give the row a number from 0 on, or "
            "leave it out)");
}

TEST(Cells, of_bad_cells_and_records_the_first_in_the_file_is_told) {
  const auto schema = schema_of({{"a", ColumnKind::number, {}}, {"b", ColumnKind::number, {}}});
  const auto error_of = [&](const std::string& rows) {
    TempFolder folder;
    folder.write("x.csv", "a,b\n" + rows);
    const std::string message = read_error("x.csv", schema);
    return message.substr(0, message.find(" is not a number"));
  };
  EXPECT_EQ(error_of("1,2\n1,y\nx,2\n1,z\n"), "x.csv:3: column \"b\": \"y\"");
  EXPECT_EQ(error_of("1,2\nx,y\n"), "x.csv:3: column \"a\": \"x\"");
  EXPECT_EQ(error_of("1,2\n1,2,3\nx,y\n"),
            "x.csv:3: 3 fields where the header has 2 (quote cells that contain \",\")");
}

}  // namespace
}  // namespace credence::data_test

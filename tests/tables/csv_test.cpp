// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "tables/temp_folder.hpp"

namespace credence::data_test {
namespace {

const Schema word_a = schema_of({{"a", ColumnKind::category, {}}});

TEST(Csv, a_quoted_cell_may_hold_separators_and_newlines) {
  TempFolder folder;
  folder.write("x.csv", "a,b\n\"one, two\nthree\",1\n\"say \"\"hi\"\"\",2\n");
  EXPECT_EQ(read_words("x.csv", "a"), (Words{"one, two\nthree", "say \"hi\""}));
  EXPECT_EQ(read_words("x.csv", "b"), (Words{"1", "2"}));
}

TEST(Csv, a_quote_inside_a_field_is_a_plain_character) {
  TempFolder folder;
  folder.write("x.csv", "a,b\n5\" pipe,1\nit's \"so\",2\n");
  EXPECT_EQ(read_words("x.csv", "a"), (Words{"5\" pipe", "it's \"so\""}));
}

TEST(Csv, spaces_around_quotes_do_not_count_and_text_after_a_quote_belongs_to_the_cell) {
  TempFolder folder;
  folder.write("x.csv", "a,b\n 1 , \"p, q\" \n2,\"r\"s\n3,\"a\"\"b\"c \n");
  EXPECT_EQ(read_words("x.csv", "b"), (Words{"p, q", "rs", "a\"bc"}));
}

TEST(Csv, line_ends_may_be_crlf_and_the_last_may_be_absent) {
  TempFolder folder;
  folder.write("x.csv",
               "\xEF\xBB\xBF"
               "a,b\r\nx,\"1\"\r\ny,2");
  EXPECT_EQ(read_words("x.csv", "a"), (Words{"x", "y"}));
  EXPECT_EQ(read_words("x.csv", "b"), (Words{"1", "2"}));
}

TEST(Csv, blank_lines_are_skipped_and_cells_are_trimmed) {
  TempFolder folder;
  folder.write("x.csv", "\n a ,\tb\n\n x y ,1\n   \n\r\nz\t,2\n\n\n");
  EXPECT_EQ(read_words("x.csv", "a"), (Words{"x y", "z"}));
}

TEST(Csv, a_row_of_empty_cells_is_a_row_even_between_tabs) {
  TempFolder folder;
  folder.write("x.tsv", "a\tb\tc\n\t\t\n1\t2\t3\n");
  EXPECT_EQ(read_words("x.tsv", "a"), (Words{"<missing>", "1"}));
}

TEST(Csv, quoted_or_not_makes_no_difference_to_a_missing_cell) {
  TempFolder folder;
  folder.write("x.csv", "a,b\nNA,1\n\"NA\",1\n\"\",1\n,1\n\" ? \",1\nna,1\n");
  EXPECT_EQ(read_words("x.csv", "a"),
            (Words{"<missing>", "<missing>", "<missing>", "<missing>", "<missing>", "na"}));
}

TEST(Csv, the_delimiter_is_the_one_that_splits_most_evenly) {
  TempFolder folder;
  folder.write("x.csv", "a;b;c\n1,5;2,25;x\n3;4,5;y\n");
  EXPECT_EQ(read_words("x.csv", "b"), (Words{"2,25", "4,5"}));
  folder.write("y.csv", "a|b\n\"x|y\"|2\n");
  EXPECT_EQ(read_words("y.csv", "a"), (Words{"x|y"}));
  folder.write("z.csv", "name\tnote, if any\n1\tx\n2\ty, z\n3\tp\n");
  EXPECT_EQ(column_names(*open_source({"z.csv"})), (Words{"name", "note, if any"}));
  folder.write("one.csv", "a\nx y\n");
  EXPECT_EQ(read_words("one.csv", "a"), (Words{"x y"}));
}

TEST(Csv, a_given_delimiter_and_the_tsv_format_are_not_questioned) {
  TempFolder folder;
  folder.write("x.csv", "a,b;c\n1,2;3\n");
  ReadOptions options;
  options.delimiter = ';';
  EXPECT_EQ(column_names(*open_source({"x.csv"}, options)), (Words{"a,b", "c"}));
  options.delimiter = '\0';
  options.format = FileFormat::tsv;
  EXPECT_EQ(column_names(*open_source({"x.csv"}, options)), (Words{"a,b;c"}));
}

TEST(Csv, without_a_header_columns_are_numbered) {
  TempFolder folder;
  folder.write("x.csv", "p,q\nr,s\n");
  ReadOptions options;
  options.header = false;
  EXPECT_EQ(read_words("x.csv", "c2", options), (Words{"q", "s"}));
  folder.write("y.csv", "p,q\nr\n");
  EXPECT_EQ(data_error([&] { open_source({"y.csv"}, options); }),
            "y.csv:2: 1 field where the first row has 2");
}

TEST(Csv, a_ragged_row_is_an_error) {
  TempFolder folder;
  folder.write("x.csv", "a,b,c,d\n1,2,3,4\n1,2,3,4,5\n");
  EXPECT_EQ(read_error("x.csv", word_a),
            "x.csv:3: 5 fields where the header has 4 (quote cells that contain \",\")");
  folder.write("x.csv", "a,b,c,d\n\"1\n1\",2,3,4\n1,2,3\n");
  EXPECT_EQ(read_error("x.csv", word_a), "x.csv:4: 3 fields where the header has 4");
  folder.write("x.tsv", "a\tb\n1\t2\t3\n");
  EXPECT_EQ(read_error("x.tsv", word_a),
            "x.tsv:2: 3 fields where the header has 2 (quote cells that contain a tab)");
}

TEST(Csv, an_unclosed_quote_is_reported_where_it_opens) {
  TempFolder folder;
  folder.write("x.csv", "a,b\n1,2\n\"3\n\",\"4\n5,6\n7,8\n");
  EXPECT_EQ(read_error("x.csv", word_a), "x.csv:4: a quote opened here is never closed");
  folder.write("x.csv", "a,\"b\n1,2\n");
  EXPECT_EQ(read_error("x.csv", word_a), "x.csv:1: a quote opened here is never closed");
}

TEST(Csv, a_record_beyond_64_mib_is_an_error_before_it_is_buffered) {
  TempFolder folder;
  folder.write("x.csv", "a,b\n\"" + std::string(70 << 20, 'x'));
  EXPECT_EQ(read_error("x.csv", word_a),
            "x.csv:2: a record longer than 64 MiB (is a quote or a line end missing?)");
  folder.write("x.csv", std::string(70 << 20, 'x') + "\n1\n");
  EXPECT_EQ(read_error("x.csv", word_a),
            "x.csv:1: a record longer than 64 MiB (is a quote or a line end missing?)");
}

TEST(Csv, a_long_record_within_the_limit_is_read) {
  TempFolder folder;
  const std::string text(9 << 20, 'x');
  folder.write("x.csv", "a,b\n\"" + text + "\n\",1\nlast,2\n");
  EXPECT_EQ(read_words("x.csv", "a"), (Words{text + "\n", "last"}));
}

TEST(Csv, nul_bytes_and_foreign_encodings_are_errors) {
  TempFolder folder;
  folder.write("x.csv", std::string_view("a,b\n1,2\n\n3,\0\n", 13));
  EXPECT_EQ(read_error("x.csv", word_a), "x.csv:4: a NUL byte (is this a text file?)");
  folder.write("x.csv", std::string_view("a,\0b\n10,20\n30,40\n", 17));
  EXPECT_EQ(read_error("x.csv", word_a), "x.csv:1: a NUL byte (is this a text file?)");
  folder.write("x.csv", "a,b\nfine,1\ncaf\xE9,2\n");
  EXPECT_EQ(read_error("x.csv", word_a),
            "x.csv:3: column \"a\": not valid UTF-8 (convert the file, for example with iconv -f "
            "latin1 -t utf8)");
  folder.write("x.csv", "caf\xE9,b\n1,1\n");
  EXPECT_EQ(read_error("x.csv", word_a),
            "x.csv:1: the header is not valid UTF-8 (convert the file, for example with iconv -f "
            "latin1 -t utf8)");
}

TEST(Csv, a_column_name_may_not_stand_twice) {
  TempFolder folder;
  folder.write("x.csv", "a,b, a\n1,2,3\n");
  EXPECT_EQ(read_error("x.csv", word_a),
            "x.csv:1: the column name \"a\" stands twice (rename one of them)");
}

// A cell as a writer might put it: quoted when it must be, and now and then when it need not.
std::string written(const std::string& cell, std::mt19937& random) {
  if (cell.find_first_of("\",\n") == cell.npos && random() % 4) {
    return cell;
  }
  std::string out = "\"";
  for (const char c : cell) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

TEST(Csv, any_table_that_is_written_reads_back_equal_wherever_the_buffer_ends) {
  TempFolder folder;
  std::mt19937 random(7);
  const std::string letters = "ab,\"\n;x";
  for (int round = 0; round < 12; ++round) {
    // Cells longer than a letter or two make records straddle the reader's blocks.
    const std::size_t longest = round < 8 ? 6 : 3000;
    const std::size_t rows = 1 + random() % (round < 8 ? 20000 : 2500);
    const bool crlf = random() % 2;
    std::string text = "p,q,r";
    std::vector<Words> columns(3);
    std::vector<std::size_t> lines;
    std::size_t line = 2;
    for (std::size_t row = 0; row < rows; ++row) {
      text += crlf ? "\r\n" : "\n";
      if (random() % 10 == 0) {
        text += "\n";
        ++line;
      }
      lines.push_back(line++);
      for (std::size_t c = 0; c < 3; ++c) {
        std::string cell = "_";
        for (std::size_t i = random() % longest; i > 0; --i) cell += letters[random() % 7];
        line += static_cast<std::size_t>(std::count(cell.begin(), cell.end(), '\n'));
        text += (c ? "," : "") + written(cell, random);
        columns[c].push_back(cell);
      }
    }
    if (random() % 2) text += "\n";
    folder.write("x.csv", text);
    ReadOptions options;
    options.delimiter = ',';
    const auto source = open_source({"x.csv"}, options);
    source->select(schema_of({{"p", ColumnKind::category, {}},
                              {"q", ColumnKind::category, {}},
                              {"r", ColumnKind::category, {}}}),
                   true);
    std::vector<Words> back(3);
    RawChunk raw;
    while (source->read(raw)) {
      const std::size_t before = back[0].size();
      // Blank lines may precede the first record.
      EXPECT_LE(raw.first_line, lines[before]);
      EXPECT_GE(raw.first_line, before ? lines[before - 1] : 1);
      EXPECT_EQ(raw.rows, std::min<std::size_t>(8192, rows - before));
      const Chunk chunk = source->parse(raw);
      for (std::size_t c = 0; c < 3; ++c) {
        for (auto& word : words(chunk, c)) back[c].push_back(word);
      }
    }
    EXPECT_EQ(back, columns) << "round " << round;
    EXPECT_EQ(source->bytes_read(), text.size());
    EXPECT_EQ(source->bytes_total(), text.size());
  }
}

}  // namespace
}  // namespace credence::data_test

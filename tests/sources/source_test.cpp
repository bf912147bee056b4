// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <thread>

#include "tables/temp_folder.hpp"

namespace credence::data_test {
namespace {

const Schema number_n = schema_of({{"n", ColumnKind::number, {}}});

std::string open_error(const std::string& path) {
  return data_error([&] { open_source({path}); });
}

TEST(Source, a_file_that_cannot_be_read_is_an_error) {
  TempFolder folder;
  EXPECT_EQ(open_error("iris.csv"), "iris.csv: no such file");
  std::filesystem::create_directory("iris.csv");
  EXPECT_EQ(open_error("iris.csv"), "iris.csv: no files in this folder");
  folder.write("a.csv", "");
  EXPECT_EQ(open_error("a.csv"), "a.csv: the file is empty");
  folder.write("a.csv", "\n \n");
  EXPECT_EQ(open_error("a.csv"), "a.csv: the file is empty");
  folder.write("a.csv", "a,b\n\n");
  EXPECT_EQ(open_error("a.csv"), "a.csv: only a header, no rows");
  folder.write("a.svm", "# nothing\n");
  EXPECT_EQ(open_error("a.svm"), "a.svm: the file is empty");
}

TEST(Source, gzip_is_unpacked_whatever_the_name) {
  TempFolder folder;
  folder.write_gzip("x.csv.gz", "n,z\n1,2\n3,4\n");
  folder.write_gzip("y.csv", "n,z\n5,6\n");
  const auto chunks = read_all({"x.csv.gz", "y.csv"}, number_n);
  EXPECT_EQ(numbers(chunks.at(0), 0), (Values{1, 3}));
  EXPECT_EQ(numbers(chunks.at(1), 0), (Values{5}));
}

TEST(Source, damaged_gzip_is_an_error) {
  TempFolder folder;
  std::string text = "n,z\n";
  for (std::size_t i = 0; i < 400000; ++i) text += std::to_string(i * 7919 % 100003) + ",z\n";
  folder.write_gzip("x.csv.gz", text);
  const auto size = std::filesystem::file_size("x.csv.gz");
  for (const auto kept : {std::uintmax_t{30}, size / 2, size - 1}) {
    folder.write_gzip("x.csv.gz", text);
    std::filesystem::resize_file("x.csv.gz", kept);
    EXPECT_EQ(read_error("x.csv.gz", number_n), "x.csv.gz: damaged or cut short gzip data") << kept;
  }
  folder.write_gzip("x.csv.gz", text);
  std::fstream file("x.csv.gz", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(size / 2));
  file << "damage damage damage";
  file.close();
  EXPECT_EQ(read_error("x.csv.gz", number_n), "x.csv.gz: damaged or cut short gzip data");
}

TEST(Source, standard_input_is_read_and_named_stdin) {
  TempFolder folder;
  folder.write("x", "n,z\n1,2\nx,4\n");
  const int saved = dup(STDIN_FILENO);
  const int file = open("x", O_RDONLY);
  dup2(file, STDIN_FILENO);
  EXPECT_EQ(read_error("-", number_n),
            "stdin:3: column \"n\": \"x\" is not a number (use `as n: categorical` in fit to treat "
            "it as words, or `missing` to name it as missing)");
  lseek(STDIN_FILENO, 0, SEEK_SET);
  EXPECT_EQ(open_source({"-"})->bytes_total(), 0);
  dup2(saved, STDIN_FILENO);
  close(saved);
  close(file);
}

TEST(Source, without_a_telling_name_the_content_decides) {
  TempFolder folder;
  folder.write("a", "\xEF\xBB\xBF\n {\"n\":1}\n");
  EXPECT_EQ(column_names(*open_source({"a"})), (Words{"n"}));
  folder.write("b.txt", "# c\nspam 3:1 5:2\nham 5:1\n");
  EXPECT_EQ(column_names(*open_source({"b.txt"})), (Words{"label", "features"}));
  folder.write("c", "x y,1:2\n1,2\n");
  EXPECT_EQ(column_names(*open_source({"c"})), (Words{"x y", "1:2"}));
  folder.write_gzip("d.NDJSON.gz", "{\"m\":1}\n");
  EXPECT_EQ(column_names(*open_source({"d.NDJSON.gz"})), (Words{"m"}));
  ReadOptions options;
  options.format = FileFormat::csv;
  EXPECT_EQ(column_names(*open_source({"b.txt"}, options)), (Words{"spam 3:1 5:2"}));
}

TEST(Source, the_rows_of_a_chunk_depend_on_the_schema_alone) {
  const auto rows = [](std::size_t columns) {
    return rows_per_chunk(schema_of(std::vector<ColumnSpec>(columns)));
  };
  EXPECT_EQ(rows(0), 8192);
  EXPECT_EQ(rows(10), 8192);
  EXPECT_EQ(rows(128), 8192);
  EXPECT_EQ(rows(129), 4096);
  EXPECT_EQ(rows(1000), 1024);
  EXPECT_EQ(rows(16384), 64);
  EXPECT_EQ(rows(1000000), 64);
}

TEST(Source, every_file_starts_a_new_chunk_and_may_order_its_columns_its_own_way) {
  TempFolder folder;
  std::string text = "n,z\n";
  for (int i = 0; i < 10000; ++i) text += std::to_string(i) + ",z\n";
  folder.write("x.csv", text);
  folder.write("y.csv", "z;extra;n\n1;2;3\n");
  folder.write("z.jsonl", "{\"n\":4}\n");
  const auto source = open_source({"x.csv", "y.csv", "z.jsonl"});
  source->select(number_n, true);
  std::vector<RawChunk> raw(4);
  for (auto& piece : raw) ASSERT_TRUE(source->read(piece));
  RawChunk none;
  EXPECT_FALSE(source->read(none));
  EXPECT_FALSE(source->read(none));
  EXPECT_EQ(raw[0].rows, 8192);
  EXPECT_EQ(raw[1].rows, 10000 - 8192);
  EXPECT_EQ(raw[1].first_line, 8194);
  EXPECT_EQ(raw[2].file, 1);
  EXPECT_EQ(source->bytes_read(), source->bytes_total());
  std::vector<Chunk> chunks(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] { chunks[i] = source->parse(raw[i]); });
    }
  }
  EXPECT_EQ(numbers(chunks[1], 0).back(), 9999);
  EXPECT_EQ(numbers(chunks[2], 0), Values{3});
  EXPECT_EQ(numbers(chunks[3], 0), Values{4});
}

TEST(Source, every_file_must_have_the_columns) {
  TempFolder folder;
  folder.write("x.csv", "n,z\n1,2\n");
  folder.write("y.csv", "N1,z\n1,2\n");
  EXPECT_EQ(data_error([&] {
              read_all({"x.csv", "y.csv"}, number_n);
            }),
            "y.csv: no column \"n\", which is needed (did you mean \"N1\"?)");
  EXPECT_EQ(data_error([&] { open_source({"x.csv", "absent.csv"}); }), "absent.csv: no such file");
}

TEST(Source, a_column_that_is_not_there_is_an_error_with_a_suggestion) {
  TempFolder folder;
  folder.write("x.csv", "Outlook,Play\nsunny,no\n");
  const auto error_without = [](std::vector<std::string> names) {
    std::vector<ColumnSpec> columns;
    for (const auto& name : names) columns.push_back({name, ColumnKind::category, {}});
    return read_error("x.csv", schema_of(columns));
  };
  EXPECT_EQ(error_without({"Outlok"}),
            "x.csv: no column \"Outlok\", which is needed (did you mean \"Outlook\"?)");
  EXPECT_EQ(error_without({"a", "b"}), "x.csv: no columns \"a\" and \"b\", which are needed");
  EXPECT_EQ(error_without({"a", "b", "c"}),
            "x.csv: no columns \"a\", \"b\" and \"c\", which are needed");
  EXPECT_EQ(error_without({"a", "b", "c", "d", "e"}),
            "x.csv: no columns \"a\", \"b\" and 3 more, which are needed");
}

TEST(Source, labels_and_weights_must_be_there_in_training_alone) {
  TempFolder folder;
  folder.write("x.csv", "n,z\n1,2\n");
  const Schema schema = schema_of(number_n.columns, "class", "weight");
  EXPECT_EQ(read_error("x.csv", schema_of(number_n.columns, "class")),
            "x.csv: no column \"class\", which is needed");
  EXPECT_EQ(read_error("x.csv", schema_of(number_n.columns, "", "weight")),
            "x.csv: no column \"weight\", which is needed");
  const Chunk chunk = read_all({"x.csv"}, schema, false).at(0);
  EXPECT_TRUE(chunk.labels.codes.empty());
  EXPECT_TRUE(chunk.weights.empty());
}

TEST(Source, a_bag_cannot_come_from_csv) {
  TempFolder folder;
  folder.write("x.csv", "n,z\n1,2\n");
  EXPECT_EQ(read_error("x.csv", schema_of({{"n", ColumnKind::bag, {}}})),
            "x.csv: column \"n\" is a bag, which only JSON lines and libsvm files hold");
}

TEST(Source, the_profile_counts_what_the_cells_look_like) {
  TempFolder folder;
  folder.write("x.csv",
               "flag,count,real,word,empty,mixed\n"
               "0,3,1.5,a,NA,1\n1,4,-2,b,,inf\n1.0,3,2,a,?,x\n,,,\"\",null,1e999\n");
  const auto profile = open_source({"x.csv"})->profile();
  const auto facts = [&](std::size_t i) {
    const ColumnProfile& p = profile.at(i);
    return Values{double(p.present),  double(p.numbers), double(p.distinct),
                  double(p.zero_one), double(p.whole),   double(p.bag || p.unit)};
  };
  EXPECT_EQ(facts(0), (Values{3, 3, 3, 1, 1, 0}));
  EXPECT_EQ(facts(1), (Values{3, 3, 2, 0, 1, 0}));
  EXPECT_EQ(facts(2), (Values{3, 3, 3, 0, 0, 0}));
  EXPECT_EQ(facts(3), (Values{3, 0, 2, 0, 0, 0}));
  EXPECT_EQ(facts(4), (Values{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(facts(5), (Values{4, 3, 4, 0, 0, 0}));
}

TEST(Source, the_profile_looks_at_the_first_4_mb_and_all_rows_are_still_read) {
  TempFolder folder;
  std::string text = "n,z\n";
  std::size_t rows = 0;
  while (text.size() < 9'000'000) text += std::to_string(rows++) + ",zzzzzzzzzz\n";
  folder.write("x.csv", text);
  const auto source = open_source({"x.csv"});
  EXPECT_GT(source->profile()[0].present, 200000);
  EXPECT_LT(source->profile()[0].present, rows / 2);
  source->select(number_n, true);
  double expected = 0;
  for (const Chunk& chunk : chunks_of(*source)) {
    for (const double value : numbers(chunk, 0)) ASSERT_EQ(value, expected++);
  }
  EXPECT_EQ(expected, static_cast<double>(rows));
}

}  // namespace
}  // namespace credence::data_test

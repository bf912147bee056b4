// SPDX-License-Identifier: Apache-2.0
#include "tables/temp_folder.hpp"

namespace credence::data_test {
namespace {

const Schema schema = schema_of({{"features", ColumnKind::bag, {}}}, "label");

TEST(Libsvm, a_row_is_a_label_and_a_bag) {
  TempFolder folder;
  folder.write("x.svm", "# made by hand\n+1 3:1 7:2.5 # note\n\n-1\n0 7:1 7:1 9:0\r\n3:4\n");
  EXPECT_EQ(column_names(*open_source({"x.svm"})), (Words{"label", "features"}));
  const Chunk chunk = read_all({"x.svm"}, schema).at(0);
  EXPECT_EQ(words(chunk.labels), (Words{"+1", "-1", "0", "<missing>"}));
  EXPECT_EQ(bags(chunk, 0), (Words{"3:1 7:2.5", "", "7:2", "3:4"}));
}

TEST(Libsvm, a_file_may_name_the_features) {
  TempFolder folder;
  folder.write("x.svm", "a 1:1 3:2\n");
  folder.write("names.txt", "money\r\n\nfree\n");
  ReadOptions options;
  options.feature_names = "names.txt";
  EXPECT_EQ(bags(read_all({"x.svm"}, schema, true, options)[0], 0), (Words{"money:1 free:2"}));
  folder.write("x.svm", "a 1:1 4:2\n");
  EXPECT_EQ(read_error("x.svm", schema, true, options),
            "x.svm:1: feature 4 has no name: names.txt has lines 1 to 3");
  options.feature_names = "absent.txt";
  EXPECT_EQ(read_error("x.svm", schema, true, options), "absent.txt: no such file");
}

TEST(Libsvm, what_is_not_index_and_value_is_an_error) {
  TempFolder folder;
  for (const std::string word : {"abc", "3:", ":3", "x:1", "-1:2", "3:inf", "3:4:5"}) {
    folder.write("x.svm", "1 1:1\n\n1 2:2 " + word + "\n");
    EXPECT_EQ(read_error("x.svm", schema), "x.svm:3: \"" + word + "\" is not index:value");
  }
}

TEST(Libsvm, the_profile_tells_counts_and_units) {
  TempFolder folder;
  folder.write("x.svm", "a 1:1 2:1\nb 1:1\n");
  auto profile = open_source({"x.svm"})->profile();
  EXPECT_FALSE(profile[0].bag);
  EXPECT_EQ(profile[0].distinct, 2);
  EXPECT_TRUE(profile[1].bag && profile[1].whole && profile[1].unit);
  EXPECT_EQ(profile[1].present, 2);
  EXPECT_EQ(profile[1].distinct, 2);
  folder.write("x.svm", "a 1:1 2:3\n");
  profile = open_source({"x.svm"})->profile();
  EXPECT_TRUE(profile[1].whole && !profile[1].unit);
  folder.write("x.svm", "a 1:1 2:0.5\n");
  EXPECT_FALSE(open_source({"x.svm"})->profile()[1].whole);
}

}  // namespace
}  // namespace credence::data_test

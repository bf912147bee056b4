// SPDX-License-Identifier: Apache-2.0
#include "tables/temp_folder.hpp"

namespace credence::data_test {
namespace {

TEST(Arff, types_and_values_are_those_that_the_file_declares) {
  TempFolder folder;
  folder.write("x.arff",
               "% comment\n@RELATION r\n@attribute 'a b' {x,'y z',\"it\\'s\"}\n@attribute n REAL\n"
               "@attribute digits {0,1}\n@attribute Class {p,q}\n@data\n'y z',1,0,p\n\nx,?,1,q\n");
  const auto source = open_source({"x.arff"});
  EXPECT_EQ(source->default_target(), "Class");
  const auto& profile = source->profile();
  ASSERT_EQ(profile.size(), 4u);
  EXPECT_EQ(profile[0].name, "a b");
  EXPECT_EQ(profile[0].values, (std::vector<std::string>{"x", "y z", "it's"}));
  EXPECT_EQ(profile[1].numbers, 1u);
  EXPECT_TRUE(profile[1].values.empty());
  EXPECT_EQ(profile[2].values, (std::vector<std::string>{"0", "1"}));
}

TEST(Arff, the_class_is_the_last_attribute_only_where_it_is_nominal) {
  TempFolder folder;
  folder.write("x.arff", "@relation r\n@attribute a {x,y}\n@attribute n numeric\n@data\nx,1\n");
  EXPECT_EQ(open_source({"x.arff"})->default_target(), "");
  folder.write("x.arff", "@relation r\n@attribute n numeric\n@attribute a {x,y}\n@data\n1,x\n");
  EXPECT_EQ(open_source({"x.arff"})->default_target(), "a");
}

}  // namespace
}  // namespace credence::data_test

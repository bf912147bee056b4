// SPDX-License-Identifier: Apache-2.0
#include "core/ordered_json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace credence {
namespace {

// What nlohmann's own ordered map makes of the same steps.
using Plain = nlohmann::ordered_json;

RC_GTEST_PROP(OrderedJson, does_what_the_plain_one_does, ()) {
  OrderedJson ours = OrderedJson::object();
  Plain theirs = Plain::object();
  const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 60), rc::gen::inRange(0, 10)));
  for (const auto& [number, what] : steps) {
    const auto key = "key " + std::to_string(number);
    if (what == 0) {
      RC_ASSERT(ours.erase(key) == theirs.erase(key));
    } else {
      ours[key] = what;
      theirs[key] = what;
    }
    RC_ASSERT(ours.contains(key) == theirs.contains(key));
  }
  RC_ASSERT(ours.dump() == theirs.dump());
  RC_ASSERT(OrderedJson::parse(ours.dump()) == ours);
}

TEST(OrderedJson, keeps_the_order_of_many_keys_and_finds_them) {
  OrderedJson json;
  for (int i = 0; i < 200000; ++i) json[std::to_string(i * 7919 % 200000)] = i;
  EXPECT_EQ(json.size(), 200000u);
  EXPECT_EQ(json.begin().key(), "0");
  int at = 0;
  for (const auto& [key, value] : json.items()) {
    ASSERT_EQ(key, std::to_string(at * 7919LL % 200000));
    ++at;
  }
  EXPECT_EQ(json.at("7919"), 1);
  EXPECT_FALSE(json.contains("200000"));
  EXPECT_THROW(json.at("-1"), OrderedJson::out_of_range);
}

TEST(OrderedJson, finds_keys_after_it_was_copied_moved_and_cleared) {
  OrderedJson json;
  for (int i = 0; i < 100; ++i) json[std::to_string(i)] = i;
  OrderedJson copy = json, moved = std::move(json);
  copy["99"] = 0;
  EXPECT_EQ(moved.at("99"), 99);
  EXPECT_EQ(copy.at("99"), 0);
  copy.clear();
  EXPECT_FALSE(copy.contains("5"));
  copy["5"] = 1;
  EXPECT_EQ(copy.dump(), R"({"5":1})");
}

}  // namespace
}  // namespace credence

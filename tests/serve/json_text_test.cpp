// SPDX-License-Identifier: Apache-2.0
#include "serve/api/json_text.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "serve/api/call.hpp"

namespace credence::serve {
namespace {

int status_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const HttpError& error) {
    return error.status();
  }
  return 200;
}

TEST(JsonText, TakesAnObjectApartWhereItLies) {
  const auto members = members_of(R"( {"a": 1.50 , "b\n":["}", {"c": "\""}],"d":null} )");
  ASSERT_EQ(members.size(), 3U);
  EXPECT_EQ(members[0], (std::pair<std::string, std::string_view>("a", "1.50")));
  EXPECT_EQ(members[1].first, "b\n");
  EXPECT_EQ(members[1].second, R"(["}", {"c": "\""}])");
  EXPECT_TRUE(members_of("{}").empty());
  EXPECT_EQ(elements_of("[1, [2, 3], {}]"), (std::vector<std::string_view>{"1", "[2, 3]", "{}"}));
}

TEST(JsonText, RefusesWhatIsNoJson) {
  for (const auto* text : {"", "[", "{", "{\"a\"", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1}}",
                           "{\"a\":[1}", "{\"a\":\"b}", "{\"a\":\"\\", "{\"a\" 1}", "[1]"}) {
    EXPECT_EQ(status_of([&] { (void)members_of(text); }), 400) << text;
  }
  EXPECT_EQ(status_of([] { (void)members_of("{\"a\":" + std::string(1000, '[')); }), 400);
}

TEST(JsonText, WritesTheShortestNumberThatReadsBack) {
  std::string out;
  append_number(0.1, out);
  append_number(std::numeric_limits<double>::quiet_NaN(), out);
  append_number(1e300, out);
  EXPECT_EQ(out, "0.1null1e+300");
}

TEST(Fields, RefuseWhatNobodyAskedForAndWhatStandsTwice) {
  Fields fields(R"({"row":{},"rwo":1})");
  (void)fields.raw("row");
  EXPECT_EQ(status_of([&] { fields.finish(); }), 422);
  EXPECT_EQ(status_of([] { (void)Fields(R"({"a":1,"a":2})"); }), 422);
}

TEST(Fields, WholeNumbersAreWithinTheirBounds) {
  Fields fields(R"({"a":5.0,"b":2.5,"c":-1,"d":9007199254740993,"e":"5","f":null})");
  constexpr std::size_t most = std::size_t{1} << 53;
  EXPECT_EQ(fields.whole("a", 0, 10), 5U);
  for (const auto* name : {"b", "c", "d", "e"}) {
    EXPECT_EQ(status_of([&] { (void)fields.whole(name, 0, most); }), 422) << name;
  }
  EXPECT_EQ(fields.whole("f", 0, 10), std::nullopt);
}

TEST(PercentDecoded, ReadsTwoDigitsOrRefuses) {
  EXPECT_EQ(percent_decoded("a%20b+c"), "a b+c");
  EXPECT_EQ(percent_decoded("a+b%2B", true), "a b+");
  for (const auto* text : {"%", "%1", "%zz", "a%"}) {
    EXPECT_EQ(status_of([&] { (void)percent_decoded(text); }), 400) << text;
  }
}

}  // namespace
}  // namespace credence::serve

// SPDX-License-Identifier: Apache-2.0
#include "tables/separators.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "tables/cell_grid.hpp"

namespace credence::data {
namespace {

// Bytes as they stand in tables, those that matter far more often than others.
rc::Gen<std::string> table_bytes(std::size_t size) {
  return rc::gen::resize(
      static_cast<int>(size),
      rc::gen::container<std::string>(rc::gen::weightedElement<char>(
          {{6, 'a'}, {3, ','}, {3, '"'}, {1, '\n'}, {1, '\r'}, {1, ' '}, {1, '\xff'}})));
}

// Records by the rules of RecordRules, byte by byte; the last one may be open.
std::vector<std::string> records_by_byte(const std::string& text) {
  std::vector<std::string> result(1);
  bool quoted = false, at_start = true, closing = false;
  for (const char c : text) {
    if (closing) {  // a second quote makes it a quote of the text
      closing = false;
      if (c == '"') {
        result.back() += c;
        continue;
      }
      quoted = false;
    }
    if (quoted) {
      closing = c == '"';
    } else if (c == '\n') {
      result.emplace_back();
      at_start = true;
      continue;
    } else if (c == ',') {
      at_start = true;
    } else if (c == '"' && at_start) {
      quoted = true;
      at_start = false;
    } else if (!is_space(c)) {
      at_start = false;
    }
    result.back() += c;
  }
  if (quoted && !closing) result.pop_back();  // never closed
  return result;
}

bool blank(const std::string& record) {
  return record.find_first_not_of(" \t") == std::string::npos;
}

RC_GTEST_PROP(Separators, blocks_say_what_single_bytes_say, ()) {
  auto bytes = *table_bytes(200);
  bytes.resize(separator_block, 'x');
  RC_ASSERT(separators(bytes.data(), ',') == separators_by_byte(bytes.data(), ','));
  RC_ASSERT(spaces(bytes.data()) == spaces_by_byte(bytes.data()));
}

RC_GTEST_PROP(Separators, records_end_where_they_do_byte_by_byte, ()) {
  const auto text = *table_bytes(600);
  RecordScanner scan(text, {true, ',', '\0'}, 1, true);
  for (auto record : records_by_byte(text)) {
    if (record.ends_with('\r')) record.pop_back();
    if (blank(record)) continue;
    RC_ASSERT(scan.next());
    RC_ASSERT(std::string(scan.record()) == record);
  }
  RC_ASSERT(!scan.next());
}

// As table_bytes, but most of it plain: runs of records that block by block is enough for.
rc::Gen<std::string> mostly_plain_bytes() {
  const auto piece = rc::gen::weightedElement<std::string>({{20, "a,b,c\n"},
                                                            {20, "12,\"x, y\",\n"},
                                                            {6, "1,\"two\nlines\",z\r\n"},
                                                            {2, " 1 ,\t, c \n"},
                                                            {1, "\n"},
                                                            {1, " \t\r\n"},
                                                            {1, "\"say \"\"a\"\"\",5\" pipe,\n"},
                                                            {1, "a, \"b\" ,\"c\"d\n"},
                                                            {1, "\"\",\"\",\"\"\n"}});
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        std::string all;
                        for (const auto& p : pieces) all += p;
                        return all;
                      });
}

RC_GTEST_PROP(Separators, records_stepped_over_at_once_are_those_stepped_over_one_by_one, ()) {
  const auto text = *rc::gen::oneOf(table_bytes(600), rc::gen::resize(200, mostly_plain_bytes()));
  const auto most = *rc::gen::inRange<std::size_t>(0, 100);
  const auto bytes = *rc::gen::inRange<std::size_t>(0, 4000);
  const bool quotes = *rc::gen::arbitrary<bool>();
  RecordScanner at_once(text, {quotes, ',', '\0'}, 1, true);
  RecordScanner one_by_one = at_once;
  const std::size_t stepped = at_once.skip_plain(most, bytes);
  RC_ASSERT(stepped <= most);
  RC_ASSERT(at_once.bytes_taken() <= bytes);
  for (std::size_t i = 0; i < stepped; ++i) RC_ASSERT(one_by_one.next());
  RC_ASSERT(at_once.bytes_taken() == one_by_one.bytes_taken());
  RC_ASSERT(at_once.next_line() == one_by_one.next_line());
  while (one_by_one.next()) {
    RC_ASSERT(at_once.next());
    RC_ASSERT(at_once.record() == one_by_one.record());
    RC_ASSERT(at_once.line() == one_by_one.line());
  }
  RC_ASSERT(!at_once.next());
}

TEST(Separators, plain_records_are_stepped_over_at_once) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "1.25,\"a, b\",\"\",word\n";
  RecordScanner scan(text, {true, ',', '\0'}, 1, true);
  EXPECT_EQ(scan.skip_plain(900, text.size()), 900u);
  EXPECT_EQ(scan.next_line(), 901u);
}

// A grid of three columns has the cells of the records that have three, and stops at others.
RC_GTEST_PROP(CellGrid, has_the_fields_of_every_record, ()) {
  const auto text = *rc::gen::oneOf(table_bytes(300), rc::gen::resize(200, mostly_plain_bytes()));
  const RecordScanner scan(text, {true, ',', '\0'}, 1, true);
  RecordScanner records = scan;
  CellGrid grid(scan, 3, ',');
  FieldSplitter fields(',', 3);
  while (grid.next()) {
    for (std::size_t r = 0; r < grid.rows(); ++r) {
      RC_ASSERT(records.next());
      RC_ASSERT(fields.split(records.record(), records.has_quotes()) == 3u);
      RC_ASSERT(grid.line(r) == records.line());
      for (std::size_t c = 0; c < 3; ++c) RC_ASSERT(grid.at(r, c) == fields[c]);
    }
    if (!grid.misfit()) continue;
    RC_ASSERT(records.next());
    RC_ASSERT(grid.misfit() == fields.split(records.record(), records.has_quotes()));
    RC_ASSERT(grid.misfit_line() == records.line());
    return;
  }
  RC_ASSERT(!records.next());
}

TEST(CellGrid, comes_to_an_end_wherever_the_text_ends) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += "x,\"y\"\n";
    for (const std::string& end :
         {std::string(), std::string("p,q"), std::string(60, 'r') + ",s"}) {
      const std::string whole = text + end;
      CellGrid grid(RecordScanner(whole, {true, ',', '\0'}, 1, true), 2, ',');
      std::size_t rows = 0;
      while (grid.next()) rows += grid.rows();
      EXPECT_EQ(rows, static_cast<std::size_t>(i) + 1 + !end.empty());
    }
  }
}

TEST(Separators, a_quoted_line_end_counts_as_a_line_in_any_block) {
  for (std::size_t before = 0; before < 200; ++before) {
    const std::string text =
        std::string(before, 'a') + ",\"x\ny\",\"\"\nnext," + std::string(100, 'b') + "\n";
    RecordScanner scan(text, {true, ',', '\0'}, 1, true);
    ASSERT_TRUE(scan.next());
    EXPECT_EQ(scan.record(), std::string_view(text).substr(0, before + 9));
    ASSERT_TRUE(scan.next());
    EXPECT_EQ(scan.line(), 3u) << before;
  }
}

}  // namespace
}  // namespace credence::data

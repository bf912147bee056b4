// SPDX-License-Identifier: Apache-2.0
#include "tables/separators.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "tables/records.hpp"

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

TEST(Separators, a_quoted_line_end_counts_as_a_line_in_any_block) {
  for (std::size_t before = 0; before < 200; ++before) {
    const std::string text = std::string(before, 'a') + ",\"x\ny\",\"\"\nnext," +
                             std::string(100, 'b') + "\n";
    RecordScanner scan(text, {true, ',', '\0'}, 1, true);
    ASSERT_TRUE(scan.next());
    EXPECT_EQ(scan.record(), std::string_view(text).substr(0, before + 9));
    ASSERT_TRUE(scan.next());
    EXPECT_EQ(scan.line(), 3u) << before;
  }
}

}  // namespace
}  // namespace credence::data

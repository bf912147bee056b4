// SPDX-License-Identifier: Apache-2.0
// What the text of queries must be; that databases make the library's answers of it is tested with
// them (python/tests/test_scoring_sql.py, python/engines/test_postgres.py).
#include "sql/expression.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "credence/error.hpp"

namespace credence::sql {
namespace {

TEST(SqlExpression, NumbersAreDoublesInEveryDialect) {
  EXPECT_EQ(number(Dialect::duckdb, 0.1).text, "0.1e0");
  EXPECT_EQ(number(Dialect::spark, -2).text, "(-2e0)");
  EXPECT_EQ(number(Dialect::postgres, 1e300).text, "1e+300::float8");
  EXPECT_EQ(number(Dialect::duckdb, -std::numeric_limits<double>::infinity()).text,
            "CAST('-Infinity' AS DOUBLE)");
}

TEST(SqlExpression, QuotesAndBackslashesInTextsAndNamesCannotEndThem) {
  EXPECT_EQ(quoted_text(Dialect::postgres, "it's \\"), "'it''s \\'");
  EXPECT_EQ(quoted_text(Dialect::spark, "it's \\"), "'it\\'s \\\\'");
  EXPECT_EQ(quoted_name(Dialect::duckdb, "a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(quoted_name(Dialect::spark, "a`b"), "`a``b`");
}

TEST(SqlExpression, OperatorsWriteTheMathematicsAndKeepTheLatestStage) {
  const Expression x{Dialect::duckdb, "x", 1}, y{Dialect::duckdb, "y", 3};
  const auto z = 2 * (x - 1.5) + y;
  EXPECT_EQ(z.text, "((2e0 * (x - 1.5e0)) + y)");
  EXPECT_EQ(z.stage, 3);
  EXPECT_EQ((1 * x).text, "x");
  EXPECT_EQ((x - -1).text, "(x + 1e0)");
  EXPECT_EQ(sum({x, x, x, x}).text, "((x + x) + (x + x))");
}

TEST(SqlExpression, AnUnknownDialectIsNamed) { EXPECT_THROW(parse_dialect("mysql"), Error); }

}  // namespace
}  // namespace credence::sql

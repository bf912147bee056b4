// SPDX-License-Identifier: Apache-2.0
// What a database computes for a row, as its SQL: written as the mathematics it stands for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace credence::sql {

enum class Dialect { duckdb, postgres, spark };

// Throws a usage error with a suggestion when there is none of that name.
Dialect parse_dialect(const std::string& name);

// A double of a row, or a text. Its stage says how many subqueries come before it: what is computed
// once and used by name (Query::let) is of a stage after all that it is computed from.
struct Expression {
  Dialect dialect;
  std::string text;
  std::size_t stage = 0;
};

// To the last digit, and as a double in every dialect.
Expression number(Dialect dialect, double value);
std::string quoted_text(Dialect dialect, std::string_view text);
std::string quoted_name(Dialect dialect, std::string_view name);
std::string type_of_doubles(Dialect dialect);
Expression as_double(const Expression& value);
Expression as_text(const Expression& value);

Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
Expression operator+(const Expression& a, double b);
Expression operator-(const Expression& a, double b);
Expression operator*(double a, const Expression& b);  // by 1: as it is
Expression operator+(double a, const Expression& b);
Expression operator-(double a, const Expression& b);

Expression ln(const Expression& x);  // of what is above 0
// Of a name, for it is written twice: some databases refuse powers that underflow.
Expression exp(const Expression& x);
Expression greatest(const std::vector<Expression>& values);
// In halves, so that no term stands deep.
Expression sum(const std::vector<Expression>& values);

// What holds of a row or not.
struct Condition {
  std::string text;
  std::size_t stage = 0;
};
Condition operator==(const Expression& a, const Expression& b);
Condition operator<(const Expression& a, const Expression& b);
Condition operator>=(const Expression& a, const Expression& b);
Condition operator&&(const Condition& a, const Condition& b);
Condition is_missing(const Expression& value);
Condition among(const Expression& value, const std::vector<std::string>& texts);

struct Case {
  Condition when;
  Expression then;
};
Expression choose(const std::vector<Case>& cases, const Expression& otherwise);

// What a value has, and `otherwise` for all others and for a missing one.
struct Choice {
  std::string text;
  double value;
};
Expression look_up(const Expression& text, const std::vector<Choice>& choices, double otherwise);

}  // namespace credence::sql

// SPDX-License-Identifier: Apache-2.0
#include "sql/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence::sql {
namespace {

constexpr std::array<std::pair<Dialect, const char*>, 3> dialects = {
    {{Dialect::duckdb, "duckdb"}, {Dialect::postgres, "postgres"}, {Dialect::spark, "spark"}}};

Expression joined(const Expression& a, const char* by, const Expression& b) {
  return {a.dialect, fmt::format("({} {} {})", a.text, by, b.text), std::max(a.stage, b.stage)};
}

Condition compared(const Expression& a, const char* by, const Expression& b) {
  return {fmt::format("{} {} {}", a.text, by, b.text), std::max(a.stage, b.stage)};
}

Expression cast(const Expression& value, const std::string& type) {
  return {value.dialect, fmt::format("CAST({} AS {})", value.text, type), value.stage};
}

std::string doubled(std::string_view text, char mark) {
  std::string result;
  for (const char c : text) result.append(c == mark ? 2 : 1, c);
  return result;
}

}  // namespace

Dialect parse_dialect(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [dialect, text] : dialects) {
    if (name == text) return dialect;
    names.emplace_back(text);
  }
  throw Error(ErrorKind::usage, fmt::format("no SQL dialect \"{}\"{}; choose {}", name,
                                            suggestion(name, names), join(names, ", ")));
}

// With an exponent a number is a double to DuckDB and Spark; to Postgres it would be a decimal.
Expression number(Dialect dialect, double value) {
  if (std::isinf(value)) {
    return {dialect, fmt::format("CAST('{}Infinity' AS {})", value < 0 ? "-" : "",
                                 type_of_doubles(dialect))};
  }
  std::string text = fmt::format("{}", value);
  if (text.find('e') == std::string::npos) text += "e0";
  if (dialect == Dialect::postgres) text += "::float8";
  return {dialect, value < 0 ? "(" + text + ")" : text};
}

std::string quoted_text(Dialect dialect, std::string_view text) {
  if (dialect != Dialect::spark) return fmt::format("'{}'", doubled(text, '\''));
  std::string result;
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return "'" + result + "'";
}

std::string quoted_name(Dialect dialect, std::string_view name) {
  const char mark = dialect == Dialect::spark ? '`' : '"';
  return mark + doubled(name, mark) + mark;
}

std::string type_of_doubles(Dialect dialect) {
  return dialect == Dialect::postgres ? "double precision" : "DOUBLE";
}

Expression as_double(const Expression& value) {
  return cast(value, type_of_doubles(value.dialect));
}
Expression as_text(const Expression& value) {
  return cast(value, value.dialect == Dialect::spark ? "STRING" : "VARCHAR");
}

Expression operator+(const Expression& a, const Expression& b) { return joined(a, "+", b); }
Expression operator-(const Expression& a, const Expression& b) { return joined(a, "-", b); }
Expression operator*(const Expression& a, const Expression& b) { return joined(a, "*", b); }
Expression operator/(const Expression& a, const Expression& b) { return joined(a, "/", b); }
Expression operator+(const Expression& a, double b) {
  return b == 0 ? a : b < 0 ? a - -b : a + number(a.dialect, b);
}
Expression operator-(const Expression& a, double b) {
  return b == 0 ? a : b < 0 ? a + -b : a - number(a.dialect, b);
}
Expression operator*(double a, const Expression& b) {
  return a == 1 ? b : number(b.dialect, a) * b;
}
Expression operator+(double a, const Expression& b) {
  return a == 0 ? b : number(b.dialect, a) + b;
}
Expression operator-(double a, const Expression& b) { return number(b.dialect, a) - b; }

Expression ln(const Expression& x) { return {x.dialect, "ln(" + x.text + ")", x.stage}; }

Expression exp(const Expression& x) {
  return choose({{x >= number(x.dialect, -700), {x.dialect, "exp(" + x.text + ")", x.stage}}},
                number(x.dialect, 0));
}

Expression greatest(const std::vector<Expression>& values) {
  if (values.size() == 1) return values[0];
  Expression result{values[0].dialect, "GREATEST("};
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.text += (i ? ", " : "") + values[i].text;
    result.stage = std::max(result.stage, values[i].stage);
  }
  result.text += ")";
  return result;
}

Expression sum(const std::vector<Expression>& values) {
  if (values.size() == 1) return values[0];
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  return sum({values.begin(), middle}) + sum({middle, values.end()});
}

Condition operator==(const Expression& a, const Expression& b) { return compared(a, "=", b); }
Condition operator<(const Expression& a, const Expression& b) { return compared(a, "<", b); }
Condition operator>=(const Expression& a, const Expression& b) { return compared(a, ">=", b); }
Condition operator&&(const Condition& a, const Condition& b) {
  return {a.text + " AND " + b.text, std::max(a.stage, b.stage)};
}
Condition is_missing(const Expression& value) { return {value.text + " IS NULL", value.stage}; }

Condition among(const Expression& value, const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const auto& text : texts) quoted.push_back(quoted_text(value.dialect, text));
  return {fmt::format("{} IN ({})", value.text, join(quoted, ", ")), value.stage};
}

Expression choose(const std::vector<Case>& cases, const Expression& otherwise) {
  Expression result{otherwise.dialect, "CASE", otherwise.stage};
  for (const auto& [when, then] : cases) {
    result.text += fmt::format(" WHEN {} THEN {}", when.text, then.text);
    result.stage = std::max({result.stage, when.stage, then.stage});
  }
  result.text += " ELSE " + otherwise.text + " END";
  return result;
}

Expression look_up(const Expression& text, const std::vector<Choice>& choices, double otherwise) {
  if (choices.empty()) return number(text.dialect, otherwise);
  Expression result{text.dialect, "CASE " + text.text, text.stage};
  for (const auto& [value, then] : choices) {
    result.text += fmt::format(" WHEN {} THEN {}", quoted_text(text.dialect, value),
                               number(text.dialect, then).text);
  }
  result.text += " ELSE " + number(text.dialect, otherwise).text + " END";
  return result;
}

}  // namespace credence::sql

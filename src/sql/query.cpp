// SPDX-License-Identifier: Apache-2.0
#include "sql/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence::sql {

Query::Query(Dialect dialect, const Schema& schema, std::string table)
    : dialect_(dialect), schema_(schema), table_(std::move(table)) {
  for (bool taken = true; taken;) {
    taken = false;
    for (const auto& column : schema.columns) {
      const auto begin = ascii_lower(column.name).substr(0, prefix_.size());
      taken = taken || begin == prefix_;
    }
    if (taken) prefix_ += "_";
  }
}

Expression Query::keep(std::size_t column, const Expression& value) {
  const auto cell = named(value, quoted_name(dialect_, schema_.columns[column].name));
  return cells_.emplace(column, cell).first->second;
}

Expression Query::cell(std::size_t column) {
  const auto found = cells_.find(column);
  return found != cells_.end() ? found->second : keep(column, read(column));
}

Expression Query::word(std::size_t column, const std::vector<std::string>& known) {
  const auto knows = [&](const char* name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  const auto found = cells_.find(column);
  if (found != cells_.end()) return found->second;
  const auto text = read(column);
  if (!(knows("True") || knows("False")) || knows("true") || knows("false")) {
    return keep(column, text);
  }
  const auto named = [&](const char* name) {
    return Expression{dialect_, quoted_text(dialect_, name)};
  };
  return keep(column, choose({{text == named("true"), named("True")},
                              {text == named("false"), named("False")}},
                             text));
}

Expression Query::read(std::size_t column) const {
  const auto& spec = schema_.columns[column];
  if (!spec.reading.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("column \"{}\" is read from text as people write it ({}), which SQL "
                            "cannot: learn from a table that has it as plain numbers",
                            spec.name, spec.reading));
  }
  if (spec.kind == ColumnKind::bag) {
    throw Error(ErrorKind::usage,
                fmt::format("column \"{}\" holds sets of counts, which a table in a database has "
                            "no cell for: learn from a column for each of them",
                            spec.name));
  }
  const Expression raw{dialect_, "t." + quoted_name(dialect_, spec.in_file())};
  const Expression missing{dialect_, "NULL"}, text = as_text(raw);
  if (spec.kind == ColumnKind::category || spec.kind == ColumnKind::text) {
    return choose({{among(text, schema_.missing), missing}}, text);
  }
  if (spec.kind == ColumnKind::binary) {
    const Expression word{dialect_, "lower(" + text.text + ")"};
    return choose({{is_missing(raw), missing},
                   {among(text, schema_.missing), missing},
                   {among(word, {"yes", "y", "true", "t"}), number(1)},
                   {among(word, {"no", "n", "false", "f"}), number(0)},
                   {number(0) < as_double(text), number(1)}},
                  number(0));
  }
  const auto not_a_number =
      Expression{dialect_, fmt::format("CAST('NaN' AS {})", type_of_doubles(dialect_))};
  return {dialect_, fmt::format("NULLIF({}, {})", as_double(raw).text, not_a_number.text)};
}

Expression Query::let(const Expression& value) {
  return named(value, fmt::format("{}{}", prefix_, ++names_));
}

Expression Query::named(const Expression& value, const std::string& name) {
  if (stages_.size() <= value.stage) stages_.resize(value.stage + 1);
  stages_[value.stage].push_back(value.text + " AS " + name);
  return {dialect_, fmt::format("s{}.{}", value.stage + 1, name), value.stage + 1};
}

std::string Query::with(const std::string& columns, const std::string& rows) {
  const auto name = fmt::format("w{}", constants_.size() + 1);
  constants_.push_back(fmt::format("{}({}) AS ({})", name, columns, rows));
  return name;
}

std::string Query::beside(const std::string& subquery) {
  const auto name = fmt::format("d{}", beside_.size() + 1);
  beside_.push_back(fmt::format("CROSS JOIN LATERAL ({}) AS {}\n", subquery, name));
  return name;
}

// Kahan: 1 + x is rounded, and log(1 + x) / ((1 + x) - 1) hardly moves with that.
Expression Query::log_one_plus(const Expression& value) {
  const auto x = let(value), w = let(1 + x);
  constexpr double large = 1e15;
  return choose({{w == number(1), x}, {x >= number(large), ln(x)}}, ln(w) * (x / (w - 1)));
}

Expression Query::log_sum_exp(const std::vector<Expression>& logs) {
  if (logs.size() == 1) return logs[0];
  std::vector<Expression> named, terms;
  for (const auto& log : logs) named.push_back(let(log));
  const auto top = let(greatest(named));
  for (const auto& log : named) terms.push_back(exp(log - top));
  return choose({{top == number(-infinity), top}}, top + ln(sum(terms)));
}

Expression Query::if_there(const Expression& cell, const Expression& value) const {
  return choose({{is_missing(cell), number(0)}}, value);
}

std::string Query::text(const std::vector<Column>& columns) const {
  std::string result;
  for (const auto& remark : remarks_) result += "-- " + remark + "\n";
  if (!constants_.empty()) result += "WITH " + join(constants_, ",\n") + "\n";
  result += "SELECT t.*";
  for (const auto& [name, value] : columns) {
    result += fmt::format(", {} AS {}", value.text, quoted_name(dialect_, name));
  }
  result += fmt::format("\nFROM {} AS t\n", table_);
  for (const auto& subquery : beside_) result += subquery;
  // Without a fence Postgres would write every value out wherever it is used.
  const char* fence = dialect_ == Dialect::postgres ? " OFFSET 0" : "";
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    result += fmt::format("CROSS JOIN LATERAL (SELECT\n  {}{}) AS s{}\n", join(stages_[i], ",\n  "),
                          fence, i + 1);
  }
  return result;
}

}  // namespace credence::sql

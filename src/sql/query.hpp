// SPDX-License-Identifier: Apache-2.0
// A query over the rows of a table: values are computed in stages, each from those before it, and
// each is written once. A stage is a subquery beside the row (LATERAL), so the row itself stays.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "credence/schema.hpp"
#include "sql/expression.hpp"

namespace credence::sql {

class Query {
 public:
  // The table may be anything that stands after FROM.
  Query(Dialect dialect, const Schema& schema, std::string table);

  Dialect dialect() const { return dialect_; }
  Expression number(double value) const { return sql::number(dialect_, value); }
  // What the row has in a column of the schema, NULL where that is missing: a number, or a text.
  // Throws a usage error that names the column where SQL cannot read it as the library does.
  Expression cell(std::size_t column);
  // A word that is one of these, or none of them. Booleans are called True and False here.
  Expression word(std::size_t column, const std::vector<std::string>& known);
  const ColumnSpec& spec(std::size_t column) const { return schema_.columns[column]; }
  // The same before it has a name, for what comes before all stages:
  Expression raw_cell(std::size_t column) const { return read(column); }
  // a table of constants, by the name that is given back, and
  std::string with(const std::string& columns, const std::string& rows);
  // a subquery of one row beside the table's.
  std::string beside(const std::string& subquery);
  // The same value by a name, so that it is computed once.
  Expression let(const Expression& value);

  // log(1 + x) with all digits, for x >= 0.
  Expression log_one_plus(const Expression& x);
  Expression log_sum_exp(const std::vector<Expression>& logs);
  // The value where the cell is there, else 0: a missing value is no evidence.
  Expression if_there(const Expression& cell, const Expression& value) const;

  // What its readers should know: a comment above it.
  void remark(const std::string& text) { remarks_.push_back(text); }

  // All of it: the row, and these columns.
  struct Column {
    std::string name;
    Expression value;
  };
  std::string text(const std::vector<Column>& columns) const;

 private:
  Expression read(std::size_t column) const;
  Expression keep(std::size_t column, const Expression& value);
  Expression named(const Expression& value, const std::string& name);

  Dialect dialect_;
  const Schema& schema_;
  std::string table_;
  std::map<std::size_t, Expression> cells_;
  std::vector<std::vector<std::string>> stages_;  // [stage - 1]: "value AS name"
  std::vector<std::string> remarks_, constants_, beside_;
  std::string prefix_ = "v";  // of names; no column begins with it
  std::size_t names_ = 0;
};

}  // namespace credence::sql

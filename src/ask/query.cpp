// SPDX-License-Identifier: Apache-2.0
#include "ask/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ask/independence.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

using Codes = std::span<const WeightedTable::Code>;

// An expression whose columns and values are places in a table.
struct Resolved {
  Expression::Kind kind = Expression::Kind::all;
  std::size_t column = 0;
  WeightedTable::Code code = 0;
  std::vector<Resolved> parts;

  bool holds(Codes row) const {
    const auto part_holds = [&](const Resolved& part) { return part.holds(row); };
    switch (kind) {
      case Expression::Kind::equals:
        return row[column] == code;
      case Expression::Kind::all:
        return std::all_of(parts.begin(), parts.end(), part_holds);
      case Expression::Kind::any:
        return std::any_of(parts.begin(), parts.end(), part_holds);
      case Expression::Kind::opposite:
        return !parts.front().holds(row);
    }
    return false;
  }
};

[[noreturn]] void refuse_value(const std::string& column, const std::string& value,
                               std::vector<std::string> known) {
  std::sort(known.begin(), known.end(), natural_less);
  std::string hint = suggestion(value, known);
  if (hint.empty() && !known.empty() && known.size() <= 10) {
    hint = fmt::format(" (its values are {})", join(known, ", "));
  }
  throw Error(ErrorKind::usage,
              fmt::format("column \"{}\" has no value \"{}\"{}", column, value, hint));
}

Resolved resolve(const Expression& expression, const WeightedTable& table) {
  Resolved result;
  result.kind = expression.kind;
  if (expression.kind == Expression::Kind::equals) {
    result.column = table.column(expression.column);
    const Domain& domain = table.domain(result.column);
    const auto place = domain.find(expression.value);
    if (place == Domain::npos) refuse_value(expression.column, expression.value, domain.values());
    result.code = static_cast<WeightedTable::Code>(place);
  }
  for (const auto& part : expression.parts) result.parts.push_back(resolve(part, table));
  return result;
}

template <typename Holds>
DoubleDouble weight_where(const WeightedTable& table, const Holds& holds) {
  DoubleDouble sum;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (holds(table.row(i))) sum = sum + table.weight(i);
  }
  return sum;
}

void refuse_nothing(const Question& question, const WeightedTable& table, DoubleDouble total) {
  if (total.hi > 0) return;
  if (table.size() == 0) {
    throw Error(ErrorKind::data, fmt::format("{}: no row has a value in {}", question.text,
                                             join(table.columns(), " and ")));
  }
  throw Error(ErrorKind::data, question.text + ": the weights sum to 0");
}

std::vector<Cell> distribution(const WeightedTable& cells, DoubleDouble total) {
  std::vector<Cell> result;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Cell cell;
    for (std::size_t c = 0; c < cells.columns().size(); ++c) {
      cell.values.push_back(cells.domain(c)[static_cast<std::size_t>(cells.row(i)[c])]);
    }
    cell.probability = ratio(cells.weight(i), total, cells.counts());
    result.push_back(std::move(cell));
  }
  std::sort(result.begin(), result.end(), [](const Cell& a, const Cell& b) {
    return std::lexicographical_compare(a.values.begin(), a.values.end(), b.values.begin(),
                                        b.values.end(), natural_less);
  });
  return result;
}

// The shortest decimal within the uncertainty of a quotient of sums of weights, each of which was
// rounded to a double when it was read: 0.05 + 0.25 is 0.3, not 0.30000000000000004.
double tidy(double value) {
  for (int digits = 1; digits < 17; ++digits) {
    const double shorter = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
    if (std::abs(shorter - value) <= 0x1p-52 * std::abs(value)) return shorter;
  }
  return value;
}

}  // namespace

Probability ratio(DoubleDouble part, DoubleDouble whole, bool counts) {
  const double value = (part / whole).value();
  return {counts ? value : tidy(value), part.value(), whole.value()};
}

Answer answer(const Question& question, const WeightedTable& table) {
  const auto always = [](Codes) { return true; };
  const DoubleDouble everything = weight_where(table, always);
  refuse_nothing(question, table, everything);

  // An empty "all" holds everywhere: no condition is the condition that always holds.
  const Resolved condition = question.condition ? resolve(*question.condition, table) : Resolved{};
  const auto given = [&](Codes row) { return condition.holds(row); };
  Answer result{question, table.counts(), table.left_out(), {}, {}, {}};
  const bool probability = question.kind == Question::Kind::probability;
  const Resolved event = probability ? resolve(question.event, table) : Resolved{};
  const DoubleDouble total = question.condition ? weight_where(table, given) : everything;
  if (total.hi <= 0) {
    throw Error(ErrorKind::data, question.text + ": the condition has probability 0");
  }
  if (probability) {
    const auto both = [&](Codes row) { return given(row) && event.holds(row); };
    result.probability = ratio(weight_where(table, both), total, table.counts());
    return result;
  }
  std::vector<std::size_t> columns;
  for (const auto& name : question.columns) columns.push_back(table.column(name));
  const WeightedTable cells = table.project(columns, given);
  if (question.kind == Question::Kind::distribution) {
    result.distribution = distribution(cells, total);
  } else {
    result.independence = independence(cells, total);
  }
  return result;
}

}  // namespace credence

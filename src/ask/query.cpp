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
  std::vector<bool> codes;  // of an order or a word: which values it holds for
  std::vector<Resolved> parts;

  bool holds(Codes row) const {
    const auto part_holds = [&](const Resolved& part) { return part.holds(row); };
    switch (kind) {
      case Expression::Kind::equals:
        return row[column] == code;
      case Expression::Kind::below:
      case Expression::Kind::at_most:
      case Expression::Kind::has:
        return codes[static_cast<std::size_t>(row[column])];
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

// Which values of a column are below a number; a column that holds a word has no order.
std::vector<bool> in_order(const Expression& expression, const Domain& domain) {
  const double limit = *to_number(expression.value);
  std::vector<bool> result;
  for (const auto& value : domain.values()) {
    const auto number = to_number(value);
    if (!number) {
      throw Error(ErrorKind::usage,
                  fmt::format("column \"{}\" has the value \"{}\", which is not a number to "
                              "compare with {}",
                              expression.column, value, expression.value));
    }
    result.push_back(expression.kind == Expression::Kind::below ? *number < limit
                                                                : *number <= limit);
  }
  return result;
}

// Which values of a column have a word among those between their spaces.
std::vector<bool> with_word(const std::string& word, const Domain& domain) {
  std::vector<bool> result;
  for (const auto& value : domain.values()) {
    const auto words = split(value, ' ');
    result.push_back(std::find(words.begin(), words.end(), word) != words.end());
  }
  return result;
}

Resolved resolve(const Expression& expression, const WeightedTable& table) {
  Resolved result;
  result.kind = expression.kind;
  if (expression.kind == Expression::Kind::has) {
    result.column = table.column(expression.column);
    result.codes = with_word(expression.value, table.domain(result.column));
  }
  if (expression.kind == Expression::Kind::below || expression.kind == Expression::Kind::at_most) {
    result.column = table.column(expression.column);
    result.codes = in_order(expression, table.domain(result.column));
  }
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
// rounded to a double when it was read: 0.05 + 0.25 is 0.3, not 0.30000000000000004. Or the
// simplest fraction that near: 1/3 is 0.3333333333333333, not 0.3333333333333334.
double tidy(double value) {
  // Products of many weights are off by some units of the last place, and more where a model adds
  // up logarithms; the shorter a decimal that near is, the less it is an accident.
  for (int digits = 1; digits < 17; ++digits) {
    const double shorter = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
    const double near = digits <= 10 ? 0x1p-46 : digits <= 12 ? 0x1p-50 : 0x1p-52;
    if (std::abs(shorter - value) <= near * std::abs(value)) return shorter;
  }
  const auto fraction = value > 0 ? as_fraction(value, 0x1p-50) : std::nullopt;
  return fraction ? fraction->first / fraction->second : value;
}

}  // namespace

Probability ratio(DoubleDouble part, DoubleDouble whole, bool counts) {
  const double value = (part / whole).value();
  return {counts ? value : tidy(value), part.value(), whole.value()};
}

namespace {

// What a question asks, with its columns and statements as places in a table.
class Asked {
 public:
  Asked(const Question& question, const WeightedTable& table, const WeightedTable& events)
      : question_(question),
        table_(table),
        events_(events),
        // An empty "all" holds everywhere: no condition is the condition that always holds.
        condition_(question.condition ? resolve(*question.condition, table) : Resolved{}) {
    if (question.kind == Question::Kind::probability) event_ = resolve(question.event, table);
    for (const auto& name : question.columns) columns_.push_back(table.column(name));
    for (const auto& name : question.given) given_.push_back(table.column(name));
  }

  bool allows(Codes row) const { return condition_.holds(row); }

  // Of the rows for which `where` holds, which weigh `total` together.
  template <typename Result, typename Where>
  void put(Result& result, DoubleDouble total, const Where& where) const {
    if (question_.kind == Question::Kind::probability) {
      const auto both = [&](Codes row) { return where(row) && event_.holds(row); };
      result.probability = ratio(weight_where(events_, both), total, table_.counts());
      return;
    }
    const WeightedTable cells = table_.project(columns_, where);
    if (question_.kind == Question::Kind::distribution) {
      result.distribution = distribution(cells, total);
    } else {
      result.independence = independence(cells, total);
    }
  }

  std::vector<GivenAnswer> cases(DoubleDouble total) const {
    const auto allowed = [&](Codes row) { return allows(row); };
    const WeightedTable values = table_.project(given_, allowed);
    std::vector<GivenAnswer> result;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values.weight(i).hi <= 0) continue;
      const Codes here = values.row(i);
      GivenAnswer one;
      for (std::size_t c = 0; c < given_.size(); ++c) {
        one.given.push_back(values.domain(c)[static_cast<std::size_t>(here[c])]);
      }
      one.share = ratio(values.weight(i), total, table_.counts());
      put(one, values.weight(i), [&](Codes row) {
        for (std::size_t c = 0; c < given_.size(); ++c) {
          if (row[given_[c]] != here[c]) return false;
        }
        return allows(row);
      });
      result.push_back(std::move(one));
    }
    std::sort(result.begin(), result.end(), [](const GivenAnswer& a, const GivenAnswer& b) {
      return std::lexicographical_compare(a.given.begin(), a.given.end(), b.given.begin(),
                                          b.given.end(), natural_less);
    });
    return result;
  }

 private:
  const Question& question_;
  const WeightedTable& table_;
  const WeightedTable& events_;
  Resolved condition_, event_;
  std::vector<std::size_t> columns_, given_;
};

}  // namespace

Answer answer(const Question& question, const WeightedTable& table, const WeightedTable* events) {
  const auto always = [](Codes) { return true; };
  const DoubleDouble everything = weight_where(table, always);
  refuse_nothing(question, table, everything);
  const Asked asked(question, table, events ? *events : table);
  const auto allowed = [&](Codes row) { return asked.allows(row); };
  Answer result{question, table.counts(), table.left_out(), {}, {}, {}, {}};
  const DoubleDouble total = question.condition ? weight_where(table, allowed) : everything;
  if (total.hi <= 0) {
    throw Error(ErrorKind::data, question.text + ": the condition has probability 0");
  }
  if (question.given.empty()) {
    asked.put(result, total, allowed);
    return result;
  }
  result.cases = asked.cases(total);
  if (question.kind == Question::Kind::independence) result.independence = together(result.cases);
  return result;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "credence/steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/log_math.hpp"
#include "families/family.hpp"
#include "families/working.hpp"

namespace credence {

std::string latex_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '^' || c == '~') {
      result += c == '\\' ? "\\textbackslash{}" : fmt::format("\\{}{{}}", c);
    } else {
      if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
  }
  return result;
}

std::string latex_text(const std::string& text) {
  return fmt::format("\\text{{{}}}", latex_escaped(text));
}

namespace {

// Numbers, and values that are also those of another column or a class, need their column's name.
std::string value_named(const Term& term, const std::vector<Term>& all,
                        const std::vector<std::string>& classes, bool number) {
  const auto& value = term.of.empty() ? term.value : term.of;
  // It stands in the brackets of P already.
  if (value == "(all absent ones)") return "all absent ones";
  const bool shared = std::any_of(all.begin(), all.end(),
                                  [&](const Term& other) {
                                    return other.column != term.column && other.value == term.value;
                                  }) ||
                      std::find(classes.begin(), classes.end(), value) != classes.end();
  return number || shared || value.empty() ? term.column + "=" + value : value;
}

// What a value stands below in a tree, "Outlook = Sunny"; "" where it stands alone.
std::string condition_of(const Term& term) {
  const auto start = term.of + " given ";
  return !term.of.empty() && term.value.starts_with(start) ? term.value.substr(start.size()) : "";
}

// factor: no column says this; calibration adds it, and it is no probability of a value.
Notation symbol(const Term& term, const std::string& value, const std::string& cls, bool density,
                bool factor) {
  const char* letter = density ? "p" : "P";
  if (term.value.empty()) {
    return {fmt::format("P({})", cls), fmt::format("P({})", latex_text(cls))};
  }
  if (factor) {
    return {fmt::format("{}({})", value, cls),
            fmt::format("{}({})", latex_text(value), latex_text(cls))};
  }
  const auto given = condition_of(term);
  const auto plain = given.empty() ? cls : given + ", " + cls;
  const auto latex = given.empty() ? latex_text(cls) : latex_text(given) + ", " + latex_text(cls);
  return {fmt::format("{}({}|{})", letter, value, plain),
          fmt::format("{}({}\\mid {})", letter, latex_text(value), latex)};
}

const ColumnSpec* column_of(const Classifier& classifier, const Term& term) {
  const auto& columns = classifier.schema().columns;
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const auto& column) { return column.name == term.column; });
  return found == columns.end() ? nullptr : &*found;
}

bool is_number(const ColumnSpec* column) {
  return column && column->kind != ColumnKind::category && column->kind != ColumnKind::bag &&
         column->kind != ColumnKind::text;
}

// The factor itself: 0 stays 0, and 1 stays 1.
double without_power(double log_value, double power) {
  return power == 0 || log_value == 0 || log_value == -infinity ? log_value : log_value / power;
}

}  // namespace

Steps steps(const Classifier& classifier, const Chunk& chunk, std::size_t row) {
  Steps result{classifier.classes(), {}, std::vector<double>(classifier.classes().size(), 0.0), {}};
  const auto terms = classifier.terms(chunk, row);
  for (const auto& term : terms) {
    const auto* column = column_of(classifier, term);
    const bool number = is_number(column);
    const bool added = !column && term.column == calibration_column;
    const auto value = added ? term.value : value_named(term, terms, result.classes, number);
    Steps::Factor factor{term.column, term.value,       term.power,  {},
                         {},          term.log_density, term.ignored};
    for (std::size_t c = 0; c < result.classes.size(); ++c) {
      const double log_value = term.log_density[c];
      result.log_products[c] += log_value;
      factor.workings.push_back(
          term.working ? term.working(c)
                       : working_of_number(without_power(log_value, term.power), number));
      factor.symbols.push_back(
          symbol(term, value, result.classes[c], factor.workings.back().density, added));
    }
    result.factors.push_back(std::move(factor));
  }
  result.posterior = posterior(result.log_products);
  return result;
}

}  // namespace credence

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
  const bool shared = std::any_of(all.begin(), all.end(),
                                  [&](const Term& other) {
                                    return other.column != term.column && other.value == term.value;
                                  }) ||
                      std::find(classes.begin(), classes.end(), value) != classes.end();
  return number || shared || value.empty() ? term.column + "=" + value : value;
}

Notation symbol(const Term& term, const std::string& value, const std::string& cls, bool density) {
  const char* letter = density ? "p" : "P";
  if (term.value.empty()) {
    return {fmt::format("P({})", cls), fmt::format("P({})", latex_text(cls))};
  }
  return {fmt::format("{}({}|{})", letter, value, cls),
          fmt::format("{}({}\\mid {})", letter, latex_text(value), latex_text(cls))};
}

bool is_number(const Classifier& classifier, const Term& term) {
  for (const auto& column : classifier.schema().columns) {
    if (column.name != term.column) continue;
    return column.kind != ColumnKind::category && column.kind != ColumnKind::bag &&
           column.kind != ColumnKind::text;
  }
  return false;
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
    const bool number = is_number(classifier, term);
    const auto value = value_named(term, terms, result.classes, number);
    Steps::Factor factor{term.column, term.value,       term.power,  {},
                         {},          term.log_density, term.ignored};
    for (std::size_t c = 0; c < result.classes.size(); ++c) {
      const double log_value = term.log_density[c];
      result.log_products[c] += log_value;
      factor.workings.push_back(
          term.working ? term.working(c)
                       : working_of_number(without_power(log_value, term.power), number));
      factor.symbols.push_back(
          symbol(term, value, result.classes[c], factor.workings.back().density));
    }
    result.factors.push_back(std::move(factor));
  }
  result.posterior = posterior(result.log_products);
  return result;
}

}  // namespace credence

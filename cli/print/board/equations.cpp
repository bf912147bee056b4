// SPDX-License-Identifier: Apache-2.0
#include "cli/print/board/equations.hpp"

#include <algorithm>
#include <cmath>

#include "ask/models/thresholds.hpp"
#include "core/strings.hpp"
#include "credence/steps.hpp"

namespace credence::cli {

std::string linear_text(const LinearForm& form, const std::vector<std::string>& classes,
                        Sheet sheet) {
  const bool two = classes.size() == 2;
  SheetRows rows(1, {""});
  for (const auto& cls : classes) rows[0].push_back(cls);
  if (two) rows[0].push_back(fmt::format("{} against {}", classes[0], classes[1]));
  const auto add = [&](const std::string& name, const std::vector<double>& values) {
    rows.push_back({name});
    for (const double value : values) rows.back().push_back(six_digits(value));
    if (two) rows.back().push_back(six_digits(values[0] - values[1]));
  };
  add("(intercept)", form.intercepts);
  for (const auto& feature : form.features) add(feature.name, feature.coefficients);
  return table_on(sheet, rows);
}

Json linear_json(const LinearForm& form, const std::vector<std::string>& classes) {
  Json json;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    json["intercept"][classes[c]] = number(form.intercepts[c]);
    for (const auto& feature : form.features) {
      json["coefficients"][feature.name][classes[c]] = number(feature.coefficients[c]);
    }
  }
  return json;
}

namespace {

// More terms are a table, not an equation; more classes have too many pairs to read.
constexpr std::size_t most_terms = 40, most_classes = 10;

LinearForm checked_form(const Scorer& scorer) {
  if (scorer.classes().size() > most_classes) {
    throw Error(ErrorKind::usage, fmt::format("--equations: {} classes have too many pairs ({} at "
                                              "most); --linear has a table of all classes",
                                              scorer.classes().size(), most_classes));
  }
  auto form = scorer.linear_form(true);
  if (form.features.size() > most_terms) {
    throw Error(ErrorKind::usage,
                fmt::format("--equations: {} terms are more than one can read ({} at most); "
                            "--linear has a table of them",
                            form.features.size(), most_terms));
  }
  return form;
}

// "height²" and "a·b" are powers and products, "Outlook=Sunny" is 1 where it holds.
std::string symbol(const std::string& name, bool latex) {
  const bool event = name.find('=') != std::string::npos || name.find(": ") != std::string::npos;
  if (!latex) return event ? "[" + name + "]" : name;
  if (event) return "[" + latex_text(name) + "]";
  constexpr std::string_view square = "²", dot = "·";
  if (name.ends_with(square)) {
    return latex_text(name.substr(0, name.size() - square.size())) + "^2";
  }
  const auto at = name.find(dot);
  if (at == std::string::npos) return latex_text(name);
  return latex_text(name.substr(0, at)) + "\\," + latex_text(name.substr(at + dot.size()));
}

std::string size_of(double value, bool latex) {
  if (std::isinf(value)) return latex ? "\\infty" : "∞";
  const auto text = six_digits(std::abs(value));
  return latex && text.find('e') != std::string::npos ? notation(std::abs(value)).latex : text;
}

// "−1.5 + 2·height − 0.01·height²": what one class has over the other.
std::string sum_of(const LinearForm& form, std::size_t a, std::size_t b, bool latex) {
  const char* minus = latex ? "-" : "−";
  const double intercept = form.intercepts[a] - form.intercepts[b];
  std::string result = (intercept < 0 ? minus : "") + size_of(intercept, latex);
  for (const auto& feature : form.features) {
    const double value = feature.coefficients[a] - feature.coefficients[b];
    if (value == 0 || std::isnan(value)) continue;
    result += fmt::format(" {} {}{}{}", value < 0 ? minus : "+", size_of(value, latex),
                          latex ? "\\," : "·", symbol(feature.name, latex));
  }
  return result;
}

std::string odds(const std::string& a, const std::string& b, bool latex) {
  return latex ? fmt::format("\\log\\frac{{P({}\\mid x)}}{{P({}\\mid x)}}", latex_text(a),
                             latex_text(b))
               : fmt::format("log P({}|x)/P({}|x)", a, b);
}

std::string regions_text(const Thresholds& found, const std::vector<std::string>& classes,
                         Sheet sheet) {
  SheetRows rows{{found.column, "most probable"}};
  const auto& ends = found.thresholds;
  for (std::size_t i = 0; i < found.winners.size(); ++i) {
    std::string where = "everywhere";
    if (i > 0 && i < ends.size()) {
      where = fmt::format("{} to {}", six_digits(ends[i - 1]), six_digits(ends[i]));
    } else if (!ends.empty()) {
      where = i == 0 ? "below " + six_digits(ends[0]) : "above " + six_digits(ends.back());
    }
    rows.push_back({where, classes[found.winners[i]]});
  }
  if (found.at_zero) rows.push_back({"0 itself", classes[*found.at_zero]});
  return table_on(sheet, rows, 0);
}

// The form; where there is none, but one column of numbers, where the decision changes.
std::optional<LinearForm> form_or(const Model& model, const Scorer& scorer,
                                  std::optional<Thresholds>& found) {
  try {
    return checked_form(scorer);
  } catch (const Error&) {
    found = found_thresholds(model, scorer);
    if (!found) throw;
    return std::nullopt;
  }
}

}  // namespace

std::string equations_text(const Model& model, const Scorer& scorer, Sheet sheet) {
  const auto& classes = scorer.classes();
  std::optional<Thresholds> found;
  const auto of_model = form_or(model, scorer, found);
  if (!of_model) return regions_text(*found, classes, sheet);
  const auto& form = *of_model;
  const bool latex = sheet != Sheet::plain;
  std::vector<std::string> lines;
  for (std::size_t a = 0; a < classes.size(); ++a) {
    for (std::size_t b = a + 1; b < classes.size(); ++b) {
      // The boundary is where this is 0: where one is more probable the sign says.
      lines.push_back(odds(classes[a], classes[b], latex) +
                      (sheet == Sheet::latex ? " &= " : " = ") + sum_of(form, a, b, latex));
    }
  }
  std::string result;
  if (sheet == Sheet::latex) {
    result = "\\begin{align*}\n" + join(lines, " \\\\\n") + "\n\\end{align*}\n";
  } else {
    for (const auto& line : lines)
      result += sheet == Sheet::plain ? line + "\n" : "$$" + line + "$$\n\n";
  }
  found = thresholds(model, scorer, form);
  return found ? result + "\n" + regions_text(*found, classes, sheet) : result;
}

Json equations_json(const Model& model, const Scorer& scorer) {
  const auto& classes = scorer.classes();
  std::optional<Thresholds> found;
  const auto form = form_or(model, scorer, found);
  Json json{{"log_odds", Json::array()}};
  for (std::size_t a = 0; form && a < classes.size(); ++a) {
    for (std::size_t b = a + 1; b < classes.size(); ++b) {
      Json one{{"classes", {classes[a], classes[b]}},
               {"intercept", number(form->intercepts[a] - form->intercepts[b])},
               {"terms", Json::object()}};
      for (const auto& feature : form->features) {
        const double value = feature.coefficients[a] - feature.coefficients[b];
        if (value != 0) one["terms"][feature.name] = number(value);
      }
      json["log_odds"].push_back(std::move(one));
    }
  }
  if (form) found = thresholds(model, scorer, *form);
  if (found) {
    json["thresholds"] = {{"column", found->column}, {"at", found->thresholds}};
    for (const auto cls : found->winners) json["thresholds"]["classes"].push_back(classes[cls]);
    if (found->at_zero) json["thresholds"]["at_zero"] = classes[*found->at_zero];
  }
  return json;
}

std::string parameters_text(const Model& model, const Scorer& scorer, Sheet sheet) {
  const auto counts = count_parameters(model, scorer);
  SheetRows rows{{"", "of each class", "in all"}, {"prior", "", format_number(counts.prior)}};
  for (const auto& block : counts.blocks) {
    rows.push_back({fmt::format("{} ({})", block.title, block.family),
                    block.of_each_class ? format_number(*block.of_each_class) : "",
                    format_number(block.parameters)});
  }
  rows.push_back({"sum", "", format_number(counts.all)});
  std::string result = table_on(sheet, rows) + (sheet == Sheet::markdown ? "\n" : "");
  if (!counts.no_table_because.empty()) {
    return result + fmt::format("{}: there is no table of all combinations to compare with\n",
                                counts.no_table_because);
  }
  const double most = 1e15;
  return result + fmt::format("The table of all combinations would have {}.\n",
                              counts.log10_table < std::log10(most)
                                  ? format_number(std::round(std::pow(10, counts.log10_table)) - 1)
                                  : fmt::format("about 10^{:.0f}", counts.log10_table));
}

Json parameters_json(const Model& model, const Scorer& scorer) {
  const auto counts = count_parameters(model, scorer);
  Json json{{"prior", count(counts.prior)}, {"blocks", Json::array()}, {"all", count(counts.all)}};
  for (const auto& block : counts.blocks) {
    json["blocks"].push_back(
        {{"columns", block.title},
         {"family", block.family},
         {"of_each_class", block.of_each_class ? count(*block.of_each_class) : Json()},
         {"all", count(block.parameters)}});
  }
  json["joint_table"] = counts.no_table_because.empty() && counts.log10_table < 300
                            ? count(std::round(std::pow(10, counts.log10_table)) - 1)
                            : Json();
  return json;
}

}  // namespace credence::cli

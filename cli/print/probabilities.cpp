// SPDX-License-Identifier: Apache-2.0
#include "cli/print/probabilities.hpp"

#include <algorithm>
#include <limits>

#include "core/strings.hpp"

namespace credence::cli {
namespace {

// Products and quotients of a model's numbers are right to about 15 digits: the 16th is noise.
std::string without_noise(double value) {
  return format_number(to_number(fmt::format("{:.15g}", value)).value_or(value));
}

std::string shown(const Probability& p, bool counts) {
  if (!counts) return without_noise(p.value);
  return fmt::format("{}/{} = {}", format_number(p.numerator), format_number(p.denominator),
                     format_number(p.value));
}

std::string event_of(const Answer& answer, std::size_t first, std::size_t count) {
  const auto& names = answer.question.columns;
  std::vector<std::string> parts;
  for (std::size_t i = first; i < first + count; ++i) {
    parts.push_back(spelled(names[i], true) + "=" + spelled(answer.independence.values[i]));
  }
  const auto& condition = answer.question.condition_text;
  return fmt::format("P({}{}{})", join(parts, ", "), condition.empty() ? "" : " | ", condition);
}

std::string test_text(const Independence& found) {
  const auto& test = found.test;
  if (test.freedom <= 0) return "";
  return fmt::format("  G = {}, {} degree{} of freedom: p = {}\n", six_digits(test.g),
                     format_number(test.freedom), test.freedom == 1 ? "" : "s",
                     six_digits(test.p_value));
}

std::string independence_text(const Answer& answer) {
  const auto& found = answer.independence;
  if (found.independent) return answer.question.text + ": yes\n";
  std::string result = answer.question.text + ": no\n";
  if (answer.cases.empty()) {
    std::string product;
    const std::size_t columns = answer.question.columns.size();
    for (std::size_t i = 0; i < columns; ++i) product += (i ? " " : "") + event_of(answer, i, 1);
    result += fmt::format("  {} = {}, but {} = {}\n", event_of(answer, 0, columns),
                          without_noise(found.joint), product, without_noise(found.product));
  }
  return result +
         fmt::format("  mutual information {} nats\n", six_digits(found.mutual_information)) +
         test_text(found);
}

// One line for each value of the condition's columns.
std::string cases_text(const Answer& answer) {
  const bool probability = answer.question.kind == Question::Kind::probability;
  std::vector<std::vector<std::string>> rows{answer.question.given};
  // There is no test where rows weigh something, or where a model says what is so.
  const bool tests = std::any_of(answer.cases.begin(), answer.cases.end(),
                                 [](const auto& one) { return one.independence.test.freedom > 0; });
  if (probability) {
    rows[0].push_back(answer.question.density ? "p" : "P");
  } else {
    for (const char* name : {"independent", "mutual information"}) rows[0].push_back(name);
    for (const char* name : {"G", "p"}) {
      if (tests) rows[0].push_back(name);
    }
  }
  for (const auto& one : answer.cases) {
    rows.push_back(one.given);
    if (probability) {
      rows.back().push_back(shown(one.probability, answer.counts));
      continue;
    }
    const auto& found = one.independence;
    const bool tested = found.test.freedom > 0;
    rows.back().push_back(found.independent ? "yes" : "no");
    rows.back().push_back(six_digits(found.mutual_information));
    if (!tests) continue;
    rows.back().push_back(tested ? six_digits(found.test.g) : "");
    rows.back().push_back(tested ? six_digits(found.test.p_value) : "");
  }
  return aligned(rows, 2);
}

// The conditional table: a line for each value of the condition, a column for each value of what is
// asked for.
std::string conditional_text(const Answer& answer) {
  std::vector<std::vector<std::string>> all;
  for (const auto& one : answer.cases) {
    for (const auto& cell : one.distribution) {
      if (std::find(all.begin(), all.end(), cell.values) == all.end()) all.push_back(cell.values);
    }
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), natural_less);
  });
  std::vector<std::vector<std::string>> rows{answer.question.given};
  for (const auto& values : all) rows[0].push_back(join(values, ", "));
  for (const auto& one : answer.cases) {
    rows.push_back(one.given);
    for (const auto& values : all) {
      Probability p{0, 0, one.share.numerator};
      for (const auto& cell : one.distribution) {
        if (cell.values == values) p = cell.probability;
      }
      rows.back().push_back(answer.counts ? fmt::format("{}/{}", format_number(p.numerator),
                                                        format_number(p.denominator))
                                          : without_noise(p.value));
    }
  }
  return aligned(rows, 2);
}

}  // namespace

std::string text_of(const Answer& answer) {
  const auto& text = answer.question.text;
  if (answer.question.kind == Question::Kind::independence) {
    return independence_text(answer) + (answer.cases.empty() ? "" : cases_text(answer));
  }
  if (!answer.cases.empty()) {
    const bool probability = answer.question.kind == Question::Kind::probability;
    return text + ":\n" + (probability ? cases_text(answer) : conditional_text(answer));
  }
  if (answer.question.kind == Question::Kind::probability) {
    return fmt::format("{} = {}\n", text, shown(answer.probability, answer.counts));
  }
  std::vector<std::vector<std::string>> rows{answer.question.columns};
  rows[0].push_back("P");
  for (const auto& cell : answer.distribution) {
    rows.push_back(cell.values);
    rows.back().push_back(shown(cell.probability, answer.counts));
  }
  return text + ":\n" + aligned(rows, 2);
}

std::string text_of(const CodedTable& table, const std::vector<PairDependence>& pairs) {
  constexpr std::size_t most = 40;
  const auto& columns = table.columns();
  const bool tested = table.weights().empty();
  std::vector<std::vector<std::string>> rows{{"columns", "mutual information"}};
  if (tested) {
    for (const char* name : {"G", "degrees of freedom", "p"}) rows[0].push_back(name);
  }
  for (std::size_t i = 0; i < pairs.size() && i < most; ++i) {
    const auto& pair = pairs[i];
    rows.push_back({columns[pair.first].name + ", " + columns[pair.second].name,
                    six_digits(pair.mutual_information)});
    if (!tested) continue;
    rows.back().push_back(six_digits(pair.test.g));
    rows.back().push_back(format_number(pair.test.freedom));
    rows.back().push_back(six_digits(pair.test.p_value));
  }
  std::string text =
      fmt::format("dependence given {}: {} rows, {} columns, {} pair{}\n", columns.back().name,
                  table.rows(), columns.size() - 1, pairs.size(), pairs.size() == 1 ? "" : "s");
  std::vector<std::string> cut;
  std::size_t ranges = 0;
  for (const auto& column : columns) {
    if (column.ranges == 0) continue;
    cut.push_back(column.name);
    ranges = column.ranges;
  }
  text += aligned(rows, 2);
  if (pairs.size() > most)
    text += fmt::format("  … and {} more (--json has all)\n", pairs.size() - most);
  if (!cut.empty()) {
    text += fmt::format("{} ranges with about as many rows in each: {}\n", ranges, join(cut, ", "));
  }
  return text;
}

Json json_of(const CodedTable& table, const std::vector<PairDependence>& pairs) {
  const auto& columns = table.columns();
  Json result{{"class", columns.back().name}, {"rows", table.rows()}, {"pairs", Json::array()}};
  for (const auto& column : columns) {
    if (column.ranges > 0) result["ranges"][column.name] = column.ranges;
  }
  for (const auto& pair : pairs) {
    Json one{{"columns", {columns[pair.first].name, columns[pair.second].name}},
             {"mutual_information", pair.mutual_information}};
    if (table.weights().empty()) {
      one["g"] = pair.test.g;
      one["degrees_of_freedom"] = pair.test.freedom;
      one["p_value"] = pair.test.p_value;
    }
    result["pairs"].push_back(std::move(one));
  }
  return result;
}

plot::PairMap pair_map_of(const CodedTable& table, const std::vector<PairDependence>& pairs) {
  constexpr std::size_t most = 40;
  std::vector<std::size_t> shown;
  for (const auto& pair : pairs) {
    for (const auto column : {pair.first, pair.second}) {
      if (shown.size() < most && std::find(shown.begin(), shown.end(), column) == shown.end()) {
        shown.push_back(column);
      }
    }
  }
  std::sort(shown.begin(), shown.end());
  plot::PairMap map{fmt::format("Dependence given {}", table.columns().back().name),
                    "mutual information in nats",
                    "nats",
                    {},
                    {},
                    {}};
  if (shown.size() + 1 < table.columns().size()) {
    map.subtitle += fmt::format(", {} of {} columns", shown.size(), table.columns().size() - 1);
  }
  for (const auto column : shown) map.names.push_back(table.columns()[column].name);
  const auto size = shown.size();
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  map.cells.assign(size, std::vector<double>(size, nothing));
  if (table.weights().empty()) {
    map.subtitle += "; framed: p < 0.05 over all pairs (Bonferroni)";
    map.marked.assign(size, std::vector<bool>(size, false));
  }
  const auto place = [&](std::size_t column) {
    return static_cast<std::size_t>(std::find(shown.begin(), shown.end(), column) - shown.begin());
  };
  for (const auto& pair : pairs) {
    const auto i = place(pair.first), j = place(pair.second);
    if (i == size || j == size) continue;
    map.cells[i][j] = map.cells[j][i] = pair.mutual_information;
    const bool telling = pair.test.p_value * static_cast<double>(pairs.size()) < 0.05;
    if (!map.marked.empty()) map.marked[i][j] = map.marked[j][i] = telling;
  }
  return map;
}

}  // namespace credence::cli

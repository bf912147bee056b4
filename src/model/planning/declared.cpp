// SPDX-License-Identifier: Apache-2.0
#include "model/planning/declared.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/free_form/histogram_bins.hpp"
#include "families/statistics/domain.hpp"
#include "notation/reading.hpp"

namespace credence {

std::vector<std::string> names_of(const std::vector<ColumnProfile>& profile) {
  std::vector<std::string> names;
  for (const auto& column : profile) names.push_back(column.name);
  return names;
}

[[noreturn]] void no_such_column(const std::string& option, const std::string& name,
                                 const std::vector<ColumnProfile>& profile) {
  const auto names = names_of(profile);
  auto hint = suggestion(name, names);
  if (hint.empty() && names.size() <= 12) hint = "; the columns are " + join(names, ", ");
  throw Error(ErrorKind::usage, fmt::format("{}: no column \"{}\"{}", option, name, hint));
}

std::size_t find_column(const std::string& option, const std::string& name,
                        const std::vector<ColumnProfile>& profile) {
  for (std::size_t i = 0; i < profile.size(); ++i) {
    if (profile[i].name == name) return i;
  }
  no_such_column(option, name, profile);
}

namespace {

void declare_values(const std::string& text, const std::vector<ColumnProfile>& profile,
                    Declared& declared) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: write 'COLUMN=value|value|…'", setting("values", text)));
  }
  const std::string name(trim(std::string_view(text).substr(0, equals)));
  find_column(setting("values"), name, profile);
  auto values = split(std::string_view(text).substr(equals + 1), '|');
  Domain seen;
  for (const auto& value : values) {
    if (value.empty()) {
      throw Error(ErrorKind::usage, fmt::format("{}: a value is empty", setting("values", text)));
    }
    if (seen.find(value) != Domain::npos) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: \"{}\" stands twice", setting("values", text), value));
    }
    seen.insert(value);
  }
  declared[name] = std::move(values);
}

// The values that a table itself declares of a column, but for those that mean "no value".
std::vector<std::string> values_in_table(const ColumnProfile& column, const Plan& plan) {
  auto values = column.values;
  std::erase_if(values, [&](const std::string& value) {
    return std::find(plan.missing.begin(), plan.missing.end(), value) != plan.missing.end();
  });
  return values;
}

}  // namespace

std::vector<std::string> order_of_classes(const ColumnProfile& target, const Plan& plan,
                                          Declared& declared) {
  const auto said = declared.extract(target.name);
  if (!said.empty()) return said.mapped();
  // A table that says what would be so anyway has said nothing.
  auto classes = values_in_table(target, plan);
  if (std::is_sorted(classes.begin(), classes.end(), natural_less)) classes.clear();
  return classes;
}

Declared declared_by(const std::vector<ColumnProfile>& profile, const Plan& plan) {
  Declared declared;
  for (const auto& text : plan.values) declare_values(text, profile, declared);
  // What the table itself declares, where nobody says otherwise.
  for (const auto& column : profile) {
    if (column.values.empty() || column.name == plan.target) continue;
    declared.emplace(column.name, values_in_table(column, plan));
  }
  for (const auto& [name, shares] : plan.settings.shares) {
    // Of a bag they weigh the features that rows have, without saying that there are no others.
    const bool bag = std::any_of(
        profile.begin(), profile.end(),
        [&name = name](const ColumnProfile& column) { return column.bag && column.name == name; });
    if (bag) continue;
    Domain values(declared[name]);
    for (const auto& [value, share] : shares) values.insert(value);
    declared[name] = values.values();
  }
  return declared;
}

namespace {

std::vector<double> sampled_numbers(const ColumnProfile& column, const std::string& reading) {
  if (reading.empty()) return column.sample;
  std::vector<double> numbers;
  const auto read = data::parse_reading(reading);
  const auto add = [&](std::string_view cell) {
    double value = 0;
    if (read.number(data::trimmed(cell), value) == data::NumberState::finite) {
      numbers.push_back(value);
    }
  };
  for (const auto& cell : column.cells) add(cell);
  // Dates may look like plain numbers: 20240131.
  if (column.cells.empty()) {
    for (const double number : column.sample) add(format_number(number));
  }
  return numbers;
}

}  // namespace

std::vector<std::string> edges_for(const ColumnProfile& column, const std::string& reading,
                                   const Declared& declared) {
  if (const auto found = declared.find(column.name); found != declared.end()) return found->second;
  std::vector<std::string> result;
  for (const double edge : fine_edges(sampled_numbers(column, reading))) {
    result.push_back(format_number(edge));
  }
  return result;
}

}  // namespace credence

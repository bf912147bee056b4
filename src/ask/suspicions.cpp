// SPDX-License-Identifier: Apache-2.0
#include "ask/suspicions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/strings.hpp"
#include "core/tensors.hpp"
#include "credence/error.hpp"
#include "model/statistics.hpp"

namespace credence {
namespace {

// Without case, and without spaces at the ends or beside others.
std::string plainly(const std::string& name) {
  std::string result;
  for (const char c : ascii_lower(std::string(trim(name)))) {
    if (c != ' ' || !result.ends_with(' ')) result += c;
  }
  return result;
}

void add_classes_alike(const Model& model, std::vector<std::string>& found) {
  std::map<std::string, std::vector<std::string>> alike;
  for (const auto& name : model.classes()) alike[plainly(name)].push_back(name);
  for (const auto& [plain, names] : alike) {
    if (names.size() < 2) continue;
    found.push_back(fmt::format("the classes \"{}\" differ only in case or spaces: one class?",
                                join(names, "\", \"")));
  }
}

void add_classes_without_rows(const Model& model, std::vector<std::string>& found) {
  const auto& known = model.classes();
  for (const auto& name : model.schema().classes) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    found.push_back(fmt::format("no row has the class \"{}\"{}", name, suggestion(name, known)));
  }
}

// counts: [value][class]. Whether each value has one class, and each class one value.
bool one_to_one(const std::vector<double>& counts, std::size_t classes, double rows) {
  double present = 0;
  std::vector<int> values_of(classes, 0);
  for (std::size_t v = 0; v * classes < counts.size(); ++v) {
    int classes_of = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const double count = counts[v * classes + c];
      if (count == 0) continue;
      present += count;
      ++classes_of;
      ++values_of[c];
    }
    if (classes_of > 1) return false;
  }
  return present * 2 > rows &&
         std::all_of(values_of.begin(), values_of.end(), [](int values) { return values == 1; });
}

// The same of numbers: each class has one, and no two the same.
bool one_number_each(std::vector<double> means, const std::vector<double>& spreads,
                     const std::vector<double>& weights, double rows) {
  double present = 0;
  for (std::size_t c = 0; c < means.size(); ++c) {
    const double rounding = 1e-24 * weights[c] * means[c] * means[c];
    if (!(weights[c] > 0) || spreads[c] > rounding) return false;
    present += weights[c];
  }
  std::sort(means.begin(), means.end());
  return present * 2 > rows && std::adjacent_find(means.begin(), means.end()) == means.end();
}

bool says_the_class(const Model& model, std::size_t block, double rows) {
  const std::size_t classes = model.classes().size();
  Tensors arrays;
  model.statistics().block(block).save(arrays, "block");
  const auto array = [&](const char* name) {
    const auto found = arrays.all.find(std::string("block.") + name);
    return found == arrays.all.end() ? std::vector<double>()
                                     : arrays.numbers(found->first, found->second.shape);
  };
  const auto kind = model.schema().columns[model.blocks()[block].columns[0]].kind;
  if (kind == ColumnKind::category || kind == ColumnKind::binary) {
    const auto counts = array("counts");
    return !counts.empty() && one_to_one(counts, classes, rows);
  }
  const auto means = array("mean"), spreads = array("m2"), weights = array("weight");
  if (means.size() != classes || spreads.size() != classes || weights.size() != classes) {
    return false;
  }
  return one_number_each(means, spreads, weights, rows);
}

void add_copies_of_target(const Model& model, std::vector<std::string>& found) {
  constexpr double enough = 30;  // fewer rows may well be so by chance
  double rows = 0;
  for (const double weight : model.class_weights()) rows += weight;
  if (model.rows() < enough || model.classes().size() < 2) return;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const auto& columns = model.blocks()[b].columns;
    const auto& column = model.schema().columns[columns[0]];
    const bool words = column.kind == ColumnKind::category || column.kind == ColumnKind::binary;
    if (columns.size() > 1 || (!words && column.kind != ColumnKind::number)) continue;
    if (!says_the_class(model, b, rows)) continue;
    found.push_back(fmt::format(
        "\"{}\" has one value for each class, in every row: a copy of the target? ({} leaves it "
        "out)",
        column.name, setting("as", column.name + ": ignore")));
  }
}

}  // namespace

std::vector<std::string> suspicions(const Model& model) {
  std::vector<std::string> found;
  add_classes_alike(model, found);
  add_classes_without_rows(model, found);
  add_copies_of_target(model, found);
  return found;
}

}  // namespace credence

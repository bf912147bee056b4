// SPDX-License-Identifier: Apache-2.0
// Costs from a CSV file.
#include <fmt/format.h>

#include <algorithm>

#include "core/strings.hpp"
#include "credence/decision.hpp"
#include "credence/error.hpp"
#include "credence/source.hpp"

namespace credence {
namespace {

constexpr const char* reject_name = "reject";

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::data, fmt::format("{}: {}", path, what));
}

std::size_t place_of(const std::string& path, const std::string& name,
                     const std::vector<std::string>& classes) {
  const auto found = std::find(classes.begin(), classes.end(), name);
  if (found == classes.end()) {
    refuse(path, fmt::format("\"{}\" is no class of the model{}; its classes are {}", name,
                             suggestion(name, classes), join(classes, ", ")));
  }
  return static_cast<std::size_t>(found - classes.begin());
}

double cost_of(const std::string& path, const Categories& cells, std::size_t row,
               const std::string& decision, const std::string& truth) {
  const auto code = cells.codes[row];
  const std::string text = code < 0 ? "" : cells.dictionary[static_cast<std::size_t>(code)];
  const auto cost = to_number(text);
  if (cost) return *cost;
  refuse(path,
         fmt::format("the cost of \"{}\" when it is \"{}\" is {} (write a number, 0 if it "
                     "costs nothing)",
                     decision, truth,
                     code < 0 ? "missing" : fmt::format("\"{}\", not a finite number", text)));
}

// One cost for all where they are alike.
void put_rejects(const std::vector<double>& rejects, Costs& costs) {
  costs.reject = rejects[0];
  const bool alike =
      std::all_of(rejects.begin(), rejects.end(), [&](double cost) { return cost == rejects[0]; });
  if (!alike) costs.reject_of = rejects;
}

}  // namespace

Costs read_costs(const std::string& path, const std::vector<std::string>& classes) {
  ReadOptions options;
  options.format = FileFormat::csv;
  auto source = open_source({path}, options);
  Schema schema;
  schema.target = source->profile().front().name;
  if (schema.target.empty()) {
    refuse(path, "its first column has no name (call it \"truth\"; it holds the true classes)");
  }
  std::vector<std::size_t> decisions;  // of each column; all classes: reject
  for (std::size_t i = 1; i < source->profile().size(); ++i) {
    const auto& name = source->profile()[i].name;
    // As words: what is no number is refused here, where it is known to be a cost.
    schema.columns.push_back({name, ColumnKind::category, {}, {}});
    const bool reject =
        name == reject_name && std::find(classes.begin(), classes.end(), name) == classes.end();
    decisions.push_back(reject ? classes.size() : place_of(path, name, classes));
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (std::find(decisions.begin(), decisions.end(), c) == decisions.end()) {
      refuse(path, fmt::format("no column for the decision \"{}\"", classes[c]));
    }
  }
  source->select(schema, true);
  Costs result{std::vector<double>(classes.size() * classes.size(), 0.0)};
  std::vector<bool> seen(classes.size(), false);
  std::vector<double> rejects(classes.size(), 0.0);
  bool has_reject = false;
  RawChunk raw;
  while (source->read(raw)) {
    const Chunk chunk = source->parse(raw);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const auto code = chunk.labels.codes[r];
      if (code < 0) refuse(path, "a row does not name its true class");
      const auto& name = chunk.labels.dictionary[static_cast<std::size_t>(code)];
      const std::size_t truth = place_of(path, name, classes);
      if (seen[truth]) refuse(path, fmt::format("two rows for the class \"{}\"", name));
      seen[truth] = true;
      for (std::size_t i = 0; i < decisions.size(); ++i) {
        const auto& cells = std::get<Categories>(chunk.columns[i]);
        const double cost = cost_of(path, cells, r, schema.columns[i].name, name);
        if (decisions[i] < classes.size()) {
          result.of[truth * classes.size() + decisions[i]] = cost;
        } else {
          rejects[truth] = cost;
          has_reject = true;
        }
      }
    }
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (!seen[c]) refuse(path, fmt::format("no row for the true class \"{}\"", classes[c]));
  }
  if (has_reject) put_rejects(rejects, result);
  return result;
}

}  // namespace credence

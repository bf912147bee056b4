// SPDX-License-Identifier: Apache-2.0
#include "cli/print/structure.hpp"

#include <algorithm>
#include <map>

#include "core/strings.hpp"

namespace credence::cli {
namespace {

std::vector<ParameterTable> blocks_with_structure(const Scorer& scorer) {
  std::vector<ParameterTable> result;
  for (auto& table : scorer.tables()) {
    if (!table.structure.empty()) result.push_back(std::move(table));
  }
  if (result.empty()) {
    throw Error(ErrorKind::usage,
                "--structure: this model has no tree of columns (pairs read as tan or kdb=1 have "
                "one: fit --as 'a, b, c: pairs')");
  }
  return result;
}

using Children = std::map<std::string, std::vector<const ParameterTable::Dependence*>>;

// A column and all below it, each a step further to the right.
void add_branch(const ParameterTable::Dependence& entry, std::size_t depth,
                const Children& children, std::vector<std::vector<std::string>>& rows) {
  rows.push_back({std::string(2 * depth, ' ') + entry.column});
  if (!entry.parent.empty()) {
    rows.back().push_back(fmt::format("{:.4f}", entry.information));
    rows.back().push_back(format_number(entry.backoff));
  }
  const auto below = children.find(entry.column);
  if (below == children.end()) return;
  for (const auto* child : below->second) add_branch(*child, depth + 1, children, rows);
}

}  // namespace

std::string structure_text(const Scorer& scorer) {
  std::string text;
  for (const auto& table : blocks_with_structure(scorer)) {
    Children children;
    for (const auto& entry : table.structure) children[entry.parent].push_back(&entry);
    std::vector<std::vector<std::string>> rows{{"", "information", "back-off"}};
    for (const auto* root : children[""]) add_branch(*root, 0, children, rows);
    text += fmt::format("{}{}: what stands further right depends on what it stands below\n",
                        text.empty() ? "" : "\n", table.remark.substr(0, table.remark.find(';')));
    text += aligned(rows, 2);
  }
  return text;
}

Json structure_json(const Scorer& scorer) {
  Json result = Json::array();
  for (const auto& table : blocks_with_structure(scorer)) {
    result.push_back({{"columns", table.title},
                      {"reading", table.remark.substr(0, table.remark.find(';'))},
                      {"structure", structure_json(table)}});
  }
  return result;
}

}  // namespace credence::cli

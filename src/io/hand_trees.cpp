// SPDX-License-Identifier: Apache-2.0
#include "io/hand_trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/registry.hpp"

namespace credence {

namespace {

// More than anybody writes by hand; a file may hold anything.
constexpr std::size_t most_columns = 1000;
constexpr double most_cells = 2e7;

}  // namespace

HandTrees::HandTrees(const OrderedJson& columns, std::vector<std::string> classes, std::string name)
    : HandReader(std::move(name)), json_(columns), classes_(std::move(classes)) {
  for (const auto& [column, ignored] : columns.items()) {
    places_.emplace(column, names_.size());
    names_.push_back(column);
  }
  nodes_.resize(names_.size());
  find_parents();
  find_roots();
}

void HandTrees::find_parents() {
  parents_.assign(names_.size(), none);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto& entry = json_[names_[i]];
    if (!entry.is_object() || !entry.contains("parent")) continue;
    const auto& parent = entry["parent"];
    if (!parent.is_string()) refuse(fmt::format("column \"{}\": \"parent\" is no name", names_[i]));
    const auto written = parent.get<std::string>();
    const auto found = places_.find(written);
    if (found == places_.end()) {
      refuse(fmt::format("column \"{}\": no column \"{}\", which is its parent{}", names_[i],
                         written, suggestion(written, names_)));
    }
    parents_[i] = found->second;
  }
}

// Every column is walked up from once: what was passed before has its root.
void HandTrees::find_roots() {
  roots_.assign(names_.size(), none);
  std::vector<std::size_t> passed_from(names_.size(), none), depths(names_.size(), 0);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    std::vector<std::size_t> path;
    std::size_t at = i;
    while (roots_[at] == none && parents_[at] != none && passed_from[at] != i) {
      passed_from[at] = i;
      path.push_back(at);
      at = parents_[at];
    }
    if (roots_[at] == none && parents_[at] != none) {
      refuse(fmt::format("column \"{}\" stands below itself, by way of \"{}\"", names_[at],
                         names_[parents_[at]]));
    }
    if (roots_[at] == none) roots_[at] = at;
    for (auto one = path.rbegin(); one != path.rend(); ++one) {
      roots_[*one] = roots_[at];
      depths[*one] = depths[parents_[*one]] + 1;
    }
  }
  for (std::size_t i = 0; i < names_.size(); ++i) trees_[roots_[i]].push_back(i);
  for (auto& [root, tree] : trees_) {
    std::stable_sort(tree.begin(), tree.end(),
                     [&](auto a, auto b) { return depths[a] < depths[b]; });
  }
}

std::vector<HandTrees::Column> HandTrees::tree_of(const std::string& column) {
  const auto& tree = trees_.at(roots_[places_.at(column)]);
  std::vector<Column> result;
  if (tree.size() < 2) return result;
  if (tree.size() > most_columns) {
    refuse(fmt::format("column \"{}\": a tree of {} columns is too large (at most {})", column,
                       tree.size(), most_columns));
  }
  for (const auto place : tree) {
    if (nodes_[place].values.size() == 0) read(place);  // by the values of those above
    result.push_back({names_[place], nodes_[place].values.values()});
  }
  refuse_too_many(tree);
  return result;
}

void HandTrees::refuse_too_many(const std::vector<std::size_t>& tree) const {
  double values = 0, squares = 0;
  for (const auto place : tree) {
    const auto size = static_cast<double>(nodes_[place].values.size());
    values += size;
    squares += size * size;
  }
  const double cells = (values * values - squares) / 2 * static_cast<double>(classes_.size());
  if (cells <= most_cells) return;
  refuse(fmt::format("column \"{}\": {} pairs of values in its tree are too many (at most {})",
                     names_[tree.front()], format_number(cells), format_number(most_cells)));
}

void HandTrees::read(std::size_t place) {
  const auto& entry = json_[names_[place]];
  const auto what = fmt::format("column \"{}\"", names_[place]);
  if (!entry.is_object() || !entry.contains("given") || !entry["given"].is_object()) {
    refuse(what + " needs \"given\", an object of classes");
  }
  check_keys(entry, {"family", "given", "parent"}, what);
  if (entry.contains("family") && entry["family"] != usual_family(ColumnLook::words).name) {
    refuse(what + ": only columns of family categorical stand in a tree");
  }
  for (const auto& [cls, ignored] : entry["given"].items()) {
    if (std::find(classes_.begin(), classes_.end(), cls) != classes_.end()) continue;
    refuse(
        fmt::format("{}: the class \"{}\" has no prior{}", what, cls, suggestion(cls, classes_)));
  }
  if (parents_[place] == none) {
    read_alone(place);
  } else {
    read_given(place);
  }
}

const OrderedJson& HandTrees::table_of(std::size_t place, std::size_t cls) const {
  const auto& given = json_[names_[place]]["given"];
  if (!given.contains(classes_[cls])) {
    refuse(fmt::format("column \"{}\": no entry for class \"{}\" under \"given\"", names_[place],
                       classes_[cls]));
  }
  const auto& table = given[classes_[cls]];
  if (table.is_object()) return table;
  refuse(fmt::format("column \"{}\", class \"{}\": not a table of probabilities", names_[place],
                     classes_[cls]));
}

void HandTrees::take_values(std::size_t place, const OrderedJson& table, const std::string& what) {
  if (!table.is_object()) refuse(what + ": not a table of probabilities");
  for (const auto& [value, ignored] : table.items()) nodes_[place].values.insert(value);
}

// into[at + value * classes + cls], of every value that the table lists.
void HandTrees::put_shares(std::size_t place, const OrderedJson& table, const std::string& what,
                           std::size_t at, std::size_t cls, Table& into) const {
  double total = 0;
  for (const auto& [value, p] : table.items()) {
    const double share = probability(p, what);
    into[at + nodes_[place].values.find(value) * classes_.size() + cls] = share;
    total += share;
  }
  check_sum(total, what);
}

void HandTrees::read_alone(std::size_t place) {
  const auto what = [&](std::size_t c) {
    return fmt::format("column \"{}\", class \"{}\"", names_[place], classes_[c]);
  };
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    take_values(place, table_of(place, c), what(c));
  }
  auto& node = nodes_[place];
  node.alone.assign(node.values.size() * classes_.size(), 0.0);
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    put_shares(place, table_of(place, c), what(c), 0, c, node.alone);
  }
}

// Under every class a table for each value of the parent that the class can have.
void HandTrees::read_given(std::size_t place) {
  const Node& parent = nodes_[parents_[place]];
  const auto& above = names_[parents_[place]];
  const std::size_t classes = classes_.size();
  const auto what = [&](std::size_t c, const std::string& value) {
    return fmt::format("column \"{}\", class \"{}\", {} = {}", names_[place], classes_[c], above,
                       value);
  };
  for (std::size_t c = 0; c < classes; ++c) {
    for (const auto& [value, table] : table_of(place, c).items()) {
      if (parent.values.find(value) == Domain::npos) {
        refuse(fmt::format("column \"{}\", class \"{}\": its parent \"{}\" has no value \"{}\"{}",
                           names_[place], classes_[c], above, value,
                           suggestion(value, parent.values.values())));
      }
      take_values(place, table, what(c, value));
    }
  }
  refuse_too_many({parents_[place], place});
  auto& node = nodes_[place];
  const std::size_t width = node.values.size() * classes;
  node.given.assign(parent.values.size() * width, 0.0);
  for (std::size_t c = 0; c < classes; ++c) {
    const auto& tables = table_of(place, c);
    for (std::size_t b = 0; b < parent.values.size(); ++b) {
      if (tables.contains(parent.values[b])) {
        put_shares(place, tables[parent.values[b]], what(c, parent.values[b]), b * width, c,
                   node.given);
      } else if (parent.alone[b * classes + c] > 0) {
        refuse(what(c, parent.values[b]) + ": no table");
      }
    }
  }
  node.alone = below(parent.alone, place, 1);
}

// From P(other, parent's value | class) to P(other, value | class): [other][value][class].
HandTrees::Table HandTrees::below(const Table& with_parent, std::size_t place,
                                  std::size_t others) const {
  const Node& node = nodes_[place];
  const std::size_t classes = classes_.size(), width = node.values.size() * classes;
  const std::size_t states = nodes_[parents_[place]].values.size();
  Table result(others * width, 0.0);
  for (std::size_t x = 0; x < others; ++x) {
    for (std::size_t b = 0; b < states; ++b) {
      for (std::size_t i = 0; i < width; ++i) {
        result[x * width + i] +=
            with_parent[(x * states + b) * classes + i % classes] * node.given[b * width + i];
      }
    }
  }
  return result;
}

HandTrees::Table HandTrees::with_itself(std::size_t place) const {
  const auto& alone = nodes_[place].alone;
  Table result(nodes_[place].values.size() * alone.size(), 0.0);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    result[i / classes_.size() * alone.size() + i] = alone[i];
  }
  return result;
}

// A column depends on those above it, and beside it, by way of its parent.
HandTrees::Pairs HandTrees::pairs_of(const std::vector<std::size_t>& tree) const {
  const std::size_t classes = classes_.size();
  std::unordered_map<std::size_t, std::size_t> in_tree;
  for (std::size_t j = 0; j < tree.size(); ++j) in_tree.emplace(tree[j], j);
  const auto turned = [&](const Table& table, std::size_t rows) {
    Table result(table.size());
    const std::size_t width = table.size() / rows / classes;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::size_t x = i / classes / width, y = i / classes % width;
      result[(y * rows + x) * classes + i % classes] = table[i];
    }
    return result;
  };
  Pairs pairs(tree.size());
  for (std::size_t j = 1; j < tree.size(); ++j) {
    const std::size_t parent = in_tree.at(parents_[tree[j]]);
    for (std::size_t i = 0; i < j; ++i) {
      const std::size_t others = nodes_[tree[i]].values.size();
      const auto with_parent = i == parent ? with_itself(tree[i])
                               : i < parent
                                   ? pairs[parent][i]
                                   : turned(pairs[i][parent], nodes_[tree[parent]].values.size());
      pairs[j].push_back(below(with_parent, tree[j], others));
    }
  }
  return pairs;
}

void HandTrees::put(const std::vector<Column>& columns, Tensors& tensors,
                    const std::string& prefix) const {
  const std::size_t classes = classes_.size();
  const auto& tree = trees_.at(roots_[places_.at(columns.front().name)]);
  const Pairs pairs = pairs_of(tree);
  std::vector<std::int32_t> cells, first, second;
  std::vector<double> counts;
  for (std::size_t j = 0; j < tree.size(); ++j) {
    const auto& node = nodes_[tree[j]];
    const auto name = fmt::format("{}.column.{}", prefix, j);
    tensors.put(name + ".values", node.values.values());
    tensors.put(name + ".counts", node.alone, {node.values.size(), classes});
    for (const auto& table : pairs[j]) {
      const std::size_t before = first.size(), width = node.values.size();
      for (std::size_t cell = 0; cell * classes < table.size(); ++cell) {
        const auto at = table.begin() + static_cast<std::ptrdiff_t>(cell * classes);
        const auto end = at + static_cast<std::ptrdiff_t>(classes);
        if (std::all_of(at, end, [](double p) { return p == 0; })) continue;
        first.push_back(static_cast<std::int32_t>(cell / width));
        second.push_back(static_cast<std::int32_t>(cell % width));
        counts.insert(counts.end(), at, end);
      }
      cells.push_back(static_cast<std::int32_t>(first.size() - before));
    }
  }
  tensors.put(prefix + ".cells", cells);
  tensors.put(prefix + ".first", first);
  tensors.put(prefix + ".second", second);
  tensors.put(prefix + ".counts", counts, {first.size(), classes});
}

}  // namespace credence

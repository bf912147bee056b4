// SPDX-License-Identifier: Apache-2.0
// Columns of words that a person lets depend on each other: "parent" names the column that one
// stands below. What family pairs counts follows from the tables: the probabilities of every two
// columns.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/tensors.hpp"
#include "families/statistics/domain.hpp"
#include "io/hand_reader.hpp"

namespace credence {

class HandTrees : private HandReader {
 public:
  HandTrees(const OrderedJson& columns, std::vector<std::string> classes, std::string name);

  // A column, as it stands in its tree.
  struct Column {
    std::string name;
    std::vector<std::string> values;
  };
  // The columns of the tree in which a column stands, from the root down: a tree hangs from its
  // first column when it is read. Empty: the column stands alone.
  std::vector<Column> tree_of(const std::string& column);
  // The same tree as the arrays of a block.
  void put(const std::vector<Column>& columns, Tensors& tensors, const std::string& prefix) const;

 private:
  using Table = std::vector<double>;  // [value][class], or [value][other value][class]
  struct Node {
    Domain values = {};
    Table alone = {};  // P(value | class)
    Table given = {};  // P(value | parent's value, class): [parent's value][value][class]
  };
  // Of a tree's columns, [the one further from the root][the other]: [value][other value][class].
  using Pairs = std::vector<std::vector<Table>>;

  void find_parents();
  void find_roots();
  const OrderedJson& table_of(std::size_t place, std::size_t cls) const;
  void read(std::size_t place);
  void take_values(std::size_t place, const OrderedJson& table, const std::string& what);
  void read_alone(std::size_t place);
  void read_given(std::size_t place);
  void put_shares(std::size_t place, const OrderedJson& table, const std::string& what,
                  std::size_t at, std::size_t cls, Table& into) const;
  void refuse_too_many(const std::vector<std::size_t>& tree) const;
  Table below(const Table& with_parent, std::size_t place, std::size_t others) const;
  Table with_itself(std::size_t place) const;
  Pairs pairs_of(const std::vector<std::size_t>& tree) const;

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  const OrderedJson& json_;
  std::vector<std::string> classes_, names_;
  std::unordered_map<std::string, std::size_t> places_;  // of names
  std::vector<std::size_t> parents_;  // none: a root, or a column that stands alone
  std::vector<std::size_t> roots_;
  std::map<std::size_t, std::vector<std::size_t>> trees_;  // root -> its columns, downwards
  std::vector<Node> nodes_;
};

}  // namespace credence

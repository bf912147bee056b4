// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/pairs_sql.hpp"

#include <fmt/format.h>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

using sql::Expression;

class TreesInSql {
 public:
  TreesInSql(const std::vector<PairColumn>& columns, const ReadPairs& read, sql::Query& query)
      : read_(read), query_(query), room_(read.classes) {
    for (const auto i : read_.kept) {
      states_.push_back(query_.let(state_of(columns[i], read_.columns[i])));
    }
  }

  // For one tree and class.
  Expression log_p(std::size_t t, std::size_t c) {
    const auto& tree = read_.trees[t];
    const std::size_t many = states_.size();
    // From below: what the columns below one that is missing say of each of its states, and what
    // it says itself of each of its parent's.
    std::vector<std::vector<Expression>> below(many), told(many);
    for (auto at = tree.order.rbegin(); at != tree.order.rend(); ++at) {
      const std::size_t i = *at, parent = tree.parent[i];
      const bool root = parent == ColumnTree::none;
      const std::size_t above = root ? 1 : column(parent).states;
      for (std::size_t b = 0; b < above && !below[i].empty(); ++b) {
        std::vector<Expression> terms;
        for (std::size_t a = 0; a < column(i).states; ++a) {
          terms.push_back(below[i][a] + cell(t, i, b, a, c));
        }
        told[i].push_back(query_.let(query_.log_sum_exp(terms)));
      }
      if (root) continue;
      for (std::size_t b = 0; b < above; ++b) {
        const auto missing = told[i].empty() ? query_.number(0) : told[i][b];
        const auto own = choose({{is_missing(states_[i]), missing}}, given(t, i, b, c));
        if (below[parent].size() <= b) {
          below[parent].push_back(own);
        } else {
          below[parent][b] = below[parent][b] + own;
        }
      }
      for (auto& value : below[parent]) value = query_.let(value);
    }
    std::vector<Expression> terms;
    for (std::size_t i = 0; i < many; ++i) terms.push_back(direct(t, i, c, told[i]));
    return sum(terms);
  }

 private:
  const StateColumn& column(std::size_t i) const { return read_.columns[read_.kept[i]]; }

  // A number that stands for a state; NULL: missing, or never seen.
  Expression state_of(const PairColumn& from, const StateColumn& column) {
    const auto cell = query_.word(from.index, from.number ? from.declared : column.known->names());
    const Expression gap{query_.dialect(), "NULL"};
    const auto as_number = [&](std::int32_t state) {
      return state < 0 ? gap : query_.number(static_cast<double>(state));
    };
    std::vector<sql::Case> cases{{is_missing(cell), gap}};
    if (from.number) {
      const auto states = column.states_of(from.declared);
      for (std::size_t b = 0; b + 1 < states.size(); ++b) {
        cases.push_back({cell < query_.number(from.edges[b + 1]), as_number(states[b])});
      }
      return choose(cases, as_number(states.back()));
    }
    auto names = column.known->names();
    const auto states = column.states_of(names);
    std::string unseen = "?";
    for (const auto& name : names) unseen += name;  // longer than each of them
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Expression word{query_.dialect(), quoted_text(query_.dialect(), names[i])};
      cases.push_back({cell == word, as_number(states[i])});
    }
    return choose(cases, as_number(column.states_of({unseen})[0]));
  }

  double cell(std::size_t t, std::size_t i, std::size_t b, std::size_t a, std::size_t c) {
    if (read_.trees[t].parent[i] == ColumnTree::none) {
      return column(i).log_shares[a * read_.classes + c];
    }
    return read_.table(t, i)(b, a, room_.data())[c];
  }

  // The log probability of a column's state where its parent is in state b.
  Expression given(std::size_t t, std::size_t i, std::size_t b, std::size_t c) {
    std::vector<sql::Case> cases;
    for (std::size_t a = 0; a < column(i).states; ++a) {
      cases.push_back({states_[i] == query_.number(static_cast<double>(a)),
                       query_.number(cell(t, i, b, a, c))});
    }
    return choose(cases, query_.number(0));
  }

  // A column's factor where its parent is there; else its parent has it already.
  Expression direct(std::size_t t, std::size_t i, std::size_t c,
                    const std::vector<Expression>& told) {
    const std::size_t parent = read_.trees[t].parent[i];
    const auto nothing = query_.number(0);
    if (parent == ColumnTree::none) {
      return choose({{is_missing(states_[i]), told.empty() ? nothing : told[0]}},
                    given(t, i, 0, c));
    }
    std::vector<sql::Case> cases;
    for (std::size_t b = 0; b < column(parent).states; ++b) {
      const auto missing = told.empty() ? nothing : told[b];
      cases.push_back({states_[parent] == query_.number(static_cast<double>(b)),
                       choose({{is_missing(states_[i]), missing}}, given(t, i, b, c))});
    }
    return choose(cases, nothing);
  }

  const ReadPairs& read_;
  sql::Query& query_;
  std::vector<Expression> states_;
  std::vector<double> room_;
};

// How many numbers a query would have.
double size_of(const ReadPairs& read) {
  double cells = 0;
  for (const auto& tree : read.trees) {
    for (std::size_t i = 0; i < tree.parent.size(); ++i) {
      if (tree.parent[i] == ColumnTree::none) continue;
      cells += static_cast<double>(read.columns[read.kept[i]].states *
                                   read.columns[read.kept[tree.parent[i]]].states);
    }
  }
  return 2 * cells * static_cast<double>(read.classes);
}

}  // namespace

std::vector<Expression> pairs_in_sql(const std::vector<PairColumn>& columns, const ReadPairs& read,
                                     sql::Query& query) {
  if (read.kept.empty()) return {read.classes, query.number(0)};
  constexpr double most = 200'000;
  if (size_of(read) > most) {
    std::vector<std::string> names;
    for (const auto& column : columns) names.push_back(column.name);
    throw Error(ErrorKind::usage,
                fmt::format("columns \"{}\": pairs of their values would make a query of {:.0f} "
                            "numbers, and {:.0f} are the most (leave columns of many values out)",
                            join_some(names, 8), size_of(read), most));
  }
  TreesInSql trees(columns, read, query);
  std::vector<Expression> result;
  for (std::size_t c = 0; c < read.classes; ++c) {
    std::vector<Expression> logs;
    for (std::size_t t = 0; t < read.trees.size(); ++t) logs.push_back(trees.log_p(t, c));
    result.push_back(query.log_sum_exp(logs));
  }
  return result;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// How pair counts are read: which column depends on which. docs/families/pairs.md
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

struct Reading {
  enum class Kind {
    naive,   // no column depends on another
    tan,     // the tree that tells most of each column by another (Friedman and others 1997)
    kdb,     // each column on one of those that say more of the class (Sahami 1996, k = 1)
    linear,  // none depends on another, but all are weighed together (Fisher 1936)
    aode,    // the mean of trees in which all depend on one column, each in turn (Webb 2005)
  };
  Kind kind = Kind::tan;
  std::optional<double> backoff = {};  // nothing: found from the counts
  // How often the evidence of each column counts, of one tree; empty: once each.
  std::vector<double> trust = {};
  // How often what its parent adds to that counts; empty: as often.
  std::vector<double> given = {};

  const char* name() const;
  bool one_tree() const { return kind != Kind::aode; }
  bool has_edges() const { return kind == Kind::tan || kind == Kind::kdb; }
};

// "", "tan", "aode", "linear", "kdb=1, backoff=5", "tan, trust=1.5|0.2|1, given=0.5|0|1".
Reading parse_reading(std::string_view parameters);
// trust: of each column, and where the reading has edges behind these of what each parent adds.
std::string with_trust(const std::string& parameters, const std::vector<double>& trust);

}  // namespace credence

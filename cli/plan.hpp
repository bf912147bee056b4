// SPDX-License-Identifier: Apache-2.0
// The options of fit, which are also those of cv: what to learn from a table.
#pragma once

#include <string>
#include <vector>

#include "common.hpp"
#include "credence/evaluate.hpp"

namespace credence::cli {

struct PlanOptions {
  DataOptions data;
  Plan plan;
  std::string rule;
  std::string prior;
  std::string unseen;
  std::vector<std::string> shares;  // --p 'size=small:0.5|medium:0.3|large:0.2'

  // A column that is read but not learnt from, unless --as names it.
  struct Beside {
    std::string column;  // empty: none
    std::string option;  // that named it
    std::string reason;  // shown beside the column
  } beside = {};

  Plan complete() const;
};

void add_plan(CLI::App* command, PlanOptions& options);
// The same without DATA.
void add_learning(CLI::App* command, PlanOptions& options);

// Where the model goes that is learnt from these files.
std::string default_model_path(const std::vector<std::string>& paths);

// "10", or "loo": every row by itself.
Folds parse_folds(const std::string& text);

// Opens DATA, plans the model, says on stderr how each column is used, and selects the columns.
struct Planned {
  std::unique_ptr<Source> source;
  Model model;
  std::vector<PlannedColumn> columns;
  std::size_t beside = 0;  // where the chunks have that column
};
Planned plan(const PlanOptions& options, const Common& common);

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// How rows are held out: the same options for every command that does.
#pragma once

#include <string>
#include <vector>

#include "cli/options/common.hpp"
#include "credence/hold_out.hpp"

namespace credence::cli {

struct FoldOptions {
  std::string folds = "10";
  bool plain = false;
  std::uint64_t seed = 1;
  std::string group, time;

  // The column that groups or orders rows, and the option that names it; "": none does.
  const std::string& column() const { return group.empty() ? time : group; }
  std::string option() const { return group.empty() ? "--time" : "--group-by"; }
  // `place`: where the chunks have that column.
  Folds parse(std::size_t place = 0) const;
};

// --group-by and --time.
void add_fold_columns(CLI::App* command, FoldOptions& options);
// These and --folds, --no-stratify, --seed.
void add_folds(CLI::App* command, FoldOptions& options);

// Refuses a column that the table does not have; `option` names it.
void require_column(const std::string& option, const std::string& column,
                    const std::vector<ColumnProfile>& profile);

}  // namespace credence::cli

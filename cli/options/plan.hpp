// SPDX-License-Identifier: Apache-2.0
// The options of fit, which are also those of cv: what to learn from a table.
#pragma once

#include <string>
#include <vector>

#include "cli/options/common.hpp"
#include "cli/options/folds.hpp"

namespace credence::cli {

struct PlanOptions {
  DataOptions data;
  Plan plan;
  std::string rule;
  std::string prior;
  std::string unseen;
  std::vector<std::string> shares;  // --p 'size=small:0.5|medium:0.3|large:0.2'

  FoldOptions beside = {};  // its column is read but not learnt from, unless --as names it

  // Whether the trust in columns is to be found; takes on and off out of what --trust says.
  bool take_trust();
  Plan complete() const;
};

// What --trust would say of a model; "": all columns count once.
std::string trust_text(const Model& model);

void add_plan(CLI::App* command, PlanOptions& options);
// The same without DATA.
void add_learning(CLI::App* command, PlanOptions& options);

// The column that --target names: its name, or its place from the end, as in -1.
std::string resolved_target(const std::string& target, const std::vector<ColumnProfile>& profile);
// Says so where a target has so many values that nothing can be learnt of them.
void note_hopeless(const Common& common, const std::string& target,
                   const std::vector<ColumnProfile>& profile);

// Where the model goes that is learnt from these files.
std::string default_model_path(const std::vector<std::string>& paths);

// The profile without the column beside, unless --as or one of the tries names it.
std::vector<ColumnProfile> to_learn_from(const PlanOptions& options, const Plan& complete,
                                         const std::vector<ColumnProfile>& profile,
                                         const std::vector<std::string>& tries = {});

// Opens DATA, plans the model, says on stderr how each column is used, and selects the columns.
struct Planned {
  std::unique_ptr<Source> source;
  Model model;
  std::vector<PlannedColumn> columns;
  Schema read;                         // the model's, and the column beside
  std::vector<ColumnProfile> profile;  // of what is learnt from
  std::size_t beside = 0;              // where the chunks have that column
};
Planned plan(const PlanOptions& options, const Common& common);

// The same columns, with numbers read as the source has them written.
Schema as_written(Schema schema, const Source& source);

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/options/folds.hpp"

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"

namespace credence::cli {

Folds FoldOptions::parse(std::size_t place) const {
  Folds result;
  result.stratified = !plain;
  result.seed = seed;
  result.leave_one_out = folds == "loo";
  result.column_name = column();
  if (!group.empty()) result.group_column = place;
  if (!time.empty()) result.time_column = place;
  if (!time.empty() && !group.empty()) {
    throw Error(ErrorKind::usage, "--time and --group-by do not go together: choose one");
  }
  if (!time.empty() && result.leave_one_out) {
    throw Error(ErrorKind::usage,
                "--time: --folds loo would judge rows by later ones; give a number");
  }
  if (result.leave_one_out) return result;
  const auto count = to_number(folds);
  const double least = time.empty() ? 2 : 1;
  if (!count || *count < least || *count != std::floor(*count) || *count > 1e9) {
    throw Error(ErrorKind::usage,
                fmt::format("--folds {}: a whole number from {} on, or loo", folds, least));
  }
  result.count = static_cast<std::size_t>(*count);
  return result;
}

void add_fold_columns(CLI::App* command, FoldOptions& options) {
  command->add_option("--group-by", options.group,
                      "A column whose equal values are always in one fold, such as a patient's");
  command->add_option("--time", options.time,
                      "A column that orders rows: each part is judged by what came before");
}

void add_folds(CLI::App* command, FoldOptions& options) {
  command->add_option("--folds", options.folds,
                      "How many parts, or loo: leave one row (or group) out (default: 10)");
  command->add_flag("--no-stratify", options.plain, "Deal rows out without regard to their class");
  command->add_option("--seed", options.seed, "Of the shuffling (default: 1)")
      ->check(whole_number(0));
  add_fold_columns(command, options);
}

void require_column(const std::string& option, const std::string& column,
                    const std::vector<ColumnProfile>& profile) {
  std::vector<std::string> names;
  for (const auto& one : profile) names.push_back(one.name);
  if (std::find(names.begin(), names.end(), column) != names.end()) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: no column \"{}\"{}", option, column, suggestion(column, names)));
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
#include "hold_out/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "hold_out/dealt.hpp"
#include "hold_out/folds.hpp"
#include "measure/scored_rows.hpp"

namespace credence {
namespace {

// The last times, so many that their rows come as near to the share as they can.
std::vector<bool> last_rows(const std::vector<std::size_t>& times, double share) {
  std::vector<double> rows(*std::max_element(times.begin(), times.end()) + 1, 0.0);
  for (const auto time : times) rows[time] += 1;
  const double goal = share * static_cast<double>(times.size());
  double behind = 0, nearest = goal;
  std::size_t first = rows.size();
  for (std::size_t t = rows.size(); t-- > 0;) {
    behind += rows[t];
    if (std::abs(behind - goal) >= nearest) continue;
    nearest = std::abs(behind - goal);
    first = t;
  }
  std::vector<bool> result;
  for (const auto time : times) result.push_back(time >= first);
  return result;
}

// How many rows of each stratum there are, are wanted in the test, and are in it.
struct Strata {
  std::vector<double> rows, goal, taken;

  Strata(const std::vector<std::size_t>& of_row, double share)
      : rows(*std::max_element(of_row.begin(), of_row.end()) + 1, 0.0), taken(rows.size(), 0.0) {
    for (const auto stratum : of_row) rows[stratum] += 1;
    for (const double count : rows) goal.push_back(share * count);
  }
};

std::vector<bool> rows_apart(const std::vector<std::size_t>& stratum, const SplitOptions& options) {
  Strata strata(stratum, options.share);
  std::vector<bool> result(stratum.size(), false);
  for (const auto row : shuffled(stratum.size(), options.seed)) {
    const auto s = stratum[row];
    if (strata.taken[s] + 0.5 > strata.goal[s]) continue;
    strata.taken[s] += 1;
    result[row] = true;
  }
  return result;
}

// One group after the other, by chance; each goes into the test if that brings the shares of the
// strata nearer to what is wanted, by the sum of squares. For groups of one row this is the above.
std::vector<bool> groups_apart(const std::vector<std::size_t>& stratum,
                               const std::vector<std::size_t>& groups,
                               const SplitOptions& options) {
  Strata strata(stratum, options.share);
  std::vector<std::vector<std::size_t>> members(*std::max_element(groups.begin(), groups.end()) +
                                                1);
  for (std::size_t r = 0; r < groups.size(); ++r) members[groups[r]].push_back(r);
  std::vector<bool> result(stratum.size(), false);
  std::vector<double> more(strata.rows.size(), 0.0);
  for (const auto group : shuffled(members.size(), options.seed)) {
    for (const auto row : members[group]) more[stratum[row]] += 1;
    double change = 0;
    for (const auto row : members[group]) {
      const auto s = stratum[row];  // met once per row: each adds its part of the square
      const double far = strata.taken[s] - strata.goal[s];
      change += (more[s] + 2 * far) / (strata.rows[s] * strata.rows[s]);
    }
    for (const auto row : members[group]) {
      more[stratum[row]] = 0;
      if (change >= 0) continue;
      strata.taken[stratum[row]] += 1;
      result[row] = true;
    }
  }
  return result;
}

}  // namespace

std::vector<bool> test_part(const std::vector<Chunk>& chunks, const SplitOptions& options) {
  std::vector<std::string> classes;
  const auto rows = rows_of(chunks, {}, WhichRows::all, &classes);
  if (rows.empty()) throw Error(ErrorKind::data, "no rows to split");
  std::vector<std::size_t> stratum;
  for (const auto& row : rows) {
    stratum.push_back(!options.stratified            ? 0
                      : row.cls == Outcome::no_label ? classes.size()
                                                     : row.cls);
  }
  std::vector<bool> result;
  if (options.time_column != Folds::no_column) {
    result = last_rows(values_of(chunks, rows, options.column_name, options.time_column, true),
                       options.share);
  } else if (options.group_column != Folds::no_column) {
    auto groups = values_of(chunks, rows, options.column_name, options.group_column, false);
    std::size_t next = 0;
    for (const auto group : groups)
      next = group == Dealt::no_fold ? next : std::max(next, group + 1);
    for (auto& group : groups) group = group == Dealt::no_fold ? next++ : group;
    result = groups_apart(stratum, groups, options);
  } else {
    result = rows_apart(stratum, options);
  }
  const auto tested = static_cast<std::size_t>(std::count(result.begin(), result.end(), true));
  if (tested == 0 || tested == result.size()) {
    throw Error(ErrorKind::usage, fmt::format("{}: of {} rows all would be in the {} part",
                                              setting("share", format_number(options.share)),
                                              result.size(), tested == 0 ? "training" : "test"));
  }
  return result;
}

}  // namespace credence

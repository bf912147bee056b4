// SPDX-License-Identifier: Apache-2.0
#include "hold_out/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/random.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

namespace {

std::size_t how_many(const std::vector<std::size_t>& places) {
  return places.empty() ? 0 : *std::max_element(places.begin(), places.end()) + 1;
}

// How many folds there are, of `have` things.
std::size_t count_of(const Folds& folds, std::size_t least, std::size_t most, std::size_t have,
                     const std::string& what) {
  const std::size_t count = folds.at_most ? std::min(folds.count, most) : folds.count;
  if (count >= least && count <= most) return count;
  const std::string possible =
      most < least ? "no folds are" : fmt::format("{} to {} folds are", least, most);
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: with {} {}{}, {} possible",
                  setting("folds", folds.leave_one_out ? "loo" : std::to_string(folds.count)), have,
                  what, have == 1 ? "" : "s", possible));
}

}  // namespace

std::vector<std::size_t> deal(const std::vector<std::size_t>& classes, const Folds& folds) {
  const std::size_t count = count_of(folds, 2, classes.size(), classes.size(), "row");
  auto order = shuffled(classes.size(), folds.seed);
  if (folds.stratified) {
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return classes[a] < classes[b]; });
  }
  std::vector<std::size_t> fold(classes.size());
  for (std::size_t i = 0; i < order.size(); ++i) fold[order[i]] = i % count;
  return fold;
}

namespace {

// How many rows a group has of each class.
struct Group {
  std::vector<std::pair<std::size_t, double>> classes;
  double rows = 0;
};

std::vector<Group> count_groups(const std::vector<std::size_t>& classes,
                                const std::vector<std::size_t>& groups) {
  std::vector<Group> result(how_many(groups));
  std::vector<std::vector<std::size_t>> found(result.size());
  for (std::size_t i = 0; i < groups.size(); ++i) found[groups[i]].push_back(classes[i]);
  for (std::size_t g = 0; g < result.size(); ++g) {
    auto& counts = result[g].classes;
    std::sort(found[g].begin(), found[g].end());
    for (const auto cls : found[g]) {
      if (counts.empty() || counts.back().first != cls) counts.emplace_back(cls, 0.0);
      counts.back().second += 1;
      result[g].rows += 1;
    }
  }
  return result;
}

}  // namespace

std::vector<std::size_t> deal_groups(const std::vector<std::size_t>& classes,
                                     const std::vector<std::size_t>& groups, const Folds& folds) {
  const std::size_t many = how_many(groups);
  if (folds.leave_one_out && many >= 2) return groups;
  const std::size_t count = count_of(folds, 2, many, many, "group");
  // Without strata, all rows are of one class.
  const auto strata = folds.stratified ? classes : std::vector<std::size_t>(classes.size(), 0);
  const auto counted = count_groups(strata, groups);
  std::vector<double> of_class(how_many(strata), 0);
  for (const auto cls : strata) of_class[cls] += 1;
  auto order = shuffled(many, folds.seed);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return counted[a].rows > counted[b].rows; });
  std::vector<std::vector<double>> taken(count, std::vector<double>(of_class.size(), 0.0));
  std::vector<double> filled(count, 0.0);
  std::vector<std::size_t> fold_of_group(many);
  std::size_t empty = count;
  for (std::size_t i = 0; i < many; ++i) {
    const Group& group = counted[order[i]];
    const bool must_open = many - i <= empty;  // every fold has to get a group
    std::size_t best = count;
    double least = 0;
    for (std::size_t f = 0; f < count; ++f) {
      if (must_open && filled[f] > 0) continue;
      // What putting the group here adds to the sum over folds and classes of squared shares,
      // but for terms that are the same everywhere.
      double crowd = 0;
      for (const auto& [cls, rows] : group.classes) {
        crowd += taken[f][cls] / of_class[cls] * (rows / of_class[cls]);
      }
      if (best == count || crowd < least || (crowd == least && filled[f] < filled[best])) {
        best = f;
        least = crowd;
      }
    }
    if (filled[best] == 0) --empty;
    for (const auto& [cls, rows] : group.classes) taken[best][cls] += rows;
    filled[best] += group.rows;
    fold_of_group[order[i]] = best;
  }
  std::vector<std::size_t> fold;
  for (const auto g : groups) fold.push_back(fold_of_group[g]);
  return fold;
}

std::vector<std::size_t> parts_in_time(const std::vector<std::size_t>& times, const Folds& folds) {
  const std::size_t many = how_many(times);
  const std::size_t parts =
      count_of(folds, 1, many == 0 ? 0 : many - 1, many, "different time") + 1;
  std::vector<std::size_t> rows(many, 0), part_of(many);
  for (const auto time : times) ++rows[time];
  std::size_t part = 0, seen = 0;
  for (std::size_t t = 0; t < many; ++t) {
    part_of[t] = part;
    seen += rows[t];
    const std::size_t left = many - t - 1, needed = parts - part - 1;
    // A part ends where it has its share of the rows, or where each time left must open a part.
    const bool full = seen * parts >= times.size() * (part + 1);
    if (needed > 0 && (full || left == needed)) ++part;
  }
  std::vector<std::size_t> result;
  for (const auto time : times) result.push_back(part_of[time]);
  return result;
}

std::string rare_classes(const std::vector<ScoredRows::Row>& rows,
                         const std::vector<std::string>& classes, const Folds& folds) {
  if (folds.leave_one_out) return "";
  std::vector<std::size_t> have(classes.size(), 0);
  for (const auto& row : rows) ++have[row.cls];
  std::vector<std::string> rare;
  for (std::size_t c = 0; c < have.size(); ++c) {
    if (have[c] >= folds.count) continue;
    rare.push_back(fmt::format("\"{}\" ({})", classes[c], have[c]));
  }
  if (rare.empty()) return "";
  constexpr std::size_t most = 5;
  const std::size_t others = rare.size() > most ? rare.size() - most : 0;
  rare.resize(rare.size() - others);
  return fmt::format("fewer rows than folds ({}), so not in every fold: {}{}", folds.count,
                     join(rare, ", "), others ? fmt::format(" and {} more classes", others) : "");
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "hold_out/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/random.hpp"
#include "core/text.hpp"
#include "credence/error.hpp"

namespace credence {

std::vector<HeldOut::Row> labelled_rows(const std::vector<Chunk>& chunks,
                                        const std::vector<std::string>& classes) {
  std::vector<HeldOut::Row> rows;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto& labels = chunks[i].labels;
    std::vector<std::size_t> place;
    for (const auto& label : labels.dictionary) {
      place.push_back(static_cast<std::size_t>(std::find(classes.begin(), classes.end(), label) -
                                               classes.begin()));
    }
    for (std::size_t r = 0; r < labels.codes.size(); ++r) {
      if (labels.codes[r] < 0) continue;
      const std::size_t cls = place[static_cast<std::size_t>(labels.codes[r])];
      if (cls >= classes.size()) continue;
      rows.push_back({i, r, cls, 0, chunks[i].weights.empty() ? 1.0 : chunks[i].weights[r]});
    }
  }
  return rows;
}

namespace {

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

std::size_t how_many(const std::vector<std::size_t>& places) {
  return places.empty() ? 0 : *std::max_element(places.begin(), places.end()) + 1;
}

void check_count(const Folds& folds, std::size_t least, std::size_t most, std::size_t have,
                 const std::string& what) {
  if (folds.count >= least && folds.count <= most) return;
  const std::string possible =
      most < least ? "no folds are" : fmt::format("{} to {} folds are", least, most);
  throw Error(ErrorKind::usage, fmt::format("{}: with {} {}{}, {} possible",
                                            setting("folds", std::to_string(folds.count)), have,
                                            what, have == 1 ? "" : "s", possible));
}

}  // namespace

std::vector<std::size_t> deal(const std::vector<std::size_t>& classes, const Folds& folds) {
  check_count(folds, 2, classes.size(), classes.size(), "row");
  auto order = shuffled(classes.size(), folds.seed);
  if (folds.stratified) {
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return classes[a] < classes[b]; });
  }
  std::vector<std::size_t> fold(classes.size());
  for (std::size_t i = 0; i < order.size(); ++i) fold[order[i]] = i % folds.count;
  return fold;
}

std::vector<std::size_t> deal_groups(const std::vector<std::size_t>& classes,
                                     const std::vector<std::size_t>& groups, const Folds& folds) {
  const std::size_t many = how_many(groups);
  if (folds.leave_one_out) return groups;
  check_count(folds, 2, many, many, "group");
  // Without strata, all rows are of one class.
  const std::size_t strata = folds.stratified ? how_many(classes) : 1;
  std::vector<std::vector<std::pair<std::size_t, double>>> rows(many);  // of each class in a group
  std::vector<double> size(many, 0), of_class(strata, 0);
  std::vector<std::vector<std::size_t>> members(many);
  for (std::size_t i = 0; i < groups.size(); ++i) members[groups[i]].push_back(i);
  for (std::size_t g = 0; g < many; ++g) {
    std::vector<std::size_t> found;
    for (const auto i : members[g]) found.push_back(folds.stratified ? classes[i] : 0);
    std::sort(found.begin(), found.end());
    for (const auto cls : found) {
      if (rows[g].empty() || rows[g].back().first != cls) rows[g].emplace_back(cls, 0.0);
      rows[g].back().second += 1;
      of_class[cls] += 1;
      size[g] += 1;
    }
  }
  auto order = shuffled(many, folds.seed);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return size[a] > size[b]; });
  std::vector<std::vector<double>> taken(folds.count, std::vector<double>(strata, 0.0));
  std::vector<double> filled(folds.count, 0.0);
  std::vector<std::size_t> fold_of_group(many);
  std::size_t empty = folds.count;
  for (std::size_t i = 0; i < many; ++i) {
    const std::size_t g = order[i];
    const bool must_open = many - i <= empty;  // every fold has to get a group
    std::size_t best = folds.count;
    double least = 0;
    for (std::size_t f = 0; f < folds.count; ++f) {
      if (must_open && filled[f] > 0) continue;
      // What putting the group here adds to the sum over folds and classes of squared shares,
      // but for terms that are the same everywhere.
      double crowd = 0;
      for (const auto& [cls, count] : rows[g]) {
        crowd += taken[f][cls] / of_class[cls] * (count / of_class[cls]);
      }
      if (best == folds.count || crowd < least || (crowd == least && filled[f] < filled[best])) {
        best = f;
        least = crowd;
      }
    }
    if (filled[best] == 0) --empty;
    for (const auto& [cls, count] : rows[g]) taken[best][cls] += count;
    filled[best] += size[g];
    fold_of_group[g] = best;
  }
  std::vector<std::size_t> fold;
  for (const auto g : groups) fold.push_back(fold_of_group[g]);
  return fold;
}

std::vector<std::size_t> parts_in_time(const std::vector<std::size_t>& times, const Folds& folds) {
  const std::size_t many = how_many(times), parts = folds.count + 1;
  check_count(folds, 1, many == 0 ? 0 : many - 1, many, "different time");
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

std::string rare_classes(const std::vector<HeldOut::Row>& rows,
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

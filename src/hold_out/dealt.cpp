// SPDX-License-Identifier: Apache-2.0
#include "hold_out/dealt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/chunk_rows.hpp"
#include "families/statistics/domain.hpp"
#include "hold_out/folds.hpp"
#include "hold_out/learn_all.hpp"
#include "measure/scored_rows.hpp"

namespace credence {
namespace {

using Rows = std::vector<ScoredRows::Row>;

Rows without_class(const std::vector<Chunk>& chunks) {
  Rows result;
  for (const auto& row : rows_of(chunks, {}, WhichRows::all)) {
    if (row.cls == Outcome::no_label) result.push_back(row);
  }
  for (auto& row : result) row.fold = Dealt::no_fold;
  return result;
}

// Places of the classes of rows.
std::vector<std::size_t> classes_of_rows(const Rows& rows) {
  std::vector<std::size_t> result;
  for (const auto& row : rows) result.push_back(row.cls);
  return result;
}

// The column's values of the rows to be judged, then of those that are only learnt from.
std::vector<std::size_t> values_in(const Dealt& dealt, const Schema& schema, const Folds& folds,
                                   bool in_order) {
  const std::size_t column = in_order ? folds.time_column : folds.group_column;
  const auto& name = folds.column_name.empty() ? schema.columns.at(column).name : folds.column_name;
  Rows rows = dealt.rows;
  rows.insert(rows.end(), dealt.learnt.begin(), dealt.learnt.end());
  return values_of(*dealt.chunks, rows, name, column, in_order);
}

void deal_in_groups(const Schema& schema, const Folds& folds, Dealt& dealt) {
  const auto all = values_in(dealt, schema, folds, false);
  const std::vector<std::size_t> groups(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(dealt.rows.size()));
  const auto fold_of = deal_groups(classes_of_rows(dealt.rows), groups, folds);
  std::vector<std::size_t> fold_of_group;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    fold_of_group.resize(std::max(fold_of_group.size(), groups[i] + 1));
    fold_of_group[groups[i]] = dealt.rows[i].fold = fold_of[i];
  }
  // Rows without a class go with their group, if a row of it is judged.
  for (std::size_t i = 0; i < dealt.learnt.size(); ++i) {
    const std::size_t group = all[groups.size() + i];
    if (group < fold_of_group.size()) dealt.learnt[i].fold = fold_of_group[group];
  }
}

void deal_in_time(const Schema& schema, const Folds& folds, Dealt& dealt) {
  auto all = values_in(dealt, schema, folds, true);
  // Times at which no row is judged are no times to cut at.
  std::vector<std::size_t> moments(all.begin(),
                                   all.begin() + static_cast<std::ptrdiff_t>(dealt.rows.size()));
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  std::vector<std::size_t> times;
  for (std::size_t i = 0; i < dealt.rows.size(); ++i) {
    times.push_back(static_cast<std::size_t>(
        std::lower_bound(moments.begin(), moments.end(), all[i]) - moments.begin()));
  }
  const auto parts = parts_in_time(times, folds);
  std::vector<std::size_t> part_of(moments.size());
  for (std::size_t i = 0; i < times.size(); ++i) part_of[times[i]] = parts[i];
  for (std::size_t i = 0; i < dealt.learnt.size(); ++i) {
    const auto later = std::upper_bound(moments.begin(), moments.end(), all[dealt.rows.size() + i]);
    if (later == moments.begin()) continue;
    const std::size_t part = part_of[static_cast<std::size_t>(later - moments.begin()) - 1];
    dealt.learnt[i].fold = part == 0 ? Dealt::no_fold : part - 1;
  }
  Rows judged;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto& row = dealt.rows[i];
    row.fold = parts[i] == 0 ? Dealt::no_fold : parts[i] - 1;
    (parts[i] == 0 ? dealt.learnt : judged).push_back(row);
  }
  dealt.rows = std::move(judged);
  dealt.in_time = true;
}

}  // namespace

std::vector<bool> Dealt::of_unseen_class() const {
  // By class: the rows that all folds learn from, and those of each fold.
  std::vector<std::map<std::size_t, std::size_t>> count(classes.size());
  for (const auto& row : learnt) {
    if (row.cls < classes.size()) ++count[row.cls][no_fold];
  }
  for (const auto& row : rows) ++count[row.cls][row.fold];
  std::vector<bool> result;
  for (const auto& row : rows) {
    std::size_t seen = 0;
    for (const auto& [fold, many] : count[row.cls]) {
      if (fold == no_fold || (in_time ? fold < row.fold : fold != row.fold)) ++seen;
      if (seen > 0) break;
    }
    result.push_back(seen == 0);
  }
  return result;
}

std::vector<Chunk> Dealt::learnt_for(std::size_t fold) const {
  std::vector<std::vector<std::size_t>> picked(chunks->size());
  const auto pick = [&](const ScoredRows::Row& row) {
    if (learns(fold, row)) picked[row.chunk].push_back(row.row);
  };
  for (const auto& row : rows) pick(row);
  for (const auto& row : learnt) pick(row);
  std::vector<Chunk> result;
  for (std::size_t i = 0; i < chunks->size(); ++i) {
    std::sort(picked[i].begin(), picked[i].end());
    if (!picked[i].empty()) result.push_back(select_rows((*chunks)[i], picked[i]));
  }
  return result;
}

std::vector<Chunk> Dealt::pieces(std::span<const ScoredRows::Row> of) const {
  std::vector<Chunk> result;
  std::vector<std::size_t> picked;
  for (std::size_t i = 0; i < of.size(); ++i) {
    picked.push_back(of[i].row);
    if (i + 1 < of.size() && of[i + 1].chunk == of[i].chunk) continue;
    result.push_back(select_rows((*chunks)[of[i].chunk], picked));
    picked.clear();
  }
  return result;
}

std::vector<Chunk> Dealt::pieces(const std::vector<std::size_t>& places) const {
  std::vector<ScoredRows::Row> picked;
  for (const auto place : places) picked.push_back(rows[place]);
  return pieces(picked);
}

Dealt deal_out(const std::vector<Chunk>& chunks, const Schema& schema, const Folds& folds,
               bool unlabelled) {
  // Without blocks only classes are counted.
  Dealt result{&chunks, learn_all(Model(schema, {}), chunks, 1).classes()};
  result.rows = labelled_rows(chunks, result.classes);
  if (unlabelled) result.learnt = without_class(chunks);
  if (folds.time_column != Folds::no_column) {
    deal_in_time(schema, folds, result);
  } else if (folds.group_column != Folds::no_column) {
    deal_in_groups(schema, folds, result);
  } else {
    const std::size_t rows = result.rows.size();
    result.one_by_one =
        folds.leave_one_out || folds.count == rows || (folds.at_most && folds.count > rows);
    const auto fold_of =
        result.one_by_one ? std::vector<std::size_t>() : deal(classes_of_rows(result.rows), folds);
    for (std::size_t i = 0; i < rows; ++i) {
      result.rows[i].fold = result.one_by_one ? i : fold_of[i];
    }
  }
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const std::size_t fold = result.rows[i].fold;
    result.folds.resize(std::max(result.folds.size(), fold + 1));
    result.folds[fold].push_back(i);
  }
  return result;
}

Dealt deal_learned(const std::vector<Chunk>& chunks, const Model& model, const Folds& folds) {
  Dealt dealt = deal_out(chunks, model.schema(), folds);
  const Domain all(model.classes());
  for (auto& row : dealt.rows) row.cls = all.find(dealt.classes[row.cls]);
  dealt.classes = model.classes();
  dealt.of_learned = true;
  return dealt;
}

std::vector<std::string> notes_on(const Dealt& dealt, const Folds& folds) {
  std::vector<std::string> result;
  if (const auto rare = rare_classes(dealt.rows, dealt.classes, folds); !rare.empty()) {
    result.push_back(rare);
  }
  if (dealt.in_time) {
    result.push_back(
        fmt::format("the first {} of {} rows are only learnt from: nothing is before them",
                    dealt.learnt.size(), dealt.learnt.size() + dealt.rows.size()));
  }
  return result;
}

}  // namespace credence

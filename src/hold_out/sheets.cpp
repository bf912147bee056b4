// SPDX-License-Identifier: Apache-2.0
#include "hold_out/sheets.hpp"

#include <algorithm>
#include <cmath>

#include "core/chunk_rows.hpp"
#include "core/parallel.hpp"
#include "credence/error.hpp"
#include "credence/scorer.hpp"
#include "hold_out/folds.hpp"
#include "hold_out/learn_all.hpp"

namespace credence {

Sheets::Sheets(const Model& model, const std::vector<Chunk>& chunks, const Folds& folds,
               unsigned threads)
    : whole_(model.empty()) {
  // Without blocks only classes are counted: which there are decides how rows are dealt.
  classes_ = learn_all(Model(model.schema(), {}), chunks, threads).classes();
  rows_ = labelled_rows(chunks, classes_);
  const bool one_by_one = folds.leave_one_out || folds.count == rows_.size();
  constexpr std::size_t together = 1024;
  if (one_by_one) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].fold = i;
      if (sheets_.empty() || sheets_.back().places.size() == together ||
          rows_[sheets_.back().places[0]].chunk != rows_[i].chunk) {
        sheets_.emplace_back();
      }
      sheets_.back().places.push_back(i);
    }
  } else {
    std::vector<std::size_t> classes;
    for (const auto& row : rows_) classes.push_back(row.cls);
    const auto fold_of = deal(classes, folds);
    sheets_.resize(folds.count);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].fold = fold_of[i];
      sheets_[fold_of[i]].places.push_back(i);
    }
  }
  cut(chunks, threads);
  if (one_by_one) {
    whole_ = learn_all(model, chunks, threads);
    return;
  }
  // One pass: each fold is counted once, and the whole is the sum of the folds.
  std::vector<std::unique_ptr<Statistics>> parts(sheets_.size());
  parallel_for(threads, sheets_.size(), [&](std::size_t i) {
    parts[i] = std::make_unique<Statistics>(model.statistics().empty());
    for (const auto& piece : sheets_[i].rows) {
      Statistics counted = model.statistics().empty();
      counted.observe(piece);
      parts[i]->merge(counted, 1);
    }
  });
  Statistics& whole = whole_.statistics();
  for (const auto& part : parts) whole.merge(*part, 1);
  if (const auto text = whole.defect(); !text.empty()) throw Error(ErrorKind::data, text);
  whole.canonicalise();
  parallel_for(threads, sheets_.size(), [&](std::size_t i) {
    sheets_[i].rest = std::make_unique<Statistics>(whole);
    sheets_[i].rest->merge(*parts[i], -1);
    parts[i].reset();
  });
}

void Sheets::cut(const std::vector<Chunk>& chunks, unsigned threads) {
  parallel_for(threads, sheets_.size(), [&](std::size_t i) {
    auto& sheet = sheets_[i];
    std::vector<std::size_t> picked;
    for (std::size_t k = 0; k < sheet.places.size(); ++k) {
      const auto& row = rows_[sheet.places[k]];
      sheet.classes.push_back(static_cast<std::int32_t>(row.cls));
      picked.push_back(row.row);
      if (k + 1 < sheet.places.size() && rows_[sheet.places[k + 1]].chunk == row.chunk) continue;
      sheet.rows.push_back(select_rows(chunks[row.chunk], picked));
      picked.clear();
    }
  });
}

Estimation Sheets::estimation(const Statistics& statistics, const Settings& settings) const {
  return {settings.rule,   settings.reserve_unseen,
          classes_,        statistics.class_weights().high(),
          settings.shares, {}};
}

std::vector<double> Sheets::log_prior(const Sheet& sheet, const ClassPrior& prior) const {
  std::vector<double> result, logs;
  result.reserve(sheet.places.size() * classes_.size());
  const auto take_logs = [&](const std::vector<double>& weights) {
    logs = class_shares(prior, classes_, weights);
    for (double& share : logs) share = std::log(share);
  };
  if (sheet.rest) take_logs(sheet.rest->class_weights().high());
  for (const auto place : sheet.places) {
    if (!sheet.rest) {
      auto weights = whole_.class_weights();
      weights[rows_[place].cls] -= rows_[place].weight;
      take_logs(weights);
    }
    result.insert(result.end(), logs.begin(), logs.end());
  }
  return result;
}

void Sheets::add(const Sheet& sheet, std::size_t block, const Settings& settings,
                 std::span<double> joint) const {
  const Statistics& statistics = sheet.rest ? *sheet.rest : whole_.statistics();
  const auto how = estimation(statistics, settings);
  const auto density = sheet.rest ? statistics.block(block).fit(how) : nullptr;
  std::size_t first = 0;
  for (const auto& piece : sheet.rows) {
    const auto part = joint.subspan(first * classes_.size(), piece.rows * classes_.size());
    if (density) {
      density->add_log_density(piece, 1, part);
    } else {
      const auto classes = std::span(sheet.classes).subspan(first, piece.rows);
      statistics.block(block).add_held_out(how, piece, classes, 1, part);
    }
    first += piece.rows;
  }
}

}  // namespace credence

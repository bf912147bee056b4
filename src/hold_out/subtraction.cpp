// SPDX-License-Identifier: Apache-2.0
#include "hold_out/subtraction.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/chunk_rows.hpp"
#include "credence/error.hpp"
#include "credence/scorer.hpp"
#include "hold_out/learn_all.hpp"
#include "parallel/parallel.hpp"

namespace credence {
namespace {

// Of so many folds the statistics are kept; those of more are counted again when they are needed.
constexpr std::size_t few_folds = 64;

// Rows of one chunk; the last row of its class is by itself, for without it there is a class less.
std::vector<std::vector<std::size_t>> batches_of_one_chunk(const Dealt& dealt,
                                                           const std::vector<double>& weights) {
  const std::size_t most = std::min<std::size_t>(1024, rows_at_once(dealt.classes.size()));
  std::vector<std::vector<std::size_t>> result;
  bool open = false;
  for (std::size_t i = 0; i < dealt.rows.size(); ++i) {
    const auto& row = dealt.rows[i];
    const bool last_of_class = weights[row.cls] == row.weight;
    if (!open || last_of_class || result.back().size() == most ||
        dealt.rows[result.back()[0]].chunk != row.chunk) {
      result.emplace_back();
    }
    result.back().push_back(i);
    open = !last_of_class;
  }
  return result;
}

std::vector<double> log_shares(const ClassPrior& prior, const std::vector<std::string>& classes,
                               const std::vector<double>& weights) {
  auto result = class_shares(prior, classes, weights);
  for (double& share : result) share = std::log(share);
  return result;
}

}  // namespace

SheetRows SheetRows::slice(std::size_t first, std::size_t count) const {
  const auto from = static_cast<std::ptrdiff_t>(first),
             to = from + static_cast<std::ptrdiff_t>(count);
  SheetRows result{{places.begin() + from, places.begin() + to},
                   {},
                   {classes.begin() + from, classes.begin() + to}};
  std::size_t begin = 0;
  for (const auto& piece : rows) {
    const std::size_t low = std::max(first, begin),
                      high = std::min(first + count, begin + piece.rows);
    if (low < high) result.rows.push_back(slice_rows(piece, low - begin, high - low));
    begin += piece.rows;
  }
  return result;
}

SheetRows SheetRows::pick(const std::vector<std::size_t>& which) const {
  SheetRows result;
  std::size_t begin = 0, next = 0;
  for (const auto& piece : rows) {
    std::vector<std::size_t> of_piece;
    for (; next < which.size() && which[next] < begin + piece.rows; ++next) {
      result.places.push_back(places[which[next]]);
      result.classes.push_back(classes[which[next]]);
      of_piece.push_back(which[next] - begin);
    }
    if (!of_piece.empty()) result.rows.push_back(select_rows(piece, of_piece));
    begin += piece.rows;
  }
  return result;
}

Subtraction::Subtraction(const Model& model, const Dealt& dealt, unsigned threads, bool keep)
    : dealt_(dealt), whole_(dealt.of_learned ? model : model.empty()) {
  if (dealt.of_learned) {
    places_ = dealt.folds;
    return;
  }
  if (!dealt.one_by_one) {
    places_ = dealt.folds;
    add_up(threads, keep && size() <= few_folds);
    return;
  }
  whole_ = learn_all(model, *dealt.chunks, threads);
  places_ = batches_of_one_chunk(dealt, whole_.class_weights());
  if (!keep) return;
  std::vector<std::shared_ptr<const Sheet>> sheets(size());
  parallel_for(threads, size(), [&](std::size_t i) { sheets[i] = sheet(i); });
  kept_ = std::move(sheets);
}

Sheet Subtraction::cut(std::size_t i) const {
  Sheet result{{places_[i], dealt_.pieces(places_[i])}};
  for (const auto place : result.places) {
    result.classes.push_back(static_cast<std::int32_t>(dealt_.rows[place].cls));
  }
  return result;
}

Statistics Subtraction::observed(const std::vector<Chunk>& rows) const {
  Statistics all = whole_.statistics().empty();
  for (const auto& piece : rows) {
    Statistics part = all.empty();
    part.observe(piece);
    all.merge(part, 1);
  }
  return all;
}

// One pass: each fold is counted once, and the whole is the sum of the folds.
void Subtraction::add_up(unsigned threads, bool keep) {
  const bool keep_parts = dealt_.in_time || size() <= few_folds;
  Statistics& whole = whole_.statistics();
  parts_.resize(size());
  std::vector<Sheet> sheets(keep ? size() : 0);
  whole.merge(observed(dealt_.pieces(dealt_.learnt)), 1);
  for (std::size_t first = 0; first < size(); first += few_folds) {
    const std::size_t last = std::min(size(), first + few_folds);
    parallel_for(threads, last - first, [&](std::size_t k) {
      Sheet sheet = cut(first + k);
      parts_[first + k] = std::make_unique<const Statistics>(observed(sheet.rows));
      if (keep) sheets[first + k] = std::move(sheet);
    });
    for (std::size_t i = first; i < last; ++i) {
      whole.merge(*parts_[i], 1);
      if (!keep_parts) parts_[i].reset();
    }
  }
  if (const auto text = whole.defect(); !text.empty()) throw Error(ErrorKind::data, text);
  whole.canonicalise();
  if (!keep) return;
  kept_.resize(size());
  parallel_for(threads, size(), [&](std::size_t i) {
    sheets[i].rest = rest(i, sheets[i].rows);
    kept_[i] = std::make_shared<const Sheet>(std::move(sheets[i]));
  });
  parts_.clear();
}

std::unique_ptr<const Statistics> Subtraction::rest(std::size_t i,
                                                    const std::vector<Chunk>& rows) const {
  auto result = std::make_unique<Statistics>(whole_.statistics());
  const std::size_t last = dealt_.in_time ? size() : i + 1;
  for (std::size_t k = i; k < last; ++k) {
    if (k < parts_.size() && parts_[k]) {
      result->merge(*parts_[k], -1);
    } else {
      result->merge(observed(rows), -1);
    }
  }
  const auto weights = result->class_weights().high();
  if (std::find(weights.begin(), weights.end(), 0.0) != weights.end()) result->canonicalise();
  return result;
}

std::shared_ptr<const Sheet> Subtraction::sheet(std::size_t i) const {
  if (!kept_.empty()) return kept_[i];
  Sheet result = cut(i);
  const auto& row = dealt_.rows[places_[i][0]];
  const bool last_of_class = dealt_.one_by_one && whole_.class_weights()[row.cls] == row.weight;
  if (!dealt_.one_by_one || last_of_class) result.rest = rest(i, result.rows);
  return std::make_shared<const Sheet>(std::move(result));
}

std::vector<double> Subtraction::shares(const Statistics& rest, const ClassPrior& prior) const {
  const auto known = rest.class_weights().high();
  std::vector<double> weights(dealt_.classes.size(), 0.0);
  for (std::size_t c = 0, k = 0; k < known.size(); ++c) {
    if (dealt_.classes[c] == rest.classes()[k]) weights[c] = known[k++];
  }
  return class_shares(prior, dealt_.classes, weights);
}

std::vector<double> Subtraction::log_prior(const Sheet& sheet, const SheetRows& rows,
                                           const ClassPrior& prior) const {
  const auto& classes = dealt_.classes;
  std::vector<double> result;
  result.reserve(rows.places.size() * classes.size());
  if (sheet.rest) {
    auto logs = shares(*sheet.rest, prior);
    for (double& share : logs) share = std::log(share);
    for (std::size_t r = 0; r < rows.places.size(); ++r) {
      result.insert(result.end(), logs.begin(), logs.end());
    }
    return result;
  }
  // Rows of one class and weight leave the same.
  std::map<std::pair<std::size_t, double>, std::vector<double>> without;
  for (const auto place : rows.places) {
    const auto& row = dealt_.rows[place];
    auto& logs = without[{row.cls, row.weight}];
    if (logs.empty()) {
      auto weights = whole_.class_weights();
      weights[row.cls] -= row.weight;
      logs = log_shares(prior, classes, weights);
    }
    result.insert(result.end(), logs.begin(), logs.end());
  }
  return result;
}

Subtraction::ScoresOf Subtraction::scores(std::size_t block, const Settings& settings) const {
  BlockStatistics::AddHeldOut singly;
  if (dealt_.one_by_one) {
    const Statistics& whole = whole_.statistics();
    singly = whole.block(block).held_out(estimation_of(whole, settings));
  }
  return [this, fit = fits(block, settings), singly](const Sheet& sheet) -> AddScores {
    if (!sheet.rest) {
      return [singly](const SheetRows& rows, double weight, std::span<double> joint) {
        singly(rows.rows[0], rows.classes, weight, joint);
      };
    }
    return [this, &rest = *sheet.rest, density = fit(sheet)](const SheetRows& rows, double weight,
                                                             std::span<double> joint) {
      each_piece(rows, rest, 1, joint, [&](const Chunk& piece, std::span<double> part) {
        density->add_log_density(piece, weight, part);
      });
    };
  };
}

Subtraction::FitFor Subtraction::fits(std::size_t block, const Settings& settings) const {
  return [this, block, &settings](const Sheet& sheet) -> std::shared_ptr<const Density> {
    const Statistics& rest = *sheet.rest;
    auto estimation = estimation_of(rest, settings);
    const auto all = shares(rest, settings.prior);
    for (std::size_t c = 0, k = 0; k < rest.classes().size(); ++c) {
      if (dealt_.classes[c] != rest.classes()[k]) continue;
      estimation.class_shares.push_back(all[c]);
      ++k;
    }
    return rest.block(block).fit(estimation);
  };
}

Factors Subtraction::factors(std::size_t block, const Settings& settings) const {
  const Statistics& whole = whole_.statistics();
  if (dealt_.one_by_one) return {};
  return whole.block(block).factors(estimation_of(whole, settings));
}

Subtraction::ScoresOf Subtraction::factor_scores(std::size_t block,
                                                 const Settings& settings) const {
  const std::size_t many = factors(block, settings).all();
  if (many == 1) return scores(block, settings);
  return [this, many, fit = fits(block, settings)](const Sheet& sheet) -> AddScores {
    return [this, many, &rest = *sheet.rest, density = fit(sheet)](
               const SheetRows& rows, double /*weight*/, std::span<double> joint) {
      each_piece(rows, rest, many, joint, [&](const Chunk& piece, std::span<double> part) {
        density->add_factors(piece, part);
      });
    };
  };
}

template <typename Add>
void Subtraction::each_piece(const SheetRows& rows, const Statistics& rest, std::size_t per_row,
                             std::span<double> joint, const Add& add) const {
  const std::size_t all = dealt_.classes.size(), known = rest.classes().size();
  std::vector<std::size_t> place;  // of the known classes among all
  for (std::size_t c = 0; c < all && known < all; ++c) {
    if (place.size() < known && dealt_.classes[c] == rest.classes()[place.size()]) {
      place.push_back(c);
    }
  }
  std::vector<double> narrow;
  std::size_t first = 0;
  for (const auto& piece : rows.rows) {
    const std::size_t lists = piece.rows * per_row;
    const auto part = joint.subspan(first * all, lists * all);
    first += lists;
    if (known == all) {
      add(piece, part);
      continue;
    }
    narrow.resize(lists * known);
    for (std::size_t k = 0; k < narrow.size(); ++k) {
      narrow[k] = part[k / known * all + place[k % known]];
    }
    add(piece, std::span(narrow));
    for (std::size_t k = 0; k < narrow.size(); ++k) {
      part[k / known * all + place[k % known]] = narrow[k];
    }
  }
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// The statistics of all rows minus those of the rows held out are, exactly, the statistics of the
// rest: no fold is ever fitted again.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "hold_out/dealt.hpp"
#include "model/statistics.hpp"

namespace credence {

struct SheetRows {
  std::vector<std::size_t> places;  // among those dealt out
  std::vector<Chunk> rows;          // the same rows, piece by piece
  std::vector<std::int32_t> classes = {};

  // Some of them: those from `first` on, or these, in order.
  SheetRows slice(std::size_t first, std::size_t count) const;
  SheetRows pick(const std::vector<std::size_t>& which) const;
};

// A fold; or, when every row is left out by itself, some rows of one chunk.
struct Sheet : SheetRows {
  // Of all rows but these, without the classes that have no row left: they must not count where
  // covariances are pooled over classes. None when each row is left out by itself and is not the
  // last of its class.
  std::unique_ptr<const Statistics> rest = {};
};

class Subtraction {
 public:
  // `model` is the model before any row; or, where the rows dealt out are some of those that it has
  // learned, after all of them. keep: sheets are asked for again and again, so those of few folds
  // are not made anew.
  Subtraction(const Model& model, const Dealt& dealt, unsigned threads, bool keep = false);

  const Model& whole() const { return whole_; }  // after all rows
  std::size_t size() const { return places_.size(); }
  std::size_t rows_of(std::size_t i) const { return places_[i].size(); }
  std::shared_ptr<const Sheet> sheet(std::size_t i) const;

  // The log prior of some rows of a sheet: rows x classes.
  std::vector<double> log_prior(const Sheet& sheet, const SheetRows& rows,
                                const ClassPrior& prior) const;
  // joint[row * classes + c] += weight * log p(block's columns of the row | c), for classes that
  // have rows left, of all or some rows of a sheet.
  using AddScores =
      std::function<void(const SheetRows& rows, double weight, std::span<double> joint)>;
  // Made once for all sheets, then for every sheet, which it keeps a reference to, as it does to
  // the settings.
  using ScoresOf = std::function<AddScores(const Sheet& sheet)>;
  ScoresOf scores(std::size_t block, const Settings& settings) const;
  // The same for each factor of the block (BlockStatistics::factors), of which there are so many:
  // joint[(row * factors + f) * classes + c]. What is left out row by row is one factor.
  Factors factors(std::size_t block, const Settings& settings) const;
  ScoresOf factor_scores(std::size_t block, const Settings& settings) const;

 private:
  void add_up(unsigned threads, bool keep);
  Sheet cut(std::size_t i) const;
  // Makes the density of a block for a sheet.
  using FitFor = std::function<std::shared_ptr<const Density>(const Sheet& sheet)>;
  FitFor fits(std::size_t block, const Settings& settings) const;
  // add(piece, part) for every piece of the rows and its part of `joint`, which has `per_row` lists
  // of scores for every row; where classes have no rows left it is given those of the others.
  template <typename Add>
  void each_piece(const SheetRows& rows, const Statistics& rest, std::size_t per_row,
                  std::span<double> joint, const Add& add) const;
  // The classes' shares, of all, among the rows that are left.
  std::vector<double> shares(const Statistics& rest, const ClassPrior& prior) const;
  Statistics observed(const std::vector<Chunk>& rows) const;
  std::unique_ptr<const Statistics> rest(std::size_t i, const std::vector<Chunk>& rows) const;

  const Dealt& dealt_;
  Model whole_;
  std::vector<std::vector<std::size_t>> places_;
  std::vector<std::unique_ptr<const Statistics>> parts_;  // of each fold's rows, where kept
  std::vector<std::shared_ptr<const Sheet>> kept_;
};

}  // namespace credence

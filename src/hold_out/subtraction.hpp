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

// A fold; or, when every row is left out by itself, some rows of one chunk.
struct Sheet {
  std::vector<std::size_t> places;  // of its rows among those dealt out
  std::vector<Chunk> rows;          // the same rows, piece by piece
  std::vector<std::int32_t> classes = {};
  // Of all rows but these, without the classes that have no row left: they must not count where
  // covariances are pooled over classes. None when each row is left out by itself and is not the
  // last of its class.
  std::unique_ptr<const Statistics> rest = {};
};

class Subtraction {
 public:
  // `model` is the model before any row. keep: sheets are asked for again and again, so those of
  // few folds are not made anew.
  Subtraction(const Model& model, const Dealt& dealt, unsigned threads, bool keep = false);

  const Model& whole() const { return whole_; }  // after all rows
  std::size_t size() const { return places_.size(); }
  std::shared_ptr<const Sheet> sheet(std::size_t i) const;

  // The log prior of every row of a sheet: rows x classes.
  std::vector<double> log_prior(const Sheet& sheet, const ClassPrior& prior) const;
  // joint[row * classes + c] += weight * log p(block's columns of the row | c), for classes that
  // have rows left. Made once for all sheets; it keeps a reference to the settings.
  using AddScores = std::function<void(const Sheet& sheet, double weight, std::span<double> joint)>;
  AddScores scores(std::size_t block, const Settings& settings) const;

 private:
  void add_up(unsigned threads, bool keep);
  Sheet cut(std::size_t i) const;
  void add(const Sheet& sheet, const Density& density, double weight,
           std::span<double> joint) const;
  Statistics observed(const std::vector<Chunk>& rows) const;
  std::unique_ptr<const Statistics> rest(std::size_t i, const std::vector<Chunk>& rows) const;

  const Dealt& dealt_;
  Model whole_;
  std::vector<std::vector<std::size_t>> places_;
  std::vector<std::unique_ptr<const Statistics>> parts_;  // of each fold's rows, where kept
  std::vector<std::shared_ptr<const Sheet>> kept_;
};

}  // namespace credence

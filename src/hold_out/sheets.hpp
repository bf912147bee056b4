// SPDX-License-Identifier: Apache-2.0
// The rows that are held out together, with the statistics of all others: what scores them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "credence/evaluate.hpp"
#include "model/statistics.hpp"

namespace credence {

// A fold; or, when every row is left out by itself, some rows of one chunk.
struct Sheet {
  std::vector<std::size_t> places;  // of its rows among all labelled ones
  std::vector<Chunk> rows;          // the same rows, piece by piece
  std::vector<std::int32_t> classes;
  std::unique_ptr<Statistics> rest;  // of all rows but these; none when each is left out by itself
};

class Sheets {
 public:
  // `model` is the model before any row.
  Sheets(const Model& model, const std::vector<Chunk>& chunks, const Folds& folds,
         unsigned threads);

  const std::vector<std::string>& classes() const { return classes_; }
  const std::vector<HeldOut::Row>& rows() const { return rows_; }
  const Model& whole() const { return whole_; }  // after all rows
  std::size_t size() const { return sheets_.size(); }
  const Sheet& operator[](std::size_t i) const { return sheets_[i]; }

  // The log prior of every row of a sheet: rows x classes.
  std::vector<double> log_prior(const Sheet& sheet, const ClassPrior& prior) const;
  // joint[row * classes + c] += log p(block's columns of the row | c).
  void add(const Sheet& sheet, std::size_t block, const Settings& settings,
           std::span<double> joint) const;

 private:
  void cut(const std::vector<Chunk>& chunks, unsigned threads);
  Estimation estimation(const Statistics& statistics, const Settings& settings) const;

  std::vector<std::string> classes_;
  std::vector<HeldOut::Row> rows_;
  std::vector<Sheet> sheets_;
  Model whole_;
};

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// A scorer is a model turned into probabilities: immutable, and safe to use from several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/classifier.hpp"
#include "credence/model.hpp"
#include "credence/parameters.hpp"

namespace credence {

class Density;

// P(c) under the prior's kind; 0 for a class without rows, of which nothing else is known.
std::vector<double> class_shares(const ClassPrior& prior, const std::vector<std::string>& classes,
                                 const std::vector<double>& weights);

class Scorer : public Classifier {
 public:
  // tell: hears, a line at a time, how estimation by steps goes (families such as mixture).
  explicit Scorer(const Model& model, const std::function<void(const std::string&)>& tell = {});
  // From other statistics than the model's own, each block under a rule of its own.
  Scorer(const Model& model, const Statistics& statistics,
         const std::function<Rule(const BlockSpec&)>& rule,
         const std::function<void(const std::string&)>& tell = {});
  Scorer(Scorer&&) noexcept;
  ~Scorer() override;

  const Schema& schema() const override { return schema_; }
  const std::vector<std::string>& classes() const override { return classes_; }
  bool knows_evidence() const override { return true; }
  bool reads_rows() const override { return reads_rows_; }
  const std::vector<double>& log_prior() const { return log_prior_; }
  // The model's, unless it is about other classes or another rule; then, and without one, null.
  const Calibration* calibration() const { return calibration_.get(); }

  // log P(c, x) for every row and class: rows x classes. Of a calibrated model, log p(x) plus the
  // calibrated log P(c | x).
  std::vector<double> log_joint(const Chunk& chunk) const;
  std::vector<double> log_scores(const Chunk& chunk) const override { return log_joint(chunk); }
  // The same up to what all classes share of a row: what its posterior and a decision need.
  std::vector<double> comparisons(const Chunk& chunk) const;
  // log p(x | c) for every row and class, before any calibration.
  std::vector<double> log_likelihoods(const Chunk& chunk) const;
  const Density& density(std::size_t block) const { return *densities_[block]; }
  // log p(the block's columns | c) alone, without the block's weight: rows x classes.
  std::vector<double> log_density(std::size_t block, const Chunk& chunk) const;
  // log P(c), and its weight times that of one block: the log joint of rows that have no other
  // columns, which are not looked at. Without calibration.
  std::vector<double> log_joint_of(std::size_t block, const Chunk& chunk) const;

  // Draws rows: classes from the prior, then every column given the class. Where one row is given,
  // its values stay as they are, and classes come from its posterior.
  Chunk sample(std::size_t rows, std::uint64_t seed, const Chunk* given = nullptr) const;

  std::size_t parameters() const { return parameters_; }     // free ones, the prior's included
  double log_likelihood() const { return log_likelihood_; }  // of the rows observed
  // The softmax form of the model, also in squares and products of columns where these are allowed.
  // Throws a usage error that says why where it has none.
  LinearForm linear_form(bool squares = false) const;
  std::vector<ParameterTable> tables() const;  // one per block

 protected:
  std::vector<Term> terms(const Chunk& chunk, std::size_t row) const override;

 private:
  std::vector<double> prior_of_rows(const Chunk& chunk) const;
  void add_blocks(const Chunk& chunk, std::vector<double>& joint) const;

  Schema schema_;
  std::vector<std::string> classes_;
  std::vector<double> log_prior_;
  std::vector<Working> prior_workings_;  // empty: the prior is given as numbers
  std::vector<std::unique_ptr<Density>> densities_;
  std::vector<double> block_weights_;
  bool reads_rows_ = false;
  std::size_t parameters_ = 0;
  double log_likelihood_ = 0;
  std::shared_ptr<const Calibration> calibration_;
};

}  // namespace credence

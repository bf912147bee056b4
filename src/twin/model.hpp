// SPDX-License-Identifier: Apache-2.0
// Logistic regression on the columns of a generative model: its discriminative twin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "credence/classifier.hpp"
#include "credence/model.hpp"
#include "credence/parameters.hpp"
#include "twin/features.hpp"
#include "twin/logistic.hpp"

namespace credence {

class LogisticModel : public Classifier {
 public:
  using Options = LogisticOptions;

  // `generative` has learnt these chunks: it names the classes, says how columns are used, and
  // gives the point to start from.
  static LogisticModel fit(const Model& generative, const std::vector<Chunk>& chunks,
                           const Options& options = {});

  const Schema& schema() const override { return features_.schema(); }
  const std::vector<std::string>& classes() const override { return classes_; }
  double rows() const { return rows_; }
  double penalty() const { return penalty_; }
  std::size_t iterations() const { return iterations_; }
  double gradient_norm() const { return gradient_norm_; }
  bool converged() const { return converged_; }

  const Features& features() const { return features_; }
  // In units of the column itself; features().size(): the intercept, which is the score of a row
  // whose numbers are all at their means and whose words are all missing.
  double coefficient(std::size_t cls, std::size_t feature) const {
    return coefficients_[feature * classes_.size() + cls];
  }

  // The same with numbers counted from 0 instead of from their means.
  LinearForm linear_form() const;

  // log P(c | x): rows x classes. The chunk was selected with schema().
  std::vector<double> log_posterior(const Chunk& chunk) const;
  std::vector<double> log_scores(const Chunk& chunk) const override { return log_posterior(chunk); }
  // It knows nothing of p(x).
  bool knows_evidence() const override { return false; }

  // A file of its own, described in docs/discriminative.md; `name` stands in messages.
  std::string to_json() const;
  static LogisticModel from_json(std::string_view text, const std::string& name);
  // Is this such a file, whole or damaged, and not another JSON file?
  static bool recognises(std::string_view text);

 protected:
  // The intercept, then coefficient x feature for every column.
  std::vector<Term> terms(const Chunk& chunk, std::size_t row) const override;

 private:
  Features features_;  // numbers centred, not scaled
  std::vector<std::string> classes_;
  std::vector<double> coefficients_;  // [feature][class]
  double rows_ = 0;
  double penalty_ = 1;
  std::size_t iterations_ = 0;
  double gradient_norm_ = 0;
  bool converged_ = true;
};

}  // namespace credence

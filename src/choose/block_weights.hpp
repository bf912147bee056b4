// SPDX-License-Identifier: Apache-2.0
// How much each block's evidence should count, and by how much the log prior of each class should
// be shifted: the numbers under which the true classes of rows held out are most probable.
// Derivation: docs/tune.md
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace credence {

// What each block says of rows it has not seen.
class BlockEvidence {
 public:
  BlockEvidence(std::size_t rows, std::size_t blocks, std::size_t classes, bool shifts = false)
      : blocks_(blocks),
        classes_(classes),
        shifts_(shifts ? classes : 0),
        added_(blocks, false),
        prior_(rows * classes),
        evidence_(rows * blocks * classes),
        truth_(rows),
        weight_(rows) {}

  std::size_t rows() const { return truth_.size(); }
  std::size_t blocks() const { return blocks_; }
  std::size_t classes() const { return classes_; }
  std::size_t shifts() const { return shifts_; }  // one for every class, or none
  // The block only says what others add to one of the others: what is usual of such is found among
  // them.
  void set_added(std::size_t block) { added_[block] = true; }
  bool added(std::size_t block) const { return added_[block]; }

  void set_row(std::size_t row, std::size_t truth, double weight,
               std::span<const double> log_prior) {
    truth_[row] = truth;
    weight_[row] = weight;
    for (std::size_t c = 0; c < classes_; ++c) prior_[row * classes_ + c] = log_prior[c];
  }
  void set(std::size_t row, std::size_t block, std::span<const double> log_density) {
    for (std::size_t c = 0; c < classes_; ++c) {
      evidence_[(row * blocks_ + block) * classes_ + c] = log_density[c];
    }
  }
  // Once all is set. A class that some block rules out stays impossible whatever the weights: it is
  // ruled out beforehand, which leaves only finite numbers to multiply. Only what blocks say of a
  // class beside the first one is kept.
  void settle();

  std::size_t truth(std::size_t row) const { return truth_[row]; }
  double weight(std::size_t row) const { return weight_[row]; }
  // of[block * (classes - 1) + c - 1]: of class c > 0 less of class 0.
  const double* of(std::size_t row) const {
    return evidence_.data() + row * blocks_ * (classes_ - 1);
  }
  const double* prior(std::size_t row) const { return prior_.data() + row * classes_; }
  // log P(c, x) up to a constant, under these weights, behind which stand the shifts.
  void log_joint(std::size_t row, const std::vector<double>& weights, std::span<double> out) const;

 private:
  std::size_t blocks_, classes_, shifts_;
  std::vector<bool> added_;
  std::vector<double> prior_, evidence_;
  std::vector<std::size_t> truth_;
  std::vector<double> weight_;
};

// Minimises the log-loss of the given rows plus what a normal prior says: weights lie about a
// common mean with the standard deviation `spread`, those of what is added about one of their own,
// these means about 1 with 1, shifts about 0 with 1 / √10. Newton's steps from `start`; the shifts
// come behind the weights. threads 1: on this thread; the bits do not depend on it.
std::vector<double> choose_weights(const BlockEvidence& evidence, std::span<const std::size_t> rows,
                                   double spread, std::vector<double> start, unsigned threads);

struct ChosenWeights {
  std::vector<double> weights;
  double spread = 0;
};

// Under that spread of 0.1, 0.2, 0.4 … 6.4 which makes the rows most probable.
ChosenWeights choose_weights(const BlockEvidence& evidence, std::span<const std::size_t> rows,
                             unsigned threads);

// For every part of the rows the weights that all other parts choose under the spread that all rows
// chose; in_time: only those before it.
std::vector<std::vector<double>> choose_weights_without(
    const BlockEvidence& evidence, const std::vector<std::vector<std::size_t>>& parts, bool in_time,
    const ChosenWeights& chosen, unsigned threads);

}  // namespace credence

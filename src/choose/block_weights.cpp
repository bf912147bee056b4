// SPDX-License-Identifier: Apache-2.0
#include "choose/block_weights.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "parallel/parallel.hpp"

namespace credence {

void BlockEvidence::settle() {
  for (std::size_t r = 0; r < rows(); ++r) {
    double* block = evidence_.data() + r * blocks_ * classes_;
    for (std::size_t c = 0; c < classes_; ++c) {
      bool possible = prior_[r * classes_ + c] > -infinity;
      for (std::size_t b = 0; b < blocks_; ++b) {
        possible = possible && block[b * classes_ + c] > -infinity;
      }
      if (possible) continue;
      prior_[r * classes_ + c] = -infinity;
      for (std::size_t b = 0; b < blocks_; ++b) block[b * classes_ + c] = 0;
    }
  }
}

void BlockEvidence::log_joint(std::size_t row, const std::vector<double>& weights,
                              std::span<double> out) const {
  const double* from = of(row);
  std::copy_n(prior(row), classes_, out.begin());
  for (std::size_t b = 0; b < blocks_; ++b) {
    for (std::size_t c = 0; c < classes_; ++c) out[c] += weights[b] * from[b * classes_ + c];
  }
  for (std::size_t c = 0; c < shifts_; ++c) out[c] += weights[blocks_ + c];
}

namespace {

using Index = Eigen::Index;

// The loss with its first two derivatives; only the lower half of the second.
struct Loss {
  double value = 0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;

  Loss& operator+=(const Loss& other) {
    value += other.value;
    gradient += other.gradient;
    hessian += other.hessian;
    return *this;
  }
};

Loss loss_of(const BlockEvidence& evidence, std::span<const std::size_t> rows,
             const std::vector<double>& weights, bool derivatives) {
  const std::size_t many = evidence.classes();
  const auto blocks = static_cast<Index>(evidence.blocks());
  const auto unknowns = blocks + static_cast<Index>(evidence.shifts());
  Loss loss{0, Eigen::VectorXd::Zero(unknowns), Eigen::MatrixXd::Zero(unknowns, unknowns)};
  std::vector<double> joint(many);
  Eigen::VectorXd mean(unknowns), apart(unknowns);
  for (const auto r : rows) {
    const std::size_t truth = evidence.truth(r);
    const double weight = evidence.weight(r);
    // A true class that is impossible is so under all weights.
    if (weight == 0 || evidence.prior(r)[truth] == -infinity) continue;
    evidence.log_joint(r, weights, joint);
    const double total = log_sum_exp(joint);
    loss.value += weight * (total - joint[truth]);
    if (!derivatives) continue;
    using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>>;
    const Rows of(evidence.of(r), static_cast<Index>(many), blocks);  // class x block
    // to += factor * what the unknowns are multiplied by for class c; a shift is by 1.
    const auto add_of = [&](std::size_t c, double factor, Eigen::VectorXd& to) {
      to.head(blocks) += factor * of.row(static_cast<Index>(c)).transpose();
      if (unknowns > blocks) to[blocks + static_cast<Index>(c)] += factor;
    };
    if (many == 2) {  // p (1 - p) d d' for d, what the blocks say of the one against the other
      apart.setZero();
      add_of(0, 1, apart);
      add_of(1, -1, apart);
      const double p = std::exp(joint[0] - total), q = std::exp(joint[1] - total);
      loss.gradient += (weight * (truth == 0 ? -q : p)) * apart;
      loss.hessian.selfadjointView<Eigen::Lower>().rankUpdate(apart, weight * p * q);
      continue;
    }
    mean.setZero();
    for (std::size_t c = 0; c < many; ++c) add_of(c, std::exp(joint[c] - total), mean);
    loss.gradient += weight * mean;
    add_of(truth, -weight, loss.gradient);
    for (std::size_t c = 0; c < many; ++c) {
      const double p = std::exp(joint[c] - total);
      if (p == 0) continue;
      apart = -mean;
      add_of(c, 1, apart);
      loss.hessian.selfadjointView<Eigen::Lower>().rankUpdate(apart, weight * p);
    }
  }
  return loss;
}

class Minimiser {
 public:
  Minimiser(const BlockEvidence& evidence, std::span<const std::size_t> rows, unsigned threads)
      : evidence_(evidence), rows_(rows), threads_(threads) {}

  std::vector<double> from(std::vector<double> weights) const {
    Loss now = at(weights, true);
    for (int step = 0; step < 100; ++step) {
      const auto direction = newton(now, weights);
      double slope = 0;
      for (std::size_t b = 0; b < weights.size(); ++b) {
        slope += now.gradient[static_cast<Index>(b)] * direction[static_cast<Index>(b)];
      }
      if (-slope <= 1e-12 * (std::abs(now.value) + 1)) break;
      const auto next = search(now, weights, direction);
      if (next == weights) break;
      weights = next;
      now = at(weights, true);
    }
    return weights;
  }

 private:
  bool is_weight(std::size_t unknown) const { return unknown < evidence_.blocks(); }

  // In slices of a fixed size, added up in order: the same bits on any number of threads.
  Loss at(const std::vector<double>& weights, bool derivatives) const {
    constexpr std::size_t slice = 4096;
    const std::size_t count = (rows_.size() + slice - 1) / slice;
    std::vector<Loss> parts(count);
    const auto work = [&](std::size_t i) {
      const auto rows = rows_.subspan(i * slice, std::min(slice, rows_.size() - i * slice));
      parts[i] = loss_of(evidence_, rows, weights, derivatives);
    };
    if (threads_ == 1) {
      for (std::size_t i = 0; i < count; ++i) work(i);
    } else {
      parallel_for(threads_, count, work);
    }
    Loss sum = loss_of(evidence_, {}, weights, derivatives);
    for (const auto& part : parts) sum += part;
    for (std::size_t b = 0; b < weights.size(); ++b) {
      const double away = weights[b] - (is_weight(b) ? 1 : 0), pull = is_weight(b) ? 1 : 10;
      sum.value += 0.5 * pull * away * away;
      sum.gradient[static_cast<Index>(b)] += pull * away;
      sum.hessian(static_cast<Index>(b), static_cast<Index>(b)) += pull;
    }
    return sum;
  }

  // Weights at 0 that want to be less stay there; the others take Newton's step.
  Eigen::VectorXd newton(const Loss& loss, const std::vector<double>& weights) const {
    std::vector<Index> free;
    for (std::size_t b = 0; b < weights.size(); ++b) {
      if (!is_weight(b) || weights[b] > 0 || loss.gradient[static_cast<Index>(b)] < 0) {
        free.push_back(static_cast<Index>(b));
      }
    }
    const auto many = static_cast<Index>(free.size());
    Eigen::MatrixXd hessian(many, many);
    Eigen::VectorXd gradient(many);
    for (Index i = 0; i < many; ++i) {
      const Index row = free[static_cast<std::size_t>(i)];
      gradient[i] = loss.gradient[row];
      for (Index j = 0; j <= i; ++j) {
        const Index column = free[static_cast<std::size_t>(j)];
        hessian(i, j) = loss.hessian(std::max(row, column), std::min(row, column));
      }
    }
    const Eigen::VectorXd step = hessian.selfadjointView<Eigen::Lower>().ldlt().solve(-gradient);
    Eigen::VectorXd result = Eigen::VectorXd::Zero(static_cast<Index>(weights.size()));
    for (Index i = 0; i < many; ++i) result[free[static_cast<std::size_t>(i)]] = step[i];
    return result;
  }

  // Halves the step until the loss, at weights cut off at 0, has fallen.
  std::vector<double> search(const Loss& now, const std::vector<double>& weights,
                             const Eigen::VectorXd& direction) const {
    for (double length = 1; length > 1e-10; length /= 2) {
      auto next = weights;
      double expected = 0;
      for (std::size_t b = 0; b < weights.size(); ++b) {
        next[b] += length * direction[static_cast<Index>(b)];
        if (is_weight(b)) next[b] = std::max(0.0, next[b]);
        expected += now.gradient[static_cast<Index>(b)] * (next[b] - weights[b]);
      }
      if (expected < 0 && at(next, false).value <= now.value + 1e-4 * expected) return next;
    }
    return weights;
  }

  const BlockEvidence& evidence_;
  std::span<const std::size_t> rows_;
  unsigned threads_;
};

}  // namespace

std::vector<double> choose_weights(const BlockEvidence& evidence, std::span<const std::size_t> rows,
                                   std::vector<double> start, unsigned threads) {
  if (start.empty()) {
    start.assign(evidence.blocks(), 1.0);
    start.resize(evidence.blocks() + evidence.shifts(), 0.0);
  }
  return Minimiser(evidence, rows, threads).from(std::move(start));
}

}  // namespace credence

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

// The prior of weights: each is normal about their common mean, which is normal about 1 with
// variance 1; so all of them are normal about 1 with covariance v I + 1 1'.
struct WeightPrior {
  double variance, pull_of_sum;  // the inverse of the covariance is I / v - pull_of_sum 1 1'
  static constexpr double pull_of_shifts = 10;

  WeightPrior(double spread, std::size_t blocks)
      : variance(spread * spread),
        pull_of_sum(1 / (variance * (variance + static_cast<double>(blocks)))) {}

  double log_determinant(std::size_t blocks) const {  // of the inverse of the covariance
    const auto many = static_cast<double>(blocks);
    return -(many - 1) * std::log(variance) - std::log(variance + many);
  }

  void add_to(Loss& loss, const std::vector<double>& weights, std::size_t blocks) const {
    const auto many = static_cast<Index>(blocks);
    double sum = 0;
    for (std::size_t b = 0; b < blocks; ++b) sum += weights[b] - 1;
    for (std::size_t b = 0; b < weights.size(); ++b) {
      const auto i = static_cast<Index>(b);
      const double away = weights[b] - (b < blocks ? 1 : 0);
      const double pull = b < blocks ? away / variance - pull_of_sum * sum : pull_of_shifts * away;
      loss.value += 0.5 * away * pull;
      loss.gradient[i] += pull;
      loss.hessian(i, i) += b < blocks ? 1 / variance : pull_of_shifts;
    }
    loss.hessian.topLeftCorner(many, many).array() -= pull_of_sum;
  }
};

class Minimiser {
 public:
  Minimiser(const BlockEvidence& evidence, std::span<const std::size_t> rows, double spread,
            unsigned threads)
      : evidence_(evidence), rows_(rows), prior_(spread, evidence.blocks()), threads_(threads) {}

  std::vector<double> from(std::vector<double> weights) {
    Loss now = at(weights, true);
    for (int step = 0; step < 100; ++step) {
      const auto factors = now.hessian.selfadjointView<Eigen::Lower>().ldlt();
      const Eigen::VectorXd direction = factors.solve(-now.gradient);
      // The rows' probability under this prior, the weights integrated out: Laplace's way.
      log_evidence_ = -now.value + 0.5 * prior_.log_determinant(evidence_.blocks()) -
                      0.5 * factors.vectorD().array().log().sum();
      const double slope = now.gradient.dot(direction);
      if (-slope <= 1e-12 * (std::abs(now.value) + 1)) break;
      const auto next = search(now, weights, direction, slope);
      if (next == weights) break;
      weights = next;
      now = at(weights, true);
    }
    return weights;
  }

  double log_evidence() const { return log_evidence_; }

 private:
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
    prior_.add_to(sum, weights, evidence_.blocks());
    return sum;
  }

  // Halves the step until the loss has fallen.
  std::vector<double> search(const Loss& now, const std::vector<double>& weights,
                             const Eigen::VectorXd& direction, double slope) const {
    for (double length = 1; length > 1e-10; length /= 2) {
      auto next = weights;
      for (std::size_t b = 0; b < weights.size(); ++b) {
        next[b] += length * direction[static_cast<Index>(b)];
      }
      if (at(next, false).value <= now.value + 1e-4 * length * slope) return next;
    }
    return weights;
  }

  const BlockEvidence& evidence_;
  std::span<const std::size_t> rows_;
  WeightPrior prior_;
  unsigned threads_;
  double log_evidence_ = 0;
};

}  // namespace

std::vector<double> choose_weights(const BlockEvidence& evidence, std::span<const std::size_t> rows,
                                   double spread, std::vector<double> start, unsigned threads) {
  return Minimiser(evidence, rows, spread, threads).from(std::move(start));
}

ChosenWeights choose_weights(const BlockEvidence& evidence, std::span<const std::size_t> rows,
                             unsigned threads) {
  std::vector<double> start(evidence.blocks(), 1.0);
  start.resize(evidence.blocks() + evidence.shifts(), 0.0);
  constexpr int most = 6;
  const auto spread = [](int doubled) { return 0.1 * std::pow(2, doubled); };
  double best = -infinity;
  ChosenWeights chosen;
  const auto improve = [&](int doubled) {
    Minimiser minimiser(evidence, rows, spread(doubled), threads);
    auto found = minimiser.from(start);
    start = found;
    if (!(minimiser.log_evidence() > best)) return false;
    best = minimiser.log_evidence();
    chosen = {std::move(found), spread(doubled)};
    return true;
  };
  int at = 2;
  improve(at);
  const bool rises = improve(at + 1);
  const int step = rises ? 1 : -1;
  if (rises) ++at;
  while (at + step >= 0 && at + step <= most && improve(at + step)) at += step;
  return chosen;
}

}  // namespace credence

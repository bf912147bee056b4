// SPDX-License-Identifier: Apache-2.0
#include "choose/block_weights.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/log_math.hpp"
#include "parallel/parallel.hpp"

namespace credence {

void BlockEvidence::settle() {
  const std::size_t others = classes_ - 1;
  for (std::size_t r = 0; r < rows(); ++r) {
    double* const block = evidence_.data() + r * blocks_ * classes_;
    for (std::size_t c = 0; c < classes_; ++c) {
      bool possible = prior_[r * classes_ + c] > -infinity;
      for (std::size_t b = 0; b < blocks_; ++b) {
        possible = possible && block[b * classes_ + c] > -infinity;
      }
      if (possible) continue;
      prior_[r * classes_ + c] = -infinity;
      for (std::size_t b = 0; b < blocks_; ++b) block[b * classes_ + c] = 0;
    }
    double* to = evidence_.data() + r * blocks_ * others;
    for (std::size_t b = 0; b < blocks_; ++b) {
      const double first = block[b * classes_];
      for (std::size_t c = 1; c < classes_; ++c) *to++ = block[b * classes_ + c] - first;
    }
  }
  evidence_.resize(rows() * blocks_ * others);
}

void BlockEvidence::log_joint(std::size_t row, const std::vector<double>& weights,
                              std::span<double> out) const {
  const double* from = of(row);
  std::copy_n(prior(row), classes_, out.begin());
  for (std::size_t b = 0; b < blocks_; ++b) {
    for (std::size_t c = 1; c < classes_; ++c) out[c] += weights[b] * *from++;
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

  explicit Loss(Index unknowns)
      : gradient(Eigen::VectorXd::Zero(unknowns)),
        hessian(Eigen::MatrixXd::Zero(unknowns, unknowns)) {}
  Loss& operator+=(const Loss& other) {
    value += other.value;
    gradient += other.gradient;
    hessian += other.hessian;
    return *this;
  }
};

// Adds up the losses of rows under some weights. What goes into the second derivatives is collected
// and multiplied some hundred vectors at a time, as products of matrices are quicker.
class LossOfRows {
 public:
  LossOfRows(const BlockEvidence& evidence, const std::vector<double>& weights)
      : evidence_(evidence),
        weights_(weights),
        loss_(static_cast<Index>(weights.size())),
        apart_(static_cast<Index>(weights.size()), at_once),
        joint_(evidence.classes()),
        mean_(static_cast<Index>(weights.size())) {}

  Loss of(std::span<const std::size_t> rows) {
    const bool two = evidence_.classes() == 2;
    for (const auto r : rows) {
      // A true class that is impossible is so under all weights.
      if (evidence_.weight(r) == 0 || evidence_.prior(r)[evidence_.truth(r)] == -infinity) continue;
      two ? add_of_two(r) : add(r);
    }
    multiply();
    return std::move(loss_);
  }

 private:
  static constexpr Index at_once = 256;

  Index blocks() const { return static_cast<Index>(evidence_.blocks()); }

  // Of two classes p (1 - p) d d' for d, what the blocks say of the one against the other.
  void add_of_two(std::size_t r) {
    auto apart = next();
    apart.head(blocks()) = Eigen::Map<const Eigen::VectorXd>(evidence_.of(r), blocks());
    if (apart.size() > blocks()) apart.tail(2) << -1, 1;
    const double* const prior = evidence_.prior(r);
    const double odds = prior[1] - prior[0] +
                        apart.dot(Eigen::Map<const Eigen::VectorXd>(weights_.data(), apart.size()));
    const bool first = evidence_.truth(r) == 0;
    const double against = first ? odds : -odds, small = std::exp(-std::abs(odds));
    const double weight = evidence_.weight(r);
    loss_.value += weight * (std::log1p(small) + std::max(against, 0.0));
    const double wrong = (against > 0 ? 1 : small) / (1 + small);
    loss_.gradient += (first ? weight : -weight) * wrong * apart;
    apart *= std::sqrt(weight * small) / (1 + small);
    keep();
  }

  void add(std::size_t r) {
    evidence_.log_joint(r, weights_, joint_);
    const double total = log_sum_exp(joint_), weight = evidence_.weight(r);
    loss_.value += weight * (total - joint_[evidence_.truth(r)]);
    for (auto& value : joint_) value = std::exp(value - total);
    const auto others = static_cast<Index>(joint_.size()) - 1;
    using Says = Eigen::Map<const Eigen::MatrixXd>;  // class x block
    const Says says(evidence_.of(r), others, blocks());
    const Eigen::Map<const Eigen::VectorXd> p(joint_.data(), others + 1);
    mean_.head(blocks()).noalias() = says.transpose() * p.tail(others);
    if (mean_.size() > blocks()) mean_.tail(others + 1) = p;
    loss_.gradient += weight * mean_;
    add_class(says, evidence_.truth(r), -weight, loss_.gradient);
    for (std::size_t c = 0; c < joint_.size(); ++c) {
      if (joint_[c] < negligible) continue;
      auto apart = next();
      const double root = std::sqrt(weight * joint_[c]);
      apart = -root * mean_;
      add_class(says, c, root, apart);
      keep();
    }
  }

  // to += factor * what the unknowns are multiplied by for the class; a shift is by 1.
  template <typename Says, typename To>
  void add_class(const Says& says, std::size_t cls, double factor, To&& to) const {
    const auto c = static_cast<Index>(cls);
    if (c > 0) to.head(blocks()) += factor * says.row(c - 1).transpose();
    if (to.size() > blocks()) to[blocks() + c] += factor;
  }

  Eigen::MatrixXd::ColXpr next() { return apart_.col(filled_); }
  void keep() {
    if (++filled_ == at_once) multiply();
  }
  void multiply() {
    if (filled_ == 0) return;
    loss_.hessian.selfadjointView<Eigen::Lower>().rankUpdate(apart_.leftCols(filled_));
    filled_ = 0;
  }

  static constexpr double negligible = 1e-14;  // of a second derivative, which only leads the way

  const BlockEvidence& evidence_;
  const std::vector<double>& weights_;
  Loss loss_;
  Eigen::MatrixXd apart_;  // unknowns x vectors
  Index filled_ = 0;
  std::vector<double> joint_;
  Eigen::VectorXd mean_;
};

Loss loss_of(const BlockEvidence& evidence, std::span<const std::size_t> rows,
             const std::vector<double>& weights) {
  return LossOfRows(evidence, weights).of(rows);
}

// The prior of weights: each is normal about the common mean of its kind, which is normal about 1
// with variance 1; so n of a kind are normal about 1 with covariance v I + 1 1'.
class WeightPrior {
 public:
  WeightPrior(double spread, const BlockEvidence& evidence)
      : variance_(spread * spread), evidence_(evidence) {
    for (std::size_t b = 0; b < evidence.blocks(); ++b) ++many_[evidence.added(b)];
  }

  double log_determinant() const {  // of the inverse of the covariance
    double result = 0;
    for (const double many : many_) {
      if (many > 0) result -= (many - 1) * std::log(variance_) + std::log(variance_ + many);
    }
    return result;
  }

  // The inverse of the covariance is I / v - 1 1' / (v (v + n)).
  void add_to(Loss& loss, const std::vector<double>& weights) const {
    std::array<double, 2> sum = {};
    const std::size_t blocks = evidence_.blocks();
    for (std::size_t b = 0; b < blocks; ++b) sum[evidence_.added(b)] += weights[b] - 1;
    for (std::size_t b = 0; b < weights.size(); ++b) {
      const auto i = static_cast<Index>(b);
      const double away = weights[b] - (b < blocks ? 1 : 0);
      const double pull = b < blocks ? away / variance_ - shared(b) * sum[evidence_.added(b)]
                                     : pull_of_shifts * away;
      loss.value += 0.5 * away * pull;
      loss.gradient[i] += pull;
      loss.hessian(i, i) += b < blocks ? 1 / variance_ : pull_of_shifts;
      for (std::size_t o = 0; o <= b && b < blocks; ++o) {
        if (evidence_.added(o) != evidence_.added(b)) continue;
        loss.hessian(i, static_cast<Index>(o)) -= shared(b);
      }
    }
  }

 private:
  static constexpr double pull_of_shifts = 10;

  double shared(std::size_t block) const {
    return 1 / (variance_ * (variance_ + many_[evidence_.added(block)]));
  }

  double variance_;
  const BlockEvidence& evidence_;
  std::array<double, 2> many_ = {};  // of those that are not added, and of those that are
};

// For weights that people are told or rows are judged with; and for those that only compare
// spreads.
constexpr double exact = 1e-11, rough = 1e-7;

class Minimiser {
 public:
  // tolerance: of what could still be gained, beside all that is lost.
  Minimiser(const BlockEvidence& evidence, std::span<const std::size_t> rows, double spread,
            double tolerance, unsigned threads)
      : evidence_(evidence),
        rows_(rows),
        prior_(spread, evidence),
        tolerance_(tolerance),
        threads_(threads) {}

  std::vector<double> from(std::vector<double> weights) {
    Loss there = of_rows(weights);
    return from(std::move(weights), std::move(there));
  }

  // now: what the rows lose there.
  std::vector<double> from(std::vector<double> weights, Loss now) {
    prior_.add_to(now, weights);
    for (int step = 0; step < 100; ++step) {
      const auto factors = now.hessian.selfadjointView<Eigen::Lower>().ldlt();
      const Eigen::VectorXd direction = factors.solve(-now.gradient);
      // The rows' probability under this prior, the weights integrated out: Laplace's way.
      log_evidence_ =
          -now.value + 0.5 * prior_.log_determinant() - 0.5 * factors.vectorD().array().log().sum();
      const double slope = now.gradient.dot(direction);
      if (-slope <= tolerance_ * (std::abs(now.value) + 1)) break;
      if (!go(now, weights, direction, slope)) break;
    }
    return weights;
  }

  double log_evidence() const { return log_evidence_; }

 private:
  // In slices of a fixed size, added up in order: the same bits on any number of threads.
  Loss of_rows(const std::vector<double>& weights) const {
    constexpr std::size_t slice = 4096;
    const std::size_t count = (rows_.size() + slice - 1) / slice;
    std::vector<Loss> parts(count, Loss(0));
    const auto work = [&](std::size_t i) {
      const auto rows = rows_.subspan(i * slice, std::min(slice, rows_.size() - i * slice));
      parts[i] = loss_of(evidence_, rows, weights);
    };
    if (threads_ == 1) {
      for (std::size_t i = 0; i < count; ++i) work(i);
    } else {
      parallel_for(threads_, count, work);
    }
    Loss sum(static_cast<Index>(weights.size()));
    for (const auto& part : parts) sum += part;
    return sum;
  }

  // Halves the step until the loss has fallen. False: it does not fall.
  bool go(Loss& now, std::vector<double>& weights, const Eigen::VectorXd& direction,
          double slope) const {
    for (double length = 1; length > 1e-10; length /= 2) {
      auto next = weights;
      for (std::size_t b = 0; b < weights.size(); ++b) {
        next[b] += length * direction[static_cast<Index>(b)];
      }
      if (next == weights) return false;
      Loss there = of_rows(next);
      prior_.add_to(there, next);
      if (!(there.value <= now.value + 1e-4 * length * slope)) continue;
      now = std::move(there);
      weights = std::move(next);
      return true;
    }
    return false;
  }

  const BlockEvidence& evidence_;
  std::span<const std::size_t> rows_;
  WeightPrior prior_;
  double tolerance_;
  unsigned threads_;
  double log_evidence_ = 0;
};

}  // namespace

std::vector<double> choose_weights(const BlockEvidence& evidence, std::span<const std::size_t> rows,
                                   double spread, std::vector<double> start, unsigned threads) {
  return Minimiser(evidence, rows, spread, exact, threads).from(std::move(start));
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
    Minimiser minimiser(evidence, rows, spread(doubled), rough, threads);
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
  chosen.weights =
      choose_weights(evidence, rows, chosen.spread, std::move(chosen.weights), threads);
  return chosen;
}

// What each part loses at the weights of all rows is added up once; what the others lose there is
// the sum of these, so the first of their steps looks at no row.
std::vector<std::vector<double>> choose_weights_without(
    const BlockEvidence& evidence, const std::vector<std::vector<std::size_t>>& parts, bool in_time,
    const ChosenWeights& chosen, unsigned threads) {
  const auto unknowns = static_cast<Index>(chosen.weights.size());
  std::vector<Loss> losses(parts.size(), Loss(0));
  parallel_for(threads, parts.size(),
               [&](std::size_t p) { losses[p] = loss_of(evidence, parts[p], chosen.weights); });
  std::vector<std::vector<double>> result(parts.size());
  parallel_for(threads, parts.size(), [&](std::size_t p) {
    std::vector<std::size_t> others;
    Loss there(unknowns);
    for (std::size_t o = 0; o < parts.size(); ++o) {
      if (o == p || (in_time && o > p)) continue;
      others.insert(others.end(), parts[o].begin(), parts[o].end());
      there += losses[o];
    }
    Minimiser minimiser(evidence, others, chosen.spread, exact, 1);
    result[p] = minimiser.from(chosen.weights, std::move(there));
  });
  return result;
}

}  // namespace credence

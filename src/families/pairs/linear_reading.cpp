// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/linear_reading.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <cmath>

#include "credence/error.hpp"
#include "families/dirichlet.hpp"

namespace credence {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t most_states = 2000;

// A column's indicators are 1 for the state that a row has and 0 for its others. They sum to 1, so
// the last of them says nothing that the others have not said, and is left out.
class Indicators {
 public:
  Indicators(const PairCounts& counts, const Estimation& estimation, ReadPairs& read)
      : counts_(counts), estimation_(estimation), read_(read), first_{0} {
    for (std::size_t i = 0; i < read.kept.size(); ++i) {
      first_.push_back(first_.back() + static_cast<Index>(column(i).states) - 1);
    }
    if (static_cast<std::size_t>(first_.back()) <= most_states) return;
    throw Error(ErrorKind::data,
                fmt::format("pairs(linear): {} values in all are too many to weigh together: at "
                            "most {} (leave columns of many values out)",
                            first_.back(), most_states));
  }

  void replace_shares() {
    add_up();
    for (std::size_t i = 0; i < read_.kept.size(); ++i) find_mean(i);
    const VectorXd unit = weights_.cwiseSqrt().cwiseInverse();
    const Eigen::LLT<MatrixXd> factor(unit.asDiagonal() * scatter_ * unit.asDiagonal());
    if (factor.info() != Eigen::Success) {
      throw Error(ErrorKind::data,
                  fmt::format("pairs(linear): some columns follow from others (use a stronger "
                              "prior, such as {})",
                              setting("rule", "bayes")));
    }
    for (std::size_t c = 0; c < read_.classes; ++c) {
      if (!estimated(c)) continue;
      const VectorXd says = factor.solve(shares_.col(static_cast<Index>(c)) - mean_);
      for (std::size_t i = 0; i < read_.kept.size(); ++i) replace(i, c, says);
    }
  }

 private:
  StateColumn& column(std::size_t i) const { return read_.columns[read_.kept[i]]; }
  bool estimated(std::size_t c) const { return estimation_.class_weights[c] != 0; }
  Index size_of(std::size_t i) const { return first_[i + 1] - first_[i]; }

  double imaginary_rows(std::size_t i) const {
    double sum = 0;
    for (const double added : column(i).imaginary) sum += added;
    return sum;
  }

  double rows(std::size_t i, std::size_t c) const {
    double sum = 0;
    for (std::size_t a = 0; a < column(i).states; ++a) {
      sum += column(i).counts[a * read_.classes + c];
    }
    return sum;
  }

  // The shares of the rows themselves, without what the rule adds.
  VectorXd observed(std::size_t i, std::size_t c) const {
    VectorXd result(size_of(i));
    const double all = rows(i, c);
    for (Index a = 0; a < result.size(); ++a) {
      const auto at = static_cast<std::size_t>(a) * read_.classes + c;
      result[a] = all > 0 ? column(i).counts[at] / all : 0;
    }
    return result;
  }

  // Products of how far rows lie from the mean of their class; a column that a row lacks is taken
  // to lie there. Of such products no combination of columns has a negative sum.
  void add_up() {
    scatter_ = MatrixXd::Zero(first_.back(), first_.back());
    for (std::size_t j = 0; j < read_.kept.size(); ++j) {
      add_own(j);
      for (std::size_t i = 0; i < j; ++i) add_both(i, j);
    }
    scatter_.triangularView<Eigen::Lower>() = scatter_.transpose();
  }

  // With the imaginary rows, among which columns do not depend on each other.
  void add_own(std::size_t i) {
    const double imaginary = imaginary_rows(i);
    VectorXd added(size_of(i));
    for (Index a = 0; a < added.size(); ++a) {
      added[a] = column(i).imaginary[static_cast<std::size_t>(a)] / imaginary;
    }
    auto block = scatter_.block(first_[i], first_[i], size_of(i), size_of(i));
    const auto add = [&](double weight, const VectorXd& p) {
      block.diagonal() += weight * p;
      block -= weight * p * p.transpose();
    };
    for (std::size_t c = 0; c < read_.classes; ++c) {
      if (!estimated(c)) continue;
      const VectorXd p = observed(i, c), apart = p - added;
      const double all = rows(i, c);
      add(all, p);
      add(imaginary, added);
      block += all * imaginary / (all + imaginary) * apart * apart.transpose();
    }
  }

  void add_both(std::size_t i, std::size_t j) {
    const StatePairs pairs(counts_.pair(read_.kept[i], read_.kept[j]), column(i), column(j),
                           read_.classes);
    auto block = scatter_.block(first_[i], first_[j], size_of(i), size_of(j));
    for (std::size_t pair = 0; pair < pairs.index.size(); ++pair) {
      const auto a = static_cast<Index>(pairs.index.first(pair));
      const auto b = static_cast<Index>(pairs.index.second(pair));
      if (a == size_of(i) || b == size_of(j)) continue;
      for (std::size_t c = 0; c < read_.classes; ++c) {
        if (estimated(c)) block(a, b) += pairs.counts[pair * read_.classes + c];
      }
    }
    for (std::size_t c = 0; c < read_.classes; ++c) {
      if (!estimated(c)) continue;
      const auto sums = [&](const std::vector<double>& from, Index size) {
        return Eigen::Map<const VectorXd, 0, Eigen::InnerStride<>>(
            from.data() + c, size, Eigen::InnerStride<>(static_cast<Index>(read_.classes)));
      };
      const VectorXd p = observed(i, c), q = observed(j, c);
      block -= p * sums(pairs.sums_b, size_of(j)).transpose();
      block -= (sums(pairs.sums_a, size_of(i)) - pairs.totals[c] * p) * q.transpose();
    }
  }

  // The shares of a column's states in every class and in all, and the weight behind them.
  void find_mean(std::size_t i) {
    const auto classes = static_cast<Index>(read_.classes);
    if (i == 0) {
      shares_ = MatrixXd::Zero(first_.back(), classes);
      mean_ = weights_ = VectorXd::Zero(first_.back());
    }
    double total = 0;
    for (std::size_t c = 0; c < read_.classes; ++c) {
      if (!estimated(c)) continue;
      const double weight = rows(i, c) + imaginary_rows(i);
      total += weight;
      for (Index a = 0; a < size_of(i); ++a) {
        const double share = column(i).shares[static_cast<std::size_t>(a) * read_.classes + c];
        shares_(first_[i] + a, static_cast<Index>(c)) = share;
        mean_[first_[i] + a] += weight * share;
      }
    }
    mean_.segment(first_[i], size_of(i)) /= total;
    weights_.segment(first_[i], size_of(i)).setConstant(total);
  }

  // How far a state lies beyond the middle between the class and all classes, in the direction in
  // which they differ.
  void replace(std::size_t i, std::size_t c, const VectorXd& says) {
    const auto own = says.segment(first_[i], size_of(i));
    const auto cls = static_cast<Index>(c);
    const double middle = 0.5 * own.dot(mean_.segment(first_[i], size_of(i)) +
                                        shares_.col(cls).segment(first_[i], size_of(i)));
    for (std::size_t a = 0; a < column(i).states; ++a) {
      const auto at = static_cast<Index>(a);
      column(i).log_shares[a * read_.classes + c] = (at < own.size() ? own[at] : 0) - middle;
    }
  }

  const PairCounts& counts_;
  const Estimation& estimation_;
  ReadPairs& read_;
  std::vector<Index> first_;  // where the indicators of each column begin
  MatrixXd scatter_;
  MatrixXd shares_;  // [indicator][class]
  VectorXd mean_, weights_;
};

}  // namespace

void read_linear(const PairCounts& counts, const Estimation& estimation, ReadPairs& read) {
  const auto added = imaginary_counts(2, {}, estimation.rule);
  if (!(added[0] > 0)) {
    throw Error(ErrorKind::data, fmt::format("pairs(linear) needs a prior (use {} or laplace=1)",
                                             setting("rule", "bayes")));
  }
  if (!read.kept.empty()) Indicators(counts, estimation, read).replace_shares();
}

}  // namespace credence

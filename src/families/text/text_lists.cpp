// SPDX-License-Identifier: Apache-2.0
#include "families/text/text_lists.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/log_math.hpp"

namespace credence {
namespace {

using List = ParameterTable::WordList;

constexpr double only_here = 1e6;  // more than any share times a logarithm

struct Ranked {
  double rank;
  double shown;
  std::size_t word;
};

// The first of many, by rank; equal ones in the order of the words.
class Best {
 public:
  explicit Best(std::size_t most) : most_(most) {}
  void offer(const Ranked& one) {
    if (kept_.size() == most_ && !(one.rank > kept_.back().rank)) return;
    const auto at = std::upper_bound(kept_.begin(), kept_.end(), one,
                                     [](const auto& a, const auto& b) { return a.rank > b.rank; });
    kept_.insert(at, one);
    if (kept_.size() > most_) kept_.pop_back();
  }
  List list(const std::string& title, const ByteStrings& words) const {
    List result{title, {}};
    for (const auto& one : kept_)
      result.words.emplace_back(std::string(words[one.word]), one.shown);
    return result;
  }

 private:
  std::size_t most_;
  std::vector<Ranked> kept_;
};

}  // namespace

std::vector<List> word_lists(const TextCells& cells, const std::vector<std::string>& classes,
                             const std::vector<double>& class_weights, std::size_t most) {
  const std::size_t many = classes.size();
  const double options = cells.coins ? 2.0 : static_cast<double>(cells.words.size());
  const double all = std::accumulate(cells.totals.begin(), cells.totals.end(), 0.0);
  const double weight = std::accumulate(class_weights.begin(), class_weights.end(), 0.0);
  std::vector<Best> odds(many, Best(most)), probable(many, Best(most));
  Best informative(most);
  std::vector<double> n(many);
  const auto share_of = [&](std::size_t c, double imaginary) {
    const double all_of_class = cells.totals[c] + options * imaginary;
    return all_of_class > 0 ? (n[c] + imaginary) / all_of_class : 0.0;
  };
  for (std::size_t w = 0; w < cells.words.size(); ++w) {
    std::fill(n.begin(), n.end(), 0.0);
    double sum = 0;
    for (auto k = cells.ends[w]; k < cells.ends[w + 1]; ++k) {
      n[cells.classes[k]] = cells.own[k];
      sum += cells.own[k];
    }
    double mean = 0;
    for (std::size_t c = 0; c < many; ++c) {
      mean += class_weights[c] / weight * share_of(c, cells.prior);
    }
    double information = 0;
    for (std::size_t c = 0; c < many; ++c) {
      const double p = share_of(c, cells.prior);
      const double rest = all - cells.totals[c] + options * cells.prior;
      const double other = std::max(0.0, sum - n[c]) + cells.prior;
      const double log_ratio = other > 0 ? std::log(p) - std::log(other / rest) : infinity;
      if (n[c] > 0) {
        // Without a prior, words of one class alone come first, the most probable of them first.
        const double rank = std::isinf(log_ratio) ? only_here + p : p * log_ratio;
        if (log_ratio > 0) odds[c].offer({rank, log_ratio, w});
        probable[c].offer({p, p, w});
      }
      const double share = class_weights[c] / weight;
      information += share * (x_log_y(p, p / mean) + x_log_y(1 - p, (1 - p) / (1 - mean)));
    }
    informative.offer({information, information, w});
  }
  std::vector<List> result;
  for (std::size_t c = 0; c < many; ++c) {
    result.push_back(odds[c].list("speak for " + classes[c] + " (log-odds)", cells.words));
    result.push_back(probable[c].list("most probable in " + classes[c], cells.words));
  }
  result.push_back(
      informative.list("tell the classes apart best (mutual information, in nats)", cells.words));
  return result;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// The two ways to read counts of words, or of other features: each is a coin that a document tosses
// once, or all of them are drawn from one urn. Derivations: docs/families/text.md
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/double_double.hpp"
#include "core/special.hpp"
#include "families/dirichlet.hpp"
#include "families/text/text.hpp"

namespace credence {

// Sums over all words are exact: what one document adds can be taken away again, and what thousands
// of words add alike does not lean to one side.
inline void add_exactly(DoubleDouble& sum, double number) {
  const DoubleDouble high = two_sum(sum.hi, number);
  sum = {high.hi, sum.lo + high.lo};
}

// One word in the documents of one class, imaginary ones included.
struct Coin {
  double ones = 0, zeros = 0;

  Coin(const ImaginaryCount& estimated, double with, double rows)
      : ones(estimated(with)), zeros(estimated(std::max(0.0, rows - with))) {}

  double total() const { return ones + zeros; }
  bool certain() const { return zeros == 0; }  // its absence has probability 0
  double log_present() const { return std::log(ones / total()); }
  double log_absent() const { return std::log(zeros / total()); }
  double log_odds() const { return std::log(ones) - std::log(zeros); }
};

// All words in the documents of one class: what the class says of a document without any.
struct ClassCoins {
  double rows = 0;
  double log_absent = 0, log_present = 0;  // of a word that no document of the class has, the
                                           // latter 0 without a prior
  DoubleDouble sum;                        // log p of absence over all words that are not certain
  double certain = 0;                      // words that are
  bool sound = true;                       // every coin has documents to go by

  ClassCoins(const ImaginaryCount& estimated, double documents) : rows(documents) {
    const Coin unseen(estimated, 0, rows);
    sound = unseen.zeros > 0;
    log_absent = unseen.log_absent();
    if (unseen.ones > 0) log_present = unseen.log_present();
  }

  // So many words of which none was seen; then some of them in their places.
  void add_unseen(double words) { add_exactly(sum, words * log_absent); }
  void add(const Coin& coin) { count(coin, 1); }
  void remove(const Coin& coin) { count(coin, -1); }

 private:
  void count(const Coin& coin, int sign) {
    sound = sound && coin.total() > 0;
    certain += coin.certain() ? sign : 0;
    add_exactly(sum, sign * ((coin.certain() ? 0 : coin.log_absent()) - log_absent));
  }
};

// One urn for each class.
class Urns {
 public:
  using Model = TextOptions::Model;

  // What the rule adds to the count of every one of `kinds` words, which weigh `draws` in all.
  static ImaginaryCount imaginary(const TextOptions& options, const Rule& rule, double kinds,
                                  double draws);
  // totals: what is kept of the draws of each class. A complement needs a prior.
  Urns(const TextOptions& options, const Rule& rule, const ImaginaryCount& estimated, double kinds,
       std::vector<DoubleDouble> totals);

  const ImaginaryCount& estimated() const { return estimated_; }
  double total(std::size_t cls) const { return totals_[cls].value(); }
  // Imaginary draws included; 0: nothing to estimate from.
  double size(std::size_t cls) const { return total(cls) + imaginary_; }
  // What words that weigh so much together say of the class, whichever they are.
  double per_words(std::size_t cls, double weight) const {
    if (model_ == Model::polya) return -log_rising(size(cls), weight);
    return weight * (model_ == Model::complement
                         ? std::log((all_ - totals_[cls]).value() + imaginary_ * outside(cls))
                         : -std::log(size(cls)));
  }

  // What a word says of all classes; n: its count in all of them, for a complement alone.
  struct Word {
    double weight, n, log_n, base;
  };
  Word word(double weight, double n) const {
    if (model_ == Model::polya) return {weight, 0, 0, log_rising(estimated_.added, weight)};
    if (model_ == Model::multinomial) return {weight, 0, 0, weight * log_added_};
    const double log_n = std::log(n + estimated_.added);
    return {weight, n, log_n, weight * (log_n - 2 * log_all_)};
  }
  // What it says beyond that of a class that has none, of one that has n_c of it.
  double correction(const Word& word, std::size_t cls, double n_c) const {
    if (model_ == Model::polya) return log_rising(estimated_(n_c), word.weight) - word.base;
    return word.weight * (model_ == Model::complement
                              ? word.log_n - std::log(std::max(0.0, word.n - n_c) +
                                                      estimated_.added * outside(cls))
                              : std::log(estimated_(n_c)) - log_added_);
  }

 private:
  double outside(std::size_t cls) const { return outside_.empty() ? 1 : outside_[cls]; }

  Model model_;
  ImaginaryCount estimated_;
  // Of the imaginary words of a kind that a class has, the share that is left to the other classes;
  // empty: all of them.
  std::vector<double> outside_;
  double imaginary_;  // draws of all words together
  std::vector<DoubleDouble> totals_;
  DoubleDouble all_;
  double log_added_, log_all_;
};

}  // namespace credence

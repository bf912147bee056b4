// SPDX-License-Identifier: Apache-2.0
#include "families/text/text_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/log_math.hpp"
#include "credence/error.hpp"
#include "families/text/word_weights.hpp"
#include "families/urns_and_coins.hpp"

namespace credence {
namespace {

class Estimator : public TextEstimate {
 public:
  Estimator(const TextData& data, const Estimation& estimation)
      : name_(data.name), classes_(estimation.classes) {
    options = data.options;
    constant.assign(classes_.size(), 0.0);
    per_word.assign(classes_.size(), 0.0);
    choose_words(data);
    options.scale = options.scale_of(classes_.size());
    // A complement is no maximum. Nor are documents scaled to unit length after words were left
    // out, as they are counted with all of their words.
    const bool some = options.least_documents > 0 || options.most_share < 1;
    if (options.model != TextOptions::Model::complement &&
        !(some && options.counts == TextOptions::Counts::log)) {
      log_prior = 0;
    }
    if (size() == 0) return;
    if (options.model == TextOptions::Model::bernoulli) {
      fit_coins(data, estimation);
    } else {
      fit_urns(data, estimation);
    }
  }

 private:
  void choose_words(const TextData& data) {
    counts = data.counts;
    const WordChoice choice{options,
                            std::accumulate(data.documents.begin(), data.documents.end(), 0.0)};
    auto chosen = std::make_shared<ByteStrings>();
    for (std::size_t i = 0; i < counts->size() && options.needs_documents(); ++i) {
      const double documents = counts->documents_with(i);
      if (!choice.keeps(documents)) continue;
      if (options.idf) rarity.push_back(choice.rarity(documents));
      if (options.keeps_all()) continue;
      chosen->add(counts->words[i]);
      kept.push_back(i);
    }
    if (options.keeps_all()) {
      words = {counts, &counts->words};
    } else {
      words = std::move(chosen);
    }
  }

  // log p of absence summed over all words, and for each word present what that changes.
  void fit_coins(const TextData& data, const Estimation& estimation) {
    const std::size_t many = classes_.size();
    // As the family bernoulli reads its two counts.
    const Rule& rule = estimation.rule;
    imaginary = imaginary_count(rule, 2, rule.strength / 2);
    const double a = imaginary.added, kinds = static_cast<double>(size());
    const std::vector<double>& rows = data.documents;
    std::vector<ClassCoins> coins;
    for (std::size_t c = 0; c < many; ++c) {
      const bool any = estimation.class_weights[c] != 0;
      auto& of_class = coins.emplace_back(imaginary, rows[c]);
      if (!any) of_class.log_absent = 0;
      if (!any) continue;
      if (!of_class.sound) nothing_to_estimate_from("document", c);
      of_class.add_unseen(kinds);
      per_word[c] = a == 0 ? 0 : Coin(imaginary, 0, rows[c]).log_odds();
      if (a > 0) log_prior += kinds * a * (of_class.log_absent + of_class.log_present);
    }
    if (imaginary.removed > 0) log_prior = infinity;
    unsmoothed = a == 0;
    make_room();
    for (std::size_t i = 0; i < size(); ++i) {
      const std::size_t at = place(i), end = counts->end(at);
      for (std::size_t k = counts->begin(at); k < end; ++k) {
        add_coin(i, counts->cls(k), counts->weights[k], rows, coins);
      }
      end_word();
    }
    for (std::size_t c = 0; c < many; ++c) {
      log_likelihood += kinds * rows[c] * coins[c].log_absent;
      constant[c] = coins[c].sum.value();
    }
    parameters = many * size();
    totals = rows;
  }

  void add_coin(std::size_t word, std::size_t c, double with, const std::vector<double>& rows,
                std::vector<ClassCoins>& coins) {
    const Coin coin(imaginary, with, rows[c]);
    auto& of_class = coins[c];
    if (coin.total() == 0) nothing_to_estimate_from("document", c);
    log_likelihood += x_log_y(with, coin.ones / coin.total()) +
                      x_log_y(std::max(0.0, rows[c] - with), coin.zeros / coin.total()) -
                      rows[c] * of_class.log_absent;
    if (coin.ones == 0) return;  // as if it had not been seen
    of_class.add(coin);
    if (coin.certain()) {
      // Every document of the class has it: kept apart, as its absence has probability 0.
      certain.resize(classes_.size());
      certain[c].push_back(static_cast<std::int32_t>(word));
      add_cell(c, 0);
      return;
    }
    if (!unsmoothed) {
      log_prior += imaginary.added * (coin.log_present() + coin.log_absent() - of_class.log_absent -
                                      of_class.log_present);
    }
    add_cell(c, coin.log_odds() - per_word[c]);
  }

  void fit_urns(const TextData& data, const Estimation& estimation) {
    const std::size_t many = classes_.size();
    const double kinds = static_cast<double>(size());
    imaginary = Urns::imaginary(options, estimation.rule, kinds, all_draws());
    const double a = imaginary.added;
    const bool complement = options.model == TextOptions::Model::complement;
    if (complement && a == 0) {
      throw Error(ErrorKind::data,
                  fmt::format("column \"{}\": text(complement) needs a prior (use {} or laplace=1)",
                              name_, setting("rule", "bayes")));
    }
    std::vector<double> draws(many, 0.0), of_word(complement ? size() : 0, 0.0);
    const Urns urns(options, estimation.rule, imaginary, kinds, add_up_draws(draws, of_word));
    mean_length.assign(many, 0.0);
    for (std::size_t c = 0; c < many; ++c) {
      totals.push_back(urns.total(c));
      if (data.documents[c] > 0) mean_length[c] = draws[c] / data.documents[c];
      if (estimation.class_weights[c] == 0) continue;
      if (urns.size(c) == 0) nothing_to_estimate_from("word", c);
      per_word[c] = urns.per_words(c, 1);
      if (a > 0) log_prior += options.scale * a * kinds * (std::log(a) + per_word[c]);
    }
    if (imaginary.removed > 0) log_prior += infinity;
    unsmoothed = a == 0;
    common_base = urns.word(1, 0).base;
    make_room();
    // Most counts are small whole numbers: their logarithms are taken once.
    std::array<CellScores::Listed, 64> small;
    for (std::size_t n = 0; n < small.size() && !complement; ++n) {
      small[n] = cells.list(urns.correction(urns.word(1, 0), 0, static_cast<double>(n)));
    }
    for (std::size_t i = 0; i < size(); ++i) {
      const Urns::Word word = urns.word(1, complement ? of_word[i] : 0);
      if (complement) bases.push_back(word.base);
      const std::size_t at = place(i), end = counts->end(at);
      for (std::size_t k = counts->begin(at); k < end; ++k) {
        const std::size_t c = counts->cls(k);
        const double n_c = counts->weights[k] * rarity_of(i);
        const auto whole = static_cast<std::size_t>(std::min(n_c, 63.0));
        const bool listed = !complement && static_cast<double>(whole) == n_c;
        const auto correction =
            listed ? small[whole] : CellScores::Listed{urns.correction(word, c, n_c)};
        log_likelihood += options.scale * n_c * (word.base + per_word[c] + correction.correction);
        log_prior += options.scale * a * correction.correction;
        if (imaginary(n_c) > 0) cells.push_back(static_cast<std::uint32_t>(c), correction);
      }
      end_word();
    }
    parameters = many * (size() - 1);
    // Each document is brought to unit length after its words were weighed: sums do not tell how.
    if (!rarity.empty() && options.counts == TextOptions::Counts::log)
      log_likelihood = not_a_number;
  }

  // What all words weigh; counted only where the imaginary count depends on it.
  double all_draws() const {
    DoubleDouble sum;
    for (std::size_t i = 0; i < size() && options.smooth != 0; ++i) {
      const std::size_t at = place(i), end = counts->end(at);
      for (std::size_t k = counts->begin(at); k < end; ++k) {
        add_exactly(sum, counts->weights[k] * rarity_of(i));
      }
    }
    return sum.value();
  }

  // What each class keeps of its draws; also all of its draws, and those of each word if wanted.
  std::vector<DoubleDouble> add_up_draws(std::vector<double>& draws,
                                         std::vector<double>& of_word) const {
    std::vector<DoubleDouble> sums(draws.size());
    for (std::size_t i = 0; i < size(); ++i) {
      const std::size_t at = place(i), end = counts->end(at);
      for (std::size_t k = counts->begin(at); k < end; ++k) {
        const std::size_t c = counts->cls(k);
        const double n = counts->weights[k] * rarity_of(i);
        draws[c] += n;
        add_exactly(sums[c], imaginary.kept(n));
        if (!of_word.empty()) of_word[i] += n;
      }
    }
    return sums;
  }

  [[noreturn]] void nothing_to_estimate_from(const char* what, std::size_t cls) const {
    throw Error(ErrorKind::data,
                fmt::format("column \"{}\": no {} in class \"{}\" to estimate from (use {})", name_,
                            what, classes_[cls], setting("rule", "bayes")));
  }

  void make_room() {
    ends.reserve(size() + 1);
    cells.reserve(counts->classes.size());
  }

  void add_cell(std::size_t cls, double correction) {
    cells.push_back(static_cast<std::uint32_t>(cls), correction);
  }
  void end_word() { ends.push_back(static_cast<std::uint32_t>(cells.size())); }

  const std::string& name_;
  const std::vector<std::string>& classes_;
};

}  // namespace

std::vector<double> TextEstimate::own_counts() const {
  std::vector<double> result;
  result.reserve(cells.size());
  const bool coins = options.model == TextOptions::Model::bernoulli;
  for (std::size_t i = 0; i < size(); ++i) {
    const std::size_t at = place(i), end = counts->end(at);
    for (std::size_t k = counts->begin(at); k < end; ++k) {
      const double n = counts->weights[k] * rarity_of(i), estimated = imaginary(n);
      if (estimated == 0) continue;  // has no cell
      if (!coins) {
        result.push_back(imaginary.kept(n));
      } else if (imaginary.removed == 0) {
        result.push_back(n);
      } else {
        const double rows = totals[counts->cls(k)];
        result.push_back(rows * estimated / (estimated + imaginary(std::max(0.0, rows - n))));
      }
    }
  }
  return result;
}

TextEstimate estimate_text(const TextData& data, const Estimation& estimation) {
  return Estimator(data, estimation);
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "families/text_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/log_math.hpp"
#include "credence/error.hpp"

namespace credence {

void weigh_words(TextOptions::Counts counts, std::span<double> occurrences) {
  if (counts == TextOptions::Counts::raw) return;
  if (counts == TextOptions::Counts::binary) {
    for (double& n : occurrences) n = n > 0 ? 1 : 0;
    return;
  }
  static const auto small = [] {
    std::array<double, 256> table{};
    for (std::size_t n = 1; n < table.size(); ++n) table[n] = 1 + std::log(static_cast<double>(n));
    return table;
  }();
  double squares = 0;
  for (double& n : occurrences) {
    const auto whole = static_cast<std::size_t>(std::min(n, 255.0));
    n = static_cast<double>(whole) == n ? small[whole] : std::max(0.0, 1 + std::log(n));
    squares += n * n;
  }
  if (squares == 0) return;
  // Multiples of 2^-30 add up exactly in any order.
  const double unit = 0x1p30 / std::sqrt(squares);
  for (double& n : occurrences) n = std::nearbyint(n * unit) * 0x1p-30;
}

namespace {

// What a rule makes of a count: so much is added; or, where the mode of a weak prior piles up at 0
// (map), taken away as far as there is any.
struct Imaginary {
  double added = 0;
  double removed = 0;

  double kept(double count) const { return std::max(0.0, count - removed); }
  double operator()(double count) const { return kept(count) + added; }
};

// For each of `choices` things that a draw may be; bayes: their imaginary count under that rule.
Imaginary imaginary_counts(const Rule& rule, double choices, double bayes) {
  switch (rule.kind) {
    case Rule::Kind::mle:
    case Rule::Kind::unbiased:
      return {};
    case Rule::Kind::laplace:
      return {rule.strength, 0};
    case Rule::Kind::m_estimate:
      return {rule.strength / choices, 0};
    case Rule::Kind::map: {
      const double shift = rule.strength == 0 ? 1 : rule.strength / choices - 1;
      return {std::max(0.0, shift), std::max(0.0, -shift)};
    }
    case Rule::Kind::bayes:
      return {bayes, 0};
  }
  return {};
}

class Estimator : public TextEstimate {
 public:
  Estimator(const TextData& data, const Estimation& estimation)
      : name_(data.name), classes_(estimation.classes) {
    options = data.options;
    constant.assign(classes_.size(), 0.0);
    per_word.assign(classes_.size(), 0.0);
    keep_words(data);
    if (options.scale == 0) {
      const bool unit = options.counts == TextOptions::Counts::log;
      options.scale = unit ? std::max(1.0, std::log2(static_cast<double>(classes_.size()))) : 1;
    }
    if (options.idf) weigh_rare_words(data);
    // A complement is no maximum. Nor are documents scaled to unit length after words were left
    // out, as they are counted with all of their words.
    const bool some = options.least_documents > 0 || options.most_share < 1;
    if (options.model != TextOptions::Model::complement &&
        !(some && options.counts == TextOptions::Counts::log)) {
      log_prior = 0;
    }
    if (words.size() == 0) return;
    if (options.model == TextOptions::Model::bernoulli) {
      fit_coins(data, estimation);
    } else {
      fit_urns(data, estimation);
    }
  }

 private:
  void keep_words(const TextData& data) {
    if (options.least_documents <= 0 && options.most_share >= 1) {
      words = data.counts.words();
      return;
    }
    const double all = std::accumulate(data.documents.begin(), data.documents.end(), 0.0);
    for (std::size_t i = 0; i < data.counts.size(); ++i) {
      const double documents = data.counts.documents(i);
      if (documents < options.least_documents || documents > options.most_share * all) continue;
      words.add(data.counts.word(i));
      place_.push_back(i);
    }
  }

  void weigh_rare_words(const TextData& data) {
    const double all = std::accumulate(data.documents.begin(), data.documents.end(), 0.0);
    for (std::size_t i = 0; i < words.size(); ++i) {
      rarity.push_back(1 + std::log((1 + all) / (1 + data.counts.documents(place(i)))));
    }
  }
  std::size_t place(std::size_t word) const { return place_.empty() ? word : place_[word]; }
  double rarity_of(std::size_t word) const { return rarity.empty() ? 1 : rarity[word]; }

  // log p of absence summed over all words, and for each word present what that changes.
  void fit_coins(const TextData& data, const Estimation& estimation) {
    const std::size_t many = classes_.size();
    // As the family bernoulli reads its two counts.
    const Rule& rule = estimation.rule;
    const auto estimated = imaginary_counts(rule, 2, rule.strength / 2);
    const double a = estimated.added;
    const double kinds = static_cast<double>(words.size());
    const std::vector<double>& rows = data.documents;
    std::vector<double> log_absent(many, 0.0);
    for (std::size_t c = 0; c < many; ++c) {
      if (estimation.class_weights[c] == 0) continue;
      const double zeros = estimated(rows[c]);
      if (zeros == 0) nothing_to_estimate_from("document", c);
      log_absent[c] = std::log(zeros / (zeros + a));
      constant[c] = kinds * log_absent[c];
      per_word[c] = a == 0 ? 0 : std::log(a) - std::log(zeros);
      if (a > 0) log_prior += kinds * a * (log_absent[c] + std::log(a / (a + zeros)));
    }
    if (estimated.removed > 0) log_prior = infinity;
    unsmoothed = a == 0;
    base.assign(words.size(), 0.0);
    make_room(data);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto counted = data.counts.cells(place(i));
      for (std::size_t k = 0; k < counted.classes.size(); ++k) {
        const auto c = static_cast<std::size_t>(counted.classes[k]);
        const double with = counted.weights[k], without = std::max(0.0, rows[c] - with);
        const double ones = estimated(with), zeros = estimated(without), total = ones + zeros;
        if (total == 0) nothing_to_estimate_from("document", c);
        log_likelihood +=
            x_log_y(with, ones / total) + x_log_y(without, zeros / total) - rows[c] * log_absent[c];
        if (ones == 0) continue;  // as if it had not been seen
        const double of_class = estimated.removed > 0 ? rows[c] * ones / total : with;
        if (zeros == 0) {
          // Every document of the class has it: kept apart, as its absence has probability 0.
          certain.resize(many);
          certain[c].push_back(static_cast<std::int32_t>(i));
          add_cell(c, of_class, 0);
          constant[c] -= log_absent[c];
          continue;
        }
        if (a > 0) {
          log_prior += a * (std::log(ones / total) + std::log(zeros / total) - log_absent[c] -
                            std::log(a / (a + estimated(rows[c]))));
        }
        constant[c] += std::log(zeros / total) - log_absent[c];
        add_cell(c, of_class, std::log(ones) - std::log(zeros) - per_word[c]);
      }
      ends.push_back(cells.size());
    }
    for (std::size_t c = 0; c < many; ++c) log_likelihood += kinds * rows[c] * log_absent[c];
    parameters = many * words.size();
    prior = a;
    totals = rows;
  }

  void fit_urns(const TextData& data, const Estimation& estimation) {
    const std::size_t many = classes_.size();
    const double kinds = static_cast<double>(words.size());
    const Rule& rule = estimation.rule;
    const auto estimated = imaginary_counts(rule, kinds, rule.strength * options.alpha);
    const double a = estimated.added;
    const bool complement = options.model == TextOptions::Model::complement;
    if (complement && a == 0) {
      throw Error(ErrorKind::data,
                  fmt::format("column \"{}\": text(complement) needs a prior (use --estimate bayes "
                              "or laplace=1)",
                              name_));
    }
    totals.assign(many, 0.0);
    std::vector<double> draws(many, 0.0);
    std::vector<double> of_word(complement ? words.size() : 0, 0.0);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto counted = data.counts.cells(place(i));
      for (std::size_t k = 0; k < counted.classes.size(); ++k) {
        const auto c = static_cast<std::size_t>(counted.classes[k]);
        const double n = counted.weights[k] * rarity_of(i);
        draws[c] += n;
        totals[c] += estimated.kept(n);
        if (complement) of_word[i] += n;
      }
    }
    const double all = std::accumulate(totals.begin(), totals.end(), 0.0);
    mean_length.assign(many, 0.0);
    for (std::size_t c = 0; c < many; ++c) {
      if (data.documents[c] > 0) mean_length[c] = draws[c] / data.documents[c];
      if (estimation.class_weights[c] == 0) continue;
      if (totals[c] + a * kinds == 0) nothing_to_estimate_from("word", c);
      per_word[c] =
          complement ? std::log(all - totals[c] + a * kinds) : -std::log(totals[c] + a * kinds);
      if (a > 0) log_prior += options.scale * a * kinds * (std::log(a) + per_word[c]);
    }
    if (estimated.removed > 0) log_prior += infinity;
    unsmoothed = a == 0;
    const double log_a = a == 0 ? 0 : std::log(a);
    // Most counts are small whole numbers: their logarithms are taken once.
    std::array<double, 64> log_smoothed;
    for (std::size_t n = 0; n < log_smoothed.size(); ++n) {
      log_smoothed[n] = std::log(estimated(static_cast<double>(n)));
    }
    const auto log_of = [&](double n) {
      const auto whole = static_cast<std::size_t>(std::min(n, 63.0));
      return static_cast<double>(whole) == n ? log_smoothed[whole] : std::log(estimated(n));
    };
    make_room(data);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const double n = complement ? of_word[i] : 0;
      base.push_back(complement ? std::log(n + a) - 2 * std::log(all + a * kinds) : log_a);
      const auto counted = data.counts.cells(place(i));
      for (std::size_t k = 0; k < counted.classes.size(); ++k) {
        const auto c = static_cast<std::size_t>(counted.classes[k]);
        const double n_c = counted.weights[k] * rarity_of(i), smoothed = estimated(n_c);
        const double correction = complement
                                      ? std::log(n + a) - std::log(std::max(0.0, n - n_c) + a)
                                      : log_of(n_c) - log_a;
        log_likelihood += options.scale * n_c * (base[i] + per_word[c] + correction);
        log_prior += options.scale * a * correction;
        if (smoothed > 0) add_cell(c, estimated.kept(n_c), correction);
      }
      ends.push_back(cells.size());
    }
    parameters = many * (words.size() - 1);
    prior = a;
  }

  [[noreturn]] void nothing_to_estimate_from(const char* what, std::size_t cls) const {
    throw Error(ErrorKind::data,
                fmt::format("column \"{}\": no {} in class \"{}\" to estimate from (use --estimate "
                            "bayes)",
                            name_, what, classes_[cls]));
  }

  void make_room(const TextData& data) {
    base.reserve(words.size());
    ends.reserve(words.size() + 1);
    cells.reserve(data.counts.cell_count());
    own.reserve(data.counts.cell_count());
  }

  void add_cell(std::size_t cls, double counted, double correction) {
    cells.push_back({correction, static_cast<std::uint32_t>(cls)});
    own.push_back(counted);
  }

  const std::string& name_;
  const std::vector<std::string>& classes_;
  std::vector<std::size_t> place_;  // of each word, among those counted; empty: they are all
};

}  // namespace

TextEstimate estimate_text(const TextData& data, const Estimation& estimation) {
  return Estimator(data, estimation);
}

}  // namespace credence

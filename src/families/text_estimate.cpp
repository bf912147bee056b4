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

// For each of `choices` things that a draw may be; bayes: their imaginary count under that rule.
ImaginaryCount imaginary_counts(const Rule& rule, double choices, double bayes) {
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
    if (size() == 0) return;
    if (options.model == TextOptions::Model::bernoulli) {
      fit_coins(data, estimation);
    } else {
      fit_urns(data, estimation);
    }
  }

 private:
  void keep_words(const TextData& data) {
    counts = data.counts;
    if (options.least_documents <= 0 && options.most_share >= 1) {
      words = {counts, &counts->words};
      return;
    }
    const double all = std::accumulate(data.documents.begin(), data.documents.end(), 0.0);
    auto chosen = std::make_shared<ByteStrings>();
    for (std::size_t i = 0; i < counts->size(); ++i) {
      const double documents = counts->documents_with(i);
      if (documents < options.least_documents || documents > options.most_share * all) continue;
      chosen->add(counts->words[i]);
      kept.push_back(i);
    }
    words = std::move(chosen);
  }

  void weigh_rare_words(const TextData& data) {
    const double all = std::accumulate(data.documents.begin(), data.documents.end(), 0.0);
    for (std::size_t i = 0; i < size(); ++i) {
      rarity.push_back(1 + std::log((1 + all) / (1 + counts->documents_with(place(i)))));
    }
  }

  // log p of absence summed over all words, and for each word present what that changes.
  void fit_coins(const TextData& data, const Estimation& estimation) {
    const std::size_t many = classes_.size();
    // As the family bernoulli reads its two counts.
    const Rule& rule = estimation.rule;
    const auto estimated = imaginary = imaginary_counts(rule, 2, rule.strength / 2);
    const double a = estimated.added;
    const double kinds = static_cast<double>(size());
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
    make_room();
    for (std::size_t i = 0; i < size(); ++i) {
      const std::size_t at = place(i), end = counts->end(at);
      for (std::size_t k = counts->begin(at); k < end; ++k) {
        const std::size_t c = counts->cls(k);
        const double with = counts->weights[k], without = std::max(0.0, rows[c] - with);
        const double ones = estimated(with), zeros = estimated(without), total = ones + zeros;
        if (total == 0) nothing_to_estimate_from("document", c);
        log_likelihood +=
            x_log_y(with, ones / total) + x_log_y(without, zeros / total) - rows[c] * log_absent[c];
        if (ones == 0) continue;  // as if it had not been seen
        if (zeros == 0) {
          // Every document of the class has it: kept apart, as its absence has probability 0.
          certain.resize(many);
          certain[c].push_back(static_cast<std::int32_t>(i));
          add_cell(c, 0);
          constant[c] -= log_absent[c];
          continue;
        }
        if (a > 0) {
          log_prior += a * (std::log(ones / total) + std::log(zeros / total) - log_absent[c] -
                            std::log(a / (a + estimated(rows[c]))));
        }
        constant[c] += std::log(zeros / total) - log_absent[c];
        add_cell(c, std::log(ones) - std::log(zeros) - per_word[c]);
      }
      end_word();
    }
    for (std::size_t c = 0; c < many; ++c) log_likelihood += kinds * rows[c] * log_absent[c];
    parameters = many * size();
    totals = rows;
  }

  void fit_urns(const TextData& data, const Estimation& estimation) {
    const std::size_t many = classes_.size();
    const double kinds = static_cast<double>(size());
    const Rule& rule = estimation.rule;
    const auto estimated = imaginary = imaginary_counts(rule, kinds, rule.strength * options.alpha);
    const double a = estimated.added;
    const bool complement = options.model == TextOptions::Model::complement;
    if (complement && a == 0) {
      throw Error(ErrorKind::data,
                  fmt::format("column \"{}\": text(complement) needs a prior (use {} or laplace=1)",
                              name_, setting("rule", "bayes")));
    }
    totals.assign(many, 0.0);
    std::vector<double> draws(many, 0.0);
    std::vector<double> of_word(complement ? size() : 0, 0.0);
    for (std::size_t i = 0; i < size(); ++i) {
      const std::size_t at = place(i), end = counts->end(at);
      for (std::size_t k = counts->begin(at); k < end; ++k) {
        const std::size_t c = counts->cls(k);
        const double n = counts->weights[k] * rarity_of(i);
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
    std::array<CellScores::Listed, 64> small;
    for (std::size_t n = 0; n < small.size() && !complement; ++n) {
      small[n] = cells.list(std::log(estimated(static_cast<double>(n))) - log_a);
    }
    const auto correction_of = [&](double count) -> CellScores::Listed {
      const auto whole = static_cast<std::size_t>(std::min(count, 63.0));
      if (static_cast<double>(whole) == count) return small[whole];
      return {std::log(estimated(count)) - log_a};
    };
    common_base = log_a;
    make_room();
    for (std::size_t i = 0; i < size(); ++i) {
      const double n = complement ? of_word[i] : 0;
      if (complement) bases.push_back(std::log(n + a) - 2 * std::log(all + a * kinds));
      const double base = base_of(i);
      const std::size_t at = place(i), end = counts->end(at);
      for (std::size_t k = counts->begin(at); k < end; ++k) {
        const std::size_t c = counts->cls(k);
        const double n_c = counts->weights[k] * rarity_of(i), smoothed = estimated(n_c);
        const CellScores::Listed correction =
            complement ? CellScores::Listed{std::log(n + a) - std::log(std::max(0.0, n - n_c) + a)}
                       : correction_of(n_c);
        log_likelihood += options.scale * n_c * (base + per_word[c] + correction.correction);
        log_prior += options.scale * a * correction.correction;
        if (smoothed > 0) cells.push_back(static_cast<std::uint32_t>(c), correction);
      }
      end_word();
    }
    parameters = many * (size() - 1);
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

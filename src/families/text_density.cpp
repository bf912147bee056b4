// SPDX-License-Identifier: Apache-2.0
#include "families/text_density.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include "core/log_math.hpp"
#include "core/text.hpp"
#include "credence/error.hpp"
#include "families/text_lists.hpp"

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

class TextDensity : public Density {
 public:
  TextDensity(const TextData& data, const Estimation& estimation)
      : column_(data.column),
        name_(data.name),
        options_(data.options),
        classes_(estimation.classes),
        constant_(classes_.size(), 0.0),
        per_word_(classes_.size(), 0.0) {
    keep_words(data);
    if (options_.scale == 0) {
      const bool unit = options_.counts == TextOptions::Counts::log;
      options_.scale = unit ? std::max(1.0, std::log2(static_cast<double>(classes_.size()))) : 1;
    }
    if (options_.idf) weigh_rare_words(data);
    ends_.push_back(0);
    // A complement is no maximum. Nor are documents scaled to unit length after words were left
    // out, as they are counted with all of their words.
    const bool some = options_.least_documents > 0 || options_.most_share < 1;
    if (options_.model != TextOptions::Model::complement &&
        !(some && options_.counts == TextOptions::Counts::log)) {
      log_prior = 0;
    }
    if (words_.size() == 0) return;
    if (options_.model == TextOptions::Model::bernoulli) {
      fit_coins(data, estimation);
    } else {
      fit_urns(data, estimation);
    }
    class_weights_ = estimation.class_weights;
    lay_out_rows();
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    const auto& bags = std::get<Bags>(chunk.columns[column_]);
    const auto known = rows_of(bags);
    std::vector<std::int32_t> words;
    std::vector<double> weights, score(classes_.size());
    std::vector<std::int32_t> seen(classes_.size());
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (bags.missing[r] || words_.size() == 0) continue;
      document(bags, r, known, words, weights);
      score = constant_;
      double length = 0, base = 0;
      for (std::size_t i = 0; i < words.size(); ++i) {
        const auto word = static_cast<std::size_t>(words[i]);
        length += weights[i];
        base += weights[i] * base_[word];
        add_word(word, weights[i], score);
      }
      if (unsmoothed_) count_seen(words, seen);
      for (std::size_t c = 0; c < classes_.size(); ++c) {
        // Without a prior, a word never seen in the class rules the class out.
        const bool out = unsmoothed_ && static_cast<std::size_t>(seen[c]) < words.size();
        const bool lacks = !certain_.empty() && lacks_certain(words, c);
        joint[r * classes_.size() + c] +=
            out || lacks ? -infinity : weight * (score[c] + base + length * per_word_[c]);
      }
    }
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    const auto& bags = std::get<Bags>(chunk.columns[column_]);
    if (bags.missing[row]) return;
    const auto known = rows_of(bags);
    std::vector<std::int32_t> words;
    std::vector<double> weights;
    document(bags, row, known, words, weights);
    std::size_t next = 0;
    for (std::size_t i = bags.offsets[row]; i < bags.offsets[row + 1]; ++i) {
      const auto feature = static_cast<std::size_t>(bags.features[i]);
      Term term{name_, bags.dictionary[feature], std::vector<double>(classes_.size(), 0.0)};
      if (bags.counts[i] != 1) term.value += " x " + format_number(bags.counts[i]);
      if (known[feature] < 0) {
        term.value += " (unseen: no evidence)";
      } else {
        const auto evidence = word_evidence(static_cast<std::size_t>(known[feature]));
        for (std::size_t c = 0; c < classes_.size(); ++c) {
          term.log_density[c] = weights[next] * evidence[c];
        }
        ++next;
      }
      terms.push_back(std::move(term));
    }
    if (options_.model != TextOptions::Model::bernoulli || words_.size() == 0) return;
    Term rest{name_, "(all absent ones)", constant_};
    for (std::size_t c = 0; c < classes_.size() && !certain_.empty(); ++c) {
      if (lacks_certain(words, c)) rest.log_density[c] = -infinity;
    }
    terms.push_back(std::move(rest));
  }

  // Words from the class's own shares; documents as long as the class's are on average.
  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    auto& bags = std::get<Bags>(rows.columns[column_]);
    if (bags.dictionary.empty()) {
      for (std::size_t i = 0; i < words_.size(); ++i)
        bags.dictionary.emplace_back(words_.strings()[i]);
    }
    std::map<std::int32_t, double> drawn;
    const auto& own = own_words(cls);
    if (options_.model == TextOptions::Model::bernoulli) {
      const double rows_of_class = totals_[cls] + 2 * prior_;
      std::vector<double> p(words_.size(), prior_ / rows_of_class);
      for (std::size_t i = 0; i < own.words.size(); ++i) {
        const double before = i == 0 ? 0 : own.until[i - 1];
        p[static_cast<std::size_t>(own.words[i])] += (own.until[i] - before) / rows_of_class;
      }
      for (std::size_t i = 0; i < p.size(); ++i) {
        if (random.uniform() < p[i]) drawn[static_cast<std::int32_t>(i)] = 1;
      }
    } else if (words_.size() > 0) {
      const double seen = own.until.empty() ? 0 : own.until.back();
      const double all = seen + prior_ * static_cast<double>(words_.size());
      const double length = random.poisson(mean_length_[cls]);
      for (double n = 0; n < length; ++n) {
        // One of the words seen, or one of the imaginary ones, which are all alike.
        const double place = random.uniform() * all;
        if (place < seen) {
          const auto at = std::upper_bound(own.until.begin(), own.until.end(), place);
          drawn[own.words[static_cast<std::size_t>(at - own.until.begin())]] += 1;
        } else {
          drawn[static_cast<std::int32_t>(random.below(words_.size()))] += 1;
        }
      }
    }
    for (const auto& [word, count] : drawn) {
      bags.features.push_back(word);
      bags.counts.push_back(count);
    }
    bags.offsets.push_back(bags.features.size());
    bags.missing.push_back(0);
  }

  std::string linear(LinearForm& form) const override {
    if (options_.counts == TextOptions::Counts::log) {
      return name_ + ": documents of unit length are not linear in their words (use counts=raw)";
    }
    if (unsmoothed_ || !certain_.empty()) {
      return name_ + ": without a prior a word may rule a class out (use --rule laplace=1)";
    }
    form.intercepts = constant_;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      auto evidence = word_evidence(i);
      for (double& e : evidence) e *= options_.scale * rarity(i);
      form.features.push_back(
          {fmt::format("{}: {}", name_, words_.strings()[i]), std::move(evidence)});
    }
    return "";
  }

  ParameterTable table() const override {
    const char* models[] = {"bernoulli", "multinomial", "complement"};
    ParameterTable result{
        name_,
        "text",
        fmt::format("{}, {} words", models[static_cast<int>(options_.model)], words_.size()),
        {},
        {}};
    if (words_.size() == 0) return result;
    const bool coins = options_.model == TextOptions::Model::bernoulli;
    result.lists =
        word_lists({words_.strings(), ends_, cell_classes_, own_, totals_, prior_, coins}, classes_,
                   class_weights_);
    return result;
  }

 private:
  void keep_words(const TextData& data) {
    const double all = std::accumulate(data.documents.begin(), data.documents.end(), 0.0);
    ByteStrings words;
    const bool some = options_.least_documents > 0 || options_.most_share < 1;
    for (std::size_t i = 0; i < data.counts.size(); ++i) {
      const double documents = data.counts.documents(i);
      if (some && (documents < options_.least_documents || documents > options_.most_share * all)) {
        continue;
      }
      words.add(data.counts.word(i));
      place_.push_back(i);
    }
    words_ = Interner(std::move(words));
  }

  void weigh_rare_words(const TextData& data) {
    const double all = std::accumulate(data.documents.begin(), data.documents.end(), 0.0);
    for (const auto place : place_) {
      rarity_.push_back(1 + std::log((1 + all) / (1 + data.counts.documents(place))));
    }
  }
  double rarity(std::size_t word) const { return rarity_.empty() ? 1 : rarity_[word]; }

  // log p of absence summed over all words, and for each word present what that changes.
  void fit_coins(const TextData& data, const Estimation& estimation) {
    const std::size_t many = classes_.size();
    // As the family bernoulli reads its two counts.
    const Rule& rule = estimation.rule;
    const auto estimated = imaginary_counts(rule, 2, rule.strength / 2);
    const double a = estimated.added;
    const double words = static_cast<double>(place_.size());
    std::vector<double> rows = data.documents, log_absent(many, 0.0);
    for (std::size_t c = 0; c < many; ++c) {
      if (estimation.class_weights[c] == 0) continue;
      const double zeros = estimated(rows[c]);
      if (zeros == 0) nothing_to_estimate_from("document", c);
      log_absent[c] = std::log(zeros / (zeros + a));
      constant_[c] = words * log_absent[c];
      per_word_[c] = a == 0 ? 0 : std::log(a) - std::log(zeros);
      if (a > 0) log_prior += words * a * (log_absent[c] + std::log(a / (a + zeros)));
    }
    if (estimated.removed > 0) log_prior = infinity;
    unsmoothed_ = a == 0;
    base_.assign(place_.size(), 0.0);
    for (std::size_t i = 0; i < place_.size(); ++i) {
      const auto cells = data.counts.cells(place_[i]);
      for (std::size_t k = 0; k < cells.classes.size(); ++k) {
        const auto c = static_cast<std::size_t>(cells.classes[k]);
        const double with = cells.weights[k], without = std::max(0.0, rows[c] - with);
        const double ones = estimated(with), zeros = estimated(without), total = ones + zeros;
        if (total == 0) nothing_to_estimate_from("document", c);
        log_likelihood +=
            x_log_y(with, ones / total) + x_log_y(without, zeros / total) - rows[c] * log_absent[c];
        if (ones == 0) continue;  // as if it had not been seen
        const double own = estimated.removed > 0 ? rows[c] * ones / total : with;
        if (zeros == 0) {
          // Every document of the class has it: kept apart, as its absence has probability 0.
          certain_.resize(many);
          certain_[c].push_back(static_cast<std::int32_t>(i));
          add_cell(c, own, 0);
          constant_[c] -= log_absent[c];
          continue;
        }
        if (a > 0) {
          log_prior += a * (std::log(ones / total) + std::log(zeros / total) - log_absent[c] -
                            std::log(a / (a + estimated(rows[c]))));
        }
        constant_[c] += std::log(zeros / total) - log_absent[c];
        add_cell(c, own, std::log(ones) - std::log(zeros) - per_word_[c]);
      }
      ends_.push_back(cell_classes_.size());
    }
    for (std::size_t c = 0; c < many; ++c) log_likelihood += words * rows[c] * log_absent[c];
    parameters = many * place_.size();
    prior_ = a;
    totals_ = rows;
  }

  void fit_urns(const TextData& data, const Estimation& estimation) {
    const std::size_t many = classes_.size();
    const double words = static_cast<double>(place_.size());
    const Rule& rule = estimation.rule;
    const auto estimated = imaginary_counts(rule, words, rule.strength * options_.alpha);
    const double a = estimated.added;
    const bool complement = options_.model == TextOptions::Model::complement;
    if (complement && a == 0) {
      throw Error(ErrorKind::data,
                  fmt::format("column \"{}\": text(complement) needs a prior (use --estimate bayes "
                              "or laplace=1)",
                              name_));
    }
    std::vector<double> totals(many, 0.0), draws(many, 0.0);
    std::vector<double> of_word(place_.size(), 0.0);
    for (std::size_t i = 0; i < place_.size(); ++i) {
      const auto cells = data.counts.cells(place_[i]);
      for (std::size_t k = 0; k < cells.classes.size(); ++k) {
        const auto c = static_cast<std::size_t>(cells.classes[k]);
        const double n = cells.weights[k] * rarity(i);
        draws[c] += n;
        totals[c] += estimated.kept(n);
        of_word[i] += n;
      }
    }
    const double all = std::accumulate(totals.begin(), totals.end(), 0.0);
    mean_length_.assign(many, 0.0);
    for (std::size_t c = 0; c < many; ++c) {
      if (data.documents[c] > 0) mean_length_[c] = draws[c] / data.documents[c];
      if (estimation.class_weights[c] == 0) continue;
      if (totals[c] + a * words == 0) nothing_to_estimate_from("word", c);
      per_word_[c] =
          complement ? std::log(all - totals[c] + a * words) : -std::log(totals[c] + a * words);
      if (a > 0) log_prior += options_.scale * a * words * (std::log(a) + per_word_[c]);
    }
    if (estimated.removed > 0) log_prior += infinity;
    unsmoothed_ = a == 0;
    const double log_a = a == 0 ? 0 : std::log(a);
    for (std::size_t i = 0; i < place_.size(); ++i) {
      const double n = of_word[i];
      base_.push_back(complement ? std::log(n + a) - 2 * std::log(all + a * words) : log_a);
      const auto cells = data.counts.cells(place_[i]);
      for (std::size_t k = 0; k < cells.classes.size(); ++k) {
        const auto c = static_cast<std::size_t>(cells.classes[k]);
        const double counted = cells.weights[k] * rarity(i), own = estimated(counted);
        const double correction = complement
                                      ? std::log(n + a) - std::log(std::max(0.0, n - counted) + a)
                                      : std::log(own) - log_a;
        log_likelihood += options_.scale * counted * (base_[i] + per_word_[c] + correction);
        log_prior += options_.scale * a * correction;
        if (own > 0) add_cell(c, estimated.kept(counted), correction);
      }
      ends_.push_back(cell_classes_.size());
    }
    parameters = many * (place_.size() - 1);
    prior_ = a;
    totals_ = totals;
  }

  [[noreturn]] void nothing_to_estimate_from(const char* what, std::size_t cls) const {
    throw Error(ErrorKind::data,
                fmt::format("column \"{}\": no {} in class \"{}\" to estimate from (use --estimate "
                            "bayes)",
                            name_, what, classes_[cls]));
  }

  void add_cell(std::size_t cls, double own, double correction) {
    cell_classes_.push_back(static_cast<std::uint32_t>(cls));
    own_.push_back(own);
    corrections_.push_back(correction);
  }

  std::vector<std::int32_t> rows_of(const Bags& bags) const {
    std::vector<std::int32_t> result;
    result.reserve(bags.dictionary.size());
    constexpr std::size_t ahead = 8;
    std::vector<HashedBytes> hashes;
    hashes.reserve(bags.dictionary.size());
    for (const auto& word : bags.dictionary) hashes.push_back(hash(word));
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (i + ahead < hashes.size()) words_.prefetch(hashes[i + ahead]);
      result.push_back(words_.find(hashes[i]));
    }
    return result;
  }

  // The known words of a document and their weights.
  void document(const Bags& bags, std::size_t row, const std::vector<std::int32_t>& known,
                std::vector<std::int32_t>& words, std::vector<double>& weights) const {
    words.clear();
    weights.clear();
    for (std::size_t i = bags.offsets[row]; i < bags.offsets[row + 1]; ++i) {
      const auto word = known[static_cast<std::size_t>(bags.features[i])];
      if (word < 0) continue;
      words.push_back(word);
      weights.push_back(bags.counts[i]);
    }
    weigh_words(options_.counts, weights);
    for (std::size_t i = 0; i < words.size(); ++i) {
      weights[i] *= options_.scale * rarity(static_cast<std::size_t>(words[i]));
    }
  }

  // What one unit of a word says of every class.
  std::vector<double> word_evidence(std::size_t word) const {
    std::vector<double> result(classes_.size());
    std::vector<bool> seen(classes_.size(), false);
    for (std::size_t c = 0; c < result.size(); ++c) result[c] = base_[word] + per_word_[c];
    for (auto k = ends_[word]; k < ends_[word + 1]; ++k) {
      result[cell_classes_[k]] += corrections_[k];
      seen[cell_classes_[k]] = true;
    }
    for (std::size_t c = 0; c < result.size() && unsmoothed_; ++c) {
      if (!seen[c]) result[c] = -infinity;
    }
    return result;
  }

  // A word that most classes have is a row of numbers, which is faster to add than cell by cell.
  void add_word(std::size_t word, double weight, std::vector<double>& score) const {
    if (dense_of_[word] >= 0) {
      const double* row = dense_.data() + static_cast<std::size_t>(dense_of_[word]) * score.size();
      for (std::size_t c = 0; c < score.size(); ++c) score[c] += weight * row[c];
      return;
    }
    for (auto k = ends_[word]; k < ends_[word + 1]; ++k) {
      score[cell_classes_[k]] += weight * corrections_[k];
    }
  }

  void lay_out_rows() {
    const std::size_t many = classes_.size();
    dense_of_.assign(words_.size(), -1);
    std::int32_t rows = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (2 * (ends_[i + 1] - ends_[i]) <= many) continue;
      dense_of_[i] = rows++;
      dense_.resize(static_cast<std::size_t>(rows) * many, 0.0);
      double* row = dense_.data() + dense_.size() - many;
      for (auto k = ends_[i]; k < ends_[i + 1]; ++k) row[cell_classes_[k]] = corrections_[k];
    }
  }

  void count_seen(const std::vector<std::int32_t>& words, std::vector<std::int32_t>& seen) const {
    std::fill(seen.begin(), seen.end(), 0);
    for (const auto word : words) {
      for (auto k = ends_[static_cast<std::size_t>(word)];
           k < ends_[static_cast<std::size_t>(word) + 1]; ++k) {
        ++seen[cell_classes_[k]];
      }
    }
  }

  bool lacks_certain(const std::vector<std::int32_t>& words, std::size_t cls) const {
    return std::any_of(certain_[cls].begin(), certain_[cls].end(), [&](std::int32_t word) {
      return std::find(words.begin(), words.end(), word) == words.end();
    });
  }

  // The words of each class and their counts summed up, made when the first document is drawn.
  struct OwnWords {
    std::vector<std::int32_t> words;
    std::vector<double> until;
  };
  const OwnWords& own_words(std::size_t cls) const {
    std::call_once(own_words_made_, [&] {
      own_words_.resize(classes_.size());
      for (std::size_t i = 0; i < words_.size(); ++i) {
        for (auto k = ends_[i]; k < ends_[i + 1]; ++k) {
          auto& own = own_words_[cell_classes_[k]];
          own.words.push_back(static_cast<std::int32_t>(i));
          own.until.push_back((own.until.empty() ? 0 : own.until.back()) + own_[k]);
        }
      }
    });
    return own_words_[cls];
  }

  std::size_t column_;
  std::string name_;
  TextOptions options_;
  std::vector<std::string> classes_;
  Interner words_;
  std::vector<std::size_t> place_;  // of each word, among those counted
  std::vector<double> rarity_;      // empty: all 1
  std::vector<double> constant_;    // per class, of every document
  std::vector<double> per_word_;    // per class, for each unit of weight
  std::vector<double> base_;        // per word, the same for all classes
  std::vector<std::size_t> ends_;   // of a word's cells
  std::vector<std::uint32_t> cell_classes_;
  std::vector<double> corrections_, own_;  // own: what was counted
  std::vector<std::int32_t> dense_of_;     // of a word: its row in dense_, or -1
  std::vector<double> dense_;
  std::vector<double> totals_;  // per class: draws, or documents
  std::vector<double> mean_length_, class_weights_;
  double prior_ = 0;
  mutable std::once_flag own_words_made_;
  mutable std::vector<OwnWords> own_words_;
  bool unsmoothed_ = false;
  std::vector<std::vector<std::int32_t>> certain_;  // per class; empty: none in any
};

}  // namespace

std::unique_ptr<Density> fit_text(const TextData& data, const Estimation& estimation) {
  return std::make_unique<TextDensity>(data, estimation);
}

}  // namespace credence

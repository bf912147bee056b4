// SPDX-License-Identifier: Apache-2.0
#include "families/text/text_density.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/text/document.hpp"
#include "families/text/text_lists.hpp"
#include "families/text/text_scores.hpp"
#include "families/text/word_weights.hpp"
#include "families/working.hpp"
#include "sql/documents.hpp"

namespace credence {

namespace {

class TextDensity : public Density {
 public:
  TextDensity(const TextData& data, const Estimation& estimation)
      : columns_(data.columns),
        name_(data.name),
        classes_(estimation.classes),
        class_weights_(estimation.class_weights),
        text_(estimate_text(data, estimation)) {
    parameters = text_.parameters;
    log_likelihood = text_.log_likelihood;
    log_prior = text_.log_prior;
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    Bags room;
    const auto& bags = document_of(chunk, columns_, room);
    const auto& scores = this->scores();
    const auto known = scores.look_up(bags.dictionary);
    const auto several = several_words(text_.options, bags.dictionary);
    Document words;
    std::vector<double> score(classes_.size());
    std::vector<std::int32_t> seen(classes_.size());
    TextScores::Parts parts;
    const bool strict = text_.unsmoothed || !text_.certain.empty();  // words may rule classes out
    std::vector<std::int32_t> numbers;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (bags.missing[r] || text_.size() == 0) continue;
      read(bags, r, known.numbers, several, words);
      score = text_.constant;
      const auto sums = scores.add(known, words.places, words.weights, parts, score);
      if (strict) numbers = sorted_numbers(known.numbers, words.places);
      if (text_.unsmoothed) count_seen(numbers, seen);
      for (std::size_t c = 0; c < classes_.size(); ++c) {
        // Without a prior, a word never seen in the class rules the class out.
        const bool out = text_.unsmoothed && static_cast<std::size_t>(seen[c]) < numbers.size();
        const bool lacks = !text_.certain.empty() && lacks_certain(numbers, c);
        joint[r * classes_.size() + c] +=
            out || lacks ? -infinity
                         : weight * (score[c] + sums.base + sums.weight * text_.per_word[c]);
      }
    }
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    Bags room;
    const auto& bags = document_of(chunk, columns_, room);
    if (bags.missing[row]) return;
    const auto known = scores().look_up(bags.dictionary).numbers;
    Document words;
    read(bags, row, known, several_words(text_.options, bags.dictionary), words);
    std::size_t next = 0;
    Term rest{name_, "(all absent ones)", text_.constant};
    for (std::size_t i = bags.offsets[row]; i < bags.offsets[row + 1]; ++i) {
      const auto feature = static_cast<std::size_t>(bags.features[i]);
      Term term{name_, bags.dictionary[feature], std::vector<double>(classes_.size(), 0.0)};
      if (bags.counts[i] != 1) term.value += " x " + format_number(bags.counts[i]);
      if (known[feature] < 0) {
        term.ignored = true;
      } else {
        const auto word = static_cast<std::size_t>(known[feature]);
        const double weight = words.weights[next++];
        const auto evidence = word_evidence(word), absent = absence(word, evidence);
        for (std::size_t c = 0; c < classes_.size(); ++c) {
          term.log_density[c] = weight * evidence[c] + absent[c];
          rest.log_density[c] -= absent[c];
        }
        term.of = bags.dictionary[feature];
        if (!coins()) term.power = weight;
        term.working = [this, word](std::size_t c) { return working(word, c); };
      }
      terms.push_back(std::move(term));
    }
    if (!coins() || text_.size() == 0) return;
    if (next == text_.size()) rest.log_density.assign(classes_.size(), 0.0);  // none is absent
    for (std::size_t c = 0; c < classes_.size() && !text_.certain.empty(); ++c) {
      if (lacks_certain(sorted_numbers(known, words.places), c)) rest.log_density[c] = -infinity;
    }
    terms.push_back(std::move(rest));
  }

  std::vector<sql::Expression> sql(sql::Query& query) const override {
    refuse_in_sql();
    using Counts = TextOptions::Counts;
    using Table = sql::WordTable;
    Table table{text_.options.counts == Counts::log      ? Table::Counts::log
                : text_.options.counts == Counts::binary ? Table::Counts::binary
                                                         : Table::Counts::raw,
                text_.options.scale,
                {},
                {}};
    for (std::size_t i = 0; i < text_.size(); ++i) {
      table.words.push_back((*text_.words)[i]);
      const auto evidence = word_evidence(i);
      table.evidence.insert(table.evidence.end(), evidence.begin(), evidence.end());
    }
    const auto document = query.cell(columns_[0]);
    auto result = sums_over_words(query, columns_[0], table, classes_.size());
    for (std::size_t c = 0; c < result.size(); ++c) {
      result[c] = query.if_there(document, text_.constant[c] + result[c]);
    }
    return result;
  }

  // Words from the class's own shares; documents as long as the class's are on average.
  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    auto& bags = std::get<Bags>(rows.columns[columns_[0]]);
    for (std::size_t i = 1; i < columns_.size(); ++i) {  // all words are in the first column
      auto& other = std::get<Bags>(rows.columns[columns_[i]]);
      other.offsets.push_back(0);
      other.missing.push_back(1);
    }
    if (bags.dictionary.empty()) {
      for (std::size_t i = 0; i < text_.size(); ++i)
        bags.dictionary.emplace_back((*text_.words)[i]);
    }
    std::map<std::int32_t, double> drawn;
    const auto& own = own_words(cls);
    if (text_.size() == 0) {
      // Documents without a word.
    } else if (coins()) {
      const double rows_of_class = text_.totals[cls] + 2 * text_.imaginary.added;
      std::vector<double> p(text_.size(), text_.imaginary.added / rows_of_class);
      for (std::size_t i = 0; i < own.words.size(); ++i) {
        const double before = i == 0 ? 0 : own.until[i - 1];
        p[static_cast<std::size_t>(own.words[i])] += (own.until[i] - before) / rows_of_class;
      }
      for (std::size_t i = 0; i < p.size(); ++i) {
        if (random.uniform() < p[i]) drawn[static_cast<std::int32_t>(i)] = 1;
      }
    } else {
      drawn = draw_words(random, cls);
    }
    for (const auto& [word, count] : drawn) {
      bags.features.push_back(word);
      bags.counts.push_back(count);
    }
    bags.offsets.push_back(bags.features.size());
    bags.missing.push_back(0);
  }

  std::string linear(LinearForm& form) const override {
    if (text_.options.counts == TextOptions::Counts::log) {
      return name_ + ": documents of unit length are not linear in their words (use counts=raw)";
    }
    if (text_.unsmoothed || !text_.certain.empty()) {
      return fmt::format("{}: without a prior a word may rule a class out (use {})", name_,
                         setting("rule", "laplace=1"));
    }
    form.intercepts = text_.constant;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      auto evidence = word_evidence(i);
      for (double& e : evidence) e *= text_.options.scale * text_.rarity_of(i);
      form.features.push_back(
          {fmt::format("{}: {}", name_, (*text_.words)[i]), std::move(evidence)});
    }
    return "";
  }

  ParameterTable table() const override {
    const char* models[] = {"bernoulli", "multinomial", "complement"};
    ParameterTable result{
        name_,
        "text",
        fmt::format("{}, {} words", models[static_cast<int>(text_.options.model)], text_.size()),
        {},
        {}};
    if (text_.size() == 0) return result;
    std::vector<std::uint32_t> cell_classes;
    for (std::size_t k = 0; k < text_.cells.size(); ++k) cell_classes.push_back(text_.cells.cls(k));
    const auto own = text_.own_counts();
    result.lists = word_lists(
        {*text_.words, text_.ends, cell_classes, own, text_.totals, text_.imaginary.added, coins()},
        classes_, class_weights_);
    // A table of few words is read at once.
    constexpr std::size_t few = 40;
    const bool shares =
        text_.rarity.empty() && text_.options.model != TextOptions::Model::complement;
    for (std::size_t i = 0; shares && text_.size() <= few && i < text_.size(); ++i) {
      result.rows.push_back(row_of(i));
    }
    return result;
  }

 private:
  void refuse_in_sql() const {
    const char* why = columns_.size() > 1        ? "several columns read as one text"
                      : !text_.rarity.empty()    ? "idf"
                      : text_.options.pairs != 1 ? "what several words weigh"
                      : !text_.certain.empty()   ? "words without which a class cannot be"
                                                 : nullptr;
    if (!why) return;
    throw Error(ErrorKind::usage, fmt::format("column \"{}\": SQL does not say {} (use {})", name_,
                                              why, setting("as", name_ + ": text(multinomial)")));
  }

  // P(word | class): that a document has it, or that a word is it.
  ParameterTable::Row row_of(std::size_t word) const {
    ParameterTable::Row row{"", {}, {std::string((*text_.words)[word])}};
    const auto evidence = word_evidence(word);
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const double p = std::exp(log_share(word, c, evidence));
      const bool counted = text_.imaginary.added == 0 && text_.imaginary.removed == 0;
      row.cells.push_back({p, counted ? count_of(word, c) : 0, counted ? text_.totals[c] : 0});
    }
    return row;
  }
  double count_of(std::size_t word, std::size_t cls) const {
    const std::size_t at = text_.place(word);
    for (std::size_t k = text_.counts->begin(at); k < text_.counts->end(at); ++k) {
      if (text_.counts->cls(k) == cls) return text_.counts->weights[k];
    }
    return 0;
  }

  // As many words as a document of the class has: of those seen, or of the imaginary ones, which
  // are all alike.
  std::map<std::int32_t, double> draw_words(Random& random, std::size_t cls) const {
    std::map<std::int32_t, double> drawn;
    const auto& own = own_words(cls);
    const double seen = own.until.empty() ? 0 : own.until.back();
    const double all = seen + text_.imaginary.added * static_cast<double>(text_.size());
    const double length = random.poisson(text_.mean_length[cls]);
    if (length > 0x1p20) {
      std::vector<double> shares(text_.size(), text_.imaginary.added / all);
      for (std::size_t i = 0; i < own.words.size(); ++i) {
        const double before = i == 0 ? 0 : own.until[i - 1];
        shares[static_cast<std::size_t>(own.words[i])] += (own.until[i] - before) / all;
      }
      const auto dealt = random.deal(length, shares);
      for (std::size_t i = 0; i < dealt.size(); ++i) {
        if (dealt[i] > 0) drawn[static_cast<std::int32_t>(i)] = dealt[i];
      }
      return drawn;
    }
    for (double n = 0; n < length; ++n) {
      const double place = random.uniform() * all;
      if (place < seen) {
        const auto at = std::upper_bound(own.until.begin(), own.until.end(), place);
        drawn[own.words[static_cast<std::size_t>(at - own.until.begin())]] += 1;
      } else {
        drawn[static_cast<std::int32_t>(random.below(text_.size()))] += 1;
      }
    }
    return drawn;
  }

  // Made with the first document: learning has none.
  const TextScores& scores() const {
    std::call_once(scores_made_, [&] { scores_.emplace(text_, classes_.size()); });
    return *scores_;
  }

  // The known words of a document and their weights.
  struct Document {
    std::vector<std::int32_t> places;  // among the words of the chunk
    std::vector<double> weights;
    std::vector<char> several;  // room that is used again
    std::vector<double> rarity;
  };
  void read(const Bags& bags, std::size_t row, const std::vector<std::int32_t>& known,
            const std::vector<char>& several, Document& document) const {
    auto& places = document.places;
    auto& weights = document.weights;
    const std::size_t begin = bags.offsets[row], end = bags.offsets[row + 1];
    places.resize(end - begin);
    weights.resize(end - begin);
    std::size_t kept = 0;
    for (std::size_t i = begin; i < end; ++i) {
      places[kept] = bags.features[i];
      weights[kept] = bags.counts[i];
      kept += known[static_cast<std::size_t>(bags.features[i])] >= 0 ? 1 : 0;
    }
    places.resize(kept);
    weights.resize(kept);
    document.several.clear();
    for (std::size_t i = 0; i < kept && !several.empty(); ++i) {
      document.several.push_back(several[static_cast<std::size_t>(places[i])]);
    }
    weigh_words(text_.options, weights, document.several);
    if (!text_.rarity.empty()) {
      document.rarity.clear();
      for (const auto place : places)
        document.rarity.push_back(text_.rarity[number_of(known, place)]);
      weigh_rarity(text_.options, weights, document.rarity);
    }
    if (text_.options.scale == 1) return;
    for (double& weight : weights) weight *= text_.options.scale;
  }
  static std::size_t number_of(const std::vector<std::int32_t>& known, std::int32_t place) {
    return static_cast<std::size_t>(known[static_cast<std::size_t>(place)]);
  }

  // What one unit of a word says of every class.
  std::vector<double> word_evidence(std::size_t word) const {
    std::vector<double> result(classes_.size());
    std::vector<bool> seen(classes_.size(), false);
    for (std::size_t c = 0; c < result.size(); ++c)
      result[c] = text_.base_of(word) + text_.per_word[c];
    for (auto k = text_.ends[word]; k < text_.ends[word + 1]; ++k) {
      const auto cls = text_.cells.cls(k);
      result[cls] += text_.cells.correction(k);
      seen[cls] = true;
    }
    for (std::size_t c = 0; c < result.size() && text_.unsmoothed; ++c) {
      if (!seen[c]) result[c] = -infinity;
    }
    return result;
  }

  bool coins() const { return text_.options.model == TextOptions::Model::bernoulli; }

  // log P(the word is absent | c), of which a document's constant is the sum; 0 where a word is
  // drawn rather than present or absent, and where it is kept apart as it is never absent.
  std::vector<double> absence(std::size_t word, const std::vector<double>& evidence) const {
    std::vector<double> result(classes_.size(), 0.0);
    for (std::size_t c = 0; c < result.size() && coins(); ++c) {
      if (!certain(word, c)) result[c] = -std::log1p(std::exp(evidence[c]));
    }
    return result;
  }

  // Is the word in every document of the class? It is then kept apart: its evidence would be
  // infinite.
  bool certain(std::size_t word, std::size_t c) const {
    return !text_.certain.empty() &&
           std::binary_search(text_.certain[c].begin(), text_.certain[c].end(),
                              static_cast<std::int32_t>(word));
  }

  // log P(word | class)
  double log_share(std::size_t word, std::size_t c, const std::vector<double>& evidence) const {
    if (!coins()) return evidence[c];
    return certain(word, c) ? 0.0 : -std::log1p(std::exp(-evidence[c]));
  }

  // A word's share of the draws, or of the documents, of a class.
  Working working(std::size_t word, std::size_t c) const {
    const double added = text_.imaginary.added;
    const double choices = coins() ? 2 : static_cast<double>(text_.size());
    const bool plain = text_.imaginary.removed == 0 && text_.rarity.empty() &&
                       text_.options.model != TextOptions::Model::complement &&
                       text_.options.model != TextOptions::Model::polya;
    if (!plain || text_.totals[c] + choices * added == 0) {
      const auto evidence = word_evidence(word);
      return working_of_number(log_share(word, c, evidence), false);
    }
    return working_of_fraction(count_of(word, c), text_.totals[c], added, choices * added);
  }

  static std::vector<std::int32_t> sorted_numbers(const std::vector<std::int32_t>& known,
                                                  const std::vector<std::int32_t>& places) {
    std::vector<std::int32_t> numbers;
    for (const auto place : places) numbers.push_back(known[static_cast<std::size_t>(place)]);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }

  void count_seen(const std::vector<std::int32_t>& words, std::vector<std::int32_t>& seen) const {
    std::fill(seen.begin(), seen.end(), 0);
    for (const auto word : words) {
      for (auto k = text_.ends[static_cast<std::size_t>(word)];
           k < text_.ends[static_cast<std::size_t>(word) + 1]; ++k) {
        ++seen[text_.cells.cls(k)];
      }
    }
  }

  bool lacks_certain(const std::vector<std::int32_t>& words, std::size_t cls) const {
    return std::any_of(
        text_.certain[cls].begin(), text_.certain[cls].end(),
        [&](std::int32_t word) { return !std::binary_search(words.begin(), words.end(), word); });
  }

  // The words of each class and their counts summed up, made when the first document is drawn.
  struct OwnWords {
    std::vector<std::int32_t> words;
    std::vector<double> until;
  };
  const OwnWords& own_words(std::size_t cls) const {
    std::call_once(own_words_made_, [&] {
      own_words_.resize(classes_.size());
      const auto counts = text_.own_counts();
      for (std::size_t i = 0; i < text_.size(); ++i) {
        for (auto k = text_.ends[i]; k < text_.ends[i + 1]; ++k) {
          auto& own = own_words_[text_.cells.cls(k)];
          own.words.push_back(static_cast<std::int32_t>(i));
          own.until.push_back((own.until.empty() ? 0 : own.until.back()) + counts[k]);
        }
      }
    });
    return own_words_[cls];
  }

  std::vector<std::size_t> columns_;
  std::string name_;
  std::vector<std::string> classes_;
  std::vector<double> class_weights_;
  TextEstimate text_;
  mutable std::once_flag scores_made_;
  mutable std::optional<TextScores> scores_;
  mutable std::once_flag own_words_made_;
  mutable std::vector<OwnWords> own_words_;
};

}  // namespace

std::unique_ptr<Density> fit_text(const TextData& data, const Estimation& estimation) {
  return std::make_unique<TextDensity>(data, estimation);
}

}  // namespace credence

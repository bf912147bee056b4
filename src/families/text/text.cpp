// SPDX-License-Identifier: Apache-2.0
#include "families/text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/bags/bag_held_out.hpp"
#include "families/bags/bag_statistics.hpp"
#include "families/parameters.hpp"
#include "families/statistics/class_arrays.hpp"
#include "families/statistics/declared.hpp"
#include "families/text/document.hpp"
#include "families/text/text_density.hpp"
#include "families/text/text_estimate.hpp"
#include "families/text/word_counts.hpp"
#include "families/text/word_weights.hpp"

namespace credence {
namespace {

struct TextColumn {
  std::vector<std::size_t> indices;  // in the chunk
  std::string name;
  TextOptions options;
  const std::string& title() const { return name; }
};

class TextStatistics : public DeclaredStatistics<TextStatistics, TextColumn> {
  ClassSums documents_{".rows", ClassSums::Kind::exact, "documents"};
  WordCounts counts_;

 public:
  using DeclaredStatistics::DeclaredStatistics;
  static constexpr auto arrays = std::tuple(&TextStatistics::documents_, &TextStatistics::counts_);

  // Class by class, so that a word's sums add up in one place before they are looked up.
  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    Bags room;
    const auto& bags = document_of(chunk, columns_.indices, room);
    const auto places = counts_.place(bags.dictionary);
    std::vector<std::vector<std::size_t>> rows(documents_.classes());
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] >= 0 && !bags.missing[r])
        rows[static_cast<std::size_t>(classes[r])].push_back(r);
    }
    // Counts of words, and weights that are multiples of 2^-30, add up exactly in doubles; what is
    // multiplied by the weight of a row may not.
    if (chunk.weights.empty()) {
      count_rows<double>(chunk, bags, places, rows);
    } else {
      count_rows<DoubleDouble>(chunk, bags, places, rows);
    }
  }

  void merge(const BlockStatistics& other, std::span<const std::size_t> class_map,
             int sign) override {
    taken_away_ = taken_away_ || sign < 0;
    DeclaredStatistics::merge(other, class_map, sign);
  }

  // A document has a word or has it not. Those without a word can be taken away where there were
  // none: then too few are left for those that have one.
  std::string inconsistency(const std::vector<std::string>& classes) const {
    if (!counts_.canonical() && !taken_away_) return "";
    const auto counts = counted();
    std::vector<double> most(classes.size());
    for (std::size_t c = 0; c < most.size(); ++c) most[c] = documents_[c] * (1 + 1e-9);
    const auto exceeds = [&](std::size_t cell) {
      return counts->documents[cell] > most[counts->cls(cell)];
    };
    bool sound = true;
    for (std::size_t cell = 0; cell < counts->classes.size(); ++cell) sound &= !exceeds(cell);
    for (std::size_t word = 0; !sound && word < counts->size(); ++word) {
      for (std::size_t cell = counts->begin(word); cell < counts->end(word); ++cell) {
        if (!exceeds(cell)) continue;
        return fmt::format(
            "column \"{}\": class \"{}\" has more documents with \"{}\" than documents",
            columns_.name, classes[counts->cls(cell)], counts->words[word]);
      }
    }
    return "";
  }

  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    return fit_text(
        {columns_.indices, columns_.name, columns_.options, counted(), documents_.sums().high()},
        estimation);
  }
  std::optional<double> log_marginal_likelihood(const Estimation& estimation) const override {
    return log_marginal_of_texts(
        {columns_.indices, columns_.name, columns_.options, counted(), documents_.sums().high()},
        estimation);
  }

  // As the same words in a bag. What weighs words has no posterior of parameters.
  Draw drawing(const Estimation& estimation) const override {
    const auto& options = columns_.options;
    const bool coins = options.model == TextOptions::Model::bernoulli;
    const bool urns = options.model == TextOptions::Model::multinomial &&
                      options.counts == TextOptions::Counts::raw && !options.idf &&
                      options.pairs == 1 && options.scale_of(documents_.classes()) == 1;
    if ((!coins && !urns) || columns_.indices.size() > 1) {
      return BlockStatistics::drawing(estimation);
    }
    const std::shared_ptr<const BagStatistics> bag = as_bag(coins, estimation);
    auto of_words = estimation;
    of_words.shares.clear();
    if (urns && estimation.rule.kind == Rule::Kind::bayes) {
      of_words.rule = {Rule::Kind::laplace, estimated(estimation).imaginary.added};
    }
    return [bag, draw = bag->drawing(of_words)](Random& random, const Chunk& rows) {
      return draw(random, rows);
    };
  }
  bool draws_by_row() const override {
    return columns_.options.model == TextOptions::Model::multinomial;
  }

  AddHeldOut held_out(const Estimation& estimation) const override {
    const auto counts = counted();
    const auto index = std::make_shared<const StringIndex>(counts->words);
    const auto find = [counts, index](const std::vector<std::string>& words) {
      return index->find_all(words, counts->words);
    };
    const auto& indices = columns_.indices;
    const auto add = hold_out_bags(
        *this, {{{indices[0]}, {columns_.name}}, columns_.options, counts, documents_.sums(), find},
        estimation);
    if (indices.size() == 1) return add;
    return [add, indices](const Chunk& chunk, std::span<const std::int32_t> classes, double weight,
                          std::span<double> joint) {
      add(as_one_document(chunk, indices), classes, weight, joint);
    };
  }
  void add_held_out(const Estimation& estimation, const Chunk& chunk,
                    std::span<const std::int32_t> classes, double weight,
                    std::span<double> joint) const override {
    held_out(estimation)(chunk, classes, weight, joint);
  }

 private:
  bool taken_away_ = false;  // something was

  std::shared_ptr<const CountedWords> counted() const {
    WordCounts counts = counts_;
    counts.canonicalise();
    return counts.counted();
  }

  TextEstimate estimated(const Estimation& estimation) const {
    return estimate_text(
        {columns_.indices, columns_.name, columns_.options, counted(), documents_.sums().high()},
        estimation);
  }

  // The words that the density knows.
  std::unique_ptr<BagStatistics> as_bag(bool coins, const Estimation& estimation) const {
    const auto text = estimated(estimation);
    const std::size_t classes = documents_.classes();
    std::vector<std::string> words;
    ExactSums counts(text.size() * classes);
    for (std::size_t i = 0; i < text.size(); ++i) {
      words.emplace_back((*text.words)[i]);
      const std::size_t place = text.place(i);
      for (std::size_t k = text.counts->begin(place); k < text.counts->end(place); ++k) {
        counts.set(i * classes + text.counts->cls(k), text.counts->weights.exact(k));
      }
    }
    const BagStatistics none(BagBlock({columns_.indices, {columns_.name}, true, {}},
                                      coins ? BagFamily::bernoulli : BagFamily::multinomial));
    return none.counted(words, counts, documents_.sums());
  }

  template <typename Sum>
  void count_rows(const Chunk& chunk, const Bags& bags, const std::vector<std::int32_t>& places,
                  const std::vector<std::vector<std::size_t>>& rows) {
    struct Sums {
      Sum weight{}, documents{};
    };
    std::vector<Sums> sums(bags.dictionary.size());
    std::vector<std::int32_t> touched;
    std::vector<double> weights;
    const auto several = several_words(columns_.options, bags.dictionary);
    std::vector<char> of_row;
    for (std::size_t c = 0; c < rows.size(); ++c) {
      for (const std::size_t r : rows[c]) {
        const double row_weight = chunk.weights.empty() ? 1.0 : chunk.weights[r];
        if (row_weight == 0) continue;
        documents_.add(c, row_weight);
        const std::size_t begin = bags.offsets[r], end = bags.offsets[r + 1];
        weights.assign(bags.counts.begin() + static_cast<std::ptrdiff_t>(begin),
                       bags.counts.begin() + static_cast<std::ptrdiff_t>(end));
        of_row.clear();
        for (std::size_t i = begin; i < end && !several.empty(); ++i) {
          of_row.push_back(several[static_cast<std::size_t>(bags.features[i])]);
        }
        weigh_words(columns_.options, weights, of_row);
        for (std::size_t i = begin; i < end; ++i) {
          const double weight = weights[i - begin];
          if (weight == 0) continue;
          auto& sum = sums[static_cast<std::size_t>(bags.features[i])];
          if (sum.documents == Sum{}) touched.push_back(bags.features[i]);
          if constexpr (std::is_same_v<Sum, double>) {
            sum.weight += weight;
            sum.documents += 1;
          } else {
            sum.weight = sum.weight + two_product(weight, row_weight);
            sum.documents = sum.documents + DoubleDouble(row_weight);
          }
        }
      }
      for (const auto word : touched) {
        auto& sum = sums[static_cast<std::size_t>(word)];
        counts_.add(places[static_cast<std::size_t>(word)], c, {sum.weight, sum.documents});
        sum = {};
      }
      touched.clear();
    }
  }
};

const std::vector<std::string> family_parameters = {
    "bernoulli", "multinomial", "complement", "counts", "idf", "alpha",
    "smooth",    "pairs",       "scale",      "min",    "max", "together"};

bool names_together(const std::string& parameters) {
  const auto all = parse_parameters(parameters);
  return std::any_of(all.begin(), all.end(),
                     [](const auto& parameter) { return parameter.name == "together"; });
}

bool names_a_model(const std::string& name) {
  return name == "bernoulli" || name == "multinomial" || name == "complement";
}

}  // namespace

bool names_text_model(const std::string& parameters) {
  const auto all = parse_parameters(parameters);
  return std::any_of(all.begin(), all.end(),
                     [](const auto& parameter) { return names_a_model(parameter.name); });
}

// Unless a model is named, what is best for most texts is meant: pairs of words too.
TextParameters split_text_parameters(const std::string& parameters,
                                     const std::vector<std::string>& token_names) {
  std::vector<std::string> tokens, family;
  bool model = false, grams = false, pairs = false, smooth = false, cut = false;
  for (const auto& parameter : parse_parameters(parameters)) {
    const auto text =
        parameter.value.empty() ? parameter.name : parameter.name + "=" + parameter.value;
    const auto among = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), parameter.name) != names.end();
    };
    const bool mine = among(family_parameters);
    if (!mine && !among(token_names)) {
      auto known = family_parameters;
      known.insert(known.end(), token_names.begin(), token_names.end());
      unknown_parameter("text", parameter, known);
    }
    (mine ? family : tokens).push_back(text);
    model = model || names_a_model(parameter.name);
    grams = grams || parameter.name == "ngrams" || parameter.name == "chars";
    pairs = pairs || parameter.name == "pairs";
    cut = cut || parameter.name == "tokens" || parameter.name == "chars";
    smooth = smooth || parameter.name == "smooth" || parameter.name == "alpha";
  }
  if (!model && !grams) {
    tokens.insert(tokens.begin(), "ngrams=1-2");
    if (!pairs) family.emplace_back("pairs=0.5");
  }
  if (!model && !cut) tokens.emplace_back("tokens=parts");
  if (!model && !smooth) family.emplace_back("smooth=0.25");
  return {join(tokens, ", "), join(family, ", ")};
}

TextOptions parse_text(const std::string& parameters) {
  TextOptions result;
  std::optional<TextOptions::Counts> counts;
  using Model = TextOptions::Model;
  using Counts = TextOptions::Counts;
  for (const auto& parameter : parse_parameters(parameters)) {
    const auto& name = parameter.name;
    const auto number = [&](double least, double most, const char* what) {
      return parameter_number("text", parameter, least, most, what);
    };
    if (names_a_model(name) && parameter.value.empty()) {
      result.model = name == "bernoulli"     ? Model::bernoulli
                     : name == "multinomial" ? Model::multinomial
                                             : Model::complement;
      result.counts = name == "bernoulli" ? Counts::binary : Counts::raw;
    } else if (name == "counts") {
      if (parameter.value == "raw") {
        counts = Counts::raw;
      } else if (parameter.value == "binary") {
        counts = Counts::binary;
      } else if (parameter.value == "log") {
        counts = Counts::log;
      } else {
        throw Error(ErrorKind::usage,
                    fmt::format("text(counts={}): raw, binary or log is wanted", parameter.value));
      }
    } else if (name == "together" && parameter.value.empty()) {
      continue;  // how columns make blocks
    } else if (name == "idf" && parameter.value.empty()) {
      result.idf = true;
    } else if (name == "alpha") {
      result.alpha = number(1e-12, 1e12, "a number above 0");
    } else if (name == "smooth") {
      result.smooth = number(1e-12, 1e12, "a number above 0");
    } else if (name == "pairs") {
      result.pairs = number(0, 1, "a share of what a single word weighs, from 0 to 1,");
    } else if (name == "scale") {
      result.scale = number(1e-6, 1e6, "a number above 0");
    } else if (name == "min") {
      result.least_documents = number(0, 1e15, "a number of documents");
    } else if (name == "max") {
      result.most_share = number(0, 1, "a share of the documents, from 0 to 1,");
    } else {
      unknown_parameter("text", parameter, family_parameters);
    }
  }
  if (counts) result.counts = *counts;
  if (result.model == Model::bernoulli && result.counts != Counts::binary) {
    throw Error(ErrorKind::usage, "text(bernoulli): only counts=binary go with it");
  }
  for (const auto& parameter : parse_parameters(parameters)) {
    const auto& name = parameter.name;
    if (result.model == Model::bernoulli && (name == "idf" || name == "alpha" || name == "scale" ||
                                             name == "smooth" || name == "pairs")) {
      throw Error(ErrorKind::usage, fmt::format("text(bernoulli): {} does not go with it", name));
    }
  }
  return result;
}

Family text_family() {
  return {.name = "text",
          .kinds = {ColumnKind::text},
          .make = [](const BlockColumns& columns,
                     const std::string& parameters) -> std::unique_ptr<BlockStatistics> {
            return std::make_unique<TextStatistics>(
                TextColumn{columns.indices, columns.title(), parse_text(parameters)});
          },
          .takes_parameters = true,
          .joins = [](const std::string& parameters) { return names_together(parameters); },
          .usual_for = {ColumnLook::documents},
          // Words and pairs of them, or their stems, by themselves and with letters beside.
          .tried = {{.place = 1, .of = {ColumnLook::documents}},
                    {.place = 2, .of = {ColumnLook::documents}, .parameters = "stem=english"},
                    {.place = 3, .of = {ColumnLook::documents}, .beside = "chars=4-5"},
                    {.place = 4,
                     .of = {ColumnLook::documents},
                     .parameters = "stem=english",
                     .beside = "chars=4-5"}},
          .by_hand = HandWriting::documents,
          .predicts_at_mean = true,
          .presence_only =
              [](const std::string& parameters) {
                return parse_text(parameters).counts == TextOptions::Counts::binary;
              },
          .score = [](const std::string& parameters) -> std::optional<Family::Score> {
            if (parse_text(parameters).model != TextOptions::Model::complement) return std::nullopt;
            return Family::Score{
                "text(complement), which text is unless a model is named, scores classes but does "
                "not say how probable a document is",
                "text(multinomial)"};
          }};
}

}  // namespace credence

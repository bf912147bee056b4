// SPDX-License-Identifier: Apache-2.0
// A column of words: a weight for every value. One binary column is the same with the values 0
// and 1. Derivations: docs/families/categorical.md, docs/families/bernoulli.md
#include <fmt/format.h>

#include <cmath>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/bags/bag_statistics.hpp"
#include "families/categorical_held_out.hpp"
#include "families/dirichlet.hpp"
#include "families/kernels/code_kernels.hpp"
#include "families/statistics/declared.hpp"
#include "families/working.hpp"
#include "sql/query.hpp"

namespace credence {

namespace {

struct CategoricalColumn : BlockColumn {
  bool binary = false;  // 0 and 1, which may be read as numbers: nothing else can turn up
  std::vector<std::string> declared;

  bool reserves(const Estimation& estimation) const { return estimation.reserve_unseen && !binary; }
};

// The values of a chunk's column as codes: words, or numbers of which those above 0 count as 1.
class CellCodes {
 public:
  CellCodes(const Chunk& chunk, const BlockColumn& column)
      : words_(std::get_if<Categories>(&chunk.columns[column.index])),
        numbers_(std::get_if<Numbers>(&chunk.columns[column.index])) {}

  const std::vector<std::string>& dictionary() const {
    static const std::vector<std::string> zero_one = {"0", "1"};
    return words_ ? words_->dictionary : zero_one;
  }
  // Negative: missing.
  std::int32_t operator[](std::size_t row) const {
    if (words_) return words_->codes[row];
    const double x = numbers_->values[row];
    return std::isnan(x) ? Categories::missing_code : x > 0 ? 1 : 0;
  }
  // The codes of all rows; those of numbers are written into `own`.
  std::span<const std::int32_t> all(std::vector<std::int32_t>& own) const {
    if (words_) return words_->codes;
    own.resize(numbers_->values.size());
    for (std::size_t r = 0; r < own.size(); ++r) own[r] = (*this)[r];
    return own;
  }
  std::string text(std::size_t row) const {
    return words_ ? words_->dictionary[static_cast<std::size_t>(words_->codes[row])]
                  : format_number(numbers_->values[row]);
  }

 private:
  const Categories* words_;
  const Numbers* numbers_;
};

class CategoricalDensity : public Density {
 public:
  CategoricalDensity(const CountTable& counts, const Estimation& estimation,
                     const CategoricalColumn& column)
      : column_(column), classes_(estimation.classes.size()), known_(counts) {
    const auto shares = prior_shares(estimation, column_.name, known_.names());
    const bool reserve = column_.reserves(estimation);
    if (reserve && !shares.empty()) {
      throw Error(ErrorKind::usage, fmt::format("{} and {} cannot both be used",
                                                setting("unseen", "reserve"), setting("shares")));
    }
    // The last row answers for values never seen: no evidence, or the reserved probability.
    probabilities_.assign((known_.size() + 1) * classes_, 1.0);
    counts_.assign(known_.size() * classes_, 0.0);
    totals_.assign(classes_, 0.0);
    log_prior = 0;
    if (known_.empty()) return;
    for (std::size_t c = 0; c < classes_; ++c) {
      if (estimation.class_weights[c] == 0) continue;
      std::vector<double> observed;
      for (std::size_t i = 0; i < known_.size(); ++i)
        observed.push_back(counts(known_.place(i), c));
      if (reserve) observed.push_back(0);
      const auto p =
          estimate_shares(observed, shares, estimation.rule, column_.name, estimation.classes[c]);
      for (std::size_t i = 0; i < p.size(); ++i) probabilities_[i * classes_ + c] = p[i];
      for (std::size_t i = 0; i < known_.size(); ++i) {
        counts_[i * classes_ + c] = observed[i];
        totals_[c] += observed[i];
        log_likelihood += x_log_y(observed[i], p[i]);
      }
      parameters += p.size() - 1;
      log_prior += log_prior_of_shares(p, imaginary_counts(p.size(), shares, estimation.rule),
                                       estimation.rule);
    }
    reserved_ = reserve;
    added_ = imaginary_counts(known_.size() + (reserve ? 1 : 0), shares, estimation.rule);
    if (estimation.rule.kind == Rule::Kind::map) {
      for (auto& added : added_) added -= 1;
    }
    exact_fractions_ = !estimation.rule.has_prior();
    log_p_.resize(probabilities_.size());
    for (std::size_t i = 0; i < log_p_.size(); ++i) log_p_[i] = std::log(probabilities_[i]);
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    if (log_p_.empty()) return;
    const CellCodes cells(chunk, column_);
    // What each value of the chunk says, and a missing one nothing.
    const auto place = known_.rows_of(cells.dictionary());
    std::vector<double> evidence((place.size() + 1) * classes_);
    for (std::size_t i = 0; i < place.size(); ++i) {
      const double* from = log_p_.data() + place[i] * classes_;
      double* to = evidence.data() + (i + 1) * classes_;
      for (std::size_t c = 0; c < classes_; ++c) to[c] = weight * from[c];
    }
    std::vector<std::int32_t> codes;
    add_vectors(cells.all(codes), evidence.data(), classes_, joint.data());
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    const CellCodes cells(chunk, column_);
    if (cells[row] < 0 || log_p_.empty()) return;
    std::string text = cells.text(row);
    const std::size_t value =
        known_.row_of(cells.dictionary()[static_cast<std::size_t>(cells[row])]);
    const bool unseen = value == known_.size();
    if (unseen && reserved_) text += " (reserved for unseen)";
    const auto from = log_p_.begin() + static_cast<std::ptrdiff_t>(value * classes_);
    terms.push_back({column_.name,
                     text,
                     {from, from + static_cast<std::ptrdiff_t>(classes_)},
                     unseen && !reserved_,
                     {},
                     1,
                     [this, value](std::size_t c) { return working(value, c); }});
  }

  std::vector<sql::Expression> sql(sql::Query& query) const override {
    if (log_p_.empty()) return {classes_, query.number(0)};
    const auto cell = query.word(column_.index, known_.names());
    std::vector<sql::Expression> result;
    for (std::size_t c = 0; c < classes_; ++c) {
      const auto log_p = [&](std::size_t value) { return log_p_[value * classes_ + c]; };
      if (column_.binary) {
        const auto one = query.number(log_p(known_.row_of("1")));
        result.push_back(query.if_there(cell, choose({{cell == query.number(1), one}},
                                                     query.number(log_p(known_.row_of("0"))))));
        continue;
      }
      std::vector<sql::Choice> choices;
      for (std::size_t i = 0; i < known_.size(); ++i) choices.push_back({known_.name(i), log_p(i)});
      const double unseen = log_p(known_.size());
      const auto value = look_up(cell, choices, unseen);
      result.push_back(unseen == 0 ? value : query.if_there(cell, value));
    }
    return result;
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    // What is reserved for values never seen has no name: such a draw is a missing value.
    std::vector<double> p;
    const std::size_t count = known_.empty() ? 0 : known_.size() + (reserved_ ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) p.push_back(probabilities_[i * classes_ + cls]);
    const std::size_t value = p.empty() ? 0 : random.pick(p);
    if (auto* numbers = std::get_if<Numbers>(&rows.columns[column_.index])) {
      numbers->values.push_back(static_cast<double>(value));
      return;
    }
    auto& words = std::get<Categories>(rows.columns[column_.index]);
    if (words.dictionary.empty()) words.dictionary = known_.names();
    words.codes.push_back(value >= known_.size() ? Categories::missing_code
                                                 : static_cast<std::int32_t>(value));
  }

  std::string linear(LinearForm& form) const override {
    const auto row = [&](std::size_t i) {
      const auto from = log_p_.begin() + static_cast<std::ptrdiff_t>(i * classes_);
      return std::vector<double>(from, from + static_cast<std::ptrdiff_t>(classes_));
    };
    if (log_p_.empty()) return "";
    if (column_.binary) {  // one coefficient for 1 against 0
      form.intercepts = row(0);
      form.features.push_back({column_.name, row(1)});
      for (std::size_t c = 0; c < classes_; ++c)
        form.features.back().coefficients[c] -= form.intercepts[c];
      return "";
    }
    for (std::size_t i = 0; i < known_.size(); ++i) {
      form.features.push_back({column_.name + "=" + known_.name(i), row(i)});
    }
    return "";
  }

  ParameterTable table() const override {
    ParameterTable result{column_.name,
                          column_.binary ? "bernoulli" : "categorical",
                          known_.empty() ? "no value seen: left out" : "",
                          {}};
    const std::size_t rows = known_.empty() ? 0 : known_.size() + (reserved_ ? 1 : 0);
    for (std::size_t i = 0; i < rows; ++i) {
      ParameterTable::Row row;
      row.of = {i < known_.size() ? known_.name(i) : "(unseen)"};
      for (std::size_t c = 0; c < classes_; ++c) {
        ParameterTable::Cell cell{probabilities_[i * classes_ + c], 0, 0};
        if (exact_fractions_ && i < known_.size()) {
          cell.numerator = counts_[i * classes_ + c];
          cell.denominator = totals_[c];
        }
        row.cells.push_back(cell);
      }
      result.rows.push_back(std::move(row));
    }
    return result;
  }

 private:
  // Counts are added to under a rule with a prior, and its mode takes one away from each.
  Working working(std::size_t value, std::size_t c) const {
    double all = 0;
    bool plain = value < added_.size();
    for (const double added : added_) {
      all += added;
      plain = plain && added >= 0;
    }
    if (!plain || totals_[c] + all == 0) {
      return working_of_number(log_p_[value * classes_ + c], false);
    }
    const double count = value < known_.size() ? counts_[value * classes_ + c] : 0;
    return working_of_fraction(count, totals_[c], added_[value], all);
  }

  CategoricalColumn column_;
  std::size_t classes_;
  KnownValues known_;
  std::vector<double> probabilities_, log_p_;
  std::vector<double> counts_, totals_;
  std::vector<double> added_;  // what the rule adds to the count of each value
  bool reserved_ = false;
  bool exact_fractions_ = false;
};

class CategoricalStatistics : public DeclaredStatistics<CategoricalStatistics, CategoricalColumn> {
  CountTable counts_{columns_.declared};

 public:
  using DeclaredStatistics::DeclaredStatistics;
  static constexpr auto arrays = std::tuple(&CategoricalStatistics::counts_);

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    const CellCodes cells(chunk, columns_);
    const auto places = counts_.place(cells.dictionary());
    if (chunk.weights.empty() && (places.size() + 1) * (counts_.classes() + 1) <= chunk.rows) {
      return count(cells, places, classes);
    }
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] < 0 || cells[r] < 0) continue;
      const std::size_t value = places[static_cast<std::size_t>(cells[r])];
      const auto cls = static_cast<std::size_t>(classes[r]);
      if (chunk.weights.empty()) {
        counts_.add_one(value, cls);
      } else {
        counts_.add(value, cls, chunk.weights[r]);
      }
    }
  }

  // Many rows that weigh 1: whole counts in a small table, which has cells for what is left out.
  void count(const CellCodes& cells, const std::vector<std::size_t>& places,
             std::span<const std::int32_t> classes) {
    const std::size_t many = counts_.classes() + 1;
    std::vector<std::int32_t> codes;
    const auto found = count_codes(cells.all(codes), classes, places.size(), counts_.classes());
    for (std::size_t v = 0; v < places.size(); ++v) {
      for (std::size_t c = 0; c + 1 < many; ++c) {
        const auto rows = found[(v + 1) * many + c + 1];
        if (rows > 0) counts_.add(places[v], c, static_cast<double>(rows));
      }
    }
  }

  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    return std::make_unique<CategoricalDensity>(counts_, estimation, columns_);
  }
  std::optional<double> log_marginal_likelihood(const Estimation& estimation) const override {
    const KnownValues known(counts_);
    const auto imaginary =
        imaginary_counts(known.size() + columns_.reserves(estimation),
                         prior_shares(estimation, columns_.name, known.names()), estimation.rule);
    double sum = 0;
    for (std::size_t c = 0; c < counts_.classes() && !known.empty(); ++c) {
      std::vector<double> observed;
      for (std::size_t i = 0; i < known.size(); ++i) observed.push_back(counts_(known.place(i), c));
      const auto marginal = log_marginal_of_counts(observed, imaginary);
      if (!marginal) return std::nullopt;
      sum += *marginal;
    }
    return sum;
  }

  std::unique_ptr<BlockStatistics> draw(const Estimation& estimation,
                                        Random& random) const override {
    if (columns_.reserves(estimation)) return nullptr;  // what is reserved has no place in a table
    const KnownValues known(counts_);
    const auto imaginary = imaginary_counts(
        known.size(), prior_shares(estimation, columns_.name, known.names()), estimation.rule);
    auto result = room(counts_.classes());
    const auto places = result->counts_.place(known.names());
    for (std::size_t c = 0; c < counts_.classes() && !known.empty(); ++c) {
      if (estimation.class_weights[c] == 0) continue;
      std::vector<double> observed;
      for (std::size_t i = 0; i < known.size(); ++i) observed.push_back(counts_(known.place(i), c));
      const auto shares = draw_shares(observed, imaginary, estimation.rule, random);
      for (std::size_t i = 0; i < known.size(); ++i) result->counts_.add(places[i], c, shares[i]);
    }
    return result;
  }

  void add_held_out(const Estimation& estimation, const Chunk& chunk,
                    std::span<const std::int32_t> classes, double weight,
                    std::span<double> joint) const override {
    const CategoricalHeldOut held_out(counts_, estimation, columns_.name,
                                      columns_.reserves(estimation));
    const CellCodes cells(chunk, columns_);
    std::vector<std::size_t> places;
    for (const auto& value : cells.dictionary()) places.push_back(counts_.domain().find(value));
    const std::size_t many = counts_.classes();
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] < 0) continue;
      const bool missing = cells[r] < 0;
      const std::size_t place = missing ? Domain::npos : places[static_cast<std::size_t>(cells[r])];
      const auto cls = static_cast<std::size_t>(classes[r]);
      const double own = chunk.weights.empty() ? 1.0 : chunk.weights[r];
      // A word that is not in the table has only been seen with weight 0.
      const bool known = missing || place != Domain::npos;
      if (!known || !held_out.add(place, cls, own, weight, joint.subspan(r * many, many))) {
        add_row_held_out(estimation, chunk, r, classes[r], weight, joint);
      }
    }
  }
};

}  // namespace

namespace {

// Up to so many different numbers may be categories.
constexpr std::size_t most_categories = 100;

}  // namespace

Family categorical_family() {
  return {.name = "categorical",
          .kinds = {ColumnKind::category},
          .make = [](const BlockColumns& columns,
                     const std::string&) -> std::unique_ptr<BlockStatistics> {
            return std::make_unique<CategoricalStatistics>(
                CategoricalColumn{{columns.indices[0], columns.names[0]}, false, columns.values});
          },
          .usual_for = {ColumnLook::words},
          .rank = 4,
          .suits =
              [](const ValueLook& values) {
                return !values.zero_one && values.distinct <= most_categories &&
                       values.distinct * 5 <= values.present;
              },
          .by_hand = HandWriting::table,
          .estimate = Estimate{Distribution::multinomial, "multinomial"},
          .takes_shares = {ColumnKind::category},
          .one_of_values = true,
          .predicts_at_mean = true};
}

Family bernoulli_family() {
  return {.name = "bernoulli",
          .kinds = {ColumnKind::binary, ColumnKind::bag},
          .make = [](const BlockColumns& columns,
                     const std::string&) -> std::unique_ptr<BlockStatistics> {
            if (columns.kind == ColumnKind::bag) return make_bag(columns, BagFamily::bernoulli);
            return std::make_unique<CategoricalStatistics>(
                CategoricalColumn{{columns.indices[0], columns.names[0]}, true, {"0", "1"}});
          },
          .usual_for = {ColumnLook::zero_one, ColumnLook::features},
          .rank = 1,
          .suits = [](const ValueLook& values) { return values.zero_one; },
          .by_hand = HandWriting::presences,
          .estimate = Estimate{Distribution::binomial, "binomial"},
          .takes_shares = {ColumnKind::binary, ColumnKind::bag},
          .one_of_values = true,
          .predicts_at_mean = true,
          .presence_only = [](const std::string&) { return true; }};
}

}  // namespace credence

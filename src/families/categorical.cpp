// SPDX-License-Identifier: Apache-2.0
#include "families/categorical.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/log_math.hpp"
#include "core/text.hpp"
#include "credence/error.hpp"
#include "families/categorical_held_out.hpp"
#include "families/dirichlet.hpp"

namespace credence {

std::vector<double> imaginary_counts(std::size_t size, const std::vector<double>& shares,
                                     const Rule& rule) {
  const double values = static_cast<double>(size);
  double total = 0;
  if (rule.has_prior()) total = rule.strength;
  if (rule.kind == Rule::Kind::laplace) total = rule.strength * values;
  // The mode of a Dirichlet with 2 everywhere adds one to every count.
  if (rule.kind == Rule::Kind::map && rule.strength == 0) total = 2 * values;
  std::vector<double> result(size);
  for (std::size_t v = 0; v < size; ++v) {
    result[v] = shares.empty() ? total / values : total * shares[v];
  }
  return result;
}

std::vector<double> estimate_shares(const std::vector<double>& counts,
                                    const std::vector<double>& shares, const Rule& rule,
                                    const std::string& column, const std::string& cls) {
  const auto imaginary = imaginary_counts(counts.size(), shares, rule);
  std::vector<double> result(counts.size());
  double total = 0;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    result[v] = counts[v] + imaginary[v];
    // The mode of a Dirichlet; where a parameter is below 1 the density piles up at probability 0.
    if (rule.kind == Rule::Kind::map) result[v] = std::max(0.0, result[v] - 1);
    total += result[v];
  }
  if (total <= 0) {
    throw Error(
        ErrorKind::data,
        fmt::format("column \"{}\": no value in class \"{}\" to estimate from (use "
                    "{}, or leave the column out with {})",
                    column, cls, setting("rule", "bayes"), setting("as", column + ": ignore")));
  }
  for (auto& share : result) share /= total;
  return result;
}

std::vector<double> prior_shares(const Estimation& estimation, const std::string& column,
                                 const std::vector<std::string>& values) {
  const auto given = estimation.shares.find(column);
  if (given == estimation.shares.end()) return {};
  std::vector<double> result;
  double total = 0;
  for (const auto& value : values) {
    const auto share = given->second.find(value);
    if (share == given->second.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: column \"{}\" has the value \"{}\", for which no p is given",
                              setting("shares"), column, value));
    }
    result.push_back(share->second);
    total += share->second;
  }
  if (std::abs(total - 1) > 1e-6) {
    throw Error(ErrorKind::usage, fmt::format("{}: the values of \"{}\" sum to {}, not to 1",
                                              setting("shares"), column, format_number(total)));
  }
  return result;
}

namespace {

class CategoricalDensity : public Density {
 public:
  CategoricalDensity(const CountTable& counts, const Estimation& estimation, std::string column,
                     std::size_t index, std::string family)
      : column_(std::move(column)),
        index_(index),
        family_(std::move(family)),
        classes_(estimation.classes.size()),
        known_(counts) {
    const auto shares = prior_shares(estimation, column_, known_.names());
    const bool reserve = estimation.reserve_unseen && family_ == "categorical";
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
          estimate_shares(observed, shares, estimation.rule, column_, estimation.classes[c]);
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
    exact_fractions_ = !estimation.rule.has_prior();
    log_p_.resize(probabilities_.size());
    for (std::size_t i = 0; i < log_p_.size(); ++i) log_p_[i] = std::log(probabilities_[i]);
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    if (log_p_.empty()) return;
    const auto add = [&](std::size_t row, std::size_t value) {
      const double* from = log_p_.data() + value * classes_;
      double* to = joint.data() + row * classes_;
      for (std::size_t c = 0; c < classes_; ++c) to[c] += weight * from[c];
    };
    if (const auto* numbers = std::get_if<Numbers>(&chunk.columns[index_])) {
      for (std::size_t r = 0; r < chunk.rows; ++r) {
        if (!std::isnan(numbers->values[r])) add(r, row_of_binary(numbers->values[r]));
      }
      return;
    }
    const auto& words = std::get<Categories>(chunk.columns[index_]);
    const auto place = known_.rows_of(words.dictionary);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (words.codes[r] >= 0) add(r, place[static_cast<std::size_t>(words.codes[r])]);
    }
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    std::string text;
    std::size_t value = known_.size();
    if (const auto* numbers = std::get_if<Numbers>(&chunk.columns[index_])) {
      if (std::isnan(numbers->values[row])) return;
      text = format_number(numbers->values[row]);
      value = row_of_binary(numbers->values[row]);
    } else {
      const auto& words = std::get<Categories>(chunk.columns[index_]);
      if (words.codes[row] < 0) return;
      text = words.dictionary[static_cast<std::size_t>(words.codes[row])];
      value = known_.row_of(text);
    }
    if (log_p_.empty()) return;
    if (value == known_.size())
      text += reserved_ ? " (reserved for unseen)" : " (unseen: no evidence)";
    const auto from = log_p_.begin() + static_cast<std::ptrdiff_t>(value * classes_);
    terms.push_back({column_, text, {from, from + static_cast<std::ptrdiff_t>(classes_)}});
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    // What is reserved for values never seen has no name: such a draw is a missing value.
    std::vector<double> p;
    const std::size_t count = known_.empty() ? 0 : known_.size() + (reserved_ ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) p.push_back(probabilities_[i * classes_ + cls]);
    const std::size_t value = p.empty() ? 0 : random.pick(p);
    if (auto* numbers = std::get_if<Numbers>(&rows.columns[index_])) {
      numbers->values.push_back(static_cast<double>(value));
      return;
    }
    auto& words = std::get<Categories>(rows.columns[index_]);
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
    if (family_ == "bernoulli") {  // one coefficient for 1 against 0
      form.intercepts = row(0);
      form.features.push_back({column_, row(1)});
      for (std::size_t c = 0; c < classes_; ++c)
        form.features.back().coefficients[c] -= form.intercepts[c];
      return "";
    }
    for (std::size_t i = 0; i < known_.size(); ++i) {
      form.features.push_back({column_ + "=" + known_.name(i), row(i)});
    }
    return "";
  }

  ParameterTable table() const override {
    ParameterTable result{column_, family_, known_.empty() ? "no value seen: left out" : "", {}};
    const std::size_t rows = known_.empty() ? 0 : known_.size() + (reserved_ ? 1 : 0);
    for (std::size_t i = 0; i < rows; ++i) {
      ParameterTable::Row row;
      row.name = i < known_.size() ? known_.name(i) : "(unseen)";
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
  // Both values are declared, hence known, in this order.
  static std::size_t row_of_binary(double x) { return x > 0 ? 1 : 0; }

  std::string column_;
  std::size_t index_;
  std::string family_;
  std::size_t classes_;
  KnownValues known_;
  std::vector<double> probabilities_, log_p_;
  std::vector<double> counts_, totals_;
  bool reserved_ = false;
  bool exact_fractions_ = false;
};

class CategoricalStatistics : public BlockStatistics {
 public:
  CategoricalStatistics(std::size_t index, std::string column, std::string family,
                        std::vector<std::string> declared)
      : index_(index),
        column_(std::move(column)),
        family_(std::move(family)),
        declared_(std::move(declared)),
        counts_(declared_) {}

  std::unique_ptr<BlockStatistics> clone() const override {
    return std::make_unique<CategoricalStatistics>(*this);
  }
  std::unique_ptr<BlockStatistics> empty() const override {
    return std::make_unique<CategoricalStatistics>(index_, column_, family_, declared_);
  }
  void rearrange_classes(std::span<const std::size_t> from) override {
    counts_.rearrange_classes(from);
  }

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    const auto add = [&](std::size_t row, std::size_t value) {
      const auto cls = static_cast<std::size_t>(classes[row]);
      if (chunk.weights.empty()) {
        counts_.add_one(value, cls);
      } else {
        counts_.add(value, cls, chunk.weights[row]);
      }
    };
    if (const auto* numbers = std::get_if<Numbers>(&chunk.columns[index_])) {
      counts_.place({});
      for (std::size_t r = 0; r < chunk.rows; ++r) {
        if (classes[r] >= 0 && !std::isnan(numbers->values[r])) {
          add(r, numbers->values[r] > 0 ? 1 : 0);
        }
      }
      return;
    }
    const auto& words = std::get<Categories>(chunk.columns[index_]);
    const auto places = counts_.place(words.dictionary);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] >= 0 && words.codes[r] >= 0) {
        add(r, places[static_cast<std::size_t>(words.codes[r])]);
      }
    }
  }

  void merge(const BlockStatistics& other, std::span<const std::size_t> class_map,
             int sign) override {
    counts_.merge(static_cast<const CategoricalStatistics&>(other).counts_, class_map, sign);
  }
  void scale(double factor) override { counts_.scale(factor); }
  void canonicalise() override { counts_.canonicalise(); }
  std::string defect(const std::vector<std::string>& classes) const override {
    return counts_.defect(column_, classes);
  }
  void save(Tensors& tensors, const std::string& prefix) const override {
    counts_.save(tensors, prefix);
  }
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes) override {
    counts_.load(tensors, prefix, classes);
  }
  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    return std::make_unique<CategoricalDensity>(counts_, estimation, column_, index_, family_);
  }
  std::optional<double> log_marginal_likelihood(const Estimation& estimation) const override {
    const KnownValues known(counts_);
    const bool reserve = estimation.reserve_unseen && family_ == "categorical";
    const auto imaginary =
        imaginary_counts(known.size() + (reserve ? 1 : 0),
                         prior_shares(estimation, column_, known.names()), estimation.rule);
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

  void add_held_out(const Estimation& estimation, const Chunk& chunk,
                    std::span<const std::int32_t> classes, double weight,
                    std::span<double> joint) const override {
    const CategoricalHeldOut held_out(counts_, estimation, column_, family_ == "categorical");
    std::vector<std::size_t> places;  // of the chunk's words
    const auto* words = std::get_if<Categories>(&chunk.columns[index_]);
    for (std::size_t i = 0; words && i < words->dictionary.size(); ++i) {
      places.push_back(counts_.domain().find(words->dictionary[i]));
    }
    const std::size_t many = counts_.classes();
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] < 0) continue;
      std::size_t place = Domain::npos;
      bool missing = true;
      if (words) {
        missing = words->codes[r] < 0;
        if (!missing) place = places[static_cast<std::size_t>(words->codes[r])];
      } else {
        const double x = std::get<Numbers>(chunk.columns[index_]).values[r];
        missing = std::isnan(x);
        if (!missing) place = x > 0 ? 1 : 0;
      }
      const auto cls = static_cast<std::size_t>(classes[r]);
      const double own = chunk.weights.empty() ? 1.0 : chunk.weights[r];
      // A word that is not in the table has only been seen with weight 0.
      const bool known = missing || place != Domain::npos;
      if (!known || !held_out.add(place, cls, own, weight, joint.subspan(r * many, many))) {
        add_row_held_out(estimation, chunk, r, classes[r], weight, joint);
      }
    }
  }

 private:
  std::size_t index_;
  std::string column_;
  std::string family_;
  std::vector<std::string> declared_;
  CountTable counts_;
};

}  // namespace

std::unique_ptr<BlockStatistics> make_categorical(std::size_t column, const std::string& name,
                                                  const std::vector<std::string>& declared) {
  return std::make_unique<CategoricalStatistics>(column, name, "categorical", declared);
}

std::unique_ptr<BlockStatistics> make_bernoulli(std::size_t column, const std::string& name) {
  return std::make_unique<CategoricalStatistics>(column, name, "bernoulli",
                                                 std::vector<std::string>{"0", "1"});
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Several columns of words together: a probability for every combination of their values, the full
// table that naive Bayes does without. Derivations: docs/families/joint.md
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/dirichlet.hpp"
#include "families/statistics/class_arrays.hpp"
#include "families/statistics/count_table.hpp"
#include "families/statistics/declared.hpp"
#include "families/working.hpp"
#include "sql/query.hpp"

namespace credence {
namespace {

// Between the values of a combination, in the names under which they are counted.
constexpr char between = '\x1f';

constexpr double most_cells = 1e6;

// All combinations of the values that each column has been seen with.
class Grid {
 public:
  Grid(const CountTable& counts, const BlockColumns& columns) : values_(columns.names.size()) {
    for (const auto place : counts.known_values()) {
      const auto parts = split(counts.domain()[place], between);
      for (std::size_t i = 0; i < values_.size() && i < parts.size(); ++i) {
        values_[i].push_back(parts[i]);
      }
    }
    double cells = 1;
    for (auto& own : values_) {
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
      cells *= static_cast<double>(own.size());
    }
    if (cells > most_cells) {
      throw Error(ErrorKind::data,
                  fmt::format("columns {}: a table of {} combinations, of which {} are the most: "
                              "leave columns out of it",
                              columns.title(), format_number(cells), format_number(most_cells)));
    }
    size_ = static_cast<std::size_t>(cells);
  }

  std::size_t size() const { return size_; }
  std::size_t columns() const { return values_.size(); }
  const std::vector<std::string>& values(std::size_t column) const { return values_[column]; }
  // The values' places of a cell; the last column's change first.
  std::vector<std::size_t> places(std::size_t cell) const {
    std::vector<std::size_t> result(values_.size());
    for (std::size_t i = values_.size(); i-- > 0;) {
      result[i] = cell % values_[i].size();
      cell /= values_[i].size();
    }
    return result;
  }
  std::vector<std::string> names(std::size_t cell) const {
    const auto at = places(cell);
    std::vector<std::string> result;
    for (std::size_t i = 0; i < at.size(); ++i) result.push_back(values_[i][at[i]]);
    return result;
  }
  // The place of a value; as many as there are where it was never seen.
  std::size_t place(std::size_t column, const std::string& value) const {
    const auto& own = values_[column];
    const auto found = std::lower_bound(own.begin(), own.end(), value);
    return found != own.end() && *found == value ? static_cast<std::size_t>(found - own.begin())
                                                 : own.size();
  }

 private:
  std::vector<std::vector<std::string>> values_;
  std::size_t size_ = 0;
};

std::string counted_as(const std::vector<std::string>& names) {
  return join(names, std::string(1, between));
}

std::vector<double> counts_in(const Grid& grid, const CountTable& counts, std::size_t cls) {
  std::vector<double> result;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const auto place = counts.domain().find(counted_as(grid.names(i)));
    result.push_back(place == Domain::npos ? 0 : counts(place, cls));
  }
  return result;
}

class JointDensity : public Density {
 public:
  // gaps: there were rows that are no combination, of which counts do not tell how probable they
  // are.
  JointDensity(const CountTable& counts, bool gaps, const Estimation& estimation,
               const BlockColumns& columns)
      : columns_(columns), grid_(counts, columns), classes_(estimation.classes.size()) {
    p_.assign(grid_.size() * classes_, 1.0);
    counts_.assign(p_.size(), 0.0);
    totals_.assign(classes_, 0.0);
    added_ = imaginary_counts(grid_.size(), {}, estimation.rule);
    log_prior = 0;
    for (std::size_t c = 0; c < classes_ && grid_.size() > 0; ++c) {
      if (estimation.class_weights[c] == 0) continue;
      const auto observed = counts_in(grid_, counts, c);
      const auto p =
          estimate_shares(observed, {}, estimation.rule, columns_.title(), estimation.classes[c]);
      for (std::size_t i = 0; i < p.size(); ++i) {
        p_[i * classes_ + c] = p[i];
        counts_[i * classes_ + c] = observed[i];
        totals_[c] += observed[i];
        log_likelihood += x_log_y(observed[i], p[i]);
      }
      parameters += p.size() - 1;
      log_prior += log_prior_of_shares(p, added_, estimation.rule);
    }
    if (estimation.rule.kind == Rule::Kind::map) {
      for (auto& added : added_) added -= 1;
    }
    exact_fractions_ = !estimation.rule.has_prior();
    if (gaps) log_likelihood = log_prior = not_a_number;
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    if (grid_.size() == 0) return;
    const auto places = places_of(chunk);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const auto logs = log_density(of_row(chunk, places, r));
      for (std::size_t c = 0; c < logs.size(); ++c) joint[r * classes_ + c] += weight * logs[c];
    }
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    if (grid_.size() == 0) return;
    const auto at = of_row(chunk, places_of(chunk), row);
    const auto logs = log_density(at);
    if (logs.empty()) return;
    std::vector<std::string> names, values;
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (at[i] == grid_.values(i).size()) continue;
      names.push_back(columns_.names[i]);
      values.push_back(grid_.values(i)[at[i]]);
    }
    Term term{join(names, ", "), join(values, ", "), logs};
    if (names.size() == at.size()) {
      term.working = [this, cell = cell_of(at)](std::size_t c) { return working(cell, c); };
    }
    terms.push_back(std::move(term));
  }

  // What is missing, or was never seen, is one more value of a column: that of all of them.
  std::vector<sql::Expression> sql(sql::Query& query) const override {
    std::vector<std::size_t> at(grid_.columns(), 0);
    std::vector<sql::Expression> places, result;
    std::size_t cells = grid_.size() == 0 ? 0 : 1;
    for (std::size_t i = 0; i < at.size() && cells > 0; ++i) {
      std::vector<sql::Choice> choices;
      const auto& values = grid_.values(i);
      const auto stride = static_cast<double>(cells);
      for (std::size_t v = 0; v < values.size(); ++v) {
        choices.push_back({values[v], static_cast<double>(v) * stride});
      }
      places.push_back(look_up(query.word(columns_.indices[i], values), choices,
                               static_cast<double>(values.size()) * stride));
      cells *= values.size() + 1;
    }
    if (cells == 0) return {classes_, query.number(0)};
    const auto cell = query.let(sum(places));
    std::vector<std::vector<sql::Case>> cases(classes_);
    for (std::size_t i = 0; i < cells; ++i) {
      std::size_t rest = i;
      for (std::size_t k = 0; k < at.size(); ++k) {
        at[k] = rest % (grid_.values(k).size() + 1);
        rest /= grid_.values(k).size() + 1;
      }
      const auto logs = log_density(at);
      for (std::size_t c = 0; c < logs.size(); ++c) {
        cases[c].push_back({cell == query.number(static_cast<double>(i)), query.number(logs[c])});
      }
    }
    for (const auto& own : cases) result.push_back(choose(own, query.number(0)));
    return result;
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    std::vector<double> p;
    for (std::size_t i = 0; i < grid_.size(); ++i) p.push_back(p_[i * classes_ + cls]);
    const auto at = p.empty() ? std::vector<std::size_t>() : grid_.places(random.pick(p));
    for (std::size_t i = 0; i < grid_.columns(); ++i) {
      auto& words = std::get<Categories>(rows.columns[columns_.indices[i]]);
      if (words.dictionary.empty()) words.dictionary = grid_.values(i);
      words.codes.push_back(at.empty() ? Categories::missing_code
                                       : static_cast<std::int32_t>(at[i]));
    }
  }

  // One feature for every combination, of which a row has one.
  std::string linear(LinearForm& form) const override {
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      const auto values = grid_.names(i);
      std::vector<std::string> parts;
      for (std::size_t k = 0; k < values.size(); ++k) {
        parts.push_back(columns_.names[k] + "=" + values[k]);
      }
      form.features.push_back({join(parts, ", "), {}});
      for (std::size_t c = 0; c < classes_; ++c) {
        form.features.back().coefficients.push_back(std::log(p_[i * classes_ + c]));
      }
    }
    return "";
  }

  ParameterTable table() const override {
    ParameterTable result{
        columns_.title(), "joint", grid_.size() == 0 ? "no value seen: left out" : "", {}};
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      ParameterTable::Row row{"", {}, grid_.names(i)};
      for (std::size_t c = 0; c < classes_; ++c) {
        const std::size_t cell = i * classes_ + c;
        row.cells.push_back(
            {p_[cell], exact_fractions_ ? counts_[cell] : 0, exact_fractions_ ? totals_[c] : 0});
      }
      result.rows.push_back(std::move(row));
    }
    return result;
  }

 private:
  // [column][code]: the places of a chunk's words.
  std::vector<std::vector<std::size_t>> places_of(const Chunk& chunk) const {
    std::vector<std::vector<std::size_t>> result(grid_.columns());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto& words = std::get<Categories>(chunk.columns[columns_.indices[i]]);
      for (const auto& word : words.dictionary) result[i].push_back(grid_.place(i, word));
    }
    return result;
  }
  // What is missing, or was never seen, has the place after the last.
  std::vector<std::size_t> of_row(const Chunk& chunk,
                                  const std::vector<std::vector<std::size_t>>& places,
                                  std::size_t row) const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto code = std::get<Categories>(chunk.columns[columns_.indices[i]]).codes[row];
      result.push_back(code < 0 ? grid_.values(i).size()
                                : places[i][static_cast<std::size_t>(code)]);
    }
    return result;
  }
  std::size_t cell_of(const std::vector<std::size_t>& at) const {
    std::size_t cell = 0;
    for (std::size_t i = 0; i < at.size(); ++i) cell = cell * grid_.values(i).size() + at[i];
    return cell;
  }
  // Of the columns that are there: the others are summed out. Empty: none is.
  std::vector<double> log_density(const std::vector<std::size_t>& at) const {
    std::size_t present = 0;
    for (std::size_t i = 0; i < at.size(); ++i) present += at[i] < grid_.values(i).size() ? 1 : 0;
    std::vector<double> result(present == 0 ? 0 : classes_, 0.0);
    if (present == 0) return result;
    if (present == at.size()) {
      const std::size_t cell = cell_of(at);
      for (std::size_t c = 0; c < classes_; ++c) result[c] = std::log(p_[cell * classes_ + c]);
      return result;
    }
    for (std::size_t cell = 0; cell < grid_.size(); ++cell) {
      const auto here = grid_.places(cell);
      bool fits = true;
      for (std::size_t i = 0; i < at.size(); ++i) {
        fits = fits && (at[i] == grid_.values(i).size() || at[i] == here[i]);
      }
      for (std::size_t c = 0; fits && c < classes_; ++c) result[c] += p_[cell * classes_ + c];
    }
    for (auto& p : result) p = std::log(p);
    return result;
  }
  Working working(std::size_t cell, std::size_t c) const {
    double all = 0;
    bool plain = true;
    for (const double added : added_) {
      all += added;
      plain = plain && added >= 0;
    }
    if (!plain || totals_[c] + all == 0) {
      return working_of_number(std::log(p_[cell * classes_ + c]), false);
    }
    return working_of_fraction(counts_[cell * classes_ + c], totals_[c], added_[cell], all);
  }

  BlockColumns columns_;
  Grid grid_;
  std::size_t classes_;
  std::vector<double> p_, counts_;  // [cell][class]
  std::vector<double> totals_, added_;
  bool exact_fractions_ = false;
};

// The weight of the rows that lack some of the values, in files that have any.
class GapSums : public ClassSums {
 public:
  GapSums() : ClassSums(".gaps", Kind::exact, "rows with gaps") {}

  bool any() const {
    const auto& weights = sums().high();
    return std::any_of(weights.begin(), weights.end(), [](double w) { return w != 0; });
  }
  void save(Tensors& tensors, const std::string& prefix) const {
    if (any()) ClassSums::save(tensors, prefix);
  }
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
    if (tensors.has(prefix + ".gaps")) return ClassSums::load(tensors, prefix, classes);
    rearrange_classes(std::vector<std::size_t>(classes, ExactSums::npos));
  }
};

class JointStatistics : public DeclaredStatistics<JointStatistics, BlockColumns> {
  CountTable counts_;
  GapSums gaps_;

 public:
  using DeclaredStatistics::DeclaredStatistics;
  static constexpr auto arrays = std::tuple(&JointStatistics::counts_, &JointStatistics::gaps_);

  // A row that lacks one of the values is no combination, and is left out here.
  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    std::vector<const Categories*> columns;
    for (const auto index : columns_.indices) {
      columns.push_back(&std::get<Categories>(chunk.columns[index]));
    }
    std::vector<std::string> names;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] < 0) continue;
      names.clear();
      for (const auto* column : columns) {
        const auto code = column->codes[r];
        if (code >= 0) names.push_back(column->dictionary[static_cast<std::size_t>(code)]);
      }
      const auto cls = static_cast<std::size_t>(classes[r]);
      const double weight = chunk.weights.empty() ? 1.0 : chunk.weights[r];
      if (names.size() == columns.size()) {
        counts_.add(counts_.place({counted_as(names)})[0], cls, weight);
      } else if (!names.empty()) {
        gaps_.add(cls, weight);
      }
    }
  }

  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    return std::make_unique<JointDensity>(counts_, gaps_.any(), estimation, columns_);
  }
  std::optional<double> log_marginal_likelihood(const Estimation& estimation) const override {
    if (gaps_.any()) return std::nullopt;
    const Grid grid(counts_, columns_);
    const auto imaginary = imaginary_counts(grid.size(), {}, estimation.rule);
    double sum = 0;
    for (std::size_t c = 0; c < counts_.classes() && grid.size() > 0; ++c) {
      const auto marginal = log_marginal_of_counts(counts_in(grid, counts_, c), imaginary);
      if (!marginal) return std::nullopt;
      sum += *marginal;
    }
    return sum;
  }
  std::unique_ptr<BlockStatistics> draw(const Estimation& estimation,
                                        Random& random) const override {
    const Grid grid(counts_, columns_);
    const auto imaginary = imaginary_counts(grid.size(), {}, estimation.rule);
    auto result = room(counts_.classes());
    for (std::size_t c = 0; c < counts_.classes() && grid.size() > 0; ++c) {
      if (estimation.class_weights[c] == 0) continue;
      const auto shares =
          draw_shares(counts_in(grid, counts_, c), imaginary, estimation.rule, random);
      for (std::size_t i = 0; i < grid.size(); ++i) {
        result->counts_.add(result->counts_.place({counted_as(grid.names(i))})[0], c, shares[i]);
      }
    }
    return result;
  }
};

}  // namespace

Family joint_family() {
  return {
      .name = "joint",
      .kinds = {ColumnKind::category},
      .make = [](const BlockColumns& columns,
                 const std::string&) -> std::unique_ptr<BlockStatistics> {
        return std::make_unique<JointStatistics>(columns);
      },
      .joins = [](const std::string&) { return true; },
      .one_of_values = true,
      .predicts_at_mean = true,
      .long_way = [](const std::string&) { return "the table of all combinations is made anew"; }};
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/pairs_density.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/pairs/pairs_sql.hpp"
#include "families/pairs/trees/tree_scores.hpp"
#include "families/statistics/trusted.hpp"

namespace credence {
namespace {

class PairsDensity : public Density {
 public:
  PairsDensity(const PairsDensity&) = delete;  // scores_ reads read_
  PairsDensity& operator=(const PairsDensity&) = delete;
  PairsDensity(std::vector<PairColumn> columns, const Reading& reading, ReadPairs read,
               const Estimation& estimation)
      : columns_(std::move(columns)), reading_(reading), read_(std::move(read)), scores_(read_) {
    for (const double weight : estimation.class_weights) estimated_.push_back(weight != 0);
    parameters = read_.parameters;
    log_likelihood = read_.log_likelihood;
    for (const auto& column : read_.columns) {
      for (std::size_t i = 0; i < column.counts.size() && !column.bins.empty(); ++i) {
        log_likelihood -= column.counts[i] * std::log(column.bins[i / read_.classes]);
      }
    }
  }

  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override {
    add_scores(chunk, weight, joint);
    // Within a state the bins are alike in all classes.
    const std::size_t classes = read_.classes;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].number) continue;
      const CodedCells cells(chunk, columns_[i]);
      for (std::size_t r = 0; r < chunk.rows; ++r) {
        if ((*cells.codes)[r] < 0) continue;
        const double log_share = log_share_of_bin(i, (*cells.codes)[r]);
        for (std::size_t c = 0; c < classes; ++c) {
          if (estimated_[c]) joint[r * classes + c] += weight * trust(i) * log_share;
        }
      }
    }
  }

  void add_factors(const Chunk& chunk, std::span<double> joint) const override {
    if (!reading_.one_tree()) return add_scores(chunk, 1, joint);
    const std::size_t many = read_.kept.size(), classes = read_.classes;
    const auto states = states_of(chunk);
    TreeScores::Room room = scores_.room();
    std::vector<double> factors(many * classes);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      scores_.factors({states.data() + r * many, many}, room, factors);
      for (std::size_t i = 0; i < many; ++i) {
        const std::int32_t state = states[r * many + i];
        if (state == TreeScores::gap) continue;
        const std::size_t all = columns_.size(), column = read_.kept[i];
        double* const own =
            joint.data() + (r * all * (reading_.has_edges() ? 2 : 1) + column) * classes;
        for (std::size_t c = 0; c < classes; ++c) {
          if (!estimated_[c]) continue;
          const double full = factors[i * classes + c], alone = log_share(i, state, c);
          own[c] += reading_.has_edges() ? alone : full;
          if (full != alone && reading_.has_edges()) own[all * classes + c] += full - alone;
        }
      }
    }
  }

  void add_scores(const Chunk& chunk, double weight, std::span<double> joint) const override {
    const std::size_t classes = read_.classes, many = read_.kept.size();
    if (many == 0) return;
    const auto states = states_of(chunk);
    TreeScores::Room room = scores_.room();
    std::vector<double> out(classes);
    std::vector<double> factors(reading_.trust.empty() ? 0 : many * classes);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const std::span row(states.data() + r * many, many);
      if (factors.empty()) {
        scores_.score(row, room, out);
      } else {
        scores_.factors(row, room, factors);
        std::fill(out.begin(), out.end(), 0.0);
        for (std::size_t k = 0; k < factors.size(); ++k) {
          const std::size_t i = k / classes;
          if (row[i] != TreeScores::gap)
            out[k % classes] += counted(i, row[i], k % classes, factors[k]);
        }
      }
      for (std::size_t c = 0; c < classes; ++c) {
        if (estimated_[c]) joint[r * classes + c] += weight * out[c];
      }
    }
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    if (read_.kept.empty()) return;
    const auto states = row_states(chunk, row);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto& column = columns_[read_.kept[i]];
      if (states[i] != TreeScores::gap || is_missing(chunk, column, row)) continue;
      Term unseen{column.name, cell_text(chunk, column, row), zeros(), true};
      terms.push_back(std::move(unseen));
    }
    // The chain rule: each column given those before it, which is its parent alone where there is
    // one tree and the parent is there.
    std::vector<std::int32_t> above(states.size(), TreeScores::gap);
    TreeScores::Room room = scores_.room();
    std::vector<double> before = zeros(), now = zeros();
    for (const auto i : order()) {
      if (states[i] == TreeScores::gap) continue;
      above[i] = states[i];
      scores_.score(above, room, now);
      const auto& column = columns_[read_.kept[i]];
      Term term{column.name, cell_text(chunk, column, row), zeros()};
      term.of = term.value;
      term.value += condition(chunk, row, i, states);
      // A power of the probability, or else the number that two powers of its parts make.
      const std::size_t of = read_.kept[i];
      term.power = trust(of) == given(of) ? trust(of) : 1;
      for (std::size_t c = 0; c < now.size(); ++c) {
        if (estimated_[c] && before[c] != -infinity) {
          term.log_density[c] = counted(i, states[i], c, now[c] - before[c]);
        }
      }
      terms.push_back(std::move(term));
      before = now;
    }
  }

  std::vector<sql::Expression> sql(sql::Query& query) const override {
    if (!reading_.trust.empty()) {
      throw Error(
          ErrorKind::usage,
          fmt::format("columns \"{}\": SQL does not say pairs that are trusted more or less "
                      "(use a reading without trust)",
                      title()));
    }
    auto result = pairs_in_sql(columns_, read_, query);
    for (std::size_t c = 0; c < result.size(); ++c) {
      if (!estimated_[c]) result[c] = query.number(0);
    }
    return result;
  }

  void sample(Random& random, std::size_t cls, Chunk& rows) const override {
    const std::size_t tree = random.below(read_.trees.size());
    std::vector<std::size_t> states(read_.kept.size());
    std::vector<double> room(read_.classes), p;
    for (const auto i : read_.trees[tree].order) {
      const auto& column = read_.columns[read_.kept[i]];
      const std::size_t parent = read_.trees[tree].parent[i];
      p.clear();
      for (std::size_t a = 0; a < column.states; ++a) {
        p.push_back(parent == ColumnTree::none
                        ? column.shares[a * read_.classes + cls]
                        : std::exp(read_.table(tree, i)(states[parent], a, room.data())[cls]));
      }
      states[i] = random.pick(p);
    }
    std::size_t at = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool varies = at < read_.kept.size() && read_.kept[at] == i;
      put(random, i, varies ? states[at++] : 0, rows);
    }
  }

  std::string linear(LinearForm& form) const override {
    if (alone() && std::none_of(columns_.begin(), columns_.end(),
                                [](const PairColumn& column) { return column.number; })) {
      for (std::size_t i = 0; i < read_.kept.size(); ++i) {
        for (std::size_t a = 0; a < states(i).states; ++a) {
          form.features.push_back({state_name(i, a, "="), {}});
          for (std::size_t c = 0; c < read_.classes; ++c) {
            form.features.back().coefficients.push_back(
                trust(read_.kept[i]) * states(i).log_shares[a * read_.classes + c]);
          }
        }
      }
      return "";
    }
    return fmt::format("{}: a {} is no sum of two features", title(),
                       alone() ? "bin of a number" : "pair of values");
  }

  ParameterTable table() const override {
    ParameterTable result{title(), "pairs", remark(), {}};
    for (const auto i : order()) {
      const std::size_t parent =
          read_.trees.size() > 1 ? ColumnTree::none : read_.trees[0].parent[i];
      if (parent == ColumnTree::none) {
        add_rows(result, i);
      } else {
        add_rows(result, i, parent);
      }
      if (alone() || read_.trees.size() > 1) continue;
      result.structure.push_back({name(i), "", 0, 0});
      if (parent == ColumnTree::none) continue;
      auto& entry = result.structure.back();
      entry.parent = name(parent);
      entry.information = read_.information[0][i];
      entry.backoff = read_.table(0, i).backoff();
    }
    return result;
  }

  std::vector<std::string> words_of(std::size_t column) const override {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool told = columns_[i].index == column && !columns_[i].number && !is_linear();
      if (told) return read_.columns[i].names;
    }
    return {};
  }

 private:
  bool is_linear() const { return reading_.kind == Reading::Kind::linear; }
  // Whether no column depends on another.
  bool alone() const { return is_linear() || reading_.kind == Reading::Kind::naive; }
  double trust(std::size_t column) const {
    return reading_.trust.empty() ? 1 : reading_.trust[column];
  }
  double given(std::size_t column) const {
    return reading_.given.empty() ? trust(column) : reading_.given[column];
  }
  // Of the column without regard to others.
  double log_share(std::size_t i, std::int32_t state, std::size_t cls) const {
    return states(i).log_shares[static_cast<std::size_t>(state) * read_.classes + cls];
  }
  // log P(state | columns above, cls), as often as the column and what those add are trusted.
  double counted(std::size_t i, std::int32_t state, std::size_t cls, double full) const {
    const double times = trust(read_.kept[i]), more = given(read_.kept[i]);
    if (times == more) return times == 0 ? 0 : trusted(full, times);
    const double own = log_share(i, state, cls), added = full == own ? 0 : full - own;
    return (times == 0 ? 0 : trusted(own, times)) + (more == 0 ? 0 : trusted(added, more));
  }
  double log_share_of_bin(std::size_t column, std::int32_t bin) const {
    const auto& states = read_.columns[column];
    return -std::log(states.bins[states.state_of[static_cast<std::size_t>(bin)]]);
  }
  std::vector<double> zeros() const { return std::vector<double>(read_.classes, 0.0); }
  std::string title() const {
    std::vector<std::string> names;
    for (const auto& column : columns_) names.push_back(column.name);
    return join(names, ", ");
  }
  const std::string& name(std::size_t i) const { return columns_[read_.kept[i]].name; }
  const StateColumn& states(std::size_t i) const { return read_.columns[read_.kept[i]]; }
  const std::vector<std::size_t>& order() const { return read_.trees[0].order; }

  static bool is_missing(const Chunk& chunk, const PairColumn& column, std::size_t row) {
    const auto& cells = chunk.columns[column.index];
    if (column.number) return std::isnan(std::get<Numbers>(cells).values[row]);
    return std::get<Categories>(cells).codes[row] < 0;
  }

  // [row][kept column]; a gap where a value is missing, or unseen and nothing is kept for such.
  std::vector<std::int32_t> states_of(const Chunk& chunk) const {
    const std::size_t many = read_.kept.size();
    std::vector<std::int32_t> result(chunk.rows * many, TreeScores::gap);
    for (std::size_t i = 0; i < many; ++i) {
      const CodedCells cells(chunk, columns_[read_.kept[i]]);
      const auto state_of = states(i).states_of(*cells.dictionary);
      for (std::size_t r = 0; r < chunk.rows; ++r) {
        const std::int32_t code = (*cells.codes)[r];
        if (code >= 0) result[r * many + i] = state_of[static_cast<std::size_t>(code)];
      }
    }
    return result;
  }

  std::vector<std::int32_t> row_states(const Chunk& chunk, std::size_t row) const {
    const std::size_t many = read_.kept.size();
    const auto all = states_of(chunk);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(row * many);
    return {first, first + static_cast<std::ptrdiff_t>(many)};
  }

  // What a term of an explanation is conditioned on.
  std::string condition(const Chunk& chunk, std::size_t row, std::size_t i,
                        const std::vector<std::int32_t>& states) const {
    const std::size_t parent = read_.trees[0].parent[i];
    if (read_.trees.size() == 1 && parent == ColumnTree::none) return "";
    if (read_.trees.size() == 1 && states[parent] != TreeScores::gap) {
      const auto& above = columns_[read_.kept[parent]];
      return fmt::format(" given {} = {}", above.name, cell_text(chunk, above, row));
    }
    for (const auto k : order()) {
      if (k == i) break;
      if (states[k] != TreeScores::gap) return " given those above";
    }
    return "";
  }

  void put(Random& random, std::size_t i, std::size_t state, Chunk& rows) const {
    const auto& column = read_.columns[i];
    if (auto* numbers = std::get_if<Numbers>(&rows.columns[columns_[i].index])) {
      const auto bins = static_cast<std::size_t>(column.bins[state]);
      const std::size_t bin = column.first_bin[state] + random.below(bins);
      numbers->values.push_back(columns_[i].draw(bin, random));
      return;
    }
    auto& words = std::get<Categories>(rows.columns[columns_[i].index]);
    if (words.dictionary.empty()) words.dictionary = column.names;
    // What is reserved for values never seen has no name: such a draw is a missing value.
    words.codes.push_back(state < column.names.size() ? static_cast<std::int32_t>(state)
                                                      : Categories::missing_code);
  }

  std::string remark() const {
    if (read_.kept.empty()) return "no column varies: left out";
    std::string result = reading_.name();
    if (is_linear()) result += ": what each value says of the class beside all others, in nats";
    if (read_.trees.size() > 1) {
      result += ": each column in turn is the parent of all others; the shares of each alone";
    }
    if (read_.kept.size() < columns_.size()) result += "; columns that do not vary are left out";
    return result;
  }

  std::string state_name(std::size_t i, std::size_t state, const char* is = " = ") const {
    const auto& column = states(i);
    return fmt::format("{}{}{}", name(i), is,
                       state < column.names.size() ? column.names[state] : "(unseen)");
  }

  void add_rows(ParameterTable& table, std::size_t i) const {
    for (std::size_t a = 0; a < states(i).states; ++a) {
      ParameterTable::Row row{"", {}, {state_name(i, a)}};
      for (std::size_t c = 0; c < read_.classes; ++c) {
        const auto at = a * read_.classes + c;
        row.cells.push_back({is_linear() ? states(i).log_shares[at] : states(i).shares[at], 0, 0});
      }
      table.rows.push_back(std::move(row));
    }
  }

  void add_rows(ParameterTable& table, std::size_t i, std::size_t parent) const {
    std::vector<double> room(read_.classes);
    for (std::size_t b = 0; b < states(parent).states; ++b) {
      for (std::size_t a = 0; a < states(i).states; ++a) {
        const double* log_p = read_.table(0, i)(b, a, room.data());
        ParameterTable::Row row{"", {}, {state_name(i, a) + " given " + state_name(parent, b)}};
        for (std::size_t c = 0; c < read_.classes; ++c) {
          row.cells.push_back({std::exp(log_p[c]), 0, 0});
        }
        table.rows.push_back(std::move(row));
      }
    }
  }

  std::vector<PairColumn> columns_;
  Reading reading_;
  ReadPairs read_;
  TreeScores scores_;
  std::vector<std::uint8_t> estimated_;
};

}  // namespace

std::unique_ptr<Density> make_pairs_density(std::vector<PairColumn> columns, const Reading& reading,
                                            ReadPairs read, const Estimation& estimation) {
  return std::make_unique<PairsDensity>(std::move(columns), reading, std::move(read), estimation);
}

}  // namespace credence

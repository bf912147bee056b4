// SPDX-License-Identifier: Apache-2.0
#include "families/bags/bag_statistics.hpp"

#include <fmt/format.h>

#include "core/special.hpp"
#include "core/strings.hpp"
#include "families/dirichlet.hpp"
#include "families/kernels/row_kernels.hpp"
#include "families/numeric.hpp"
#include "families/parameters.hpp"

namespace credence {

void BagStatistics::observe(const Chunk& chunk, std::span<const std::int32_t> classes) {
  if (chunk.matrix) return observe_matrix(chunk, classes);
  const auto places = counts_.place(columns_.features(chunk));
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    if (classes[r] < 0 || columns_.missing(chunk, r)) continue;
    const auto cls = static_cast<std::size_t>(classes[r]);
    const double weight = chunk.weights.empty() ? 1.0 : chunk.weights[r];
    rows_.add(cls, weight);
    columns_.for_each(chunk, r, [&](std::size_t feature, double count) {
      counts_.add(places[feature], cls,
                  columns_.family == BagFamily::bernoulli ? weight : weight * count);
      if (columns_.family == BagFamily::poisson) {
        log_factorials_.add(cls, two_product(weight, log_factorial(count)));
      }
    });
  }
}

// The declared features are the columns, and stand first in the table.
void BagStatistics::observe_matrix(const Chunk& chunk, std::span<const std::int32_t> classes) {
  const std::size_t many = rows_.classes(), columns = chunk.matrix.columns;
  counts_.place({});
  std::vector<double> high(many * columns), low(many * columns);
  std::vector<std::size_t> rows(many);
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    if (classes[r] < 0) continue;
    const auto cls = static_cast<std::size_t>(classes[r]);
    const double weight = chunk.weights.empty() ? 1.0 : chunk.weights[r];
    ++rows[cls];
    if (!chunk.weights.empty()) rows_.add(cls, weight);
    if (weight == 0) continue;
    const double* row = chunk.matrix.row(r);
    const ExactRow sums{high.data() + cls * columns, low.data() + cls * columns};
    if (columns_.family == BagFamily::bernoulli && chunk.weights.empty()) {
      count_presence(row, columns, sums.high);
    } else if (columns_.family == BagFamily::bernoulli) {
      add_presence(row, columns, weight, sums);
    } else {
      add_row(row, columns, weight, sums);
    }
    for (std::size_t f = 0; columns_.family == BagFamily::poisson && f < columns; ++f) {
      if (row[f] > 0) log_factorials_.add(cls, two_product(weight, log_factorial(row[f])));
    }
  }
  for (std::size_t c = 0; c < many; ++c) {
    if (chunk.weights.empty()) rows_.add(c, static_cast<double>(rows[c]));
    for (std::size_t f = 0; f < columns; ++f) {
      const std::size_t i = c * columns + f;
      if (high[i] != 0) counts_.add(f, c, quick_two_sum(high[i], low[i]));
    }
  }
}

std::string BagStatistics::defect(const std::vector<std::string>& classes) const {
  if (auto found = rows_.defect(columns_.title(), classes); !found.empty()) return found;
  for (std::size_t c = 0; c < rows_.classes(); ++c) {
    for (std::size_t v = 0; v < counts_.domain().size() && rows_[c] == 0; ++v) {
      if (counts_(v, c) == 0) continue;
      return fmt::format("column \"{}\": class \"{}\" has counts of \"{}\" but no rows",
                         columns_.title(), classes[c], counts_.domain()[v]);
    }
  }
  if (auto found = counts_.defect(columns_.title(), classes); !found.empty()) return found;
  return columns_.family == BagFamily::bernoulli ? too_many_presences(classes) : "";
}

// A row has a feature once or not at all.
std::string BagStatistics::too_many_presences(const std::vector<std::string>& classes) const {
  for (std::size_t v = 0; v < counts_.domain().size(); ++v) {
    for (std::size_t c = 0; c < rows_.classes(); ++c) {
      if (counts_(v, c) <= rows_[c] * (1 + 1e-9)) continue;
      return fmt::format("column \"{}\": {} rows of class \"{}\" have \"{}\", of {}",
                         columns_.title(), format_number(counts_(v, c)), classes[c],
                         counts_.domain()[v], format_number(rows_[c]));
    }
  }
  return "";
}

std::unique_ptr<Density> BagStatistics::fit(const Estimation& estimation) const {
  if (columns_.family == BagFamily::poisson) return fit_poisson_bag(*this, estimation);
  return columns_.family == BagFamily::bernoulli ? fit_bernoulli_bag(*this, estimation)
                                                 : fit_multinomial(*this, estimation);
}

std::optional<double> BagStatistics::log_marginal_likelihood(const Estimation& estimation) const {
  if (!plain()) return std::nullopt;
  const KnownValues known(counts_);
  const bool coins = columns_.family == BagFamily::bernoulli;
  const auto p = coins ? prior_coins(estimation, columns_.title(), known.names())
                       : prior_shares(estimation, columns_.title(), known.names());
  double sum = 0;
  for (std::size_t c = 0; c < rows_.classes() && !known.empty(); ++c) {
    std::vector<double> observed;
    for (std::size_t i = 0; i < known.size(); ++i) {
      const double n = counts_(known.place(i), c);
      if (!coins) {
        observed.push_back(n);
        continue;
      }
      const auto coin = log_marginal_of_counts(std::vector<double>{rows_[c] - n, n},
                                               imaginary_sides(p[i], estimation.rule));
      if (!coin) return std::nullopt;
      sum += *coin;
    }
    if (coins) continue;
    const auto urn =
        log_marginal_of_counts(observed, imaginary_counts(known.size(), p, estimation.rule));
    if (!urn) return std::nullopt;
    sum += *urn;
  }
  return sum;
}

BlockStatistics::AddHeldOut BagStatistics::held_out(const Estimation& estimation) const {
  if (!plain()) return BlockStatistics::held_out(estimation);
  return hold_out_bags(*this, counted(estimation.rule), estimation);
}

void BagStatistics::add_held_out(const Estimation& estimation, const Chunk& chunk,
                                 std::span<const std::int32_t> classes, double weight,
                                 std::span<double> joint) const {
  if (!plain()) return BlockStatistics::add_held_out(estimation, chunk, classes, weight, joint);
  held_out(estimation)(chunk, classes, weight, joint);
}

// The known features as words, each with the classes that have it.
CountedBags BagStatistics::counted(const Rule& rule) const {
  const KnownValues known(counts_);
  CountedWords words;
  std::vector<std::int32_t> cell_classes;
  std::vector<double> high, low;
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (std::size_t c = 0; c < rows_.classes(); ++c) {
      const DoubleDouble count = counts_.exact(known.place(i), c);
      if (count.hi == 0) continue;
      cell_classes.push_back(static_cast<std::int32_t>(c));
      high.push_back(count.hi);
      low.push_back(count.lo);
    }
    words.ends.push_back(static_cast<std::int32_t>(high.size()));
  }
  words.classes = NarrowNumbers(cell_classes);
  words.weights = NarrowSums(NarrowNumbers(high), std::move(low));
  TextOptions options;
  const bool coins = columns_.family == BagFamily::bernoulli;
  options.model = coins                            ? TextOptions::Model::bernoulli
                  : rule.kind == Rule::Kind::bayes ? TextOptions::Model::polya
                                                   : TextOptions::Model::multinomial;
  options.counts = coins ? TextOptions::Counts::binary : TextOptions::Counts::raw;
  const auto find = [known](const std::vector<std::string>& features) {
    std::vector<std::int32_t> numbers;
    for (const auto row : known.rows_of(features)) {
      numbers.push_back(row == known.size() ? -1 : static_cast<std::int32_t>(row));
    }
    return numbers;
  };
  return {columns_,     options, std::make_shared<const CountedWords>(std::move(words)),
          rows_.sums(), find,    !columns_.sparse || !columns_.declared.empty(),
          true};
}

std::unique_ptr<BlockStatistics> make_bag(const BlockColumns& columns, BagFamily family) {
  const bool sparse = columns.kind == ColumnKind::bag;
  return std::make_unique<BagStatistics>(
      BagBlock({columns.indices, columns.names, sparse,
                sparse ? columns.values : std::vector<std::string>{}},
               family));
}

namespace {

// "": draws from the urn of the class; "complement": by the urns of all others.
BagFamily parse_multinomial(const std::string& parameters) {
  BagFamily result = BagFamily::multinomial;
  for (const auto& parameter : parse_parameters(parameters)) {
    const bool known = parameter.name == "complement" || parameter.name == "normed";
    if (!known || !parameter.value.empty()) {
      unknown_parameter("multinomial", parameter, {"complement", "normed"});
    }
    const bool normed = parameter.name == "normed" || result == BagFamily::normed_complement;
    result = normed ? BagFamily::normed_complement : BagFamily::complement;
  }
  return result;
}

}  // namespace

Family multinomial_family() {
  return {.name = "multinomial",
          .kinds = {ColumnKind::amount, ColumnKind::bag},
          .make =
              [](const BlockColumns& columns, const std::string& parameters) {
                return make_bag(columns, parse_multinomial(parameters));
              },
          .takes_parameters = true,
          .joins = [](const std::string&) { return true; },
          .usual_for = {ColumnLook::counts},
          .by_hand = HandWriting::draws,
          .takes_shares = {ColumnKind::bag},
          .score = [](const std::string& parameters) -> std::optional<Family::Score> {
            if (parse_multinomial(parameters) == BagFamily::multinomial) return std::nullopt;
            return Family::Score{
                "multinomial(complement) scores classes but does not say how probable a row is",
                "multinomial"};
          },
          .long_way =
              [](const std::string& parameters) {
                return parse_multinomial(parameters) == BagFamily::multinomial
                           ? ""
                           : "a row changes what all other classes are judged by";
              }};
}

}  // namespace credence

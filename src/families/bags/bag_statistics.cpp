// SPDX-License-Identifier: Apache-2.0
#include "families/bags/bag_statistics.hpp"

#include <fmt/format.h>

#include "core/strings.hpp"
#include "families/dirichlet.hpp"

namespace credence {

void BagStatistics::observe(const Chunk& chunk, std::span<const std::int32_t> classes) {
  const auto places = counts_.place(columns_.features(chunk));
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    if (classes[r] < 0 || columns_.missing(chunk, r)) continue;
    const auto cls = static_cast<std::size_t>(classes[r]);
    const double weight = chunk.weights.empty() ? 1.0 : chunk.weights[r];
    rows_.add(cls, weight);
    columns_.for_each(chunk, r, [&](std::size_t feature, double count) {
      counts_.add(places[feature], cls,
                  columns_.family == BagFamily::bernoulli ? weight : weight * count);
    });
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
  return counts_.defect(columns_.title(), classes);
}

std::unique_ptr<Density> BagStatistics::fit(const Estimation& estimation) const {
  return columns_.family == BagFamily::bernoulli ? fit_bernoulli_bag(*this, estimation)
                                                 : fit_multinomial(*this, estimation);
}

std::optional<double> BagStatistics::log_marginal_likelihood(const Estimation& estimation) const {
  const KnownValues known(counts_);
  const bool coins = columns_.family == BagFamily::bernoulli;
  const auto imaginary =
      coins ? imaginary_counts(2, {}, estimation.rule)
            : imaginary_counts(known.size(),
                               prior_shares(estimation, columns_.title(), known.names()),
                               estimation.rule);
  double sum = 0;
  for (std::size_t c = 0; c < rows_.classes() && !known.empty(); ++c) {
    std::vector<double> observed;
    for (std::size_t i = 0; i < known.size(); ++i) {
      const double n = counts_(known.place(i), c);
      if (!coins) {
        observed.push_back(n);
        continue;
      }
      const auto coin = log_marginal_of_counts(std::vector<double>{rows_[c] - n, n}, imaginary);
      if (!coin) return std::nullopt;
      sum += *coin;
    }
    if (coins) continue;
    const auto urn = log_marginal_of_counts(observed, imaginary);
    if (!urn) return std::nullopt;
    sum += *urn;
  }
  return sum;
}

BlockStatistics::AddHeldOut BagStatistics::held_out(const Estimation& estimation) const {
  return hold_out_bags(*this, counted(estimation.rule), estimation);
}

void BagStatistics::add_held_out(const Estimation& estimation, const Chunk& chunk,
                                 std::span<const std::int32_t> classes, double weight,
                                 std::span<double> joint) const {
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
          rows_.sums(), find,    !columns_.sparse,
          true};
}

std::unique_ptr<BlockStatistics> make_bag(const BlockColumns& columns, BagFamily family) {
  return std::make_unique<BagStatistics>(
      BagBlock{{columns.indices, columns.names, columns.kind == ColumnKind::bag}, family});
}

Family multinomial_family() {
  return {.name = "multinomial",
          .kinds = {ColumnKind::amount, ColumnKind::bag},
          .make = [](const BlockColumns& columns,
                     const std::string&) { return make_bag(columns, BagFamily::multinomial); },
          .joins = [](const std::string&) { return true; },
          .usual_for = {ColumnLook::counts},
          .by_hand = HandWriting::draws,
          .takes_shares = {ColumnKind::bag}};
}

}  // namespace credence

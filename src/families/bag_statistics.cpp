// SPDX-License-Identifier: Apache-2.0
#include "families/bag_statistics.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "families/categorical.hpp"
#include "families/dirichlet.hpp"

namespace credence {

BagStatistics::BagStatistics(BagColumns columns, BagFamily family)
    : columns_(std::move(columns)),
      family_(family),
      counts_(columns_.sparse ? std::vector<std::string>{} : columns_.names) {}

std::unique_ptr<BlockStatistics> BagStatistics::clone() const {
  return std::make_unique<BagStatistics>(*this);
}

std::unique_ptr<BlockStatistics> BagStatistics::empty() const {
  return std::make_unique<BagStatistics>(columns_, family_);
}

void BagStatistics::rearrange_classes(std::span<const std::size_t> from) {
  counts_.rearrange_classes(from);
  rows_.rearrange(from);
}

void BagStatistics::observe(const Chunk& chunk, std::span<const std::int32_t> classes) {
  const auto places = counts_.place(columns_.features(chunk));
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    if (classes[r] < 0 || columns_.missing(chunk, r)) continue;
    const auto cls = static_cast<std::size_t>(classes[r]);
    const double weight = chunk.weights.empty() ? 1.0 : chunk.weights[r];
    rows_.add(cls, weight);
    columns_.for_each(chunk, r, [&](std::size_t feature, double count) {
      counts_.add(places[feature], cls, family_ == BagFamily::bernoulli ? weight : weight * count);
    });
  }
}

void BagStatistics::merge(const BlockStatistics& other, std::span<const std::size_t> class_map,
                          int sign) {
  const auto& bag = static_cast<const BagStatistics&>(other);
  counts_.merge(bag.counts_, class_map, sign);
  credence::merge(rows_, bag.rows_, class_map, sign);
}

void BagStatistics::scale(double factor) {
  counts_.scale(factor);
  rows_.scale(factor);
}

std::string BagStatistics::defect(const std::vector<std::string>& classes) const {
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    if (rows_[c] < 0) {
      return fmt::format("column \"{}\": {} more rows in class \"{}\" than were observed",
                         columns_.title(), format_number(-rows_[c]), classes[c]);
    }
  }
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    for (std::size_t v = 0; v < counts_.domain().size() && rows_[c] == 0; ++v) {
      if (counts_(v, c) == 0) continue;
      return fmt::format("column \"{}\": class \"{}\" has counts of \"{}\" but no rows",
                         columns_.title(), classes[c], counts_.domain()[v]);
    }
  }
  return counts_.defect(columns_.title(), classes);
}

void BagStatistics::save(Tensors& tensors, const std::string& prefix) const {
  counts_.save(tensors, prefix);
  tensors.put(prefix + ".rows", rows_, {rows_.size()});
}

void BagStatistics::load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
  counts_.load(tensors, prefix, classes);
  rows_ = tensors.sums(prefix + ".rows", {classes});
}

std::unique_ptr<Density> BagStatistics::fit(const Estimation& estimation) const {
  return family_ == BagFamily::bernoulli ? fit_bernoulli_bag(*this, estimation)
                                         : fit_multinomial(*this, estimation);
}

std::optional<double> BagStatistics::log_marginal_likelihood(const Estimation& estimation) const {
  const KnownValues known(counts_);
  const bool coins = family_ == BagFamily::bernoulli;
  const auto imaginary =
      coins ? imaginary_counts(2, {}, estimation.rule)
            : imaginary_counts(known.size(),
                               prior_shares(estimation, columns_.title(), known.names()),
                               estimation.rule);
  double sum = 0;
  for (std::size_t c = 0; c < rows_.size() && !known.empty(); ++c) {
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
    for (std::size_t c = 0; c < rows_.size(); ++c) {
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
  const bool coins = family_ == BagFamily::bernoulli;
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
  return {columns_, options, std::make_shared<const CountedWords>(std::move(words)),
          rows_,    find,    !columns_.sparse,
          true};
}

}  // namespace credence

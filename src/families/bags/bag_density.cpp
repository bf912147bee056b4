// SPDX-License-Identifier: Apache-2.0
#include "families/bags/bag_density.hpp"

#include "families/dirichlet.hpp"
#include "families/text/text_lists.hpp"

namespace credence {
namespace {

double added_to_each(const Rule& rule, double choices) {
  return imaginary_count(rule, choices, rule.strength / choices).added;
}

}  // namespace

BagDensity::BagDensity(const BagStatistics& statistics, const Estimation& estimation,
                       BagFamily family)
    : columns_(statistics.columns()),
      classes_(estimation.classes.size()),
      known_(statistics.counts()),
      counts_(known_.size() * classes_, 0.0),
      totals_(classes_, 0.0),
      coins_(family == BagFamily::bernoulli),
      prior_(added_to_each(estimation.rule, coins_ ? 2 : static_cast<double>(known_.size()))),
      given_p_(estimation.shares.contains(columns_.title())),
      exact_fractions_(!estimation.rule.has_prior()),
      class_names_(estimation.classes),
      class_weights_(estimation.class_weights) {
  log_prior = 0;
  in_order_ = known_.size() == columns_.declared.size();
  for (std::size_t i = 0; i < known_.size(); ++i) {
    in_order_ = in_order_ && known_.place(i) == i;
    for (std::size_t c = 0; c < classes_; ++c) {
      counts_[cell(i, c)] = statistics.counts()(known_.place(i), c);
    }
  }
}

Term BagDensity::term(std::string value, bool unseen) const {
  return {columns_.title(), value, std::vector<double>(classes_, 0.0), unseen};
}

void BagDensity::add_features(const std::vector<double>& evidence, LinearForm& form) const {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const auto from = evidence.begin() + static_cast<std::ptrdiff_t>(cell(i, 0));
    form.features.push_back({columns_.title() + ": " + known_.name(i),
                             {from, from + static_cast<std::ptrdiff_t>(classes_)}});
  }
}

void BagDensity::put(const std::vector<double>& drawn, Chunk& rows) const {
  if (!columns_.sparse) {
    for (std::size_t f = 0; f < columns_.indices.size(); ++f) {
      std::get<Numbers>(rows.columns[columns_.indices[f]])
          .values.push_back(drawn[known_.row_of(columns_.names[f])]);
    }
    return;
  }
  auto& bags = std::get<Bags>(rows.columns[columns_.indices[0]]);
  if (bags.dictionary.empty()) bags.dictionary = known_.names();
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i] == 0) continue;
    bags.features.push_back(static_cast<std::int32_t>(i));
    bags.counts.push_back(drawn[i]);
  }
  bags.offsets.push_back(bags.features.size());
  bags.missing.push_back(0);
}

std::vector<std::pair<std::size_t, sql::Expression>> BagDensity::counts_in_sql(
    sql::Query& query) const {
  std::vector<std::pair<std::size_t, sql::Expression>> result;
  for (std::size_t f = 0; f < columns_.indices.size(); ++f) {
    const std::size_t known = known_.row_of(columns_.names[f]);
    const auto x = query.cell(columns_.indices[f]);
    if (known == known_.size()) continue;
    result.emplace_back(known, query.let(choose({{query.number(0) < x, x}}, query.number(0))));
  }
  return result;
}

// Of one column with a set in each cell, which says so.
std::vector<sql::Expression> BagDensity::sql(sql::Query& query) const {
  query.cell(columns_.indices[0]);
  return Density::sql(query);
}

ParameterTable BagDensity::table() const {
  ParameterTable result{columns_.title(),
                        coins_ ? "bernoulli" : "multinomial",
                        coins_ ? "probability of presence" : "share of each draw",
                        {}};
  ByteStrings words;
  std::vector<std::uint32_t> ends{0}, cell_classes;
  std::vector<double> own;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    ParameterTable::Row row{"", {}, {known_.name(i)}};
    for (std::size_t c = 0; c < classes_; ++c) {
      const double p = p_[cell(i, c)], count = counts_[cell(i, c)];
      row.cells.push_back(exact_fractions_ ? ParameterTable::Cell{p, count, totals_[c]}
                                           : ParameterTable::Cell{p, 0, 0});
      if (count == 0) continue;
      cell_classes.push_back(static_cast<std::uint32_t>(c));
      own.push_back(count);
    }
    words.add(known_.name(i));
    ends.push_back(static_cast<std::uint32_t>(own.size()));
    result.rows.push_back(std::move(row));
  }
  // A shorter table is read at once; lists know of no p of their own.
  if (known_.size() <= 40 || given_p_) return result;
  result.lists = word_lists({words, ends, cell_classes, own, totals_, prior_, coins_}, class_names_,
                            class_weights_);
  return result;
}

}  // namespace credence

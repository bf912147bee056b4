// SPDX-License-Identifier: Apache-2.0
#include "families/free_form/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/dirichlet.hpp"
#include "families/free_form/histogram_bins.hpp"
#include "families/univariate.hpp"
#include "sql/query.hpp"

namespace credence {

double BinDensity::log_density(double x) const {
  if (log_densities.empty()) return 0;
  const std::size_t bin = bin_of(*edges, x);
  return bin == no_bin ? log_outside : log_densities[bin];
}

// The last bin has its upper edge, too.
sql::Expression BinDensity::sql(sql::Query& query, const sql::Expression& x) const {
  if (log_densities.empty()) return query.number(0);
  const auto outside = query.number(log_outside);
  std::vector<sql::Case> bins{{x < query.number(edges->front()), outside}};
  for (std::size_t b = 0; b + 1 < log_densities.size(); ++b) {
    bins.push_back({x < query.number((*edges)[b + 1]), query.number(log_densities[b])});
  }
  bins.push_back({query.number(edges->back()) < x, outside});
  return choose(bins, query.number(log_densities.back()));
}

double BinDensity::sample(Random& random) const {
  if (shares.empty()) return edges->front();
  const std::size_t bin = random.pick(shares);
  const double low = (*edges)[bin], high = (*edges)[bin + 1];
  // The next bin begins at `high`, which rounding must not reach.
  return std::min(low + random.uniform() * (high - low), std::nextafter(high, low));
}

double BinDensity::probability(const NumberRange& range) const {
  double sum = 0;
  for (std::size_t b = 0; b < shares.size(); ++b) {
    const double low = (*edges)[b], high = (*edges)[b + 1];
    const double within = std::min(high, range.high) - std::max(low, range.low);
    if (within > 0) sum += shares[b] * (within / (high - low));
  }
  return sum;
}

namespace {

// Digits enough to tell every edge from its neighbours, and no more.
std::vector<std::string> edge_names(const std::vector<double>& edges) {
  std::vector<std::string> names;
  for (int digits = 4; digits <= 17; ++digits) {
    names.clear();
    bool near = true;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      names.push_back(format_number(*to_number(fmt::format("{:.{}g}", edges[i], digits))));
      const double left = i > 0 ? edges[i] - edges[i - 1] : infinity;
      const double right = i + 1 < edges.size() ? edges[i + 1] - edges[i] : infinity;
      near = near && std::abs(*to_number(names[i]) - edges[i]) <= 0.01 * std::min(left, right);
    }
    if (near) break;
  }
  return names;
}

class HistogramDensity : public UnivariateDensity<BinDensity>, public Stepped {
 public:
  HistogramDensity(const WeightedValues& values, const Binning& binning,
                   const Estimation& estimation, const BlockColumn& column)
      : UnivariateDensity(column), rule_(estimation.rule) {
    find_edges(values, binning, estimation.rule);
    // Bins that are cut where classes part move with what the rows are taken to be.
    if (binning.kind != Binning::Kind::automatic && binning.kind != Binning::Kind::mdl) {
      log_prior = 0;
    }
    const double rows = std::accumulate(values.weights.begin(), values.weights.end(), 0.0);
    for (std::size_t c = 0; c < estimation.classes.size(); ++c) {
      BinDensity density;
      density.edges = edges_;
      if (!left_out_ && estimation.class_weights[c] != 0) {
        estimate(values, c, estimation, density);
        // The next row is the first outside with probability 1 / (rows + 1), somewhere within as
        // much again as the range.
        density.log_outside = -std::log1p(rows) - std::log(edges_->back() - edges_->front());
      }
      classes_.push_back(std::move(density));
    }
  }

  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override {
    const std::size_t before = terms.size();
    UnivariateDensity::explain(chunk, row, terms);
    if (terms.size() == before) return;
    const double x = std::get<Numbers>(chunk.columns[index_]).values[row];
    if (bin_of(*edges_, x) == no_bin) terms.back().value += " (outside the range: no evidence)";
  }

  // The edges are taken as they are, the shares of the bins are a Dirichlet's.
  HistogramDensity drawn(Random& random) const {
    HistogramDensity result = *this;
    for (auto& density : result.classes_) {
      if (density.shares.empty()) continue;
      const auto imaginary = imaginary_counts(density.counts.size(), {}, rule_);
      set_shares(density, draw_shares(density.counts, imaginary, rule_, random));
    }
    return result;
  }

  std::string linear(LinearForm&) const override { return name_ + ": a histogram is not linear"; }
  std::span<const double> edges() const override { return *edges_; }

  ParameterTable table() const override {
    ParameterTable result{name_, "histogram", "", {}};
    if (left_out_) {
      result.remark = "does not vary: left out";
      return result;
    }
    const std::size_t bins = edges_->size() - 1;
    result.remark = fmt::format("{} bin{}", bins, bins == 1 ? "" : "s");
    const auto names = edge_names(*edges_);
    for (std::size_t b = 0; b < bins; ++b) {
      ParameterTable::Row row{
          fmt::format("[{}, {}{}", names[b], names[b + 1], b + 1 == bins ? "]" : ")"), {}};
      for (const auto& d : classes_) row.cells.push_back(cell(d, b));
      result.rows.push_back(std::move(row));
    }
    return result;
  }

 private:
  void find_edges(const WeightedValues& values, const Binning& binning, const Rule& rule) {
    std::vector<double> edges{values.values.empty() ? 0 : values.values.front()};
    left_out_ = values.values.size() < 2;
    if (values.values.size() == 1 && !rule.has_prior()) {
      throw Error(ErrorKind::data,
                  fmt::format("column \"{}\": every value is {}, so a histogram has no width (use "
                              "{}, or {})",
                              name_, format_number(values.values[0]), setting("rule", "bayes"),
                              setting("as", name_ + ": categorical")));
    }
    if (!left_out_) edges = bin_edges(values, binning, name_);
    edges_ = std::make_shared<const std::vector<double>>(std::move(edges));
  }

  void estimate(const WeightedValues& values, std::size_t c, const Estimation& estimation,
                BinDensity& density) {
    const std::size_t bins = edges_->size() - 1;
    density.counts.assign(bins, 0.0);
    for (std::size_t v = 0; v < values.values.size(); ++v) {
      density.counts[bin_of(*edges_, values.values[v])] += values.weight(v, c);
    }
    set_shares(density,
               estimate_shares(density.counts, {}, estimation.rule, name_, estimation.classes[c]));
    for (std::size_t b = 0; b < bins; ++b) {
      log_likelihood += density.counts[b] == 0 ? 0 : density.counts[b] * density.log_densities[b];
    }
    log_prior += log_prior_of_shares(density.shares, imaginary_counts(bins, {}, estimation.rule),
                                     estimation.rule);
    parameters += bins - 1;
  }

  void set_shares(BinDensity& density, std::vector<double> shares) const {
    density.shares = std::move(shares);
    density.log_densities.clear();
    for (std::size_t b = 0; b < density.shares.size(); ++b) {
      const double width = (*edges_)[b + 1] - (*edges_)[b];
      density.log_densities.push_back(std::log(density.shares[b]) - std::log(width));
    }
  }

  ParameterTable::Cell cell(const BinDensity& density, std::size_t bin) const {
    if (density.shares.empty()) return {};
    if (rule_.has_prior()) return {density.shares[bin], 0, 0};
    const double total = std::accumulate(density.counts.begin(), density.counts.end(), 0.0);
    return {density.shares[bin], density.counts[bin], total};
  }

  Rule rule_;
  std::shared_ptr<const std::vector<double>> edges_;
};

}  // namespace

Family histogram_family() {
  return {.name = "histogram",
          .kinds = {ColumnKind::number},
          .make =
              [](const BlockColumns& columns, const std::string& parameters) {
                const Binning binning = parse_binning(parameters);
                return make_value_block<HistogramDensity>(columns, binning);
              },
          .takes_parameters = true,
          .rank = 5,
          .suits = [](const ValueLook& values) { return values.distinct > few_values; },
          .tried = {{.place = 2,
                     .of = {ColumnLook::numbers},
                     .parameters = "mdl",
                     .keeps_tables = true}},
          .long_way = [](const std::string&) { return "the edges of bins move with every row"; }};
}

}  // namespace credence

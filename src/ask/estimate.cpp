// SPDX-License-Identifier: Apache-2.0
#include "ask/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ask/estimators.hpp"
#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/dirichlet.hpp"

namespace credence {
namespace {

bool of_words(Distribution distribution) {
  return distribution == Distribution::binomial || distribution == Distribution::multinomial;
}

void refuse(const std::string& message) { throw Error(ErrorKind::usage, message); }

// Settings that would silently do nothing are refused.
void check(const EstimateRequest& request) {
  const auto binomial = setting("distribution", "binomial");
  if (!of_words(request.distribution)) {
    constexpr const char* wanted = "{} goes with {} or multinomial";
    if (!request.values.empty()) refuse(fmt::format(wanted, setting("values"), binomial));
    if (!request.shares.empty()) refuse(fmt::format(wanted, setting("shares"), binomial));
  }
  if (request.distribution != Distribution::binomial && !request.success.empty()) {
    refuse(fmt::format("{} goes with {}", setting("success"), binomial));
  }
  if (!request.shares.empty() && !request.rule.has_prior()) {
    refuse(fmt::format("{} has no meaning under the rule {} (use {})", setting("shares"),
                       to_string(request.rule), setting("rule", "m-estimate=1")));
  }
  if (!(request.level > 0 && request.level < 1)) {
    refuse(fmt::format("{}: a number between 0 and 1 is needed, for example 0.95",
                       setting("level", format_number(request.level))));
  }
  if (request.by == request.column) {
    refuse(fmt::format("{} and {} name the same column", setting("by"), setting("column")));
  }
}

// The values for which a p is given are possible values.
std::vector<std::string> declared_values(const EstimateRequest& request) {
  if (!request.values.empty() || request.shares.empty()) return request.values;
  std::vector<std::string> names;
  for (const auto& [name, share] : request.shares) names.push_back(name);
  std::sort(names.begin(), names.end(), natural_less);
  return names;
}

std::vector<std::size_t> natural_order(const Domain& domain) {
  std::vector<std::size_t> order(domain.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  // Declared values come first, in the order of their declaration.
  std::sort(order.begin() + static_cast<std::ptrdiff_t>(domain.declared()), order.end(),
            [&](std::size_t a, std::size_t b) { return natural_less(domain[a], domain[b]); });
  return order;
}

}  // namespace

Distribution parse_distribution(std::string_view name) {
  std::map<Distribution, std::string> known;
  std::vector<std::string> names;
  for (const auto& family : families()) {
    if (!family.estimate) continue;
    const auto& [distribution, other] = *family.estimate;
    if (name == family.name || name == other) return distribution;
    names.insert(names.end(), {other, family.name});
    known[distribution] = std::string_view(other) == family.name
                              ? other
                              : fmt::format("{} (or {})", other, family.name);
  }
  std::vector<std::string> all;
  for (const auto& [distribution, text] : known) all.push_back(text);
  throw Error(ErrorKind::usage,
              fmt::format("{}: no distribution \"{}\"{}; there are {}", setting("distribution"),
                          name, suggestion(name, names), join(all, ", ")));
}

Schema schema_of(const EstimateRequest& request, const std::string& weights,
                 const std::vector<std::string>& missing) {
  const ColumnKind kind = of_words(request.distribution)                  ? ColumnKind::category
                          : request.distribution == Distribution::poisson ? ColumnKind::count
                                                                          : ColumnKind::number;
  Schema schema;
  schema.columns = {{request.column, kind, request.values}};
  schema.target = request.by;
  schema.weights = weights;
  schema.missing = missing;
  return schema;
}

ColumnStatistics::ColumnStatistics(EstimateRequest request)
    : request_(std::move(request)), values_(declared_values(request_)) {
  check(request_);
  if (request_.by.empty()) statistics_.resize(groups_.insert("") + 1);
}

void ColumnStatistics::observe(const Chunk& chunk) {
  const Column& column = chunk.columns[0];
  const auto* words = std::get_if<Categories>(&column);
  codes_.clear();
  for (std::size_t i = 0; words && i < words->dictionary.size(); ++i) {
    codes_.push_back(values_.insert(words->dictionary[i]));
  }
  std::vector<std::size_t> group_of;
  for (const auto& name : chunk.labels.dictionary) group_of.push_back(groups_.insert(name));
  statistics_.resize(groups_.size());

  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const auto label = request_.by.empty() ? 0 : chunk.labels.codes[r];
    const bool no_value =
        words ? words->codes[r] < 0 : std::isnan(std::get<Numbers>(column).values[r]);
    if (label < 0 || no_value) {
      ++left_out_;
      continue;
    }
    const auto group = request_.by.empty() ? 0 : group_of[static_cast<std::size_t>(label)];
    observe_value(statistics_[group], column, r, chunk.weights.empty() ? 1.0 : chunk.weights[r]);
  }
}

void ColumnStatistics::observe_value(Group& group, const Column& column, std::size_t row,
                                     double weight) {
  ++group.rows;
  group.weight = group.weight + DoubleDouble(weight);
  if (const auto* words = std::get_if<Categories>(&column)) {
    if (group.counts.size() < values_.size()) group.counts.resize(values_.size());
    group.counts.add(codes_[static_cast<std::size_t>(words->codes[row])], weight);
    return;
  }
  const double x = std::get<Numbers>(column).values[row];
  if (request_.distribution == Distribution::poisson) {
    group.sum = group.sum + two_product(weight, x);
    group.log_factorials = group.log_factorials + two_product(weight, log_gamma(x + 1));
  } else {
    group.moments.merge({weight, x, 0});
  }
}

void ColumnStatistics::Group::merge(const Group& other) {
  rows += other.rows;
  weight = weight + other.weight;
  if (counts.size() < other.counts.size()) counts.resize(other.counts.size());
  for (std::size_t i = 0; i < other.counts.size(); ++i) counts.add(i, other.counts.exact(i));
  sum = sum + other.sum;
  log_factorials = log_factorials + other.log_factorials;
  moments.merge(other.moments);
}

std::vector<GroupEstimate> ColumnStatistics::estimate() const {
  const auto group_order = natural_order(groups_);
  Group column;
  for (const auto g : group_order) column.merge(statistics_[g]);
  if (column.weight.hi <= 0) {
    throw Error(ErrorKind::data,
                fmt::format("column \"{}\": no values to estimate from", request_.column));
  }
  EstimateContext context{request_, column, values_.values(), natural_order(values_), {}};
  if (request_.distribution == Distribution::binomial) {
    const auto success = success_of(request_, values_.values());
    const auto is_failure = [&](std::size_t v) { return values_[v] != success; };
    std::stable_partition(context.order.begin(), context.order.end(), is_failure);
  }
  if (!request_.shares.empty()) {
    std::vector<std::string> names;
    for (const auto v : context.order) names.push_back(values_[v]);
    Estimation estimation;
    estimation.shares[request_.column] = request_.shares;
    context.shares = prior_shares(estimation, request_.column, names);
  }
  std::vector<GroupEstimate> results;
  for (const auto g : group_order) {
    const Group& group = statistics_[g];
    if (group.weight.hi <= 0 && !request_.rule.has_prior()) {
      throw Error(ErrorKind::data,
                  fmt::format("column \"{}\": no value where {} is \"{}\" (use {})",
                              request_.column, request_.by, groups_[g], setting("rule", "bayes")));
    }
    GroupEstimate result{groups_[g], {}, 0, group.rows, group.weight.value()};
    switch (request_.distribution) {
      case Distribution::gaussian:
        estimate_numbers(context, group, result);
        break;
      case Distribution::poisson:
        estimate_counts(context, group, result);
        break;
      default:
        estimate_words(context, group, result);
        break;
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace credence

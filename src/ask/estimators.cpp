// SPDX-License-Identifier: Apache-2.0
#include "ask/estimators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/dirichlet.hpp"
#include "families/numeric.hpp"

namespace credence {
namespace {

std::string lower(std::string text) {
  for (auto& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// Success first. A column may hold only one of the two.
constexpr std::pair<const char*, const char*> usual_pairs[] = {
    {"1", "0"}, {"yes", "no"}, {"true", "false"}, {"heads", "tails"}, {"y", "n"}};

// The posterior whatever the rule reads from it: that of bayes with as many imaginary rows.
Rule posterior_rule(const Rule& rule) { return {Rule::Kind::bayes, imaginary_rows(rule)}; }

}  // namespace

std::string success_of(const EstimateRequest& request, std::vector<std::string> values) {
  std::sort(values.begin(), values.end(), natural_less);
  if (values.size() > 2) {
    throw Error(
        ErrorKind::data,
        fmt::format("column \"{}\": binomial needs two values, it has {}: {}, {}, {} (use "
                    "{})",
                    request.column, values.size(), values[0], values[1],
                    values.size() > 3 ? "…" : values[2], setting("distribution", "multinomial")));
  }
  if (!request.success.empty()) {
    if (std::find(values.begin(), values.end(), request.success) != values.end()) {
      return request.success;
    }
    const auto hint = suggestion(request.success, values);
    throw Error(ErrorKind::usage,
                fmt::format("{}: column \"{}\" has no value \"{}\"{}", setting("success"),
                            request.column, request.success,
                            hint.empty() ? " (" + setting("values") + " declares it)" : hint));
  }
  for (const auto& [success, failure] : usual_pairs) {
    const auto usual = [&success = success, &failure = failure](const std::string& v) {
      return lower(v) == success || lower(v) == failure;
    };
    if (!std::all_of(values.begin(), values.end(), usual)) continue;
    for (const auto& value : values) {
      if (lower(value) == success) return value;
    }
    return success;  // only failures were seen
  }
  const std::string choice = values.size() == 2
                                 ? fmt::format("\"{}\" or \"{}\"", values[0], values[1])
                                 : fmt::format("\"{}\" or a value never seen", values[0]);
  throw Error(ErrorKind::usage, fmt::format("column \"{}\": which value is a success, {}? (use "
                                            "{})",
                                            request.column, choice, setting("success", values[0])));
}

void estimate_words(const EstimateContext& context, const ColumnStatistics::Group& group,
                    GroupEstimate& result) {
  const auto& request = context.request;
  const bool binomial = request.distribution == Distribution::binomial;
  std::vector<std::string> names;
  std::vector<double> counts;
  for (const auto v : context.order) {
    names.push_back(context.values[v]);
    counts.push_back(v < group.counts.size() ? group.counts.exact(v).value() : 0.0);
  }
  // A coin has two sides even when only one was seen; the success comes last.
  if (binomial && names.size() == 1) {
    const auto success = success_of(request, context.values);
    const bool only_failures = names[0] != success;
    names.insert(only_failures ? names.end() : names.begin(), only_failures ? success : "");
    counts.insert(only_failures ? counts.end() : counts.begin(), 0.0);
  }
  const auto p =
      estimate_shares(counts, context.shares, request.rule, request.column, result.group);
  const auto imaginary = imaginary_counts(counts.size(), context.shares, request.rule);
  const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    result.log_likelihood += x_log_y(counts[i], p[i]);
    if (binomial && i + 1 < counts.size()) continue;
    Parameter theta{"theta", names[i], p[i], {}, {}, 0, 0};
    if (request.rule.has_prior()) {
      const double a = counts[i] + imaginary[i];
      // A sum of the other values, not total - a: that would leave rounding where nothing is.
      double b = 0;
      for (std::size_t j = 0; j < counts.size(); ++j) {
        if (j != i) b += counts[j] + imaginary[j];
      }
      theta.interval = beta_interval(a, b, request.level);
    } else {
      theta.standard_error = std::sqrt(p[i] * (1 - p[i]) / n);
      theta.numerator = counts[i];
      theta.denominator = n;
    }
    result.parameters.push_back(std::move(theta));
  }
}

void estimate_counts(const EstimateContext& context, const ColumnStatistics::Group& group,
                     GroupEstimate& result) {
  const auto& request = context.request;
  const auto estimate = [&](const Rule& rule) {
    return estimate_rate(group.weight.value(), group.sum.value(), context.column.weight.value(),
                         context.column.sum.value(), rule, request.column, result.group);
  };
  Parameter rate{"rate", "", estimate(request.rule).rate, {}, {}, 0, 0};
  const double n = group.weight.value();
  if (request.rule.has_prior()) {
    const RateDensity posterior = estimate(posterior_rule(request.rule));
    rate.interval = gamma_interval(posterior.shape, posterior.weight, request.level);
  } else {
    rate.standard_error = std::sqrt(rate.estimate / n);
  }
  result.log_likelihood =
      x_log_y(group.sum.value(), rate.estimate) - n * rate.estimate - group.log_factorials.value();
  result.parameters.push_back(std::move(rate));
}

namespace {

// estimate_number speaks of classes and of a plan's settings; here there are groups, or none.
void refuse_no_variance(const EstimateContext& context, const ColumnStatistics::Group& group,
                        const std::string& name) {
  const auto& request = context.request;
  if (context.column.moments.m2.value() == 0) {
    throw Error(ErrorKind::data,
                fmt::format("column \"{}\": its values do not vary, so their variance is 0 (use "
                            "{})",
                            request.column, setting("distribution", "multinomial")));
  }
  const double n = group.weight.value();
  if (request.rule.has_prior()) return;
  if (group.moments.m2.value() > 0 && (request.rule.kind == Rule::Kind::mle || n > 1)) return;
  if (request.by.empty()) {
    throw Error(ErrorKind::data,
                fmt::format("column \"{}\": the weights sum to {}, and the variance is divided by "
                            "one less (use {})",
                            request.column, format_number(n), setting("rule", "mle")));
  }
  throw Error(ErrorKind::data,
              fmt::format("column \"{}\": its values where {} is \"{}\" do not vary, so their "
                          "variance is 0 (use {})",
                          request.column, request.by, name, setting("rule", "bayes")));
}

}  // namespace

void estimate_numbers(const EstimateContext& context, const ColumnStatistics::Group& group,
                      GroupEstimate& result) {
  const auto& request = context.request;
  refuse_no_variance(context, group, result.group);
  const auto estimate = [&](const Rule& rule) {
    return estimate_number(group.moments, {context.column.moments}, rule, request.column,
                           result.group);
  };
  const NumberDensity density = estimate(request.rule);
  Parameter mean{"mean", "", density.mean, {}, {}, 0, 0};
  Parameter sd{"sd", "", density.scale, {}, {}, 0, 0};
  Parameter variance{"variance", "", density.scale * density.scale, {}, {}, 0, 0};
  const double n = group.weight.value();
  if (request.rule.has_prior()) {
    const NumberDensity predictive = estimate(posterior_rule(request.rule));
    const double rows = predictive.freedom;
    // The predictive's scale is that of the mean, widened by the spread of one more row.
    const double m2 = predictive.scale * predictive.scale * rows * rows / (rows + 1);
    mean.interval = student_interval(predictive.mean, std::sqrt(m2) / rows, rows, request.level);
    sd.interval = sd_interval(rows, m2, request.level);
    if (request.rule.kind == Rule::Kind::bayes) {
      variance.estimate = rows > 2 ? m2 / (rows - 2) : not_a_number;
      sd.estimate = std::sqrt(variance.estimate);
    }
  } else {
    const double freedom = request.rule.kind == Rule::Kind::unbiased ? n - 1 : n;
    variance.estimate = group.moments.m2.value() / freedom;  // squaring sd would round twice
    mean.standard_error = sd.estimate / std::sqrt(n);
    sd.standard_error = sd.estimate / std::sqrt(2 * freedom);
  }
  result.log_likelihood = normal_log_likelihood(group.moments, mean.estimate, variance.estimate);
  result.parameters = {std::move(mean), std::move(sd), std::move(variance)};
}

}  // namespace credence

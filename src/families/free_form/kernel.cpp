// SPDX-License-Identifier: Apache-2.0
#include "families/free_form/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/special.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/parameters.hpp"
#include "families/univariate.hpp"

namespace credence {

Kernels::Kernels(WeightedSample sample, double bandwidth, const Support& support)
    : values_(std::move(sample)), bandwidth_(bandwidth), support_(support) {
  // Three times as wide as the support, the reflected density is flat to the last digit.
  bandwidth_ = std::min(bandwidth_, 3 * (support.high - support.low));
  cumulative_.resize(values_.weights.size());
  std::partial_sum(values_.weights.begin(), values_.weights.end(), cumulative_.begin());
  if (support.bounded()) {
    add_images(values_);
  } else {
    points_ = values_;
  }
  log_norm_ = std::log(values_.total) + std::log(bandwidth_) + 0.5 * std::log(2 * std::numbers::pi);
}

// Mirrors at both ends show every value again and again, at 2 low - x + k period and x + k period.
void Kernels::add_images(const WeightedSample& sample) {
  const double period = 2 * (support_.high - support_.low);
  const int times = std::isinf(period) ? 0 : 1 + static_cast<int>(9 * bandwidth_ / period);
  const double mirror = std::isinf(support_.low) ? support_.high : support_.low;
  std::vector<std::pair<double, double>> all;
  for (std::size_t i = 0; i < sample.values.size(); ++i) {
    for (int k = -times; k <= times; ++k) {
      const double shift = k == 0 ? 0 : k * period;
      all.emplace_back(sample.values[i] + shift, sample.weights[i]);
      all.emplace_back(2 * mirror - sample.values[i] + shift, sample.weights[i]);
    }
  }
  std::sort(all.begin(), all.end());
  for (const auto& [x, w] : all) points_.add(x, w);
}

// Terms are taken relative to the nearest kernel, so that a density far out keeps all its digits,
// and left out where all of them together are below the last digit of the sum.
double Kernels::log_density(double x) const {
  const auto& at = points_.values;
  auto nearest = static_cast<std::size_t>(std::lower_bound(at.begin(), at.end(), x) - at.begin());
  if (nearest == at.size() || (nearest > 0 && x - at[nearest - 1] < at[nearest] - x)) --nearest;
  const double distance = std::abs(x - at[nearest]);
  const double z = distance / bandwidth_;
  const double reach = z * z + 2 * (37 + std::log(points_.total / points_.weights[nearest]));
  double sum = points_.weights[nearest];
  // False where the kernel, and hence all behind it, is out of reach.
  const auto add = [&](std::size_t i) {
    const double other = std::abs(x - at[i]);
    const double beyond = other - distance;
    if (beyond == 0) {
      sum += points_.weights[i];
      return true;
    }
    const double exponent = beyond / bandwidth_ * ((other + distance) / bandwidth_);
    if (exponent > reach - z * z) return false;
    sum += points_.weights[i] * std::exp(-exponent / 2);
    return true;
  };
  for (std::size_t i = nearest; i-- > 0 && add(i);) {
  }
  for (std::size_t i = nearest + 1; i < at.size() && add(i); ++i) {
  }
  return std::log(sum) - z * z / 2 - log_norm_;
}

double Kernels::sample(Random& random) const {
  const double place = random.uniform() * cumulative_.back();
  const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), place);
  const auto i =
      std::min(static_cast<std::size_t>(found - cumulative_.begin()), values_.values.size() - 1);
  double x = values_.values[i] + bandwidth_ * random.normal();
  while (!support_.contains(x)) x = 2 * (x < support_.low ? support_.low : support_.high) - x;
  return x;
}

// What is known of a distribution without a form: the weights of n rows are as likely to be one as
// the other, which is a Dirichlet with 1 for every row (Rubin, "The Bayesian bootstrap", 1981).
Kernels Kernels::reweighted(Random& random) const {
  WeightedSample drawn;
  drawn.cut = values_.cut;
  for (std::size_t i = 0; i < values_.values.size(); ++i) {
    const double weight = random.gamma(values_.weights[i]);
    if (weight > 0) drawn.add(values_.values[i], weight);
  }
  return {std::move(drawn), bandwidth_, support_};
}

void KernelDensity::draw(double imaginary, Random& random) {
  if (apart) {
    const double share = random.gamma(zeros), rest = random.gamma(others);
    set_apart(share, rest);
  }
  if (log_kernels == -infinity) return;
  kernels = kernels.reweighted(random);
  if (!(imaginary > 0)) return;
  const double own = kernels.total(), of_column = random.gamma(imaginary);
  // The column's share also says how much of its density lies within the support.
  const double scale = log_column - std::log(imaginary / (rows + imaginary));
  log_kernels = std::log(own / (own + of_column));
  log_column = std::log(of_column / (own + of_column)) + scale;
}

double KernelDensity::log_density(double x) const {
  if (log_kernels == -infinity && log_column == -infinity) return 0;
  if (!support.contains(x)) return -infinity;
  if (apart && x == 0) return log_zero;
  const double parts[] = {
      log_kernels == -infinity ? -infinity : log_kernels + kernels.log_density(x),
      log_column == -infinity ? -infinity : log_column + column.log_density(x)};
  return log_other + log_sum_exp(parts);
}

double Kernels::probability(double low, double high) const {
  double sum = 0;
  for (std::size_t i = 0; i < points_.values.size(); ++i) {
    const double x = points_.values[i];
    sum += points_.weights[i] *
           student_between((low - x) / bandwidth_, (high - x) / bandwidth_, infinity);
  }
  return sum / values_.total;
}

double KernelDensity::probability(const NumberRange& range) const {
  const double low = std::max(range.low, support.low), high = std::min(range.high, support.high);
  const double of_zero = apart && range.contains(0) ? zero : 0;
  if (!(low < high)) return of_zero;
  double sum = 0;
  if (log_kernels > -infinity) sum += std::exp(log_kernels) * kernels.probability(low, high);
  if (log_column > -infinity) sum += std::exp(log_column) * column.probability({low, high});
  return of_zero + std::exp(log_other) * sum;
}

double KernelDensity::sample(Random& random) const {
  if (apart && random.uniform() < zero) return 0;
  if (log_kernels > -infinity && random.uniform() < std::exp(log_kernels)) {
    return kernels.sample(random);
  }
  double x = column.sample(random);
  while (!support.contains(x)) x = column.sample(random);
  return x;
}

namespace {

Support parse_support(const FamilyParameter& parameter) {
  if (parameter.value == "positive") return {0, infinity};
  const std::string_view text = parameter.value;
  const auto dots = text.find("..");
  if (dots != std::string_view::npos) {
    const auto low = trim(text.substr(0, dots)), high = trim(text.substr(dots + 2));
    const auto a = low.empty() ? -infinity : to_number_or_fraction(low);
    const auto b = high.empty() ? infinity : to_number_or_fraction(high);
    if (a && b && *a < *b) return {*a, *b};
  }
  throw Error(ErrorKind::usage, fmt::format("kernel(support={}): write A..B with A below B, A.., "
                                            "..B or positive",
                                            parameter.value));
}

Bandwidth parse_bandwidth(const FamilyParameter& parameter) {
  if (parameter.value == "silverman") return {Bandwidth::Kind::silverman, 0};
  if (parameter.value == "sj") return {Bandwidth::Kind::sheather_jones, 0};
  if (parameter.value == "isj") return {Bandwidth::Kind::improved, 0};
  if (!to_number_or_fraction(parameter.value)) {
    throw Error(ErrorKind::usage,
                fmt::format("kernel(bandwidth={}): silverman, sj, isj or a number "
                            "above 0 is wanted",
                            parameter.value));
  }
  return {Bandwidth::Kind::given,
          parameter_number("kernel", parameter, 1e-150, 1e150, "a number above 0")};
}

// How much of the column's density lies within the support.
double mass_within(const NumberDensity& d, const Support& support) {
  return d.probability({support.low, support.high});
}

// Whether every class that has numbers other than 0 has different ones.
bool others_vary(const WeightedValues& values) {
  for (std::size_t c = 0; c < values.classes; ++c) {
    std::size_t different = 0;
    for (std::size_t v = 0; v < values.values.size(); ++v) {
      if (values.values[v] != 0 && values.weight(v, c) > 0) ++different;
    }
    if (different == 1) return false;
  }
  return true;
}

class KernelFamilyDensity : public UnivariateDensity<KernelDensity>, public HeapedAtZero {
 public:
  KernelFamilyDensity(WeightedValues values, const KernelOptions& options,
                      const Estimation& estimation, const BlockColumn& place)
      : UnivariateDensity(place), options_(options), rule_(estimation.rule) {
    check_support(values);
    WeightedSample all = values.of_all();
    const double zeros = take_zeros(all, false);
    auto column = NumberSummary::of_class(all.moments(), zeros);
    apart_ = column.zeros_stand_out() && (rule_.has_prior() || others_vary(values));
    if (apart_) {
      take_zeros(all, true);
      column = column.without_zeros();
    }
    left_out_ = all.total == 0 || (rule_.has_prior() && column.m2.hi == 0);
    for (std::size_t c = 0; c < estimation.classes.size(); ++c) {
      KernelDensity density;
      density.support = options_.support;
      density.column.mean = column.mean.value();
      if (!left_out_ && estimation.class_weights[c] != 0) {
        estimate(values.of_class(c), all, column, estimation.classes[c], density);
      }
      classes_.push_back(std::move(density));
    }
  }

  // Bandwidths and the density of the whole column are taken as they are.
  KernelFamilyDensity drawn(Random& random) const {
    KernelFamilyDensity result = *this;
    for (auto& density : result.classes_) density.draw(imaginary_rows(rule_), random);
    return result;
  }

  bool zeros_stand_apart() const override { return apart_ && !left_out_; }

  std::string linear(LinearForm&) const override {
    return name_ + ": a kernel density is not linear";
  }

  ParameterTable table() const override {
    ParameterTable result{name_, "kernel", "", {}};
    if (left_out_) {
      result.remark = "does not vary: left out";
      return result;
    }
    result.remark = apart_ ? "0 apart, normal kernels" : "normal kernels";
    if (rule_.has_prior()) {
      const double s = imaginary_rows(rule_);
      result.remark += fmt::format(" and {} imaginary row{} of the whole column", format_number(s),
                                   s == 1 ? "" : "s");
    }
    if (apart_) result.rows.push_back(parameter("P(0)", &KernelDensity::zero));
    result.rows.push_back(parameter("bandwidth", &KernelDensity::bandwidth));
    result.rows.push_back(parameter("rows", &KernelDensity::rows));
    return result;
  }

 private:
  // Values cut to their leading bits may have been moved across an end, by no more than the cut.
  void check_support(WeightedValues& values) const {
    const auto& support = options_.support;
    for (double& x : values.values) {
      if (support.contains(x)) continue;
      const double nearest = x < support.low ? support.low : support.high;
      if (std::abs(x - nearest) > values.rounding * std::abs(x)) {
        throw Error(
            ErrorKind::data,
            fmt::format("column \"{}\": the value {} lies outside of the support {}..{}", name_,
                        format_number(x), end_name(support.low), end_name(support.high)));
      }
      x = nearest;
    }
  }
  static std::string end_name(double end) { return std::isinf(end) ? "" : format_number(end); }

  // The weight of the zeros of a sample, which are taken out if so asked for.
  static double take_zeros(WeightedSample& sample, bool out) {
    const auto found = std::lower_bound(sample.values.begin(), sample.values.end(), 0.0);
    if (found == sample.values.end() || *found != 0) return 0;
    const auto place = found - sample.values.begin();
    const double weight = sample.weights[static_cast<std::size_t>(place)];
    if (!out) return weight;
    WeightedSample others;
    others.cut = sample.cut;
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
      if (sample.values[i] != 0) others.add(sample.values[i], sample.weights[i]);
    }
    sample = std::move(others);
    return weight;
  }

  void estimate(WeightedSample sample, const WeightedSample& all, const NumberSummary& column,
                const std::string& cls, KernelDensity& density) {
    const double zeros = apart_ ? take_zeros(sample, true) : 0;
    const double n = sample.total, s = imaginary_rows(rule_);
    if (apart_ && zeros + n + s > 0) {
      NumberSummary own;
      own.weight = n;
      own.zeros = zeros;
      const ZerosAndOthers shares(own, column, rule_);
      density.zeros = shares.zeros;
      density.others = shares.others;
      density.set_apart(shares.zeros, shares.others);
      if (zeros > 0) log_likelihood += zeros * density.log_zero;
      ++parameters;
      if (density.zero == 1) {  // other numbers cannot be: no density is asked
        density.log_column = 0;
        return;
      }
    }
    if (n + s == 0) {
      throw Error(ErrorKind::data,
                  fmt::format("column \"{}\": no value in class \"{}\" to estimate from (use "
                              "{})",
                              name_, cls, setting("rule", "bayes")));
    }
    density.rows = n;
    if (n > 0) {
      density.bandwidth = bandwidth(sample, all, cls);
      density.kernels = Kernels(sample, density.bandwidth, options_.support);
      density.log_kernels = std::log(n / (n + s));
    }
    if (s > 0) {
      density.column = estimate_number(column, {column}, rule_, name_, cls);
      density.log_column =
          std::log(s / (n + s)) - std::log(mass_within(density.column, options_.support));
    }
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
      log_likelihood += sample.weights[i] * density.log_density(sample.values[i]);
    }
    if (options_.bandwidth.kind != Bandwidth::Kind::given) ++parameters;
  }

  // A class whose values do not vary borrows the scale of the column, if there is a prior.
  double bandwidth(const WeightedSample& sample, const WeightedSample& all,
                   const std::string& cls) const {
    const double h = choose_bandwidth(sample, options_.bandwidth);
    if (h > 0) return h;
    if (!rule_.has_prior()) {
      throw Error(
          ErrorKind::data,
          fmt::format("column \"{}\": the values of class \"{}\" do not vary, so there is no "
                      "bandwidth (use {}, or {})",
                      name_, cls, setting("rule", "bayes"),
                      setting("as", name_ + ": kernel(bandwidth=1)")));
    }
    return silverman(robust_scale(all), std::max(1.0, sample.total));
  }

  KernelOptions options_;
  Rule rule_;
  bool apart_ = false;  // zeros are
};

}  // namespace

KernelOptions parse_kernel(std::string_view text) {
  KernelOptions result;
  for (const auto& parameter : parse_parameters(text)) {
    if (parameter.name == "bandwidth") {
      result.bandwidth = parse_bandwidth(parameter);
    } else if (parameter.name == "support") {
      result.support = parse_support(parameter);
    } else {
      unknown_parameter("kernel", parameter, {"bandwidth=H", "support=A..B"});
    }
  }
  return result;
}

Family kernel_family() {
  return {.name = "kernel",
          .kinds = {ColumnKind::number},
          .make =
              [](const BlockColumns& columns, const std::string& parameters) {
                return make_value_block<KernelFamilyDensity>(columns, parse_kernel(parameters));
              },
          .takes_parameters = true,
          .rank = 6,
          .suits = [](const ValueLook& values) { return values.distinct > few_values; },
          .tried = {{.place = 4,
                     .of = {ColumnLook::numbers},
                     .keeps_tables = true,
                     .adds_all_values = true}},
          .long_way = [](const std::string&) { return "bandwidths move with every row"; }};
}

}  // namespace credence

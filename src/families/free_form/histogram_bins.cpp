// SPDX-License-Identifier: Apache-2.0
#include "families/free_form/histogram_bins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/parameters.hpp"

namespace credence {
namespace {

// More bins than value counts tell apart would be empty ones.
constexpr double most_bins = static_cast<double>(ValueCounts::limit);

double bin_count(const FamilyParameter& parameter) {
  const auto what = fmt::format("a whole number from 1 to {}", ValueCounts::limit);
  const double number = parameter_number("histogram", parameter, 1, most_bins, what);
  // Refused in the same words as a number out of bounds.
  if (number != std::floor(number)) parameter_number("histogram", parameter, 1, 0, what);
  return number;
}

void append(std::vector<double>& edges, double edge) {
  if (edges.empty() || edges.back() < edge) edges.push_back(edge);
}

std::vector<double> equal_width(double low, double high, double bins) {
  std::vector<double> edges;
  for (double i = 0; i < bins; ++i) append(edges, low + (high - low) * i / bins);
  while (edges.size() > 1 && edges.back() >= high) edges.pop_back();
  append(edges, high);
  return edges;
}

std::vector<double> multiples(double low, double high, double width, const std::string& column) {
  const double first = std::floor(low / width);
  const double bins = std::floor(high / width) - first + 1;
  if (!(bins <= most_bins)) {
    throw Error(ErrorKind::data,
                fmt::format("column \"{}\": bins of width {} from {} to {} would be {}, more than "
                            "{} (use a larger width)",
                            column, format_number(width), format_number(low), format_number(high),
                            format_number(bins), ValueCounts::limit));
  }
  std::vector<double> edges;
  for (double i = 0; i <= bins; ++i) append(edges, (first + i) * width);
  return edges;
}

double halfway(double a, double b) { return a + (b - a) / 2; }

// Cuts between values where the weight below comes nearest to each of the wanted shares.
std::vector<double> equal_frequency(const WeightedSample& all, double bins) {
  std::vector<double> edges{all.values.front()};
  double below = 0, wanted = 1;
  for (std::size_t i = 0; i + 1 < all.values.size() && wanted < bins; ++i) {
    below += all.weights[i];
    const double target = all.total * wanted / bins;
    const double next = below + all.weights[i + 1];
    const bool last = i + 2 == all.values.size();
    if (!last && std::abs(next - target) < std::abs(below - target)) continue;
    append(edges, halfway(all.values[i], all.values[i + 1]));
    while (wanted < bins && all.total * wanted / bins <= below) ++wanted;
    if (below < target) ++wanted;
  }
  append(edges, all.values.back());
  return edges;
}

// Freedman & Diaconis (1981): a width of twice the interquartile range by the cube root of n; where
// half of the values are equal, Scott's width (1979).
std::vector<double> freedman_diaconis(const WeightedSample& all) {
  const double low = all.values.front(), high = all.values.back();
  const double spread = all.quantile(0.75) - all.quantile(0.25);
  const Moments moments = all.moments();
  const double unit =
      spread > 0 ? 2 * spread
                 : 3.49 * std::ldexp(std::sqrt(moments.m2.hi / all.total), moments.exponent);
  const double bins = std::ceil((high - low) / unit * std::cbrt(all.total));
  return equal_width(low, high, std::clamp(bins, 1.0, most_bins));
}

// One interval of values and the weights of the classes in it.
struct Part {
  std::vector<double> classes;
  double total = 0;

  void add(double weight, std::size_t cls) {
    classes[cls] += weight;
    total += weight;
  }
  double kinds() const {
    return static_cast<double>(
        std::count_if(classes.begin(), classes.end(), [](double w) { return w > 0; }));
  }
  // In bits.
  double entropy() const {
    double sum = 0;
    for (const double w : classes) sum -= x_log_y(w / total, w / total);
    return sum / std::log(2.0);
  }
};

class MdlCutter {
 public:
  explicit MdlCutter(const WeightedValues& values) : values_(values) {}

  std::vector<double> cuts() {
    cut(0, values_.values.size());
    std::sort(cuts_.begin(), cuts_.end());
    return std::move(cuts_);
  }

 private:
  Part part(std::size_t begin, std::size_t end) const {
    Part result{std::vector<double>(values_.classes, 0.0), 0};
    for (std::size_t v = begin; v < end; ++v) {
      for (std::size_t c = 0; c < values_.classes; ++c) result.add(values_.weight(v, c), c);
    }
    return result;
  }

  // Between two values with rows of one and the same class no cut can be the best.
  bool boundary(std::size_t v) const {
    std::size_t kinds = 0;
    for (std::size_t c = 0; c < values_.classes; ++c) {
      kinds += values_.weight(v - 1, c) > 0 || values_.weight(v, c) > 0;
    }
    return kinds > 1;
  }

  // log2(3^k - 2), also where 3^k would overflow.
  static double description(double kinds) {
    return kinds * std::log2(3.0) + std::log1p(-2 * std::pow(3.0, -kinds)) / std::log(2.0);
  }

  // The gain must exceed what the cut and the classes of both halves take to describe.
  static bool pays(const Part& whole, const Part& left, const Part& right) {
    const double n = whole.total;
    if (n <= 1) return false;
    const double gain =
        whole.entropy() - (left.total * left.entropy() + right.total * right.entropy()) / n;
    const double delta = description(whole.kinds()) -
                         (whole.kinds() * whole.entropy() - left.kinds() * left.entropy() -
                          right.kinds() * right.entropy());
    return gain > (std::log2(n - 1) + delta) / n;
  }

  // Splits the values from begin to end where their entropy falls most, and both parts again.
  void cut(std::size_t begin, std::size_t end) {
    if (end - begin < 2) return;
    const Part whole = part(begin, end);
    if (whole.kinds() < 2) return;
    Part left = part(begin, begin), right = whole;
    double best = infinity;
    std::size_t place = begin;
    for (std::size_t v = begin + 1; v < end; ++v) {
      for (std::size_t c = 0; c < values_.classes; ++c) {
        left.add(values_.weight(v - 1, c), c);
        right.add(-values_.weight(v - 1, c), c);
      }
      if (!boundary(v) || left.total <= 0 || right.total <= 0) continue;
      const double entropy = left.total * left.entropy() + right.total * right.entropy();
      if (entropy < best) {
        best = entropy;
        place = v;
      }
    }
    if (place == begin || !pays(whole, part(begin, place), part(place, end))) return;
    cuts_.push_back(halfway(values_.values[place - 1], values_.values[place]));
    cut(begin, place);
    cut(place, end);
  }

  const WeightedValues& values_;
  std::vector<double> cuts_;
};

}  // namespace

Binning parse_binning(std::string_view text) {
  const auto parameters = parse_parameters(text);
  if (parameters.empty()) return {};
  if (parameters.size() > 1) {
    throw Error(ErrorKind::usage,
                fmt::format("histogram({}): one way to make bins is wanted, for example "
                            "histogram(20) or histogram(mdl)",
                            text));
  }
  const auto& p = parameters[0];
  if (p.value.empty() && to_number(p.name))
    return {Binning::Kind::bins, bin_count({"bins", p.name})};
  if (p.name == "bins") return {Binning::Kind::bins, bin_count(p)};
  if (p.name == "frequency") {
    return {Binning::Kind::frequency, p.value.empty() ? 10 : bin_count(p)};
  }
  if (p.name == "width") {
    return {Binning::Kind::width,
            parameter_number("histogram", p, 1e-150, 1e150, "a number above 0")};
  }
  if (p.name == "fd" && p.value.empty()) return {Binning::Kind::freedman_diaconis, 0};
  if (p.name == "mdl" && p.value.empty()) return {Binning::Kind::mdl, 0};
  unknown_parameter("histogram", p, {"bins=N", "width=W", "frequency=N", "fd", "mdl"});
}

std::vector<double> mdl_cuts(const WeightedValues& values) { return MdlCutter(values).cuts(); }

std::vector<double> bin_edges(const WeightedValues& values, const Binning& binning,
                              const std::string& column) {
  const double low = values.values.front(), high = values.values.back();
  switch (binning.kind) {
    case Binning::Kind::bins:
      return equal_width(low, high, binning.number);
    case Binning::Kind::width:
      return multiples(low, high, binning.number, column);
    case Binning::Kind::frequency:
      return equal_frequency(values.of_all(), binning.number);
    case Binning::Kind::freedman_diaconis:
      return freedman_diaconis(values.of_all());
    default:
      break;
  }
  std::vector<double> edges{low};
  for (const double cut : mdl_cuts(values)) append(edges, cut);
  if (edges.size() == 1 && binning.kind == Binning::Kind::automatic) {
    return freedman_diaconis(values.of_all());
  }
  append(edges, high);
  return edges;
}

namespace {

// What a bin should weigh, of so many, where numbers that weigh more have one by themselves.
double fair_share(std::vector<double> weights, double bins) {
  std::sort(weights.begin(), weights.end(), std::greater<>());
  double rest = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (const double weight : weights) {
    if (bins <= 1 || weight * bins <= rest) break;
    rest -= weight;
    --bins;
  }
  return rest / bins;
}

}  // namespace

std::vector<double> fine_edges(std::vector<double> numbers) {
  constexpr double fine = 64;
  if (numbers.empty()) return {};
  std::sort(numbers.begin(), numbers.end());
  WeightedSample sample;
  for (const double x : numbers) {
    if (sample.values.empty() || sample.values.back() != x) {
      sample.add(x, 1);
    } else {
      sample.weights.back() += 1;
      sample.total += 1;
    }
  }
  const double share = fair_share(sample.weights, fine);
  std::vector<double> edges{sample.values.front()};
  double inside = 0;
  for (std::size_t i = 0; i + 1 < sample.values.size(); ++i) {
    inside += sample.weights[i];
    if (inside < share && sample.weights[i + 1] < share) continue;
    append(edges, halfway(sample.values[i], sample.values[i + 1]));
    inside = 0;
  }
  append(edges, sample.values.back());
  return edges;
}

std::size_t bin_of(const std::vector<double>& edges, double x) {
  if (!(x >= edges.front() && x <= edges.back())) return no_bin;
  const auto above = std::upper_bound(edges.begin(), edges.end(), x);
  return static_cast<std::size_t>(above - edges.begin()) - (above == edges.end() ? 2 : 1);
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "families/working.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "families/number/number_summary.hpp"

namespace credence {
namespace {

std::string short_number(double value) { return fmt::format("{:.4g}", value == 0 ? 0.0 : value); }

// The centre of a density with enough digits that what is taken from it is right beside the spread.
std::string centre_number(double mean, double scale) {
  const double apart = std::log10(std::abs(mean) / scale);
  const int digits = std::isfinite(apart) ? std::clamp(3 + static_cast<int>(apart), 4, 17) : 4;
  return fmt::format("{:.{}g}", mean == 0 ? 0.0 : mean, digits);
}

std::string latex_number(const std::string& plain) {
  const auto e = plain.find('e');
  if (e == std::string::npos) return plain;
  return fmt::format("{}\\cdot 10^{{{}}}", plain.substr(0, e), std::stoi(plain.substr(e + 1)));
}

Notation same(const std::string& plain) { return {plain, latex_number(plain)}; }

Notation quotient(const std::string& above, const std::string& below) {
  return {above + "/" + below, fmt::format("\\frac{{{}}}{{{}}}", above, below)};
}

// 2, 1/3 or 0.1234.
Notation simple(double value) {
  if (const auto fraction = as_fraction(value, 1e-12); fraction && value != 0) {
    const auto& [above, below] = *fraction;
    if (below == 1) return same(format_number(above));
    return quotient(format_number(above), format_number(below));
  }
  return same(short_number(value));
}

bool whole(double value) { return value == std::floor(value) && std::abs(value) < 1e15; }

}  // namespace

Notation notation(double value) { return same(short_number(value)); }

Notation notation_of_log(double log_value) {
  if (std::isnan(log_value)) return same("NaN");
  if (log_value < 700 && (log_value > -700 || std::isinf(log_value))) {
    return notation(std::exp(log_value));
  }
  const double exponent = std::floor(log_value / std::log(10.0));
  const double digits = std::exp(log_value - exponent * std::log(10.0));
  return same(fmt::format("{}e{:.0f}", short_number(digits), exponent));
}

Working working_of_number(double log_value, bool density) {
  return {notation_of_log(log_value), {}, density};
}

Working working_of_fraction(double count, double total) {
  // A probability that was typed in is a share of one: 0.98, and not 0.98/1.
  if (total == 1 && !whole(count)) {
    const auto typed = format_number(count);
    constexpr std::size_t short_enough = 6;
    return {typed.size() <= short_enough ? same(typed) : simple(count)};
  }
  return {quotient(format_number(count), format_number(total))};
}

Working working_of_fraction(double count, double total, double added, double added_to_all) {
  if (added == 0 && added_to_all == 0) return working_of_fraction(count, total);
  const auto plus = [](double a, const Notation& b) {
    return Notation{fmt::format("({} + {})", format_number(a), b.plain),
                    fmt::format("{} + {}", format_number(a), b.latex)};
  };
  const auto above = plus(count, simple(added)), below = plus(total, simple(added_to_all));
  const double share = (count + added) / (total + added_to_all);
  Working result;
  result.formula = {above.plain + "/" + below.plain,
                    fmt::format("\\frac{{{}}}{{{}}}", above.latex, below.latex)};
  if (whole(count + added) && whole(total + added_to_all)) {
    result.factor = quotient(format_number(count + added), format_number(total + added_to_all));
  } else {
    result.factor = simple(share);
  }
  return result;
}

Working NumberDensity::working(double x) const {
  Working result = working_of_number(log_density(x), true);
  const auto value = format_number(x), centre = centre_number(std::abs(mean), scale),
             spread = short_number(scale);
  const auto centre_latex = latex_number(centre), spread_latex = latex_number(spread);
  if (scale == 0) return result;
  // What is taken from a number below 0 is added.
  const char* minus = mean < 0 ? "+" : "−";
  const char* minus_latex = mean < 0 ? "+" : "-";
  if (std::isinf(freedom)) {
    result.formula = {
        fmt::format("1/(√(2π)·{2})·e^(−({0} {3} {1})²/(2·{2}²))", value, centre, spread, minus),
        fmt::format("\\frac{{1}}{{\\sqrt{{2\\pi}}\\cdot {2}}}\\,"
                    "e^{{-\\frac{{({0}{3}{1})^2}}{{2\\cdot {2}^2}}}}",
                    value, centre_latex, spread_latex, minus_latex)};
    return result;
  }
  const auto degrees = short_number(freedom);
  result.formula = {
      fmt::format("t(({0} {4} {1})/{2}; ν = {3})/{2}", value, centre, spread, degrees, minus),
      fmt::format("\\frac{{1}}{{{2}}}\\,t_{{{3}}}\\!\\left(\\frac{{{0}{4}{1}}}{{{2}}}\\right)",
                  value, centre_latex, spread_latex, degrees, minus_latex)};
  return result;
}

Working NumberOrZero::working(double x) const {
  if (!apart) return NumberDensity::working(x);
  if (x == 0) return working_of_number(log_zero, false);
  Working result = working_of_number(log_density(x), true);
  const auto share = short_number(std::exp(log_other));
  const auto density = NumberDensity::working(x).formula;
  result.formula = {share + "·" + density.plain, latex_number(share) + "\\cdot " + density.latex};
  return result;
}

Working RateDensity::working(double x) const {
  Working result = working_of_number(log_density(x), false);
  if (shape > 0) return result;
  const auto value = format_number(x), mean = short_number(rate);
  result.formula = {
      fmt::format("e^(−{1})·{1}^{0}/{0}!", value, mean),
      fmt::format("e^{{-{1}}}\\frac{{{1}^{{{0}}}}}{{{0}!}}", value, latex_number(mean))};
  return result;
}

Working working_of_rising(double start, double factors, bool inverse, double log_value) {
  Working result = working_of_number(log_value, false);
  if (!whole(factors) || factors < 1) return result;
  Notation product = simple(start);
  constexpr double shown = 4;
  for (double i = 1; i < factors; ++i) {
    if (factors > shown && i == 2) {
      product.plain += "·…";
      product.latex += "\\cdots";
      i = factors - 1;
    }
    const auto next = simple(start + i);
    product.plain += "·" + next.plain;
    product.latex += "\\cdot " + next.latex;
  }
  if (inverse) {
    result.formula = {factors > 1 ? "1/(" + product.plain + ")" : "1/" + product.plain,
                      "\\frac{1}{" + product.latex + "}"};
  } else {
    result.formula = product;
  }
  if (factors == 1) result.factor = std::exchange(result.formula, {});
  return result;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "families/statistics/class_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"

// The same bits with and without hardware multiply-add: std::fma is exact either way, only slower.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(CREDENCE_SANITIZED)
#define CREDENCE_FOR_MOMENTS __attribute__((target_clones("fma", "default")))
#else
#define CREDENCE_FOR_MOMENTS
#endif

namespace credence {
namespace {

// Where the cells of rearranged classes come from, each class having `width` of them.
std::vector<std::size_t> cells_of_classes(std::span<const std::size_t> from, std::size_t width) {
  std::vector<std::size_t> cells;
  cells.reserve(from.size() * width);
  for (const auto c : from) {
    for (std::size_t i = 0; i < width; ++i) {
      cells.push_back(c == ExactSums::npos ? ExactSums::npos : c * width + i);
    }
  }
  return cells;
}

Tensors::Shape shape_of_classes(std::size_t classes, std::size_t width) {
  if (width == 1) return {classes};
  return {classes, width};
}

// The same mean and spread, up to rounding.
bool alike(Moments a, Moments b) {
  const int unit = a.common_unit(b);
  a.tell_in(unit);
  b.tell_in(unit);
  const double spread = std::abs(a.m2.hi) + std::abs(b.m2.hi);
  const double shift = (a.mean - b.mean).value();
  return std::abs(a.m2.hi - b.m2.hi) <= 1e-9 * spread &&
         shift * shift * a.weight.hi <=
             1e-18 * spread + 1e-24 * a.mean.hi * a.mean.hi * a.weight.hi;
}

constexpr std::pair<const char*, DoubleDouble Moments::*> parts_of_moments[] = {
    {".weight", &Moments::weight}, {".mean", &Moments::mean}, {".m2", &Moments::m2}};

constexpr const char* exponents_name = ".exponent";

}  // namespace

void save_exponents(Tensors& tensors, const std::string& prefix, const std::vector<int>& exponents,
                    const Tensors::Shape& shape) {
  if (std::all_of(exponents.begin(), exponents.end(), [](int e) { return e == 0; })) return;
  tensors.put(prefix + exponents_name, std::vector<double>(exponents.begin(), exponents.end()),
              shape);
}

std::vector<int> load_exponents(const Tensors& tensors, const std::string& prefix,
                                const Tensors::Shape& shape) {
  std::vector<int> result;
  if (!tensors.has(prefix + exponents_name)) return result;
  for (const double exponent : tensors.numbers(prefix + exponents_name, shape)) {
    if (!(std::abs(exponent) <= 1024) || exponent != std::floor(exponent)) {
      throw Error(ErrorKind::model,
                  fmt::format("\"{}{}\" has {}, not a whole number from -1024 to 1024", prefix,
                              exponents_name, format_number(exponent)));
    }
    result.push_back(static_cast<int>(exponent));
  }
  return result;
}

void check_unit(const std::string& prefix, const Moments& moments) {
  if (moments.weight.hi == 0) return;
  const double deviation = std::sqrt(moments.m2.hi / moments.weight.hi);
  if (std::isfinite(std::ldexp(moments.mean.hi, moments.exponent)) &&
      std::isfinite(std::ldexp(deviation, moments.exponent))) {
    return;
  }
  throw Error(ErrorKind::model,
              fmt::format("\"{}{}\": numbers in the unit 2^{} are beyond a double", prefix,
                          exponents_name, moments.exponent));
}

void ClassSums::rearrange_classes(std::span<const std::size_t> from) {
  sums_.rearrange(cells_of_classes(from, width_));
}

void ClassSums::merge(const ClassSums& other, std::span<const std::size_t> class_map, int sign) {
  for (std::size_t i = 0; i < other.sums_.size(); ++i) {
    const DoubleDouble sum = other.sums_.exact(i);
    sums_.add(class_map[i / width_] * width_ + i % width_, sign < 0 ? -sum : sum);
  }
}

std::string ClassSums::overdrawn(const std::string& columns, const std::string& cls,
                                 double excess) const {
  if (*unit_ == 0) {
    return fmt::format("column \"{}\": more in class \"{}\" than was observed", columns, cls);
  }
  return fmt::format("column \"{}\": {} more {} in class \"{}\" than were observed", columns,
                     format_number(excess), unit_, cls);
}

std::string ClassSums::defect(const std::string& columns,
                              const std::vector<std::string>& classes) const {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    if (!std::isfinite(sums_[i])) {
      return fmt::format("column \"{}\": its counts are too large to add up", columns);
    }
    if (is_exact() && sums_[i] < 0) return overdrawn(columns, classes[i / width_], -sums_[i]);
  }
  return "";
}

void ClassSums::save(Tensors& tensors, const std::string& prefix) const {
  tensors.put(prefix + name_, sums_, shape_of_classes(classes(), width_));
}

void ClassSums::load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
  sums_ = tensors.sums(prefix + name_, shape_of_classes(classes, width_));
}

// What rounding leaves below 0 of a spread is none.
void ClassMoments::add(std::size_t cell, const Moments& moments) {
  cells_[cell].merge(moments);
  if (cells_[cell].m2.hi < 0) cells_[cell].m2 = {};
}

std::vector<double> ClassMoments::row_weights() const {
  std::vector<double> result;
  for (const auto& moments : cells_) result.push_back(moments.weight.hi);
  return result;
}

void ClassMoments::rearrange_classes(std::span<const std::size_t> from) {
  rearrange_parts(cells_, cells_of_classes(from, width_));
}

CREDENCE_FOR_MOMENTS void ClassMoments::merge(const ClassMoments& other,
                                              std::span<const std::size_t> class_map, int sign) {
  for (std::size_t i = 0; i < other.cells_.size(); ++i) {
    auto& to = cells_[class_map[i / width_] * width_ + i % width_];
    if (sign > 0) {
      to.merge(other.cells_[i]);
    } else {
      forget(to, other.cells_[i]);
    }
  }
}

void ClassMoments::forget(Moments& from, const Moments& what) {
  const Moments before = from;
  from.forget(what);
  // Where no row is left, what was taken away must have been what was there.
  if (from.weight.hi == 0 && what.weight.hi != 0 && !alike(before, what)) overdrawn_ = true;
  if (from.m2.hi >= 0) return;
  // Rounding may leave a trace below 0; more than a trace was never there.
  if (from.m2.hi < -1e-9 * before.spread_in(from.exponent)) overdrawn_ = true;
  from.m2 = {};
}

void ClassMoments::scale(double factor) {
  for (auto& m : cells_) {
    m = {m.weight * factor, m.mean, m.m2 * factor, m.exponent};
    if (m.weight.hi < lightest_weight) m = {};
  }
}

void ClassMoments::canonicalise() {
  for (auto& m : cells_) m.choose_unit();
}

std::string ClassMoments::defect(const std::string& columns,
                                 const std::vector<std::string>& classes) const {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (!std::isfinite(cells_[i].m2.value() + cells_[i].mean.value())) {
      return fmt::format("column \"{}\": its weights are too large to add up squares of its values",
                         columns);
    }
    if (cells_[i].m2.hi < 0 || !std::isfinite(cells_[i].weight.hi)) {
      return fmt::format("column \"{}\": the values of class \"{}\" have no variance", columns,
                         classes[i / width_]);
    }
    if (cells_[i].weight.hi < 0) {
      return fmt::format("column \"{}\": {} more rows in class \"{}\" than were observed", columns,
                         format_number(-cells_[i].weight.hi), classes[i / width_]);
    }
  }
  return overdrawn_ ? fmt::format("column \"{}\": the values are not among those observed", columns)
                    : "";
}

void ClassMoments::save(Tensors& tensors, const std::string& prefix) const {
  for (const auto& [name, part] : parts_of_moments) {
    ExactSums sums(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) sums.set(i, cells_[i].*part);
    tensors.put(prefix + name, sums, shape_of_classes(classes(), width_));
  }
  std::vector<int> exponents;
  for (const auto& m : cells_) exponents.push_back(m.exponent);
  save_exponents(tensors, prefix, exponents, shape_of_classes(classes(), width_));
}

void ClassMoments::load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
  cells_.assign(classes * width_, {});
  for (const auto& [name, part] : parts_of_moments) {
    const auto sums = tensors.sums(prefix + name, shape_of_classes(classes, width_));
    for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i].*part = sums.exact(i);
  }
  const auto exponents = load_exponents(tensors, prefix, shape_of_classes(classes, width_));
  for (std::size_t i = 0; i < exponents.size(); ++i) {
    cells_[i].exponent = exponents[i];
    check_unit(prefix, cells_[i]);
  }
}

std::vector<double> ClassRows::row_weights() const {
  std::vector<double> result;
  for (const auto& rows : classes_) result.push_back(rows.total());
  return result;
}

void ClassRows::rearrange_classes(std::span<const std::size_t> from) {
  rearrange_parts(classes_, from, RetainedRows(width_));
}

void ClassRows::merge(const ClassRows& other, std::span<const std::size_t> class_map, int sign) {
  for (std::size_t c = 0; c < other.classes_.size(); ++c) {
    classes_[class_map[c]].merge(other.classes_[c], sign);
  }
}

void ClassRows::scale(double factor) {
  for (auto& rows : classes_) rows.scale(factor);
}

void ClassRows::canonicalise() {
  for (auto& rows : classes_) rows.canonicalise();
}

std::string ClassRows::defect(const std::string& columns,
                              const std::vector<std::string>& classes) const {
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    if (classes_[c].overdrawn()) {
      return fmt::format("columns \"{}\": rows of class \"{}\" are not among those observed",
                         columns, classes[c]);
    }
  }
  return "";
}

void ClassRows::save(Tensors& tensors, const std::string& prefix) const {
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    classes_[c].save(tensors, fmt::format("{}.class.{}", prefix, c));
  }
}

void ClassRows::load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
  classes_.assign(classes, RetainedRows(width_));
  for (std::size_t c = 0; c < classes; ++c) {
    classes_[c].load(tensors, fmt::format("{}.class.{}", prefix, c));
  }
}

}  // namespace credence

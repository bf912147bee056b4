// SPDX-License-Identifier: Apache-2.0
// Arrays that statistics are made of, one part per class. Each knows how its classes are
// rearranged, how it is merged, scaled, written and read, and what can be wrong with it: what
// statistics declare (declared.hpp) is a list of such arrays. CountTable, ValueCounts and
// WordCounts are arrays too.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/exact_sums.hpp"
#include "core/moments.hpp"
#include "core/tensors.hpp"
#include "families/statistics/retained_rows.hpp"

namespace credence {

// What weighs less is gone: below, products of weights leave what a double holds.
inline constexpr double lightest_weight = 1e-60;

// Sums of weights, or of weighted values, for every class and each of `width` columns.
class ClassSums {
 public:
  // What is known of the sums: whole and rounded ones alike must be finite, exact ones not below 0.
  enum class Kind { exact, rounded };

  // name: of the array in a file, such as ".weight"; unit: what one of them is in an error.
  explicit ClassSums(const char* name, Kind kind = Kind::exact, const char* unit = "",
                     std::size_t width = 1)
      : name_(name), kind_(kind), unit_(unit), width_(width) {}

  std::size_t classes() const { return sums_.size() / width_; }
  std::size_t width() const { return width_; }
  double operator[](std::size_t cell) const { return sums_[cell]; }  // class * width + column
  DoubleDouble exact(std::size_t cell) const { return sums_.exact(cell); }
  void add(std::size_t cell, DoubleDouble sum) { sums_.add(cell, sum); }
  void add(std::size_t cell, double sum) { sums_.add(cell, sum); }
  const ExactSums& sums() const { return sums_; }

  bool is_exact() const { return kind_ == Kind::exact; }
  std::vector<double> row_weights() const { return sums_.high(); }
  // The error where a class's sum is not what rows can have: `excess` more was taken away.
  std::string overdrawn(const std::string& columns, const std::string& cls, double excess) const;

  void rearrange_classes(std::span<const std::size_t> from);
  void merge(const ClassSums& other, std::span<const std::size_t> class_map, int sign);
  void scale(double factor) { sums_.scale(factor); }
  void canonicalise() {}
  std::string defect(const std::string& columns, const std::vector<std::string>& classes) const;
  void save(Tensors& tensors, const std::string& prefix) const;
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes);

 private:
  const char* name_;
  Kind kind_;
  const char* unit_;
  std::size_t width_;
  ExactSums sums_;
};

// Weight, mean and m2 for every class and each of `width` columns.
class ClassMoments {
 public:
  explicit ClassMoments(std::size_t width = 1) : width_(width) {}

  std::size_t classes() const { return cells_.size() / width_; }
  std::size_t width() const { return width_; }
  const Moments& operator[](std::size_t cell) const { return cells_[cell]; }
  const std::vector<Moments>& cells() const { return cells_; }  // [class][column]
  void add(std::size_t cell, const Moments& moments);
  std::vector<double> row_weights() const;

  void rearrange_classes(std::span<const std::size_t> from);
  void merge(const ClassMoments& other, std::span<const std::size_t> class_map, int sign);
  void scale(double factor);
  void canonicalise();
  std::string defect(const std::string& columns, const std::vector<std::string>& classes) const;
  void save(Tensors& tensors, const std::string& prefix) const;
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes);

 private:
  void forget(Moments& from, const Moments& what);

  std::size_t width_;
  std::vector<Moments> cells_;
  bool overdrawn_ = false;
};

// The rows themselves, of every class.
class ClassRows {
 public:
  explicit ClassRows(std::size_t width) : width_(width) {}

  const std::vector<RetainedRows>& classes() const { return classes_; }
  RetainedRows& operator[](std::size_t cls) { return classes_[cls]; }
  std::vector<double> row_weights() const;

  void rearrange_classes(std::span<const std::size_t> from);
  void merge(const ClassRows& other, std::span<const std::size_t> class_map, int sign);
  void scale(double factor);
  void canonicalise();
  std::string defect(const std::string& columns, const std::vector<std::string>& classes) const;
  void save(Tensors& tensors, const std::string& prefix) const;
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes);

 private:
  std::size_t width_;
  std::vector<RetainedRows> classes_;
};

// new[c] = old[from[c]], or `fresh` where from[c] is npos.
template <typename Part>
void rearrange_parts(std::vector<Part>& parts, std::span<const std::size_t> from,
                     const Part& fresh = {}) {
  std::vector<Part> result(from.size(), fresh);
  for (std::size_t c = 0; c < from.size(); ++c) {
    if (from[c] != ExactSums::npos) result[c] = std::move(parts[from[c]]);
  }
  parts = std::move(result);
}

// The units of moments (moments.hpp) in a file, where they are not 1: an array of its own beside
// them.
void save_exponents(Tensors& tensors, const std::string& prefix, const std::vector<int>& exponents,
                    const Tensors::Shape& shape);
// Empty: all are 0.
std::vector<int> load_exponents(const Tensors& tensors, const std::string& prefix,
                                const Tensors::Shape& shape);
// Throws Error model where mean or deviation, told as they are, would be beyond a double.
void check_unit(const std::string& prefix, const Moments& moments);

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// A column of numbers as the weight of every value in every class: the statistics of families whose
// density follows the data. Up to 4096 different values are kept as they are. Beyond that numbers
// are cut to as many leading bits as leave 4096 different ones: docs/families/histogram.md
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/exact_sums.hpp"
#include "core/log_math.hpp"
#include "core/moments.hpp"
#include "families/statistics/declared.hpp"

namespace credence {

// Numbers in ascending order with their weights, none of which is 0.
struct WeightedSample {
  std::vector<double> values;
  std::vector<double> weights;
  double total = 0;
  bool cut = false;  // values stand for others that begin with the same bits

  void add(double value, double weight);
  Moments moments() const;
  // The value at a share p of the weight, with weights read as repetitions and interpolated as
  // numpy and R do by default (Hyndman & Fan, 1996, type 7).
  double quantile(double p) const;
};

// What estimation reads: the values some row has, and each class's weight on them.
struct WeightedValues {
  std::vector<double> values;   // ascending
  std::vector<double> weights;  // [value][class]
  std::size_t classes = 0;
  double rounding = 0;  // at most this share of itself was cut off a value

  double weight(std::size_t value, std::size_t cls) const { return weights[value * classes + cls]; }
  WeightedSample of_class(std::size_t cls) const;
  WeightedSample of_all() const;
};

class ValueCounts {
 public:
  static constexpr std::size_t limit = 4096;
  static constexpr int all_bits = 52;   // of the mantissa
  static constexpr int least_bits = 7;  // a relative width under 1 %, however far values spread

  std::size_t size() const { return values_.size(); }
  const std::vector<double>& values() const { return values_; }
  int bits() const { return bits_; }

  // classes[row] is the row's class, negative: skip the row. Empty weights: every row weighs 1.
  void observe(std::span<const double> values, std::span<const double> weights,
               std::span<const std::int32_t> classes);
  void rearrange_classes(std::span<const std::size_t> from);
  void merge(const ValueCounts& other, std::span<const std::size_t> class_map, int sign);
  void scale(double factor) { weights_.scale(factor); }
  void canonicalise();
  std::string defect(const std::string& column, const std::vector<std::string>& classes) const;
  void save(Tensors& tensors, const std::string& prefix) const;
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes);

  WeightedValues weighted_values() const;
  std::vector<double> row_weights() const;

 private:
  void place(const std::vector<double>& ascending);
  void coarsen(int bits);
  void keep_limit();
  void check_loaded(const std::string& prefix) const;

  std::size_t classes_ = 0;
  int bits_ = all_bits;
  std::vector<double> values_;  // ascending, cut to bits_
  ExactSums weights_;           // [value][class]
};

using FitValues =
    std::function<std::unique_ptr<Density>(const WeightedValues& values, const Estimation&)>;

// What estimation says, as the posterior of the density of these values draws it: once for all
// draws.
using DrawValues = std::function<std::function<FitValues(Random& random)>(
    const WeightedValues& values, const Estimation&)>;

// Larger values than `largest` are refused. Where nothing can be drawn, `draw` is empty.
std::unique_ptr<BlockStatistics> make_value_block(const BlockColumn& column, FitValues fit,
                                                  double largest, DrawValues draw);

// A block whose statistics are value counts, and whose density is made of (values, options,
// estimation, column). It may have drawn(random): itself with other parameters, from their
// posterior.
template <typename FittedDensity, typename Options>
std::unique_ptr<BlockStatistics> make_value_block(const BlockColumns& columns,
                                                  const Options& options,
                                                  double largest = infinity) {
  const BlockColumn column{columns.indices[0], columns.names[0]};
  DrawValues draw;
  if constexpr (requires(const FittedDensity& density, Random& random) { density.drawn(random); }) {
    draw = [=](const WeightedValues& values, const Estimation& estimation) {
      const auto fitted =
          std::make_shared<const FittedDensity>(values, options, estimation, column);
      return [fitted](Random& random) -> FitValues {
        const auto drawn = std::make_shared<const FittedDensity>(fitted->drawn(random));
        return
            [drawn](const auto&, const auto&) { return std::make_unique<FittedDensity>(*drawn); };
      };
    };
  }
  return make_value_block(
      column,
      [=](const WeightedValues& values, const Estimation& estimation) {
        return std::make_unique<FittedDensity>(values, options, estimation, column);
      },
      largest, std::move(draw));
}

// With no more different values than this a density has little to follow.
inline constexpr std::size_t few_values = 20;

}  // namespace credence

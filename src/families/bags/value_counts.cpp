// SPDX-License-Identifier: Apache-2.0
#include "families/bags/value_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "core/chunk_rows.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

// The number without the mantissa bits behind the first `bits`; one zero, not two.
double cut(double x, int bits) {
  const int dropped = ValueCounts::all_bits - bits;
  const auto kept = std::bit_cast<std::uint64_t>(x) >> dropped << dropped;
  const double result = std::bit_cast<double>(kept);
  return result == 0 ? 0 : result;
}

// The middle of all numbers that are cut to x.
double middle(double x, int bits) {
  if (bits == ValueCounts::all_bits || x == 0) return x;
  const std::uint64_t half = std::uint64_t{1} << (ValueCounts::all_bits - bits - 1);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) | half);
}

std::size_t different(const std::vector<double>& ascending, int bits) {
  std::size_t count = ascending.empty() ? 0 : 1;
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    count += cut(ascending[i - 1], bits) != cut(ascending[i], bits);
  }
  return count;
}

std::vector<double> cut_all(const std::vector<double>& ascending, int bits) {
  std::vector<double> result;
  for (const double x : ascending) {
    const double kept = cut(x, bits);
    if (result.empty() || result.back() != kept) result.push_back(kept);
  }
  return result;
}

}  // namespace

void WeightedSample::add(double value, double weight) {
  if (weight <= 0) return;
  values.push_back(value);
  weights.push_back(weight);
  total += weight;
}

Moments WeightedSample::moments() const {
  Moments result;
  for (std::size_t i = 0; i < values.size(); ++i) result.merge(Moments::of(values[i], weights[i]));
  return result;
}

double WeightedSample::quantile(double p) const {
  const double place = std::max(0.0, p * (total - 1));
  const double whole = std::floor(place);
  // The value that row number k has when every value stands as often as its weight says.
  const auto row = [&](double k) {
    double below = 0;
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      below += weights[i];
      if (k < below) return values[i];
    }
    return values.back();
  };
  const double low = row(whole);
  return low + (place - whole) * (row(whole + 1) - low);
}

WeightedSample WeightedValues::of_class(std::size_t cls) const {
  WeightedSample result;
  result.cut = rounding > 0;
  for (std::size_t v = 0; v < values.size(); ++v) result.add(values[v], weight(v, cls));
  return result;
}

WeightedSample WeightedValues::of_all() const {
  WeightedSample result;
  result.cut = rounding > 0;
  for (std::size_t v = 0; v < values.size(); ++v) {
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) sum += weight(v, c);
    result.add(values[v], sum);
  }
  return result;
}

void ValueCounts::observe(std::span<const double> values, std::span<const double> weights,
                          std::span<const std::int32_t> classes) {
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (classes[r] < 0 || std::isnan(values[r])) continue;
    if (weights.empty() || weights[r] != 0) rows.push_back(r);
  }
  std::sort(rows.begin(), rows.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  std::vector<double> seen;
  for (const auto r : rows) seen.push_back(values[r]);
  place(cut_all(seen, bits_));
  std::size_t v = 0;
  for (const auto r : rows) {
    while (values_[v] < cut(values[r], bits_)) ++v;
    weights_.add(v * classes_ + static_cast<std::size_t>(classes[r]),
                 weights.empty() ? 1.0 : weights[r]);
  }
  keep_limit();
}

// Makes room for these values, which are cut already.
void ValueCounts::place(const std::vector<double>& ascending) {
  std::vector<double> all;
  std::set_union(values_.begin(), values_.end(), ascending.begin(), ascending.end(),
                 std::back_inserter(all));
  if (all.size() == values_.size()) return;
  std::vector<std::size_t> from(all.size() * classes_, ExactSums::npos);
  for (std::size_t v = 0, old = 0; v < all.size() && old < values_.size(); ++v) {
    if (all[v] != values_[old]) continue;
    for (std::size_t c = 0; c < classes_; ++c) from[v * classes_ + c] = old * classes_ + c;
    ++old;
  }
  weights_.rearrange(from);
  values_ = std::move(all);
}

void ValueCounts::coarsen(int bits) {
  if (bits >= bits_) return;
  auto kept = cut_all(values_, bits);
  ExactSums sums(kept.size() * classes_);
  for (std::size_t old = 0, v = 0; old < values_.size(); ++old) {
    while (kept[v] < cut(values_[old], bits)) ++v;
    for (std::size_t c = 0; c < classes_; ++c) {
      sums.add(v * classes_ + c, weights_.exact(old * classes_ + c));
    }
  }
  values_ = std::move(kept);
  weights_ = std::move(sums);
  bits_ = bits;
}

// As many bits as leave no more than `limit` values. Numbers that differ in their first bits differ
// in more of them too, so this depends on the set of all numbers alone, not on the way it was
// put together.
void ValueCounts::keep_limit() {
  if (values_.size() <= limit) return;
  int low = least_bits, high = bits_;
  while (low < high) {
    const int bits = (low + high + 1) / 2;
    if (different(values_, bits) <= limit) {
      low = bits;
    } else {
      high = bits - 1;
    }
  }
  coarsen(low);
}

void ValueCounts::rearrange_classes(std::span<const std::size_t> from) {
  std::vector<std::size_t> cells;
  cells.reserve(values_.size() * from.size());
  for (std::size_t v = 0; v < values_.size(); ++v) {
    for (const auto c : from) {
      cells.push_back(c == ExactSums::npos ? ExactSums::npos : v * classes_ + c);
    }
  }
  weights_.rearrange(cells);
  classes_ = from.size();
}

void ValueCounts::merge(const ValueCounts& other, std::span<const std::size_t> class_map,
                        int sign) {
  coarsen(other.bits_);
  place(cut_all(other.values_, bits_));
  for (std::size_t i = 0, v = 0; i < other.values_.size(); ++i) {
    while (values_[v] < cut(other.values_[i], bits_)) ++v;
    for (std::size_t c = 0; c < other.classes_; ++c) {
      const DoubleDouble weight = other.weights_.exact(i * other.classes_ + c);
      if (weight.hi == 0) continue;
      weights_.add(v * classes_ + class_map[c], sign < 0 ? -weight : weight);
    }
  }
  // Forgetting brings no new value, unless one that was never there: that must stay visible.
  if (sign > 0) keep_limit();
}

void ValueCounts::canonicalise() {
  std::vector<double> kept;
  std::vector<std::size_t> cells;
  for (std::size_t v = 0; v < values_.size(); ++v) {
    bool seen = false;
    for (std::size_t c = 0; c < classes_; ++c) seen = seen || weights_[v * classes_ + c] != 0;
    if (!seen) continue;
    kept.push_back(values_[v]);
    for (std::size_t c = 0; c < classes_; ++c) cells.push_back(v * classes_ + c);
  }
  if (kept.size() == values_.size()) return;
  weights_.rearrange(cells);
  values_ = std::move(kept);
}

std::string ValueCounts::defect(const std::string& column,
                                const std::vector<std::string>& classes) const {
  for (std::size_t v = 0; v < values_.size(); ++v) {
    const auto value = [&] {
      return (bits_ < all_bits ? "about " : "") + format_number(values_[v]);
    };
    for (std::size_t c = 0; c < classes_; ++c) {
      const double weight = weights_[v * classes_ + c];
      if (!std::isfinite(weight)) {
        return fmt::format("column \"{}\": the weights of the value {} are too large to add up",
                           column, value());
      }
      if (weight < 0) {
        return fmt::format(
            "column \"{}\": {} more of the value {} in class \"{}\" than was observed", column,
            format_number(-weight), value(), classes[c]);
      }
    }
  }
  return "";
}

void ValueCounts::save(Tensors& tensors, const std::string& prefix) const {
  tensors.put(prefix + ".bits", std::vector<double>{static_cast<double>(bits_)}, {1});
  tensors.put(prefix + ".values", values_, {values_.size()});
  tensors.put(prefix + ".counts", weights_, {values_.size(), classes_});
}

void ValueCounts::load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
  classes_ = classes;
  const double bits = tensors.numbers(prefix + ".bits", {1})[0];
  if (bits < least_bits || bits > all_bits || bits != std::floor(bits)) {
    throw Error(ErrorKind::model, fmt::format("\"{}.bits\" is {}, not a whole number from {} to {}",
                                              prefix, format_number(bits), least_bits, all_bits));
  }
  bits_ = static_cast<int>(bits);
  const auto found = tensors.all.find(prefix + ".values");
  const std::size_t size =
      found == tensors.all.end() ? 0 : found->second.view().size() / sizeof(double);
  values_ = tensors.numbers(prefix + ".values", {size});
  weights_ = tensors.sums(prefix + ".counts", {size, classes});
  check_loaded(prefix);
}

void ValueCounts::check_loaded(const std::string& prefix) const {
  for (std::size_t v = 0; v < values_.size(); ++v) {
    if ((v > 0 && values_[v - 1] >= values_[v]) || cut(values_[v], bits_) != values_[v]) {
      throw Error(
          ErrorKind::model,
          fmt::format("the values of \"{}\" are not ascending numbers of {} bits", prefix, bits_));
    }
  }
  if (values_.size() > limit && bits_ > least_bits) {
    throw Error(ErrorKind::model,
                fmt::format("\"{}\" has {} values, more than {}", prefix, values_.size(), limit));
  }
}

std::vector<double> ValueCounts::row_weights() const {
  std::vector<double> result(classes_, 0.0);
  for (std::size_t i = 0; i < weights_.size(); ++i) result[i % classes_] += weights_[i];
  return result;
}

WeightedValues ValueCounts::weighted_values() const {
  WeightedValues result;
  result.classes = classes_;
  result.rounding = bits_ == all_bits ? 0 : std::ldexp(1.0, -bits_);
  for (std::size_t v = 0; v < values_.size(); ++v) {
    bool seen = false;
    for (std::size_t c = 0; c < classes_; ++c) seen = seen || weights_[v * classes_ + c] > 0;
    if (!seen) continue;  // forgotten, and not yet dropped
    result.values.push_back(middle(values_[v], bits_));
    for (std::size_t c = 0; c < classes_; ++c) {
      result.weights.push_back(weights_[v * classes_ + c]);
    }
  }
  return result;
}

namespace {

struct ValueColumn : BlockColumn {
  FitValues fit;
  double largest;
  DrawValues draw;
};

class ValueBlock : public DeclaredStatistics<ValueBlock, ValueColumn> {
  ValueCounts counts_;

 public:
  using DeclaredStatistics::DeclaredStatistics;
  static constexpr auto arrays = std::tuple(&ValueBlock::counts_);

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    counts_.observe(std::get<Numbers>(chunk.columns[columns_.index]).values, chunk.weights,
                    classes);
  }
  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    return columns_.fit(counts_.weighted_values(), estimation);
  }

  // A block without rows, whose density is the one drawn.
  Draw drawing(const Estimation& estimation) const override {
    if (!columns_.draw) return BlockStatistics::drawing(estimation);
    return [columns = columns_, draw = columns_.draw(counts_.weighted_values(), estimation)](
               Random& random, const Chunk&) -> std::unique_ptr<BlockStatistics> {
      auto drawn = columns;
      drawn.fit = draw(random);
      return std::make_unique<ValueBlock>(std::move(drawn));
    };
  }

  std::string inconsistency(const std::vector<std::string>&) const {
    for (const double value : counts_.values()) {
      if (std::abs(value) <= columns_.largest) continue;
      return fmt::format("column \"{}\": the value {} is above {}, too large to work with",
                         columns_.name, format_number(value), format_number(columns_.largest));
    }
    return "";
  }

  // Rows of one class with the same value and weight leave the same behind: one of them is judged.
  void add_held_out(const Estimation& estimation, const Chunk& chunk,
                    std::span<const std::int32_t> classes, double weight,
                    std::span<double> joint) const override {
    const auto& values = std::get<Numbers>(chunk.columns[columns_.index]).values;
    const std::size_t many = estimation.classes.size();
    std::map<std::tuple<std::int32_t, double, double>, std::vector<double>> known;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] < 0) continue;
      if (std::isnan(values[r])) {  // equal to nothing, not even to itself
        add_row_held_out(estimation, chunk, r, classes[r], weight, joint);
        continue;
      }
      auto& scores = known[{classes[r], values[r], chunk.weights.empty() ? 1 : chunk.weights[r]}];
      if (scores.empty()) {
        scores.resize(many);
        const std::size_t only[] = {r};
        add_row_held_out(estimation, select_rows(chunk, only), 0, classes[r], weight, scores);
      }
      for (std::size_t c = 0; c < many; ++c) joint[r * many + c] += scores[c];
    }
  }
};

}  // namespace

std::unique_ptr<BlockStatistics> make_value_block(const BlockColumn& column, FitValues fit,
                                                  double largest, DrawValues draw) {
  return std::make_unique<ValueBlock>(
      ValueColumn{column, std::move(fit), largest, std::move(draw)});
}

}  // namespace credence

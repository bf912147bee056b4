// SPDX-License-Identifier: Apache-2.0
#include "families/bags/value_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

const std::vector<std::size_t> one_class = {0};

ValueCounts counts_of(std::span<const double> values, double weight = 1) {
  ValueCounts counts;
  counts.rearrange_classes(std::vector<std::size_t>{ExactSums::npos});
  const std::vector<double> weights(values.size(), weight);
  counts.observe(values, weights, std::vector<std::int32_t>(values.size(), 0));
  return counts;
}

std::string bytes_of(ValueCounts counts) {
  counts.canonicalise();
  Tensors tensors;
  counts.save(tensors, "block.0");
  std::string bytes;
  for (const auto& [name, tensor] : tensors.all) bytes += name + tensor.bytes;
  return bytes;
}

std::vector<double> normal_values(std::size_t size, double offset, double scale, int seed) {
  Random random(static_cast<std::uint64_t>(seed));
  std::vector<double> values;
  for (std::size_t i = 0; i < size; ++i) values.push_back(offset + scale * random.normal());
  return values;
}

TEST(ValueCounts, four_thousand_and_ninety_six_values_are_kept_as_they_are) {
  auto values = normal_values(4096, 0, 1, 1);
  const auto counts = counts_of(values);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(counts.bits(), 52);
  EXPECT_EQ(counts.weighted_values().values, values);
}

TEST(ValueCounts, any_order_and_chunking_gives_the_same_bits_beyond_the_limit) {
  for (const double offset : {0.0, 1e9, -1e-9}) {
    auto values = normal_values(12000, offset, 1, 2);
    const std::string whole = bytes_of(counts_of(values, 0.3));
    Random random(3);
    for (int round = 0; round < 5; ++round) {
      for (std::size_t i = values.size(); i > 1; --i) {
        std::swap(values[i - 1], values[random.below(i)]);
      }
      std::vector<ValueCounts> parts(4, counts_of({}));
      for (std::size_t begin = 0; begin < values.size();) {
        const auto size = std::min(values.size() - begin, 1 + random.below(3000));
        parts[random.below(4)].merge(counts_of(std::span(values).subspan(begin, size), 0.3),
                                     one_class, 1);
        begin += size;
      }
      ValueCounts sum = parts[3];
      for (const int i : {1, 0, 2}) sum.merge(parts[static_cast<std::size_t>(i)], one_class, 1);
      EXPECT_EQ(bytes_of(sum), whole);
    }
  }
}

TEST(ValueCounts, forgetting_is_exact_beyond_the_limit) {
  const auto most = normal_values(9000, 0, 1, 4), rest = normal_values(5000, 1, 2, 5);
  ValueCounts counts = counts_of(most);
  counts.merge(counts_of(rest), one_class, 1);
  ValueCounts expected = counts_of(most);
  const int bits = counts.bits();
  counts.merge(counts_of(rest), one_class, -1);
  EXPECT_EQ(counts.defect("x", {"a"}), "");
  // It stays as coarse as it was made; at that coarseness nothing else of `rest` is left.
  EXPECT_EQ(counts.bits(), bits);
  ValueCounts nothing = counts_of(rest);
  nothing.merge(counts_of(most), one_class, 1);
  nothing.merge(counts_of(rest), one_class, -1);
  EXPECT_EQ(bytes_of(nothing), bytes_of(counts));
  counts.merge(counts_of(most), one_class, -1);
  counts.canonicalise();
  EXPECT_EQ(counts.size(), 0u);
}

TEST(ValueCounts, values_far_from_zero_keep_as_many_different_ones_as_any) {
  const auto near = counts_of(normal_values(50000, 0, 1, 6));
  const auto far = counts_of(normal_values(50000, 1e9, 1, 6));
  EXPECT_GT(near.size(), 1500u);
  EXPECT_GT(far.size(), 1500u);
  EXPECT_LE(far.size(), ValueCounts::limit);
  const auto moments = far.weighted_values().of_all().moments();
  EXPECT_NEAR(moments.mean.value(), 1e9, 0.02);
  EXPECT_NEAR(moments.m2.value() / 50000, 1, 0.02);
}

TEST(ValueCounts, no_value_moves_by_one_percent_however_far_values_spread) {
  Random random(7);
  std::vector<double> values;
  for (int i = 0; i < 200000; ++i) {
    values.push_back((i % 2 ? 1 : -1) * std::exp(600 * (random.uniform() - 0.5)));
  }
  const auto counts = counts_of(values);
  EXPECT_EQ(counts.bits(), ValueCounts::least_bits);
  const auto kept = counts.weighted_values();
  EXPECT_LT(kept.rounding, 0.01);
  for (const double x : values) {
    const auto above = std::lower_bound(kept.values.begin(), kept.values.end(), x);
    double error = above == kept.values.end() ? INFINITY : std::abs(*above - x);
    if (above != kept.values.begin()) error = std::min(error, std::abs(*(above - 1) - x));
    ASSERT_LT(error, 0.005 * std::abs(x));
  }
}

TEST(ValueCounts, both_zeros_are_one_value) {
  EXPECT_EQ(counts_of(std::vector<double>{0.0, -0.0, 1.0}).size(), 2u);
}

TEST(ValueCounts, taking_away_what_is_not_there_names_value_and_class) {
  auto counts = counts_of(std::vector<double>{1, 2.5});
  counts.merge(counts_of(std::vector<double>{2.5, 2.5, 2.5}), one_class, -1);
  EXPECT_EQ(counts.defect("size", {"small"}),
            "column \"size\": 2 more of the value 2.5 in class \"small\" than was observed");
  EXPECT_EQ(counts_of(std::vector<double>{1e200}).defect("size", {"small"}), "");
}

TEST(ValueCounts, a_file_with_values_out_of_order_is_refused) {
  const auto load = [](double bits, const std::vector<double>& values) {
    Tensors tensors;
    tensors.put("b.bits", std::vector<double>{bits}, {1});
    tensors.put("b.values", values, {values.size()});
    tensors.put("b.counts", std::vector<double>(values.size(), 1.0), {values.size(), 1});
    ValueCounts counts;
    try {
      counts.load(tensors, "b", 1);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(load(52, {1, 1.1}), "");
  EXPECT_EQ(load(52, {1, 1}), "the values of \"b\" are not ascending numbers of 52 bits");
  EXPECT_EQ(load(8, {1, 1.1}), "the values of \"b\" are not ascending numbers of 8 bits");
  EXPECT_EQ(load(6.5, {}), "\"b.bits\" is 6.5, not a whole number from 7 to 52");
}

TEST(WeightedSample, quantiles_are_those_of_the_repeated_values) {
  WeightedSample sample;
  sample.add(1, 2);
  sample.add(4, 1);
  sample.add(10, 3);
  // numpy.quantile([1, 1, 4, 10, 10, 10], …)
  EXPECT_DOUBLE_EQ(sample.quantile(0.25), 1.75);
  EXPECT_DOUBLE_EQ(sample.quantile(0.5), 7);
  EXPECT_DOUBLE_EQ(sample.quantile(1), 10);
}

}  // namespace
}  // namespace credence

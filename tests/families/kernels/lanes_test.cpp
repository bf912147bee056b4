// SPDX-License-Identifier: Apache-2.0
// Kernels are compiled for several processors: each variant that this one can run must have the
// bits of the scalar definition, or of one row at a time.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "families/gaussian/scatter.hpp"
#include "families/kernels/code_kernels.hpp"
#include "families/kernels/row_kernels.hpp"
#include "families/kernels/row_sums.hpp"

namespace credence {
namespace {

// As many numbers at a time as wished, or as this processor can.
class Lane : public testing::TestWithParam<Lanes> {
 protected:
  void SetUp() override {
    if (usual_ < GetParam()) GTEST_SKIP() << "not on this processor";
    lanes() = GetParam();
  }
  void TearDown() override { lanes() = usual_; }

 private:
  Lanes usual_ = lanes();
};

struct Rows {
  std::size_t count, columns;
  std::vector<double> values, weights;
  std::vector<std::int32_t> classes;

  // Columns of all sizes and far from 0; every ninth row of no class.
  Rows(std::size_t rows, std::size_t many, bool weighted) : count(rows), columns(many) {
    Random random(7);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t i = 0; i < many; ++i) {
        const double scale = std::ldexp(1.0, static_cast<int>(i % 5) * 7 - 14);
        values.push_back(scale * (random.normal() + (i % 3 == 0 ? 1e5 : 1)));
      }
      classes.push_back(static_cast<std::int32_t>(r % 9) / 2 - 1);
      if (weighted) weights.push_back(0.25 + random.uniform());
    }
  }
  MatrixRows matrix() const { return {values.data(), columns}; }
  std::vector<const double*> pointers() const {
    std::vector<const double*> result;
    for (std::size_t r = 0; r < count; ++r) result.push_back(values.data() + r * columns);
    return result;
  }
};

TEST_P(Lane, SumsOfRowsAreThoseOfTheirColumnsOneByOne) {
  for (const bool weighted : {false, true}) {
    const Rows rows(500, 21, weighted);
    const RowSums sums(rows.matrix(), rows.weights, rows.classes, 4);
    for (std::size_t i = 0; i < rows.columns; ++i) {
      ASSERT_TRUE(sums.tells(i));
      std::vector<double> column;
      for (std::size_t r = 0; r < rows.count; ++r) {
        column.push_back(rows.values[r * rows.columns + i]);
      }
      std::vector<AnchoredSums> expected(4);
      add_anchored(column, rows.weights, rows.classes, expected);
      for (std::size_t c = 0; c < 4; ++c) {
        const Moments found = sums.moments(c, i), own = expected[c].moments();
        EXPECT_EQ(found.weight, own.weight);
        EXPECT_EQ(found.mean, own.mean);
        EXPECT_EQ(found.m2, own.m2);
      }
    }
  }
}

// The products by the definition, in long doubles.
TEST_P(Lane, AScatterIsTheSumOfProductsAboutTheMean) {
  for (const bool weighted : {false, true}) {
    for (const std::size_t columns : {1, 3, 16, 21, 50}) {
      const Rows rows(300, columns, weighted);
      const auto pointers = rows.pointers();
      const double* weights = weighted ? rows.weights.data() : nullptr;
      const Scatter found =
          Scatter::of_rows({pointers.data(), weights, rows.count}, columns, false);
      std::vector<long double> mean(columns);
      long double total = 0;
      for (std::size_t r = 0; r < rows.count; ++r) {
        const long double w = weighted ? rows.weights[r] : 1.0;
        total += w;
        for (std::size_t i = 0; i < columns; ++i) mean[i] += w * pointers[r][i];
      }
      for (auto& each : mean) each /= total;
      for (std::size_t i = 0; i < columns; ++i) {
        EXPECT_NEAR(found.mean[i].value(), static_cast<double>(mean[i]), 1e-15 * std::abs(mean[i]));
        for (std::size_t j = 0; j <= i; ++j) {
          long double sum = 0, size = 0;
          for (std::size_t r = 0; r < rows.count; ++r) {
            const long double w = weighted ? rows.weights[r] : 1.0;
            const long double product = w * (pointers[r][i] - mean[i]) * (pointers[r][j] - mean[j]);
            sum += product;
            size += std::abs(product);
          }
          EXPECT_NEAR(found.m2[Scatter::packed(i, j)].value(), static_cast<double>(sum),
                      1e-14 * static_cast<double>(size));
        }
      }
    }
  }
}

TEST_P(Lane, AScatterHasTheSameBitsHoweverManyNumbersAreTakenAtATime) {
  for (const bool weighted : {false, true}) {
    const Rows rows(300, 37, weighted);
    const auto pointers = rows.pointers();
    const double* weights = weighted ? rows.weights.data() : nullptr;
    const RowsOfClass own{pointers.data(), weights, rows.count};
    const Scatter found = Scatter::of_rows(own, rows.columns, true);
    lanes() = Lanes::two;
    const Scatter expected = Scatter::of_rows(own, rows.columns, true);
    EXPECT_EQ(found.m2, expected.m2);
    EXPECT_EQ(found.mean, expected.mean);
    EXPECT_EQ(found.fourth, expected.fourth);
    lanes() = GetParam();
  }
}

TEST_P(Lane, RowsSideBySideAreScoredToTheBitsOfOneAlone) {
  const std::size_t size = 21, count = 7;
  const Rows rows(row_panel, size, false), points(count, size, false);
  std::vector<double> weights, panel(size * row_panel), found(count * row_panel), own(count);
  for (std::size_t i = 0; i < count * size; ++i)
    weights.push_back(1.0 / (1.0 + static_cast<double>(i)));
  for (std::size_t k = 0; k < row_panel; ++k) {
    for (std::size_t i = 0; i < size; ++i) panel[i * row_panel + k] = rows.values[k * size + i];
  }
  const auto expect_same = [&](const auto& alone) {
    for (std::size_t k = 0; k < row_panel; ++k) {
      alone(rows.values.data() + k * size);
      for (std::size_t c = 0; c < count; ++c) EXPECT_EQ(found[c * row_panel + k], own[c]);
    }
  };
  panel_distances(panel.data(), points.values.data(), weights.data(), count, size, found.data());
  expect_same([&](const double* row) {
    distances(row, points.values.data(), weights.data(), count, size, own.data());
  });
  panel_products(panel.data(), points.values.data(), count, size, found.data());
  expect_same(
      [&](const double* row) { products(row, points.values.data(), count, size, own.data()); });
  for (const bool triangle : {false, true}) {
    Directions directions{{}, size, triangle ? size : 13, triangle};
    directions.columns.assign(directions.stride() * size, 0.0);
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t k = triangle ? j : 0; k < directions.count; ++k) {
        directions.columns[j * directions.stride() + k] = std::sin(static_cast<double>(j * 31 + k));
      }
    }
    panel_squared_lengths(panel.data(), directions, found.data());
    for (std::size_t k = 0; k < row_panel; ++k) {
      EXPECT_EQ(found[k], squared_length(rows.values.data() + k * size, directions));
    }
  }
}

TEST_P(Lane, ProductsOfManyRowsAreAddedAsThoseOfOne) {
  const std::size_t size = 11, count = 3;
  const Rows rows(2 * row_panel + 5, size, false), vectors(count, size, false);
  const std::vector<double> offsets{0.5, -2, 0};
  for (const bool presence : {false, true}) {
    std::vector<double> joint(rows.count * count, 1.0);
    add_products(rows.values.data(), rows.count, presence, vectors.values.data(), offsets.data(),
                 count, size, 0.75, joint.data());
    for (std::size_t r = 0; r < rows.count; ++r) {
      for (std::size_t c = 0; c < count; ++c) {
        double sum = 0;
        for (std::size_t j = 0; j < size; ++j) {
          const double x = rows.values[r * size + j];
          sum = std::fma(presence ? (x > 0 ? 1.0 : 0.0) : x, vectors.values[c * size + j], sum);
        }
        EXPECT_EQ(joint[r * count + c], 1.0 + 0.75 * (offsets[c] + sum));
      }
    }
  }
}

// From 1 class to more than two eights, rows of no value among them.
TEST_P(Lane, AVectorIsAddedForEachCode) {
  Random random(3);
  for (std::size_t count = 1; count <= 17; ++count) {
    std::vector<std::int32_t> codes;
    for (int r = 0; r < 50; ++r) codes.push_back((r * 7) % 6 - 1);
    std::vector<double> vectors, found(codes.size() * count, 0.3), expected = found;
    for (std::size_t i = 0; i < 6 * count; ++i) vectors.push_back(random.normal());
    add_vectors(codes, vectors.data(), count, found.data());
    for (std::size_t r = 0; r < codes.size(); ++r) {
      for (std::size_t c = 0; c < count; ++c) {
        expected[r * count + c] += vectors[static_cast<std::size_t>(codes[r] + 1) * count + c];
      }
    }
    EXPECT_EQ(found, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Lane, testing::Values(Lanes::two, Lanes::four, Lanes::eight));

TEST(CodeKernels, RowsAreCountedByCodeAndClass) {
  for (const std::size_t rows : {0, 1, 2, 501}) {
    std::vector<std::int32_t> codes, classes;
    std::vector<std::uint32_t> expected(5 * 4);
    for (std::size_t r = 0; r < rows; ++r) {
      codes.push_back(static_cast<std::int32_t>(r * r % 5) - 1);
      classes.push_back(static_cast<std::int32_t>(r / 3 % 4) - 1);
      ++expected[static_cast<std::size_t>(codes[r] + 1) * 4 +
                 static_cast<std::size_t>(classes[r] + 1)];
    }
    EXPECT_EQ(count_codes(codes, classes, 4, 3), expected);
  }
}

}  // namespace
}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Scoring a column at once gives what scoring value by value gives.
#include "families/gaussian/number_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.hpp"

namespace credence {
namespace {

TEST(NumberScores, of_a_column_are_those_of_its_values) {
  Random random(89);
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double freedom : {infinite, 0.5, 1.0, 30.0, 1e6}) {
    for (const std::size_t classes : {1u, 2u, 3u}) {
      std::vector<NumberDensity> densities;
      for (std::size_t c = 0; c < classes; ++c) {
        densities.push_back(NumberDensity::make(random.normal(), 0.1 + random.uniform(), freedom));
      }
      // Near, far, very far, missing; and more than two batches of them.
      std::vector<double> values;
      for (int i = 0; i < 700; ++i) {
        values.push_back(random.normal() * std::pow(10, random.uniform() * (i < 300 ? 1 : 12)));
      }
      values[5] = std::nan("");
      values[650] = 1e170;
      values[651] = -1e120;
      std::vector<double> joint(values.size() * classes, 0.25);
      add_number_scores(values, densities, 0.7, joint);
      for (std::size_t r = 0; r < values.size(); ++r) {
        for (std::size_t c = 0; c < classes; ++c) {
          const double expected =
              std::isnan(values[r]) ? 0.25 : 0.25 + 0.7 * densities[c].log_density(values[r]);
          if (std::isinf(expected)) {
            EXPECT_EQ(joint[r * classes + c], expected) << values[r];
          } else {
            EXPECT_NEAR(joint[r * classes + c], expected, 1e-14 * std::max(1.0, std::abs(expected)))
                << values[r] << " with " << freedom << " degrees of freedom";
          }
        }
      }
    }
  }
}

TEST(NumberScores, of_a_flat_density_are_zero) {
  std::vector<double> joint = {1, 2};
  add_number_scores(std::vector<double>{3, 4}, std::vector<NumberDensity>(1), 1, joint);
  EXPECT_EQ(joint, (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace credence

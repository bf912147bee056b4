// SPDX-License-Identifier: Apache-2.0
// Log densities against values computed with 60 digits elsewhere (make_reference.py).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "core/strings.hpp"
#include "families/numeric.hpp"
#include "places.hpp"

namespace credence {
namespace {

double evaluate(const std::string& function, const std::vector<double>& x) {
  if (function == "normal") return NumberDensity::make(x[1], x[2], infinity).log_density(x[0]);
  if (function == "student") return NumberDensity::make(x[1], x[2], x[3]).log_density(x[0]);
  if (function == "poisson") return RateDensity{x[1], 0, 0}.log_density(x[0]);
  if (function == "negative_binomial") return RateDensity{0, x[1], x[2]}.log_density(x[0]);
  return log_rising(x[0], x[1]);
}

TEST(Reference, every_log_density_agrees_to_twelve_digits) {
  std::ifstream file(tests_folder() + "/families/reference.csv");
  std::string line;
  ASSERT_TRUE(std::getline(file, line)) << "reference.csv is missing";
  int count = 0;
  while (std::getline(file, line)) {
    const auto cells = split(line, ',');
    std::vector<double> arguments;
    for (std::size_t i = 1; i <= 4 && !cells[i].empty(); ++i)
      arguments.push_back(*to_number(cells[i]));
    const double expected = *to_number(cells[5]);
    EXPECT_NEAR(evaluate(cells[0], arguments), expected, 1e-12 * std::max(1.0, std::abs(expected)))
        << line;
    ++count;
  }
  EXPECT_EQ(count, 41);
}

}  // namespace
}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Certified means and standard deviations of NIST's Statistical Reference Datasets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "ask/estimate.hpp"
#include "places.hpp"

namespace credence {
namespace {

const std::string folder = shared_data() + "/nist/";

struct Certified {
  std::string name;
  std::size_t rows;
  double mean, sd;
};

std::vector<Certified> certified() {
  std::ifstream file(folder + "certified.csv");
  std::vector<Certified> result;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    Certified entry;
    std::istringstream(line) >> entry.name >> entry.rows >> entry.mean >> entry.sd;
    result.push_back(entry);
  }
  return result;
}

std::vector<double> values_of(const std::string& name) {
  std::ifstream file(folder + name + ".csv");
  std::string header;
  std::getline(file, header);
  std::vector<double> values;
  for (double value; file >> value;) values.push_back(value);
  return values;
}

// Digits that agree, as NIST counts them.
double digits(double found, double expected) {
  const double error = std::abs(found - expected) / std::abs(expected);
  return error == 0 ? 16 : -std::log10(error);
}

void expect_certified(const Certified& entry, const std::vector<double>& values,
                      std::size_t chunk_rows) {
  EstimateRequest request;
  request.column = "y";
  request.rule = parse_rule("unbiased");
  ColumnStatistics statistics(request);
  for (std::size_t start = 0; start < values.size(); start += chunk_rows) {
    const auto end = std::min(values.size(), start + chunk_rows);
    Chunk chunk;
    chunk.rows = end - start;
    chunk.columns = {Numbers{{values.begin() + static_cast<std::ptrdiff_t>(start),
                              values.begin() + static_cast<std::ptrdiff_t>(end)}}};
    statistics.observe(chunk);
  }
  const auto found = statistics.estimate().at(0);
  EXPECT_EQ(found.rows, entry.rows);
  EXPECT_GE(digits(found.parameters[0].estimate, entry.mean), 14) << entry.name << " mean";
  // The digits of these two are lost when the decimals are read as doubles, before any sum.
  const double attainable = entry.name == "NumAcc3" ? 9 : entry.name == "NumAcc4" ? 8 : 13;
  EXPECT_GE(digits(found.parameters[1].estimate, entry.sd), attainable) << entry.name << " sd";
}

TEST(Nist, means_and_deviations_are_certified_in_any_order_and_any_chunks) {
  if (!std::filesystem::exists(folder + "certified.csv")) {
    GTEST_SKIP() << "no NIST data in " << folder;
  }
  const auto entries = certified();
  ASSERT_EQ(entries.size(), 9u);
  for (const auto& entry : entries) {
    auto values = values_of(entry.name);
    for (const std::size_t rows :
         {std::size_t{1}, std::size_t{7}, std::size_t{64}, values.size()}) {
      expect_certified(entry, values, rows);
      auto reversed = values;
      std::reverse(reversed.begin(), reversed.end());
      expect_certified(entry, reversed, rows);
      auto shuffled = values;
      std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(static_cast<unsigned>(rows)));
      expect_certified(entry, shuffled, rows);
    }
  }
}

}  // namespace
}  // namespace credence

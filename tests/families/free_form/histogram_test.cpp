// SPDX-License-Identifier: Apache-2.0
// Bins and densities against numpy and an independent Fayyad & Irani (make_value_reference.py).
#include "families/free_form/histogram.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numeric>

#include "core/log_math.hpp"
#include "credence/credence.hpp"
#include "families/free_form/histogram_bins.hpp"
#include "families/value_column.hpp"
#include "families/value_samples.hpp"
#include "places.hpp"

namespace credence {
namespace {

Model histogram_model(const std::string& parameters, const std::string& rule) {
  return column_model("histogram", parameters, rule);
}

TEST(Histogram, densities_are_those_of_numpy) {
  int count = 0;
  for (const auto& row : reference_rows("histogram")) {
    const auto values = reference_sample(row);
    const auto edges = bin_edges(values, {Binning::Kind::bins, row.parameter}, "x");
    std::vector<double> counts(edges.size() - 1, 0.0);
    for (std::size_t v = 0; v < values.values.size(); ++v) {
      counts[bin_of(edges, values.values[v])] += values.weight(v, 0);
    }
    const std::size_t bin = bin_of(edges, row.at);
    const double density = counts[bin] / values.of_all().total / (edges[bin + 1] - edges[bin]);
    // numpy's edges are rounded another way; at 1e9 that is 1e-7 of a bin's 0.6.
    EXPECT_NEAR(density, row.value, (row.sample == "far" ? 1e-6 : 1e-12) * row.value);
    ++count;
  }
  EXPECT_EQ(count, 150);
}

TEST(Histogram, freedman_and_diaconis_bins_are_those_of_numpy) {
  std::vector<double> expected;
  for (const auto& row : reference_rows("fd")) {
    if (row.sample == "base") expected.push_back(row.value);
  }
  const auto edges = bin_edges(reference_sample({"", "base", "plain", 0, 0, 0}),
                               {Binning::Kind::freedman_diaconis, 0}, "x");
  ASSERT_EQ(edges.size(), expected.size());
  for (std::size_t i = 0; i < edges.size(); ++i) EXPECT_NEAR(edges[i], expected[i], 1e-14 * 10);
}

TEST(Histogram, cuts_of_iris_are_those_of_an_independent_fayyad_and_irani) {
  const std::string path = shared_data() + "/tabular/iris.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data";
  std::vector<std::vector<double>> columns(4);
  std::vector<std::int32_t> classes;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const auto cells = split(line, ',');
    for (std::size_t i = 0; i < 4; ++i) columns[i].push_back(*to_number(cells[i]));
    classes.push_back(cells[4] == "setosa" ? 0 : cells[4] == "versicolor" ? 1 : 2);
  }
  std::vector<std::vector<double>> expected(4);
  for (const auto& row : reference_rows("mdl")) {
    expected[static_cast<std::size_t>(row.parameter)].push_back(row.value);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const auto cuts = mdl_cuts(count_values(columns[i], {}, classes));
    ASSERT_EQ(cuts.size(), expected[i].size());
    for (std::size_t k = 0; k < cuts.size(); ++k) EXPECT_NEAR(cuts[k], expected[i][k], 1e-12);
  }
}

// Eight rows, four of either class: the gain of the cut is 1 bit. To describe it takes
// (log2 7 + log2 7 - 2) / 8 = 0.4518 bits: it pays. With two rows of either, (log2 3 + log2 7 - 2)
// / 4 = 0.5981. With one of either the price is (0 + log2 7 - 2) / 2 = 0.4037 of 1 bit. Mixed
// classes gain nothing and are not cut.
TEST(Histogram, a_cut_is_made_when_it_pays_for_its_description) {
  EXPECT_EQ(mdl_cuts(count_values({1, 2, 3, 4, 6, 7, 8, 9}, {}, {0, 0, 0, 0, 1, 1, 1, 1})),
            std::vector<double>{5});
  EXPECT_EQ(mdl_cuts(count_values({1, 2, 3, 4, 6, 7, 8, 9}, {}, {0, 1, 0, 1, 0, 1, 0, 1})),
            std::vector<double>{});
  // Weights count as repetitions: 0.4 + 0.4 rows are too few, for log2(n - 1) needs more than one.
  EXPECT_EQ(mdl_cuts(count_values({1, 2}, {0.4, 0.4}, {0, 1})), std::vector<double>{});
  EXPECT_EQ(mdl_cuts(count_values({1, 2}, {40, 40}, {0, 1})), std::vector<double>{1.5});
}

TEST(Histogram, bins_of_equal_frequency_hold_equal_shares) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(std::exp(i / 100.0));
  const auto edges = bin_edges(count_values(values), {Binning::Kind::frequency, 8}, "x");
  ASSERT_EQ(edges.size(), 9u);
  std::vector<int> counts(8, 0);
  for (const double x : values) ++counts[bin_of(edges, x)];
  for (const int n : counts) EXPECT_EQ(n, 125);
  // A value that outweighs a bin has one of its own.
  EXPECT_EQ(
      bin_edges(count_values({0, 1, 2, 3}, {90, 1, 1, 1}), {Binning::Kind::frequency, 4}, "x"),
      (std::vector<double>{0, 0.5, 3}));
}

TEST(Histogram, bins_of_a_given_width_lie_between_its_multiples) {
  EXPECT_EQ(bin_edges(count_values({17, 22, 31}), {Binning::Kind::width, 5}, "x"),
            (std::vector<double>{15, 20, 25, 30, 35}));
  EXPECT_EQ(message(
                [] {
                  bin_edges(count_values({0, 1e6}), {Binning::Kind::width, 1}, "x");
                },
                ErrorKind::data),
            "column \"x\": bins of width 1 from 0 to 1000000 would be 1000001, more than 4096 (use "
            "a larger width)");
}

TEST(Histogram, edges_that_a_double_cannot_tell_apart_are_one) {
  const double low = 1e9, high = std::nextafter(std::nextafter(low, 2e9), 2e9);
  const auto edges = bin_edges(count_values({low, high}), {Binning::Kind::bins, 20}, "x");
  EXPECT_EQ(edges, (std::vector<double>{low, std::nextafter(low, 2e9), high}));
}

TEST(Histogram, no_other_shares_of_the_same_bins_are_more_likely_than_the_mle) {
  Model model = histogram_model("5", "mle");
  model.observe(rows_of({0, 1, 2, 2, 3, 7, 8, 9, 9, 10}, {0, 0, 0, 0, 0, 0, 0, 1, 1, 1}));
  const auto table = Scorer(model).tables()[0];
  const double best = Scorer(model).log_likelihood();
  // The rows of class a lie 2, 3, 0, 1, 1 in bins of width 2; of class b 3 in the last.
  const std::vector<double> counts = {2, 3, 0, 1, 1};
  const auto likelihood = [&](const std::vector<double>& p) {
    double sum = 7 * std::log(0.7) + 3 * std::log(0.3) + 3 * std::log(1 / 2.0);
    for (std::size_t b = 0; b < 5; ++b) sum += x_log_y(counts[b], p[b] / 2);
    return sum;
  };
  std::vector<double> shares;
  for (const auto& row : table.rows) shares.push_back(row.cells[0].value);
  EXPECT_NEAR(likelihood(shares), best, 1e-12);
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    auto other = shares;
    for (auto& p : other) p += 0.02 * random.uniform();
    const double total = std::accumulate(other.begin(), other.end(), 0.0);
    for (auto& p : other) p /= total;
    EXPECT_LT(likelihood(other), best);
  }
}

TEST(Histogram, samples_lie_in_the_bins_as_often_as_the_bins_say) {
  Model model = histogram_model("5", "m-estimate=2");
  model.observe(rows_of({0, 1, 2, 2, 3, 7, 8, 9, 9, 10}, {0, 0, 0, 0, 0, 0, 0, 1, 1, 1}));
  const Scorer scorer(model);
  const Chunk drawn = scorer.sample(50000, 3);
  const auto table = scorer.tables()[0];
  const std::vector<double> edges = {0, 2, 4, 6, 8, 10};
  std::vector<double> counts(5, 0.0), middles(5, 0.0);
  double rows = 0;
  for (std::size_t r = 0; r < drawn.rows; ++r) {
    if (drawn.labels.codes[r] != 0) continue;
    const double x = std::get<Numbers>(drawn.columns[0]).values[r];
    ++rows;
    ++counts[bin_of(edges, x)];
    middles[bin_of(edges, x)] += x;
  }
  for (std::size_t b = 0; b < 5; ++b) {
    EXPECT_NEAR(counts[b] / rows, table.rows[b].cells[0].value, 0.01);
    EXPECT_NEAR(middles[b] / counts[b], edges[b] + 1, 0.05) << "uniform within the bin";
  }
}

TEST(Histogram, outside_the_range_no_class_gains) {
  for (const auto* rule : {"mle", "bayes"}) {
    Model model = histogram_model("5", rule);
    model.observe(rows_of({0, 1, 2, 2, 3, 7, 8, 9, 9, 10}, {0, 0, 0, 0, 0, 0, 0, 1, 1, 1}));
    const Scorer scorer(model);
    const Chunk outside = rows_of({-0.001, 10.001, 1e300});
    const auto joint = scorer.log_joint(outside);
    for (std::size_t r = 0; r < 3; ++r) {
      EXPECT_NEAR(joint[2 * r] - joint[2 * r + 1], std::log(7 / 3.0), 1e-14);
      EXPECT_NEAR(joint[2 * r], std::log(0.7) - std::log(11.0) - std::log(10.0), 1e-14);
    }
    EXPECT_EQ(scorer.explain(outside, 1).lines[1].value, "10.001 (outside the range: no evidence)");
  }
}

TEST(Histogram, a_column_that_never_varies_is_left_out_or_refused) {
  Model model = histogram_model("", "bayes");
  model.observe(rows_of({4, 4, 4, 4}, {0, 1, 0, 1}));
  const Scorer scorer(model);
  EXPECT_EQ(scorer.tables()[0].remark, "does not vary: left out");
  EXPECT_EQ(scorer.log_joint(rows_of({7})), (std::vector<double>{std::log(0.5), std::log(0.5)}));
  model.settings().rule = parse_rule("mle");
  EXPECT_EQ(message([&] { Scorer refused(model); }, ErrorKind::data),
            "column \"x\": every value is 4, so a histogram has no width (use `rule bayes`, or `as "
            "x: categorical`)");
}

TEST(Histogram, parameters_that_make_no_bins_are_refused) {
  const auto refused = [](const char* text) {
    return message([&] { parse_binning(text); }, ErrorKind::usage);
  };
  EXPECT_EQ(refused("0"), "histogram(bins=0): a whole number from 1 to 4096 is wanted");
  EXPECT_EQ(refused("bins=2.5"), "histogram(bins=2.5): a whole number from 1 to 4096 is wanted");
  EXPECT_EQ(refused("width=-1"), "histogram(width=-1): a number above 0 is wanted");
  EXPECT_EQ(refused("mdl, 20"),
            "histogram(mdl, 20): one way to make bins is wanted, for example histogram(20) or "
            "histogram(mdl)");
  EXPECT_NE(refused("mld").find("no parameter \"mld\""), std::string::npos);
}

}  // namespace
}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Kernel densities and bandwidths against scipy and numpy (make_value_reference.py).
#include "families/free_form/kernel.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>

#include "credence/credence.hpp"
#include "families/value_column.hpp"
#include "families/value_samples.hpp"

namespace credence {
namespace {

double integral(const std::function<double(double)>& f, double low, double high) {
  double sum = 0;
  for (int piece = 0; piece < 64; ++piece) {
    const double a = low + (high - low) * piece / 64, b = low + (high - low) * (piece + 1) / 64;
    sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(f, a, b, 4, 1e-10);
  }
  return sum;
}

Model kernel_model(const std::string& parameters, const std::string& rule) {
  return column_model("kernel", parameters, rule);
}

TEST(Kernel, log_densities_are_those_of_scipy) {
  int count = 0;
  for (const auto& row : reference_rows("kernel")) {
    const Kernels kernels(reference_sample(row).of_all(), row.parameter, {});
    EXPECT_NEAR(kernels.log_density(row.at), row.value, 1e-11 * std::max(1.0, std::abs(row.value)));
    ++count;
  }
  EXPECT_EQ(count, 48);
}

TEST(Kernel, bandwidths_are_those_of_independent_programs) {
  const std::pair<const char*, Bandwidth::Kind> rules[] = {
      {"silverman", Bandwidth::Kind::silverman},
      {"sj", Bandwidth::Kind::sheather_jones},
      {"isj", Bandwidth::Kind::improved}};
  for (const auto& [name, kind] : rules) {
    const auto rows = reference_rows(name);
    EXPECT_EQ(rows.size(), 3u);
    for (const auto& row : rows) {
      EXPECT_NEAR(choose_bandwidth(reference_sample(row).of_all(), {kind, 0}), row.value,
                  1e-9 * row.value)
          << name << " of " << row.sample;
    }
  }
}

TEST(Kernel, densities_far_out_keep_their_digits) {
  WeightedSample sample;
  Random random(3);
  std::vector<double> values;
  for (int i = 0; i < 500; ++i) values.push_back(10 * random.normal());
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i) sample.add(values[i], i % 7 == 0 ? 1e6 : 0.3);
  const double h = 0.05;
  const Kernels kernels(sample, h, {});
  for (const double x : {-4000.0, -35.0, -1.2345, 0.0, 29.0, 31.0, 40.0, 1e4}) {
    // All terms, in long doubles, relative to the largest.
    long double top = -INFINITY;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const long double z = (static_cast<long double>(x) - values[i]) / h;
      top = std::max(top, -z * z / 2);
    }
    long double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const long double z = (static_cast<long double>(x) - values[i]) / h;
      sum += sample.weights[i] * std::exp(-z * z / 2 - top);
    }
    const auto expected =
        static_cast<double>(top + std::log(sum) - std::log(sample.total * h * std::sqrt(2 * M_PI)));
    EXPECT_NEAR(kernels.log_density(x), expected, 1e-13 * std::max(10.0, std::abs(expected)));
  }
}

TEST(Kernel, a_reflected_density_has_all_its_mass_within_the_support) {
  const Support supports[] = {{0, infinity}, {-infinity, 4}, {0, 4}};
  for (const auto& support : supports) {
    for (const double h : {0.1, 1.0, 30.0}) {
      WeightedSample sample;
      sample.add(0, 1);
      sample.add(0.5, 2);
      sample.add(3.75, 0.5);
      const Kernels kernels(sample, h, support);
      const double low = std::max(support.low, -300.0), high = std::min(support.high, 304.0);
      EXPECT_NEAR(integral([&](double x) { return std::exp(kernels.log_density(x)); }, low, high),
                  1, 1e-8)
          << support.low << ".." << support.high << " with " << h;
    }
  }
}

TEST(Kernel, a_mixture_with_the_column_has_all_its_mass_within_the_support) {
  for (const auto* rule : {"mle", "m-estimate=3", "map=2", "bayes", "bayes=20"}) {
    Model model = kernel_model("support=0..4", rule);
    model.observe(rows_of({0, 0.5, 3, 3.5, 4, 4, 1, 2}, {0, 0, 0, 0, 1, 1, 1, 1}));
    const Scorer scorer(model);
    for (std::size_t c = 0; c < 2; ++c) {
      const auto density = [&](double x) {
        return std::exp(scorer.log_joint(rows_of({x}))[c] - scorer.log_prior()[c]);
      };
      EXPECT_NEAR(integral(density, 0, 4), 1, 1e-8) << rule;
    }
    EXPECT_EQ(scorer.log_joint(rows_of({4.5}))[0], -infinity);
  }
}

TEST(Kernel, samples_are_distributed_as_the_density) {
  for (const auto* parameters : {"", "support=0..4", "bandwidth=0.2", "support=positive"}) {
    Model model = kernel_model(parameters, "bayes=2");
    model.observe(rows_of({0, 0.5, 3, 3.5, 4, 4, 1, 2}, {0, 0, 0, 0, 1, 1, 1, 1}));
    const Scorer scorer(model);
    const Chunk drawn = scorer.sample(60000, 9);
    for (const double cut : {0.25, 1.0, 2.0, 3.2}) {
      double below = 0, rows = 0;
      for (std::size_t r = 0; r < drawn.rows; ++r) {
        if (drawn.labels.codes[r] != 0) continue;
        ++rows;
        below += std::get<Numbers>(drawn.columns[0]).values[r] < cut;
      }
      const auto density = [&](double x) {
        return std::exp(scorer.log_joint(rows_of({x}))[0] - scorer.log_prior()[0]);
      };
      EXPECT_NEAR(below / rows, integral(density, -400, cut), 0.01) << parameters << " at " << cut;
    }
  }
}

TEST(Kernel, under_a_prior_no_value_is_overwhelming_evidence) {
  Model model = kernel_model("", "bayes");
  model.observe(rows_of({0, 1, 2, 3, 4, 5, 6, 2, 3, 4}, {0, 0, 0, 0, 0, 0, 0, 1, 1, 1}));
  const auto joint = Scorer(model).log_joint(rows_of({1e3, -1e9, 1e200}));
  // Where the kernels have ended the column's density is left: 1 of 8 rows against 1 of 4.
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_NEAR(joint[2 * r] - joint[2 * r + 1], std::log(0.7 / 8) - std::log(0.3 / 4), 1e-12);
  }
}

TEST(Kernel, a_class_with_one_value_borrows_the_scale_of_the_column) {
  Model model = kernel_model("", "bayes");
  model.observe(rows_of({0, 1, 2, 3, 10}, {0, 0, 0, 0, 1}));
  const auto table = Scorer(model).tables()[0];
  EXPECT_EQ(table.remark, "normal kernels and 1 imaginary row of the whole column");
  EXPECT_EQ(table.rows[0].name, "bandwidth");
  // The column 0, 1, 2, 3, 10: quartiles 1 and 3, one row.
  EXPECT_DOUBLE_EQ(table.rows[0].cells[1].value, 0.9 * 2 / 1.34);
  EXPECT_EQ(table.rows[1].cells[1].value, 1);
  model.settings().rule = parse_rule("mle");
  EXPECT_EQ(message([&] { Scorer refused(model); }, ErrorKind::data),
            "column \"x\": the values of class \"b\" do not vary, so there is no bandwidth (use "
            "`rule bayes`, or `as x: kernel(bandwidth=1)`)");
}

TEST(Kernel, a_column_that_never_varies_is_left_out) {
  Model model = kernel_model("", "bayes");
  model.observe(rows_of({4, 4, 4, 4}, {0, 1, 0, 1}));
  const Scorer scorer(model);
  EXPECT_EQ(scorer.tables()[0].remark, "does not vary: left out");
  EXPECT_EQ(scorer.log_joint(rows_of({7})), (std::vector<double>{std::log(0.5), std::log(0.5)}));
}

TEST(Kernel, more_values_than_are_kept_give_nearly_the_same_density) {
  Random random(8);
  WeightedSample exact;
  std::vector<double> values;
  for (int i = 0; i < 20000; ++i) values.push_back(1e6 + 50 * random.normal());
  std::sort(values.begin(), values.end());
  for (const double x : values) exact.add(x, 1);
  const auto kept = count_values(values).of_all();
  EXPECT_LE(kept.values.size(), ValueCounts::limit);
  for (const auto kind :
       {Bandwidth::Kind::silverman, Bandwidth::Kind::sheather_jones, Bandwidth::Kind::improved}) {
    const double h = choose_bandwidth(exact, {kind, 0});
    EXPECT_NEAR(choose_bandwidth(kept, {kind, 0}), h, 0.05 * h);
    for (const double x : {1e6 - 120, 1e6, 1e6 + 100}) {
      EXPECT_NEAR(Kernels(kept, h, {}).log_density(x), Kernels(exact, h, {}).log_density(x), 1e-3);
    }
  }
}

TEST(Kernel, parameters_that_make_no_density_are_refused) {
  const auto refused = [](const char* text) {
    return message([&] { parse_kernel(text); }, ErrorKind::usage);
  };
  EXPECT_EQ(refused("bandwidth=0"), "kernel(bandwidth=0): a number above 0 is wanted");
  EXPECT_EQ(refused("bandwidth=-1"), "kernel(bandwidth=-1): a number above 0 is wanted");
  EXPECT_EQ(refused("bandwidth=wide"),
            "kernel(bandwidth=wide): silverman, sj, isj or a number above 0 is wanted");
  EXPECT_EQ(refused("support=3..1"),
            "kernel(support=3..1): write A..B with A below B, A.., ..B or positive");
  EXPECT_NE(refused("width=1").find("no parameter \"width\""), std::string::npos);
  Model model = kernel_model("support=positive", "bayes");
  model.observe(rows_of({-1, 2, 3, 4}, {0, 0, 1, 1}));
  EXPECT_EQ(message([&] { Scorer refused_too(model); }, ErrorKind::data),
            "column \"x\": the value -1 lies outside of the support 0..");
}

}  // namespace
}  // namespace credence

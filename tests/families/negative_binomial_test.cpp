// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "credence/scorer.hpp"
#include "laws/random_data.hpp"

namespace credence::laws {
namespace {

Chunk counts_of(const std::vector<std::vector<double>>& classes) {
  Chunk chunk;
  Numbers column;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    chunk.labels.dictionary.push_back(std::string(1, static_cast<char>('a' + c)));
    for (const double x : classes[c]) {
      column.values.push_back(x);
      chunk.labels.codes.push_back(static_cast<std::int32_t>(c));
      ++chunk.rows;
    }
  }
  chunk.columns.emplace_back(std::move(column));
  return chunk;
}

Scorer scorer_of(const Chunk& chunk, const std::string& rule,
                 const std::string& family = "negative_binomial") {
  Settings settings;
  settings.rule = parse_rule(rule);
  return Scorer(learn(model_for({family, ColumnKind::count, family}, settings), {chunk}));
}

double log_density(const Scorer& scorer, double x, std::size_t cls = 0) {
  Chunk row;
  row.rows = 1;
  row.columns.emplace_back(Numbers{{x}});
  return scorer.log_joint(row)[cls] - scorer.log_prior()[cls];
}

// Bliss and Fisher (1953), Biometrics 9: red mites on 150 apple leaves.
std::vector<double> mites() {
  const std::vector<int> leaves = {70, 38, 17, 10, 9, 3, 2, 1};
  std::vector<double> result;
  for (std::size_t x = 0; x < leaves.size(); ++x) {
    result.insert(result.end(), static_cast<std::size_t>(leaves[x]), static_cast<double>(x));
  }
  return result;
}

TEST(NegativeBinomial, finds_the_mites_of_bliss_and_fisher) {
  const Scorer scorer = scorer_of(counts_of({mites(), {0, 1, 5}}), "mle");
  const auto rows = scorer.tables()[0].rows;
  EXPECT_EQ(rows[0].name, "rate");
  EXPECT_NEAR(rows[0].cells[0].value, 172.0 / 150, 1e-14);
  EXPECT_EQ(rows[1].name, "dispersion");
  // They have k = 1.0246; mpmath has the other digits.
  EXPECT_NEAR(1 / rows[1].cells[0].value, 1.0245923867921253, 1e-12);
  EXPECT_NEAR(log_density(scorer, 0), -0.76948153229071157, 1e-13);
  EXPECT_NEAR(log_density(scorer, 3), -2.6401454920222051, 1e-13);
  EXPECT_NEAR(log_density(scorer, 12), -8.3550098726486153, 1e-12);
}

TEST(NegativeBinomial, is_a_poisson_where_counts_vary_no_more) {
  const Chunk chunk = counts_of({{3, 4, 5, 4, 3}, {1, 2, 1, 1}});
  const Scorer narrow = scorer_of(chunk, "mle"), poisson = scorer_of(chunk, "mle", "poisson");
  for (const double x : {0.0, 3.0, 40.0}) {
    EXPECT_DOUBLE_EQ(log_density(narrow, x), log_density(poisson, x));
  }
  EXPECT_EQ(narrow.tables()[0].rows[1].cells[0].value, 0);
}

TEST(NegativeBinomial, of_many_rows_is_the_same_under_bayes_and_m_estimate) {
  std::vector<double> many;
  for (int i = 0; i < 2000; ++i) {
    const auto once = mites();
    many.insert(many.end(), once.begin(), once.end());
  }
  const Chunk chunk = counts_of({many, many});
  const Scorer bayes = scorer_of(chunk, "bayes"), plain = scorer_of(chunk, "m-estimate=1");
  for (const double x : {0.0, 2.0, 9.0}) {
    EXPECT_NEAR(log_density(bayes, x), log_density(plain, x), 1e-4);
  }
}

TEST(NegativeBinomial, tells_zeros_only_from_few_by_the_prior) {
  const Scorer scorer = scorer_of(counts_of({{0, 0, 0, 0, 0, 0}, {2, 9, 0, 31, 4}}), "bayes");
  double sum = 0;
  for (double x = 0; x < 4000; ++x) sum += std::exp(log_density(scorer, x, 0));
  // A class that was never above 0 may be of any dispersion: what is left lies far out.
  EXPECT_GT(sum, 0.9);
  EXPECT_LT(sum, 1);
  EXPECT_GT(log_density(scorer, 0, 0), std::log(0.8));
}

TEST(NegativeBinomial, refuses_a_class_without_values_where_there_is_no_prior) {
  EXPECT_THROW(scorer_of(counts_of({{std::nan("")}, {1, 2}}), "mle"), Error);
}

TEST(NegativeBinomial, leaves_out_a_column_that_is_always_zero) {
  const Scorer scorer = scorer_of(counts_of({{0, 0}, {0}}), "bayes");
  EXPECT_EQ(scorer.tables()[0].remark, "always 0: left out");
  EXPECT_EQ(log_density(scorer, 3), 0);
}

}  // namespace
}  // namespace credence::laws

// SPDX-License-Identifier: Apache-2.0
// Evidence in closed form is the product of what each row is predicted to be by those before it,
// and the integral of likelihood times prior.
#include "credence/evidence.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <fstream>
#include <numbers>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/scorer.hpp"
#include "families/gaussian/normal_evidence.hpp"
#include "families/numeric.hpp"
#include "laws/random_data.hpp"
#include "places.hpp"

namespace credence {
namespace {

// The first rows of a chunk.
Chunk first_rows(const Chunk& chunk, std::size_t count) {
  std::vector<std::size_t> rows(count);
  for (std::size_t r = 0; r < count; ++r) rows[r] = r;
  return select_rows(chunk, rows);
}

// log p of each row under its own class by the model of the rows before it, added up. Every class
// has a row without a value at the start, so that it is known from the start.
double by_chain_rule(const Model& empty, const Chunk& chunk, std::size_t start) {
  double sum = 0;
  for (std::size_t r = start; r < chunk.rows; ++r) {
    Model model = empty;
    model.observe(first_rows(chunk, r));
    const Scorer scorer(model);
    const auto row = select_rows(chunk, std::vector<std::size_t>{r});
    const auto& label = chunk.labels.dictionary[static_cast<std::size_t>(chunk.labels.codes[r])];
    const auto& classes = scorer.classes();
    const auto c = static_cast<std::size_t>(std::find(classes.begin(), classes.end(), label) -
                                            classes.begin());
    sum += scorer.log_density(0, row)[c];
  }
  return sum;
}

// Rows of the first two classes without a value.
template <typename Fill>
Chunk chunk_of(const std::vector<std::int32_t>& labels, const Fill& fill) {
  Chunk chunk;
  chunk.labels = {{0, 1}, {"a", "b"}};
  chunk.labels.codes.insert(chunk.labels.codes.end(), labels.begin(), labels.end());
  chunk.rows = chunk.labels.codes.size();
  fill(chunk);
  return chunk;
}

Model model_of(const std::string& family, ColumnKind kind, std::vector<std::string> values,
               const std::string& rule, std::size_t width = 1, const std::string& parameters = "") {
  Schema schema;
  schema.target = "class";
  BlockSpec block{family, {}, 1, parameters};
  for (std::size_t i = 0; i < width; ++i) {
    schema.columns.push_back({"x" + std::to_string(i), kind, values});
    block.columns.push_back(i);
  }
  Settings settings;
  settings.rule = parse_rule(rule);
  return {schema, {block}, settings};
}

double evidence_of(const Model& empty, const Chunk& chunk) {
  return log_evidence(laws::learn(empty, {chunk}))[0].value();
}

const std::vector<std::int32_t> labels = {0, 0, 1, 0, 1, 1, 0, 1, 0, 0};

TEST(Evidence, of_categories_is_the_product_of_predictions) {
  for (const auto* rule : {"bayes", "bayes=3.5", "laplace=2", "m-estimate=4"}) {
    const auto empty = model_of("categorical", ColumnKind::category, {"u", "v", "w"}, rule);
    const auto chunk = chunk_of(labels, [](Chunk& c) {
      c.columns.emplace_back(Categories{{-1, -1, 0, 1, 2, 0, 0, 1, 2, 2, 0, 1}, {"u", "w", "v"}});
    });
    EXPECT_NEAR(evidence_of(empty, chunk), by_chain_rule(empty, chunk, 2), 1e-10) << rule;
  }
}

TEST(Evidence, of_coins_is_the_product_of_predictions) {
  const auto empty = model_of("bernoulli", ColumnKind::binary, {}, "bayes");
  const auto chunk = chunk_of(labels, [](Chunk& c) {
    const double gone = std::nan("");
    c.columns.emplace_back(Numbers{{gone, gone, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1}});
  });
  EXPECT_NEAR(evidence_of(empty, chunk), by_chain_rule(empty, chunk, 2), 1e-10);
}

TEST(Evidence, of_draws_from_urns_is_the_product_of_predictions) {
  const auto empty = model_of("multinomial", ColumnKind::amount, {}, "bayes=2", 3);
  const auto chunk = chunk_of(labels, [](Chunk& c) {
    const double gone = std::nan("");
    c.columns.emplace_back(Numbers{{gone, gone, 1, 0, 4, 1, 0, 1, 2, 0, 0, 1}});
    c.columns.emplace_back(Numbers{{gone, gone, 2, 3, 0, 1, 0, 1, 1, 5, 0, 1}});
    c.columns.emplace_back(Numbers{{gone, gone, 0, 0, 1, 1, 7, 0, 1, 0, 1, 1}});
  });
  EXPECT_NEAR(evidence_of(empty, chunk), by_chain_rule(empty, chunk, 2), 1e-10);
}

// Words of a bag or text that nobody has seen are no evidence: all words stand in the first rows.
Chunk words_chunk(double count) {
  return chunk_of(labels, [&](Chunk& c) {
    Bags bags;
    bags.dictionary = {"u", "v", "w"};
    const std::vector<std::vector<std::int32_t>> rows = {
        {0, 1, 2}, {0, 1, 2}, {0}, {1}, {2, 0}, {}, {1, 2}, {0}, {0, 1, 2}, {2}, {1}, {0, 1}};
    for (const auto& row : rows) {
      for (const auto word : row) {
        bags.features.push_back(word);
        bags.counts.push_back(count);
      }
      bags.offsets.push_back(bags.features.size());
      bags.missing.push_back(0);
    }
    c.columns.emplace_back(std::move(bags));
  });
}

TEST(Evidence, of_features_present_or_absent_is_the_product_of_predictions) {
  const auto chunk = words_chunk(1);
  for (const bool text : {false, true}) {
    const auto empty = text ? model_of("text", ColumnKind::text, {}, "bayes", 1, "bernoulli")
                            : model_of("bernoulli", ColumnKind::bag, {}, "bayes");
    const double first = evidence_of(empty, first_rows(chunk, 2));
    EXPECT_NEAR(evidence_of(empty, chunk) - first, by_chain_rule(empty, chunk, 2), 1e-10);
  }
}

TEST(Evidence, of_texts_is_that_of_the_urn_with_the_same_imaginary_words) {
  const auto chunk = words_chunk(2);
  const auto text = model_of("text", ColumnKind::text, {}, "bayes", 1, "multinomial, alpha=0.25");
  const auto urn = model_of("multinomial", ColumnKind::bag, {}, "laplace=0.25");
  EXPECT_NEAR(evidence_of(text, chunk), evidence_of(urn, chunk), 1e-10);
}

TEST(Evidence, of_numbers_and_counts_is_the_product_of_predictions_under_one_prior) {
  const std::vector<double> values = {3, 0, 4, 1, 7, 2, 2};
  const auto rule = parse_rule("bayes=1.5");
  const Moments column{10, 2.25, 36};
  const NumberPrior narrow{column, 0.3, 3};
  Moments seen;
  double weight = 0, sum = 0, log_factorials = 0, numbers = 0, narrower = 0, counts = 0;
  for (const double x : values) {
    numbers += estimate_number(seen, {column}, rule, "x", "a").log_density(x);
    narrower += estimate_number(seen, narrow, rule, "x", "a").log_density(x);
    counts += estimate_rate(weight, sum, 10, 22.5, rule, "x", "a").log_density(x);
    seen.merge({1, x, 0});
    weight += 1;
    sum += x;
    log_factorials += log_gamma(x + 1);
  }
  EXPECT_NEAR(*log_marginal_of_numbers(seen, {column}, rule), numbers, 1e-10);
  EXPECT_NEAR(*log_marginal_of_numbers(seen, narrow, rule), narrower, 1e-10);
  EXPECT_NEAR(log_marginal_of_rate(weight, sum, log_factorials, 2.25, 1.5), counts, 1e-10);
}

TEST(Evidence, is_the_integral_of_likelihood_times_prior) {
  std::ifstream file(tests_folder() + "/families/evidence_reference.csv");
  std::string line;
  ASSERT_TRUE(std::getline(file, line)) << "evidence_reference.csv is missing";
  int count = 0;
  for (; std::getline(file, line); ++count) {
    const auto cells = split(line, ',');
    const double s = *to_number(cells[1]), mean = *to_number(cells[2]);
    Moments seen;
    double sum = 0, log_factorials = 0;
    for (const auto& cell : split(cells[4], ' ')) {
      const double x = *to_number(cell);
      seen.merge({1, x, 0});
      sum += x;
      log_factorials += log_gamma(x + 1);
    }
    const double got =
        cells[0] == "gaussian"
            ? *log_marginal_of_numbers(seen, {{1, mean, *to_number(cells[3])}},
                                       {Rule::Kind::bayes, s})
            : log_marginal_of_rate(seen.weight.value(), sum, log_factorials, mean, s);
    EXPECT_NEAR(got, *to_number(cells[5]), 1e-9) << line;
  }
  EXPECT_EQ(count, 6);
}

// Student's t in several dimensions, written out.
double log_student(const Eigen::VectorXd& y, const Eigen::MatrixXd& scale, double freedom) {
  const double d = static_cast<double>(y.size());
  return std::lgamma((freedom + d) / 2) - std::lgamma(freedom / 2) -
         0.5 * (d * std::log(freedom * std::numbers::pi) + std::log(scale.determinant())) -
         0.5 * (freedom + d) * std::log1p(y.dot(scale.inverse() * y) / freedom);
}

// Rows one after the other: class means share the prior, spreads are the class's own or shared.
double block_chain(const std::vector<Eigen::Vector2d>& rows, const std::vector<std::int32_t>& cls,
                   const std::string& kind, double s) {
  Eigen::Vector2d mean = Eigen::Vector2d::Zero(), variance = Eigen::Vector2d::Zero();
  const double n = static_cast<double>(rows.size());
  for (const auto& row : rows) mean += row / n;
  for (const auto& row : rows) variance += (row - mean).cwiseAbs2() / n;
  const Eigen::Matrix2d imaginary = (s * variance).asDiagonal();
  std::vector<double> weight(2, s);
  std::vector<Eigen::Vector2d> means(2, mean);
  const bool tied = kind.find("tied") != std::string::npos;
  const bool spherical = kind.find("spherical") != std::string::npos;
  std::vector<Eigen::Matrix2d> scatter(2, imaginary);
  std::vector<double> spread_weight(2, s);
  double sum = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto c = static_cast<std::size_t>(cls[r]);
    const std::size_t of = tied ? 0 : c;
    const Eigen::Vector2d shift = rows[r] - means[c];
    Eigen::Matrix2d scale = scatter[of] / spread_weight[of] * ((weight[c] + 1) / weight[c]);
    if (spherical) scale = (Eigen::Matrix2d::Identity() * (scale.trace() / 2)).eval();
    sum += log_student(shift, scale, spread_weight[of] * (spherical ? 2 : 1));
    scatter[of] += shift * shift.transpose() * (weight[c] / (weight[c] + 1));
    means[c] += shift / (weight[c] + 1);
    weight[c] += 1;
    spread_weight[of] += 1;
  }
  return sum;
}

TEST(Evidence, of_a_block_of_columns_is_the_product_of_predictions_under_one_prior) {
  const std::vector<Eigen::Vector2d> rows = {{1, 2},   {0.5, -1}, {3, 4.5}, {2, 2}, {-1, 0.25},
                                             {4, 3.5}, {1.5, 1},  {0, 0.5}, {2, 5}, {3, 1}};
  Chunk chunk;
  chunk.rows = rows.size();
  chunk.labels = {labels, {"a", "b"}};
  for (int i = 0; i < 2; ++i) {
    Numbers column;
    for (const auto& row : rows) column.values.push_back(row[i]);
    chunk.columns.emplace_back(std::move(column));
  }
  for (const auto* kind : {"full", "spherical", "tied", "tied, spherical"}) {
    for (const double s : {1.0, 2.5}) {
      const auto empty =
          model_of("gaussian", ColumnKind::number, {}, "bayes=" + format_number(s), 2, kind);
      EXPECT_NEAR(evidence_of(empty, chunk), block_chain(rows, labels, kind, s), 1e-10)
          << kind << ", " << s;
    }
  }
  const auto shrunk = model_of("gaussian", ColumnKind::number, {}, "bayes", 2, "shrunk=0.5");
  EXPECT_FALSE(log_evidence(laws::learn(shrunk, {chunk}))[0]);
  const auto unprepared = model_of("gaussian", ColumnKind::number, {}, "mle", 2, "full");
  EXPECT_FALSE(log_evidence(laws::learn(unprepared, {chunk}))[0]);
}

}  // namespace
}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Discriminant coordinates: those of scikit-learn, and the classifier is nearest mean in them.
#include "model/coordinates.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/random.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/hold_out.hpp"
#include "credence/scorer.hpp"
#include "error_of.hpp"
#include "places.hpp"

namespace credence {
namespace {

using testing::HasSubstr;

struct Table {
  Model model;
  Chunk rows;
};

// Four columns of very different size, correlated, three classes of different weight.
Table random_table(const std::string& rule, const std::string& parameters, double unit = 1) {
  Random random(5);
  Chunk chunk;
  chunk.rows = 90;
  std::vector<Numbers> columns(4);
  chunk.labels.dictionary = {"a", "b", "c"};
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const std::size_t cls = r % 6 < 3 ? 0 : r % 6 < 5 ? 1 : 2;
    const double c = static_cast<double>(cls), shared = random.normal();
    chunk.labels.codes.push_back(static_cast<std::int32_t>(cls));
    columns[0].values.push_back((c + shared) * unit);
    columns[1].values.push_back(1e6 + 1e3 * (c * c - shared + random.normal()));
    columns[2].values.push_back(1e-3 * (random.normal() + 0.5 * shared));
    columns[3].values.push_back(random.normal() - c);
  }
  for (auto& column : columns) chunk.columns.emplace_back(std::move(column));
  Schema schema;
  schema.target = "class";
  for (const auto* name : {"w", "x", "y", "z"}) {
    schema.columns.push_back({name, ColumnKind::number, {}});
  }
  Settings settings;
  settings.rule = parse_rule(rule);
  Model model(schema, {{"gaussian", {0, 1, 2, 3}, 1, parameters}}, settings);
  model.observe(chunk);
  return {std::move(model), std::move(chunk)};
}

TEST(Coordinates, agree_with_scikit_learn) {
  const std::string shared = shared_data() + "/tabular/";
  if (!std::filesystem::exists(shared + "iris.csv")) GTEST_SKIP() << "no data";
  std::ifstream file(tests_folder() + "/model/coordinates_reference.csv");
  ASSERT_TRUE(file);
  std::string line;
  std::getline(file, line);
  std::string current;
  std::optional<Coordinates> coordinates;
  std::vector<double> places, sign;
  int compared = 0;
  while (std::getline(file, line)) {
    const auto cells = split(line, ',');
    const auto row = static_cast<int>(to_number(cells[2]).value());
    const auto k = static_cast<std::size_t>(to_number(cells[3]).value());
    const double expected = to_number(cells[4]).value();
    if (current != cells[0] + cells[1]) {
      current = cells[0] + cells[1];
      auto source = open_source({shared + cells[0] + ".csv"});
      Plan plan;
      plan.target = cells[0] == "iris" ? "species" : "cultivar";
      plan.model = "lda";
      plan.settings.rule = parse_rule(cells[1]);
      Model model = plan_model(source->profile(), plan);
      source->select(model.schema(), true);
      const auto chunks = read_all(*source);
      ASSERT_EQ(chunks.size(), 1u);
      model.observe(chunks[0]);
      coordinates.emplace(model);
      places = coordinates->of(chunks[0]);
      sign = {0, 0};
    }
    ASSERT_EQ(coordinates->size(), 2u);
    if (row < 0) {
      EXPECT_NEAR(coordinates->share(k), expected, 1e-8) << current;
      continue;
    }
    const double found = places[static_cast<std::size_t>(row) * 2 + k];
    if (sign[k] == 0) sign[k] = found * expected > 0 ? 1 : -1;  // theirs is not fixed
    EXPECT_NEAR(found, sign[k] * expected, 1e-8) << current << " row " << row;
    ++compared;
  }
  EXPECT_EQ(compared, 2 * 2 * (15 + 18));
}

TEST(Coordinates, nearest_mean_with_the_log_prior_is_the_classifier) {
  for (const auto* rule : {"mle", "unbiased", "m-estimate=3", "map=10"}) {
    auto [model, rows] = random_table(rule, "tied");
    model.settings().prior = parse_class_prior("a=0.2,b=0.3,c=0.5");
    const Scorer scorer(model);
    const Coordinates coordinates(model);
    ASSERT_EQ(coordinates.size(), 2u);
    const auto places = coordinates.of(rows);
    const auto joint = scorer.log_joint(rows);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      std::vector<double> scores;
      for (std::size_t c = 0; c < 3; ++c) {
        double distance = 0;
        for (std::size_t k = 0; k < 2; ++k) {
          distance += std::pow(places[r * 2 + k] - coordinates.class_mean(c, k), 2);
        }
        scores.push_back(scorer.log_prior()[c] - distance / 2);
      }
      const auto expected = posterior(std::span(joint).subspan(r * 3, 3));
      const auto found = posterior(scores);
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(found.probabilities[c], expected.probabilities[c], 1e-9) << rule;
      }
    }
  }
}

TEST(Coordinates, rows_of_a_class_have_the_identity_for_covariance) {
  const auto [model, rows] = random_table("mle", "tied");
  const Coordinates coordinates(model);
  const auto places = coordinates.of(rows);
  double xx = 0, xy = 0, yy = 0, x = 0, y = 0;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const auto cls = static_cast<std::size_t>(rows.labels.codes[r]);
    const double u = places[r * 2] - coordinates.class_mean(cls, 0);
    const double v = places[r * 2 + 1] - coordinates.class_mean(cls, 1);
    x += places[r * 2], y += places[r * 2 + 1];
    xx += u * u, xy += u * v, yy += v * v;
  }
  const double n = static_cast<double>(rows.rows);
  EXPECT_NEAR(xx / n, 1, 1e-9);
  EXPECT_NEAR(yy / n, 1, 1e-9);
  EXPECT_NEAR(xy / n, 0, 1e-9);
  EXPECT_NEAR(x / n, 0, 1e-9);
  EXPECT_NEAR(y / n, 0, 1e-9);
  EXPECT_GT(coordinates.share(0), coordinates.share(1));
  EXPECT_NEAR(coordinates.share(0) + coordinates.share(1), 1, 1e-12);
}

TEST(Coordinates, do_not_depend_on_the_unit_of_a_column) {
  const auto [meters, rows] = random_table("mle", "tied");
  const auto [millimeters, same_rows] = random_table("mle", "tied", 1000);
  const auto one = Coordinates(meters).of(rows), other = Coordinates(millimeters).of(same_rows);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-9);
}

TEST(Coordinates, under_bayes_are_those_of_the_posterior_means) {
  const auto [predictive, rows] = random_table("bayes=2", "tied");
  const auto [plug_in, same] = random_table("m-estimate=2", "tied");
  EXPECT_EQ(Coordinates(predictive).of(rows), Coordinates(plug_in).of(same));
}

TEST(Coordinates, a_row_with_a_gap_has_none) {
  auto [model, rows] = random_table("mle", "tied");
  std::get<Numbers>(rows.columns[2]).values[7] = std::nan("");
  const auto places = Coordinates(model).of(rows);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    EXPECT_EQ(std::isnan(places[r * 2]), r == 7);
    EXPECT_EQ(std::isnan(places[r * 2 + 1]), r == 7);
  }
}

TEST(Coordinates, classes_on_one_line_have_one) {
  Chunk chunk;
  Numbers a, b;
  chunk.labels.dictionary = {"p", "q", "r"};
  for (int i = 0; i < 30; ++i) {
    const int cls = i % 3, k = i / 3;
    chunk.labels.codes.push_back(cls);
    a.values.push_back(cls + (k % 2));
    b.values.push_back(2 * cls + (k % 5) * 0.25);
    ++chunk.rows;
  }
  chunk.columns = {a, b};
  Schema schema;
  schema.target = "class";
  schema.columns = {{"a", ColumnKind::number, {}}, {"b", ColumnKind::number, {}}};
  Settings settings;
  settings.rule = parse_rule("mle");
  Model model(schema, {{"gaussian", {0, 1}, 1, "tied"}}, settings);
  model.observe(chunk);
  EXPECT_EQ(Coordinates(model).size(), 1u);
  EXPECT_EQ(Coordinates(model).share(0), 1);
}

std::string refusal(const Model& model) {
  return error_of([&] { const Coordinates coordinates(model); }, ErrorKind::usage);
}

TEST(Coordinates, need_one_covariance_for_all_classes) {
  EXPECT_EQ(refusal(random_table("mle", "tied, shrunk").model), "");
  EXPECT_EQ(refusal(random_table("mle", "rda=1").model), "");
  EXPECT_THAT(refusal(random_table("mle", "full").model), HasSubstr("covariance of its own"));
  EXPECT_THAT(refusal(random_table("mle", "rda=0.5").model), HasSubstr("covariance of its own"));
}

}  // namespace
}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "credence/memory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "core/random.hpp"
#include "credence/credence.hpp"
#include "tables/temp_folder.hpp"

namespace credence {
namespace {

struct Table {
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  MatrixTable matrix;

  explicit Table(std::size_t rows, bool gaps = false) {
    Random random(5);
    for (std::size_t r = 0; r < rows; ++r) {
      labels.push_back(static_cast<std::int32_t>(random.below(3)));
      for (int i = 0; i < 3; ++i) {
        const double x = std::round(100 * (random.normal() + labels.back())) / 100;
        values.push_back(gaps && random.below(10) == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                       : x);
      }
    }
    matrix = {values.data(), rows, {"x", "y", "z"}, labels, {"a", "b", "c"}};
  }

  void write(const std::string& path) const {
    std::ofstream file(path);
    file << "x,y,z,class\n";
    for (std::size_t r = 0; r < labels.size(); ++r) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (!std::isnan(values[3 * r + i])) file << fmt::format("{}", values[3 * r + i]);
        file << ',';
      }
      file << matrix.classes[static_cast<std::size_t>(labels[r])] << '\n';
    }
  }
};

Model fitted(Source& source, const std::string& family, bool lend) {
  Plan plan;
  plan.target = "class";
  plan.as = {"x, y, z: " + family};
  plan.settings.rule = parse_rule("m-estimate=1");
  Model model = plan_model(source.profile(), plan);
  source.select(model.schema(), true);
  if (lend) {
    EXPECT_TRUE(model.reads_rows());
    EXPECT_TRUE(source.lend_rows());
  }
  model.learn(source);
  return model;
}

class Matrices : public testing::TestWithParam<const char*> {};

TEST_P(Matrices, GiveTheModelOfTheirCsvFileWhetherRowsAreLentOrNot) {
  for (const bool gaps : {false, true}) {
    const Table table(20000, gaps);
    const data_test::TempFolder folder;
    table.write("x.csv");
    const auto file = open_source({"x.csv"});
    const std::string expected = to_bytes(fitted(*file, GetParam(), false));
    EXPECT_EQ(to_bytes(fitted(*open_matrix(table.matrix), GetParam(), false)), expected);
    EXPECT_EQ(to_bytes(fitted(*open_matrix(table.matrix), GetParam(), true)), expected);
  }
}

TEST_P(Matrices, AreScoredToTheSameBitsWhetherRowsAreLentOrNot) {
  for (const bool gaps : {false, true}) {
    const Table table(700, gaps);
    const Model model = fitted(*open_matrix(table.matrix), GetParam(), true);
    const Scorer scorer(model);
    const auto scores = [&](bool lend) {
      const auto source = open_matrix(table.matrix);
      source->select(model.schema(), false);
      if (lend) source->lend_rows();
      RawChunk raw;
      EXPECT_TRUE(source->read(raw));
      return scorer.log_joint(source->parse(raw));
    };
    EXPECT_EQ(scores(true), scores(false));
  }
}

// A model file may name a block's columns in any order.
TEST_P(Matrices, AreReadInTheOrderOfTheBlocksColumns) {
  const Table table(700);
  const std::string family = GetParam();
  const auto parameters = family.substr(9, family.size() - 10);
  const auto learned = [&](bool lend) {
    Settings settings;
    settings.rule = parse_rule("m-estimate=1");
    Schema schema{{{"x", ColumnKind::number, {}},
                   {"y", ColumnKind::number, {}},
                   {"z", ColumnKind::number, {}}},
                  "class",
                  ""};
    Model model(std::move(schema), {{"gaussian", {2, 0, 1}, 1, parameters}}, settings);
    const auto source = open_matrix(table.matrix);
    source->select(model.schema(), true);
    if (lend) {
      EXPECT_TRUE(source->lend_rows());
    }
    model.learn(*source);
    return model;
  };
  const Model model = learned(false);
  EXPECT_EQ(to_bytes(learned(true)), to_bytes(model));
  const Scorer scorer(model);
  Chunk columns, lent;
  columns.rows = lent.rows = table.labels.size();
  lent.matrix = {table.values.data(), 3};
  for (std::size_t i = 0; i < 3; ++i) {
    Numbers numbers;
    for (std::size_t r = 0; r < columns.rows; ++r)
      numbers.values.push_back(table.values[3 * r + i]);
    columns.columns.emplace_back(std::move(numbers));
  }
  EXPECT_EQ(scorer.log_joint(lent), scorer.log_joint(columns));
}

INSTANTIATE_TEST_SUITE_P(Families, Matrices,
                         testing::Values("gaussian(diagonal, floor=0.001)", "gaussian(full)",
                                         "gaussian(tied, tol=0.0001)"));

TEST(Matrix, WhatIsNotFiniteIsNamedWhenRowsAreLentToo) {
  Table table(50);
  table.values[31] = std::numeric_limits<double>::infinity();
  try {
    fitted(*open_matrix(table.matrix), "gaussian(full)", true);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("X[10]: column \"y\""), std::string::npos);
  }
}

TEST(Matrix, LendsNoRowsWhereColumnsAreLeftOut) {
  const Table table(50);
  const auto source = open_matrix(table.matrix);
  Schema schema{{{"x", ColumnKind::number, {}}, {"z", ColumnKind::number, {}}}, "class", ""};
  source->select(schema, true);
  EXPECT_FALSE(source->lend_rows());
}

}  // namespace
}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "credence/adapt.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/random.hpp"
#include "credence/hold_out.hpp"

namespace credence {
namespace {

// Two overlapping normals; a share `a` of the rows is of class a.
std::string table(std::size_t rows, double a, std::uint64_t seed) {
  Random random(seed);
  std::string text = "x,y\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const bool first = random.uniform() < a;
    text += std::to_string((first ? 0 : 2) + random.normal()) + (first ? ",a\n" : ",b\n");
  }
  return text;
}

class Adapt : public testing::Test {
 protected:
  std::unique_ptr<Source> open(const std::string& text) {
    std::ofstream(path_) << text;
    return open_source({path_.string()});
  }
  Model learnt() {
    Plan plan;
    plan.target = "y";
    return fit(*open(table(4000, 0.8, 1)), plan);
  }
  ~Adapt() override { std::filesystem::remove(path_); }
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("credence-adapt-" + std::to_string(::getpid()) + ".csv");
};

TEST_F(Adapt, finds_the_shares_of_rows_without_labels_and_scores_them_better) {
  Model model = learnt();
  const std::string other = table(4000, 0.3, 2);
  auto source = open(other);
  source->select(model.schema(), false);
  const auto adapted = adapt_prior(model, *source);
  EXPECT_NEAR(adapted.before[0], 0.8, 0.03);
  EXPECT_NEAR(adapted.after[0], 0.3, 0.03);
  EXPECT_NEAR(adapted.after[0] + adapted.after[1], 1, 1e-12);
  const auto judge = [&] {
    auto again = open(other);
    again->select(model.schema(), false);
    return evaluate(model, *again);
  };
  const auto before = judge();
  model.settings().prior = adapted.prior;
  const auto after = judge();
  EXPECT_LT(after.log_loss, before.log_loss - 0.1);
  EXPECT_GT(after.accuracy, before.accuracy);
}

TEST_F(Adapt, does_not_depend_on_the_shares_found_before) {
  Model model = learnt();
  const auto shares_of = [&](const std::string& rows) {
    auto source = open(rows);
    source->select(model.schema(), false);
    return adapt_prior(model, *source);
  };
  const std::string mixed = table(1000, 0.5, 4);
  const auto fresh = shares_of(mixed).after;
  for (const auto& prior : {ClassPrior{ClassPrior::Kind::given, 1, {{"a", 1.0}, {"b", 0.0}}},
                            shares_of("x,y\n-3,a\n-2,a\n-4,a\n").prior}) {
    model.settings().prior = prior;
    EXPECT_EQ(shares_of(mixed).after, fresh);
  }
}

TEST_F(Adapt, never_lets_the_evidence_fall_and_ends_where_the_mean_posterior_is_the_share) {
  const Model model = learnt();
  auto source = open(table(500, 0.1, 3));
  source->select(model.schema(), false);
  const auto adapted = adapt_prior(model, *source);
  for (std::size_t i = 1; i < adapted.evidence.size(); ++i) {
    EXPECT_GE(adapted.evidence[i], adapted.evidence[i - 1] - 1e-9);
  }
  Model changed = model;
  changed.settings().prior = adapted.prior;
  const Scorer scorer(changed);
  auto again = open(table(500, 0.1, 3));
  again->select(model.schema(), false);
  double sum = 0, rows = 0;
  for (const auto& chunk : read_all(*again)) {
    const auto joint = scorer.log_joint(chunk);
    for (std::size_t r = 0; r < chunk.rows; ++r, ++rows) {
      sum += posterior(std::span(joint).subspan(2 * r, 2)).probabilities[0];
    }
  }
  EXPECT_NEAR(sum / rows, adapted.after[0], 1e-6);
}

}  // namespace
}  // namespace credence

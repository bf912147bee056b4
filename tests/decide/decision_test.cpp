// SPDX-License-Identifier: Apache-2.0
#include "credence/decision.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/random.hpp"
#include "credence/error.hpp"
#include "error_of.hpp"

namespace credence {
namespace {

Posterior random_posterior(Random& random, std::size_t classes) {
  std::vector<double> joint(classes);
  for (double& x : joint) x = 3 * random.normal();
  return posterior(joint);
}

// Every decision that is allowed, tried out; giving no label is one of them.
Decision brute_force(const Posterior& row, const DecisionRule& rule) {
  const std::size_t many = row.probabilities.size();
  std::optional<std::size_t> best;
  double least = std::numeric_limits<double>::infinity(), highest = -1;
  // Without costs, a class that reaches a threshold of its own comes before those without one.
  const auto rank = [&](std::size_t d) {
    const double p = row.probabilities[d];
    return rule.thresholds.empty() || rule.thresholds[d] == 0 ? p : 1 + p / rule.thresholds[d];
  };
  for (std::size_t d = 0; d < many; ++d) {
    if (!rule.thresholds.empty() && row.probabilities[d] < rule.thresholds[d]) continue;
    double cost = 0;
    for (std::size_t t = 0; t < many; ++t) {
      cost += row.probabilities[t] * (rule.costs.given() ? rule.costs.of[t * many + d]
                                      : t == d           ? 0.0
                                                         : 1.0);
    }
    const bool better = rule.costs.given() ? cost < least : rank(d) > highest;
    if (!better) continue;
    best = d;
    least = cost;
    highest = rank(d);
  }
  if (!best || least > rule.costs.reject || row.probabilities[*best] < rule.reject_below) {
    return {std::nullopt, rule.costs.reject};
  }
  return {best, least};
}

RC_GTEST_PROP(Decisions, are_what_brute_force_finds, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const std::size_t many = 2 + random.below(5);
  DecisionRule rule;
  if (random.below(4) > 0) {
    rule.costs.of.resize(many * many);
    for (double& cost : rule.costs.of) cost = 10 * random.normal();
    if (random.below(2)) rule.costs.reject = 4 * random.normal();
  }
  if (random.below(2)) rule.reject_below = random.uniform();
  if (random.below(2)) {
    for (std::size_t c = 0; c < many; ++c) {
      rule.thresholds.push_back(random.below(2) ? random.uniform() : 0.0);
    }
  }
  const auto row = random_posterior(random, many);
  const auto expected = brute_force(row, rule), found = decide_by_cost(row, rule);
  RC_ASSERT(found.label == expected.label);
  RC_ASSERT(found.expected_cost == expected.expected_cost ||
            std::abs(found.expected_cost - expected.expected_cost) < 1e-12);
}

TEST(Decisions, for_a_positive_class_ask_for_its_probability_alone) {
  const Posterior row = posterior(std::vector<double>{std::log(0.2), std::log(0.5), std::log(0.3)});
  EXPECT_EQ(decide_positive(row, 0, 0.2), 0u);  // though it is not the most probable
  EXPECT_EQ(decide_positive(row, 0, 0.21), 1u);
  EXPECT_EQ(decide_positive(row, 1, 0.6), 2u);
  EXPECT_EQ(decide_positive(posterior(std::vector<double>{0.0}), 0, 2), 0u);
}

RC_GTEST_PROP(Decisions, that_are_clear_from_scores_are_those_of_the_posterior, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<double> scores(1 + random.below(5));
  for (double& score : scores) score = random.below(3) == 0 ? 1.0 : 3 * random.normal();
  const auto row = posterior(scores);
  const auto order = most_probable(row, 3);
  RC_ASSERT(order.size() == std::min<std::size_t>(3, scores.size()));
  RC_ASSERT(decide(row) == order[0]);
  for (std::size_t k = 1; k < order.size(); ++k) {
    RC_ASSERT(row.probabilities[order[k]] <= row.probabilities[order[k - 1]]);
  }
  const auto winner = clear_winner(scores);
  RC_ASSERT(!winner || winner == order[0]);
}

TEST(Decisions, a_low_threshold_gives_a_class_that_is_not_the_most_probable) {
  const auto row = posterior(std::vector<double>{std::log(0.25), std::log(0.75)});
  DecisionRule rule;
  rule.thresholds = {0.2, 0};
  EXPECT_EQ(decide(row, rule), 0u);
  rule.thresholds = {0.26, 0};
  EXPECT_EQ(decide(row, rule), 1u);
}

TEST(Decisions, give_the_best_class_that_reaches_its_threshold) {
  const std::vector<double> joint = {std::log(0.6), std::log(0.3), std::log(0.1)};
  const auto row = posterior(joint);
  DecisionRule rule;
  rule.thresholds = {0.9, 0, 0};
  EXPECT_EQ(decide(row, rule), 1u);
  rule.thresholds = {0.9, 0.5, 0.5};
  EXPECT_EQ(decide(row, rule), std::nullopt);
  rule.thresholds = {0.6 * (1 - 1e-12), 0.5, 0.5};
  EXPECT_EQ(decide(row, rule), 0u);
}

RC_GTEST_PROP(Decisions, without_costs_are_the_most_probable_class, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const auto row = random_posterior(random, 4);
  const auto decision = decide_by_cost(row);
  double top = 0;
  for (const double p : row.probabilities) top = std::max(top, p);
  RC_ASSERT(row.probabilities[*decision.label] == top);
  RC_ASSERT(std::abs(decision.expected_cost - (1 - top)) < 1e-12);
  RC_ASSERT(!decide(row, {std::nextafter(top, 2), {}}));
}

class CostFile : public testing::Test {
 protected:
  Costs read(const std::string& text, const std::vector<std::string>& classes = {"ham", "spam"}) {
    std::ofstream(path_) << text;
    return read_costs(path_.string(), classes);
  }
  std::string refusal(const std::string& text) {
    const auto said = error_of([&] { read(text); }, ErrorKind::data);
    return said.empty() ? said : said.substr(path_.string().size() + 2);
  }
  ~CostFile() override { std::filesystem::remove(path_); }
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("credence-costs-" + std::to_string(::getpid()) + ".csv");
};

TEST_F(CostFile, may_name_classes_in_any_order) {
  const auto costs = read("truth,spam,ham,reject\nspam,0,1,0.5\nham,10,0,0.5\n");
  EXPECT_EQ(costs.of, (std::vector<double>{0, 10, 1, 0}));
  EXPECT_EQ(costs.reject, 0.5);
  EXPECT_EQ(read("t,ham,spam\nham,0,10\nspam,1,0\n").reject,
            std::numeric_limits<double>::infinity());
}

TEST_F(CostFile, that_does_not_fit_is_refused_with_what_is_wrong) {
  EXPECT_EQ(refusal("t,ham\nham,0\nspam,1\n"), "no column for the decision \"spam\"");
  EXPECT_EQ(refusal("t,ham,spam\nham,0,1\n"), "no row for the true class \"spam\"");
  EXPECT_EQ(refusal("t,ham,spam,eggs\nham,0,1,2\nspam,1,0,2\n"),
            "\"eggs\" is no class of the model; its classes are ham, spam");
  EXPECT_EQ(refusal("t,ham,spam\nham,0,1\nham,0,1\nspam,1,0\n"), "two rows for the class \"ham\"");
  EXPECT_EQ(
      refusal("t,ham,spam\nham,0,\nspam,1,0\n"),
      "the cost of \"spam\" when it is \"ham\" is missing (write a number, 0 if it costs nothing)");
}

TEST_F(CostFile, may_say_what_no_label_costs_class_by_class) {
  const auto costs = read("t,ham,spam,reject\nham,0,10,1\nspam,4,0,3\n");
  EXPECT_EQ(costs.reject_of, (std::vector<double>{1, 3}));
  // 0.75 and 0.25: ham costs 0.25 * 4 = 1, no label 0.75 * 1 + 0.25 * 3 = 1.5.
  EXPECT_EQ(costs.expected_reject({{0.75, 0.25}, 0}), 1.5);
  EXPECT_EQ(decide({{0.75, 0.25}, 0}, {0, costs}), 0u);
  // 0.25 and 0.75: ham costs 3, spam 2.5, no label 2.5.
  EXPECT_EQ(decide({{0.25, 0.75}, 0}, {0, costs}), 1u);
}

}  // namespace
}  // namespace credence

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

namespace credence {
namespace {

Posterior random_posterior(Random& random, std::size_t classes) {
  std::vector<double> joint(classes);
  for (double& x : joint) x = 3 * random.normal();
  return posterior(joint);
}

RC_GTEST_PROP(Decisions, cost_the_least_that_brute_force_finds, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const std::size_t many = 2 + random.below(5);
  DecisionRule rule;
  rule.costs.of.resize(many * many);
  for (double& cost : rule.costs.of) cost = 10 * random.normal();
  rule.costs.reject = 4 * random.normal();
  const auto row = random_posterior(random, many);
  double least = 1e300;
  std::size_t best = 0;
  for (std::size_t d = 0; d < many; ++d) {
    double cost = 0;
    for (std::size_t t = 0; t < many; ++t)
      cost += row.probabilities[t] * rule.costs.of[t * many + d];
    if (cost < least) least = cost, best = d;
  }
  const auto decision = decide_by_cost(row, rule);
  RC_ASSERT(std::abs(decision.expected_cost - std::min(least, rule.costs.reject)) < 1e-12);
  RC_ASSERT(decision.label == (least > rule.costs.reject ? std::nullopt : std::optional(best)));
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
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return std::string(error.what()).substr(path_.string().size() + 2);
    }
    return "";
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
  EXPECT_EQ(refusal("t,ham,spam\nham,0,\nspam,1,0\n"),
            "the cost of \"spam\" when it is \"ham\" is missing");
  EXPECT_EQ(refusal("t,ham,spam,reject\nham,0,1,1\nspam,1,0,2\n"),
            "\"reject\" has several costs; it must have the same in every row");
}

}  // namespace
}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Hand-written models: every family, and every way to get one wrong.
#include <gtest/gtest.h>

#include <cmath>

#include "credence/error.hpp"
#include "credence/io.hpp"
#include "credence/scorer.hpp"
#include "error_of.hpp"

namespace credence {
namespace {

std::string text_error(const std::string& text) {
  return error_of([&] { from_bytes(text, "m.json"); }, ErrorKind::model);
}

std::vector<double> probabilities(const std::string& text, const std::string& given) {
  const Model model = from_bytes(text, "m.json");
  return posterior(Scorer(model).log_joint(parse_given(model.schema(), {given}))).probabilities;
}

TEST(HandWritten, gives_bayes_rule_with_given_numbers) {
  const auto p = probabilities(
      R"({"prior": {"c": 0.008, "h": 0.992}, "columns": {"t": {"family": "categorical",
      "given": {"c": {"+": 0.98, "-": 0.02}, "h": {"+": 0.03, "-": 0.97}}}}})",
      "t=+");
  EXPECT_NEAR(p[0], 0.00784 / 0.0376, 1e-15);
}

TEST(HandWritten, knows_every_family) {
  const std::string model = R"({"target": "y", "prior": {"a": "1/4", "b": "3/4"}, "columns": {
      "g": {"family": "gaussian", "given": {"a": {"mean": 0, "sd": 1}, "b": {"mean": 1, "sd": 2}}},
      "p": {"family": "poisson", "given": {"a": {"rate": 2}, "b": {"rate": 3}}},
      "c": {"family": "bernoulli", "given": {"a": 0.1, "b": 0.2}},
      "w": {"family": "bernoulli", "given": {"a": {"u": 0.5, "v": 1}, "b": {"u": 0.25, "v": 0.5}}},
      "m": {"family": "multinomial", "length": 4, "given": {"a": {"u": 0.5, "v": 0.5}, "b": {"u": 0.25, "v": 0.75}}}}})";
  const auto normal = [](double x, double mean, double sd) {
    return std::exp(-(x - mean) * (x - mean) / 2 / sd / sd) / sd;
  };
  const auto p = probabilities(model, "g=0.5,p=2,c=1,w=v,m=u v v");
  const double a = 0.25 * normal(0.5, 0, 1) * std::exp(-2.0) * 4 * 0.1 * (0.5 * 1) * (0.5 * 0.25);
  const double b =
      0.75 * normal(0.5, 1, 2) * std::exp(-3.0) * 9 * 0.2 * (0.75 * 0.5) * (0.25 * 0.5625);
  EXPECT_NEAR(p[0], a / (a + b), 1e-14);
}

TEST(HandWritten, mistakes_are_named) {
  const auto with = [](const std::string& columns) {
    return R"({"prior": {"a": 0.5, "b": 0.5}, "columns": )" + columns + "}";
  };
  EXPECT_EQ(text_error("{"),
            "m.json: not JSON: parse error at line 1, column 2: syntax error while parsing object "
            "key - unexpected end of input; expected string literal");
  EXPECT_EQ(
      text_error("{}"),
      "m.json: a hand-written model needs \"prior\" and \"columns\" (see docs/handwritten.md)");
  EXPECT_EQ(text_error(R"({"prior": {"a": 1}, "columns": {}})"),
            "m.json: \"prior\" needs at least two classes with their probabilities");
  EXPECT_EQ(text_error(R"({"prior": {"a": 0.5, "b": 0.6}, "columns": {}})"),
            "m.json: prior: the probabilities sum to 1.1, not to 1");
  EXPECT_EQ(text_error(R"({"prior": {"a": 0, "b": 1}, "columns": {}})"),
            "m.json: prior of \"a\": 0 (leave the class out)");
  EXPECT_EQ(text_error(R"({"prior": {"a": "x", "b": 1}, "columns": {}})"),
            "m.json: prior of \"a\": \"x\" is not a number or a fraction such as \"3/8\"");
  EXPECT_EQ(text_error(with("{}")), "m.json: \"columns\" is not an object of columns");
  EXPECT_EQ(text_error(with(R"({"x": 3})")), "m.json: column \"x\" needs \"family\" and \"given\"");
  EXPECT_EQ(text_error(with(R"({"x": {"given": 3}})")),
            "m.json: column \"x\": \"given\" is not an object of classes");
  EXPECT_EQ(text_error(with(R"({"x": {"family": 3, "given": {}}})")),
            "m.json: column \"x\": \"family\" is not a text");
  EXPECT_EQ(text_error(with(R"({"x": {"familly": "poisson", "given": {}}})")),
            "m.json: column \"x\": unknown key \"familly\" (did you mean \"family\"?)");
  EXPECT_EQ(text_error(with(R"({"x": {"family": "poison", "given": {}}})")),
            "m.json: column \"x\": no family \"poison\" (did you mean \"poisson\"?); the families "
            "are categorical, bernoulli, multinomial, poisson, gaussian, text");
  EXPECT_EQ(text_error(with(R"({"x": {"given": {"a": {"u": 1}}}})")),
            "m.json: column \"x\": no entry for class \"b\" under \"given\"");
  EXPECT_EQ(text_error(with(R"({"x": {"given": {"a": {"u": 1}, "B": {"u": 1}}}})")),
            "m.json: column \"x\": the class \"B\" has no prior (did you mean \"b\"?)");
  EXPECT_EQ(text_error(with(R"({"x": {"given": {"a": {"u": 0.9}, "b": {"u": 1}}}})")),
            "m.json: column \"x\", class \"a\": the probabilities sum to 0.9, not to 1");
  EXPECT_EQ(text_error(with(R"({"x": {"given": {"a": {"u": 1.5}, "b": {"u": 1}}}})")),
            "m.json: column \"x\", class \"a\": the probability 1.5 is not between 0 and 1");
  EXPECT_EQ(
      text_error(with(
          R"({"x": {"family": "gaussian", "given": {"a": {"mean": 0, "sd": 0}, "b": {"mean": 0, "sd": 1}}}})")),
      "m.json: column \"x\", class \"a\": \"sd\" is 0, not above 0");
  EXPECT_EQ(
      text_error(with(
          R"({"x": {"family": "gaussian", "given": {"a": {"mean": 0}, "b": {"mean": 0, "sd": 1}}}})")),
      "m.json: column \"x\", class \"a\": \"sd\" or \"variance\" is wanted, one of them");
  EXPECT_EQ(text_error(with(
                R"({"x": {"family": "poisson", "given": {"a": {"rate": -1}, "b": {"rate": 1}}}})")),
            "m.json: column \"x\", class \"a\": \"rate\" is below 0");
  EXPECT_EQ(
      text_error(with(
          R"({"x": {"family": "multinomial", "length": -5, "given": {"a": {"u": 1}, "b": {"u": 1}}}})")),
      "m.json: column \"x\": \"length\" is not above 0");
  EXPECT_EQ(
      text_error(
          R"({"target": "x", "prior": {"a": 0.5, "b": 0.5}, "columns": {"x": {"given": {"a": {"u": 1}, "b": {"u": 1}}}}})"),
      "m.json: \"x\" is both target and column");
}

}  // namespace
}  // namespace credence

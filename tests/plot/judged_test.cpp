// SPDX-License-Identifier: Apache-2.0
// Pictures of how good a model is: drawn for few classes and many, rows without labels, bad input.
#include "plot/judged/judged.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "credence/error.hpp"
#include "plot/fitted.hpp"
#include "plot/report/report.hpp"

namespace credence::plot {
namespace {

using Draw = std::function<std::string(const Judged&, const Look&)>;
const std::vector<std::pair<std::string, Draw>> judged_kinds = {
    {"confusion", confusion}, {"roc", roc}, {"reliability", reliability}, {"reject", reject}};

TEST(JudgedPlot, is_well_formed_and_the_same_each_time) {
  for (const std::size_t classes : {2, 3, 30}) {
    const auto some = fitted(classes, "class & <b> \xFF ");
    const auto judged = judge_rows(Scorer(some.model), some.data);
    EXPECT_EQ(judged.outcomes.size(), 12 * classes);
    for (const auto& [name, draw] : judged_kinds) {
      const auto svg = draw(judged, {});
      expect_well_formed(svg, name);
      EXPECT_TRUE(svg == draw(judged, {})) << name;
      EXPECT_TRUE(draw(judged, {Format::png, 640, 360, ""}).starts_with("\x89PNG")) << name;
    }
    const auto svg = drift(Scorer(some.model), some.data, {}, {});
    expect_well_formed(svg, "drift");
    if (classes == 2) expect_well_formed(cost(judged, {}, {}), "cost");
  }
}

TEST(JudgedPlot, of_a_class_the_model_does_not_know_and_of_impossible_rows_is_drawn) {
  auto some = fitted(2);
  some.data[0].labels.dictionary.push_back("news");
  some.data[0].labels.codes[3] = 2;
  some.data[0].labels.codes[5] = -1;
  const auto judged = judge_rows(Scorer(some.model), some.data);
  EXPECT_EQ(judged.labels.size(), 3u);
  EXPECT_EQ(judged.outcomes.size(), 23u);
  for (const auto& [name, draw] : judged_kinds) expect_well_formed(draw(judged, {}), name);
  expect_well_formed(cost(judged, {}, {}), "cost");
  expect_well_formed(drift(Scorer(some.model), some.data, {}, {}), "drift");
}

TEST(JudgedPlot, says_what_it_needs) {
  auto some = fitted(3);
  const Scorer scorer(some.model);
  const auto refusal = [](const auto& draw) {
    try {
      draw();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto judged = judge_rows(scorer, some.data);
  EXPECT_EQ(refusal([&] { cost(judged, {}, {}); }), "cost: needs two classes, the model has 3");
  auto bare = some.data;
  bare[0].labels = {};
  EXPECT_EQ(refusal([&] { judge_rows(scorer, bare); }),
            "no row has a value of \"kind\", which says how good the model is");
  // Without labels there is still the evidence.
  expect_well_formed(drift(scorer, bare, {}, {}), "drift");
  const auto many = fitted(61);
  const auto crowd = judge_rows(Scorer(many.model), many.data);
  EXPECT_THAT(refusal([&] { confusion(crowd, {}); }), testing::StartsWith("confusion: 61 classes"));
}

TEST(JudgedPlot, is_in_the_report_of_labelled_rows) {
  const auto some = fitted(3);
  EXPECT_THAT(report(some.model, some.data), testing::HasSubstr("ROC of each class"));
  EXPECT_THAT(report(some.model, {}), testing::Not(testing::HasSubstr("ROC of each class")));
}

}  // namespace
}  // namespace credence::plot

// SPDX-License-Identifier: Apache-2.0
// Every picture in every format: well-formed, of the right size, the same bytes each time.
#include "plot/plot.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "credence/error.hpp"
#include "plot/fitted.hpp"
#include "plot/report/report.hpp"

namespace credence::plot {
namespace {

using Picture = std::string (*)(const Model&, const std::vector<Chunk>&, const View&, const Look&);

struct Kind {
  const char* name;
  Picture draw;
  View view;
};
const std::vector<Kind> kinds = {{"density", density, {}},
                                 {"posterior", posterior, {}},
                                 {"boundary", boundary, {}},
                                 {"boundary of counts", boundary, {"a", "n", ""}},
                                 {"density at", density, {"a", "b", "word=red, n=3"}},
                                 {"feature a", feature, {"a", "", ""}},
                                 {"feature n", feature, {"n", "", ""}},
                                 {"feature flag", feature, {"flag", "", ""}},
                                 {"feature word", feature, {"word", "", ""}},
                                 {"joint a", joint, {"a", "", ""}},
                                 {"joint n", joint, {"n", "", ""}},
                                 {"posterior of words", posterior, {"word", "flag", ""}},
                                 {"marked", density, {"a", "b", "", "a=1, b=0.001"}},
                                 {"boundary marked", boundary, {"a", "b", "", "a=1, b=0.001"}}};

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

TEST(Plot, is_well_formed_svg_and_the_same_each_time) {
  const auto few = fitted(3);
  for (const auto& kind : kinds) {
    for (const auto& data : {few.data, std::vector<Chunk>{}}) {
      const std::string svg = kind.draw(few.model, data, kind.view, {});
      expect_well_formed(svg, kind.name);
      EXPECT_NE(svg.find("width=\"800px\" height=\"600px\""), std::string::npos) << kind.name;
      EXPECT_TRUE(svg == kind.draw(few.model, data, kind.view, {})) << kind.name;
    }
  }
}

TEST(Plot, is_png_of_the_size_asked_for) {
  const auto few = fitted(2);
  for (const auto& kind : kinds) {
    const std::string png = kind.draw(few.model, few.data, kind.view, {Format::png, 640, 360, ""});
    ASSERT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n")) << kind.name;
    EXPECT_EQ(big_endian(png, 16), 640u);
    EXPECT_EQ(big_endian(png, 20), 360u);
  }
}

TEST(Plot, is_pdf_without_the_time_of_day) {
  const auto few = fitted(2);
  const std::string pdf = density(few.model, few.data, {}, {Format::pdf, 800, 600, ""});
  EXPECT_TRUE(pdf.starts_with("%PDF-1."));
  EXPECT_NE(pdf.find("20000101000000"), std::string::npos);  // as fixed in canvas.cpp
  EXPECT_TRUE(pdf == density(few.model, few.data, {}, {Format::pdf, 800, 600, ""}));
}

TEST(Plot, handles_many_classes_with_long_names) {
  const auto many = fitted(30, "a name that is much too long to be written out \xFF ");
  for (const auto& kind : kinds) {
    const std::string name = kind.name;
    expect_well_formed(kind.draw(many.model, many.data, kind.view, {}), name);
  }
}

TEST(Plot, handles_a_single_class) {
  const auto one = fitted(1);
  for (const auto& kind : kinds) {
    expect_well_formed(kind.draw(one.model, one.data, kind.view, {}), kind.name);
  }
}

TEST(Plot, shows_rows_without_a_label) {
  auto few = fitted(2);
  few.data[0].labels = {};
  for (const auto& kind : kinds) {
    expect_well_formed(kind.draw(few.model, few.data, kind.view, {}), kind.name);
  }
}

TEST(Plot, of_evidence_shows_infinite_weights) {
  Explanation why;
  why.winner = 0;
  why.other = 1;
  const double infinite = std::numeric_limits<double>::infinity();
  why.lines = {{"prior", "", -0.5, 0, 0}, {"x", "1", infinite, 0, -infinite}, {"y", "2", 1, 0, 0}};
  for (int i = 0; i < 50; ++i) why.lines.push_back({"token", "t" + std::to_string(i), 0.01, 0, 0});
  why.log_odds = infinite;
  why.posterior = {{1, 0}, -3};
  expect_well_formed(evidence(why, {"yes", "no"}, {}), "evidence");
}

TEST(Plot, of_rows_needs_no_model) {
  for (const std::size_t classes : {1, 3, 30}) {
    const auto some = fitted(classes);
    const auto& schema = some.model.schema();
    expect_well_formed(scatter(schema, some.data, {}, {}), "scatter");
    expect_well_formed(heat(schema, some.data, {}, {}), "heat");
    expect_well_formed(heat(schema, some.data, {"word", "flag", ""}, {}), "heat of words");
    EXPECT_THROW(heat(schema, some.data, {"a", "", ""}, {}), Error);
  }
}

TEST(Plot, of_a_posterior_by_its_prior_is_drawn) {
  const auto few = fitted(3);
  expect_well_formed(against_prior(few.model, parse_given(few.model.schema(), {"a=1"}), {}),
                     "prior");
  EXPECT_THROW(against_prior(fitted(1).model, parse_given(few.model.schema(), {"a=1"}), {}), Error);
}

TEST(Plot, of_a_density_says_what_its_lines_are_around) {
  const auto one = fitted(1);
  View around{"a", "b", ""};
  around.around = {0.95};
  const auto svg = density(one.model, {}, around, {});
  EXPECT_NE(svg.find("lines around 95 % of each class"), std::string::npos);
  expect_well_formed(svg, "around");
}

TEST(Plot, of_evidence_refuses_an_undecidable_row) {
  Explanation why;
  why.posterior.log_evidence = -std::numeric_limits<double>::infinity();
  why.undecidable_because = "yes: x=1; no: x=1";
  EXPECT_THROW(evidence(why, {"yes", "no"}, {}), Error);
}

TEST(Plot, names_the_column_that_cannot_be_contoured) {
  const auto few = fitted(2);
  const auto message = [&](const View& view) -> std::string {
    try {
      density(few.model, few.data, view, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({"wrod", "", ""}),
            "`x`: the model has no column \"wrod\" (did you mean \"word\"?)");
  EXPECT_EQ(message({"a", "word", ""}),
            "`y`: column \"word\" is categorical, and contours need numbers (plot … feature `x "
            "word` shows it)");
  EXPECT_EQ(message({"a", "a", ""}), "`y`: \"a\" is already on the other axis");
  EXPECT_THAT(message({"a", "b", "c=1"}), testing::StartsWith("`at c=1`: the model has no column"));
}

TEST(Slice, integrates_to_one_over_a_column) {
  const auto few = fitted(2);
  const Slice slice(few.model, "");
  const auto xs = spaced({-300, 300}, 60001);
  const auto log_p = slice.log_density(0, Numbers{xs});
  for (std::size_t c = 0; c < 2; ++c) {
    double sum = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) sum += std::exp(log_p[2 * i + c]) * 0.01;
    EXPECT_NEAR(sum, 1, 1e-3);
  }
}

TEST(Slice, has_the_density_of_a_class_whose_prior_is_zero) {
  auto few = fitted(2);
  few.model.settings().prior = parse_class_prior("class 0=0,class 1=1");
  const Slice slice(few.model, "");
  EXPECT_TRUE(std::isfinite(slice.log_density(0, Numbers{{1.0}})[0]));
}

TEST(Report, is_one_well_formed_page_with_ids_of_its_own) {
  const auto few = fitted(3, "<script>&\"");
  const std::string html = report(few.model, few.data);
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("http://"), html.find("http://www.w3.org"));  // name spaces only
  EXPECT_NE(html.find("Confusion matrix"), std::string::npos);
  std::vector<std::string> ids;
  for (auto at = html.find(" id=\""); at != std::string::npos; at = html.find(" id=\"", at + 1)) {
    ids.push_back(html.substr(at, html.find('"', at + 5) - at));
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
  EXPECT_TRUE(html == report(few.model, few.data));
  EXPECT_NE(report(few.model, {}).find("</html>"), std::string::npos);
}

TEST(Report, puts_the_column_first_whose_classes_are_farthest_apart) {
  const auto few = fitted(3);
  const auto order = most_telling(few.model);
  ASSERT_EQ(order.size(), 3u);
  EXPECT_EQ(order.back(), 2u);  // the count is the same for all
}

TEST(Slice, densities_are_not_cut_and_leave_the_data_a_third_of_the_axis) {
  const auto [model, data] = fitted(3);
  const Slice slice(model, "");
  for (const std::size_t column : {0, 1}) {
    const Range rows = slice.range(data, column), all = slice.range_of_densities(data, column);
    EXPECT_LE(all.low, rows.low);
    EXPECT_GE(all.high, rows.high);
    EXPECT_LE(all.width(), 3 * rows.width() * (1 + 1e-9));
    for (std::size_t c = 0; c < 3; ++c) {
      const Range own = slice.range_of_class(column, c);
      EXPECT_TRUE(all.low < own.low || all.low <= rows.low - 0.99 * rows.width());
      EXPECT_TRUE(all.high > own.high || all.high >= rows.high + 0.99 * rows.width());
    }
  }
}

TEST(Slice, a_column_that_never_varies_has_no_density) {
  auto [model, data] = fitted(2);
  for (auto& value : std::get<Numbers>(data[0].columns[1]).values) value = 7;
  Model flat = model.empty();
  flat.observe(data[0]);
  EXPECT_TRUE(Slice(model, "").has_density(1));
  EXPECT_TRUE(Slice(flat, "").has_density(0));
  EXPECT_FALSE(Slice(flat, "").has_density(1));
}

}  // namespace
}  // namespace credence::plot

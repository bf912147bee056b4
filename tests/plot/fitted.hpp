// SPDX-License-Identifier: Apache-2.0
// A model to draw, its data, and what every SVG file has to be.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "credence/model.hpp"

namespace credence::plot {

struct Fitted {
  Model model;
  std::vector<Chunk> data;
};

// Two numbers, a count, a word and a 0/1 for each of `classes` classes.
inline Fitted fitted(std::size_t classes, const std::string& name = "class ") {
  Chunk chunk;
  Numbers a, b, count, flag;
  Categories word{{}, {"red", "green", "blue & <b>"}};
  for (std::size_t c = 0; c < classes; ++c) {
    chunk.labels.dictionary.push_back(name + std::to_string(c));
    for (int i = 0; i < 12; ++i) {
      const double turn = i * 0.9 + static_cast<double>(c);
      a.values.push_back(10 * std::cos(static_cast<double>(c)) + std::cos(turn));
      b.values.push_back(1e-3 * static_cast<double>(c) + 1e-4 * std::sin(2 * turn));
      count.values.push_back(static_cast<double>((c + static_cast<std::size_t>(i)) % 7));
      flag.values.push_back(i % 3 == 0 ? 1 : 0);
      word.codes.push_back(static_cast<std::int32_t>((c + static_cast<std::size_t>(i)) % 3));
      chunk.labels.codes.push_back(static_cast<std::int32_t>(c));
      ++chunk.rows;
    }
  }
  chunk.columns = {a, b, count, flag, word};
  Schema schema;
  schema.target = "kind";
  schema.columns = {{"a", ColumnKind::number, {}},
                    {"b", ColumnKind::number, {}},
                    {"n", ColumnKind::count, {}},
                    {"flag", ColumnKind::binary, {}},
                    {"word", ColumnKind::category, {}}};
  Model model(schema, {{"gaussian", {0}, 1},
                       {"gaussian", {1}, 1},
                       {"poisson", {2}, 1},
                       {"bernoulli", {3}, 1},
                       {"categorical", {4}, 1}});
  model.observe(chunk);
  return {std::move(model), {chunk}};
}

// Tags open and close in order, attributes are quoted, nothing is NaN.
inline void expect_well_formed(const std::string& svg, const std::string& name) {
  std::vector<std::string> open;
  // What the picture says may have these letters; what it draws may not.
  const auto drawn =
      svg.substr(0, svg.find("<desc>")) + svg.substr(std::min(svg.size(), svg.find("</desc>")));
  EXPECT_EQ(drawn.find("nan"), std::string::npos) << name;
  EXPECT_EQ(drawn.find("inf"), std::string::npos) << name;
  for (auto at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const auto end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos) << name;
    const std::string tag = svg.substr(at + 1, end - at - 1);
    EXPECT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << name;
    if (tag.starts_with("?") || tag.starts_with("!") || tag.ends_with("/")) continue;
    if (!tag.starts_with("/")) {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
      continue;
    }
    ASSERT_FALSE(open.empty()) << name;
    EXPECT_EQ(tag.substr(1), open.back()) << name;
    open.pop_back();
  }
  EXPECT_TRUE(open.empty()) << name;
}

}  // namespace credence::plot

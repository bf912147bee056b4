// SPDX-License-Identifier: Apache-2.0
#include "ask/query.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "credence/error.hpp"
#include "error_of.hpp"

namespace credence {
namespace {

Answer ask(const std::string& text, const WeightedTable& table) {
  return answer(parse_question(text), table);
}

double probability(const std::string& text, const WeightedTable& table) {
  return ask(text, table).probability.value;
}

std::string query_error(const std::string& text, const WeightedTable& table, ErrorKind kind) {
  return error_of([&] { ask(text, table); }, kind);
}

// The joint table of the lectures.
WeightedTable joint() {
  WeightedTable table({"class", "color", "shape"});
  table.add({"positive", "red", "circle"}, 0.20);
  table.add({"positive", "red", "square"}, 0.02);
  table.add({"positive", "blue", "circle"}, 0.02);
  table.add({"positive", "blue", "square"}, 0.01);
  table.add({"negative", "red", "circle"}, 0.05);
  table.add({"negative", "red", "square"}, 0.30);
  table.add({"negative", "blue", "circle"}, 0.20);
  table.add({"negative", "blue", "square"}, 0.20);
  return table;
}

TEST(Query, decimal_weights_give_decimal_probabilities_to_the_last_digit) {
  const auto table = joint();
  EXPECT_EQ(probability("P(color=red, shape=circle)", table), 0.25);
  EXPECT_EQ(probability("P(color=red)", table), 0.57);
  EXPECT_EQ(probability("P(class=positive | color=red, shape=circle)", table), 0.8);
  EXPECT_EQ(probability("P(class=positive)", table), 0.25);
  EXPECT_EQ(probability("P(shape=circle)", table), 0.47);
  EXPECT_EQ(probability("P(color=red or shape=circle)", table), 0.79);
  EXPECT_EQ(probability("P(not (color=red or shape=circle))", table), 0.21);
  EXPECT_EQ(probability("P(color!=red and shape!=circle)", table), 0.21);
}

TEST(Query, weights_need_not_sum_to_1) {
  WeightedTable table({"a"});
  table.add({"x"}, 3);
  table.add({"y"}, 5);
  table.add({"x"}, 2);
  EXPECT_EQ(probability("P(a=x)", table), 0.5);
  EXPECT_FALSE(ask("P(a=x)", table).counts);
}

TEST(Query, rows_that_weigh_1_are_counted) {
  WeightedTable table({"a"});
  for (const char* value : {"x", "y", "x"}) table.add({value});
  const auto found = ask("P(a=x)", table);
  EXPECT_TRUE(found.counts);
  EXPECT_EQ(found.probability.numerator, 2);
  EXPECT_EQ(found.probability.denominator, 3);
  EXPECT_EQ(found.probability.value, 2.0 / 3);
}

TEST(Query, a_distribution_holds_every_combination_that_occurs) {
  WeightedTable table({"size", "color", "class"});
  table.add({"10", "red", "p"});
  table.add({"9", "red", "p"});
  table.add({"9", "blue", "n"});
  const auto cells = ask("P(size, color | class=p)", table).distribution;
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_EQ(cells[0].values, (std::vector<std::string>{"9", "blue"}));
  EXPECT_EQ(cells[0].probability.value, 0);
  EXPECT_EQ(cells[1].values, (std::vector<std::string>{"9", "red"}));
  EXPECT_EQ(cells[1].probability.value, 0.5);
  EXPECT_EQ(cells[2].values, (std::vector<std::string>{"10", "red"}));
}

TEST(Query, color_and_shape_of_the_joint_table_are_not_independent) {
  const auto found = ask("independent(color, shape)", joint()).independence;
  EXPECT_FALSE(found.independent);
  EXPECT_EQ(found.values, (std::vector<std::string>{"red", "circle"}));
  EXPECT_EQ(found.joint, 0.25);
  EXPECT_EQ(found.product, 0.2679);
  const double expected = 0.25 * std::log(0.25 / 0.2679) + 0.32 * std::log(0.32 / 0.3021) +
                          0.22 * std::log(0.22 / 0.2021) + 0.21 * std::log(0.21 / 0.2279);
  EXPECT_NEAR(found.mutual_information, expected, 1e-15);
}

TEST(Query, a_product_of_marginals_is_independent) {
  WeightedTable table({"a", "b", "c", "d"});
  for (const auto& [a, p] : std::map<std::string, double>{{"x", 0.1}, {"y", 0.9}}) {
    for (const auto& [b, q] : std::map<std::string, double>{{"u", 0.3}, {"v", 0.25}, {"w", 0.45}}) {
      for (const auto& [c, r] : std::map<std::string, double>{{"0", 1. / 3}, {"1", 2. / 3}}) {
        table.add({a, b, c, "same"}, p * q * r);
        if (b != "u") table.add({a, b, a == "x" ? "0" : "1", "other"}, p * q);
      }
    }
  }
  const auto found = ask("independent(a, b, c | d=same)", table).independence;
  EXPECT_TRUE(found.independent);
  EXPECT_LT(found.mutual_information, 1e-15);
  EXPECT_TRUE(ask("independent(a, b | d=other)", table).independence.independent);
  EXPECT_FALSE(ask("independent(a, b, c | d=other)", table).independence.independent);
}

TEST(Query, a_combination_that_never_occurs_can_be_the_largest_gap) {
  WeightedTable table({"a", "b"});
  table.add({"x", "u"}, 8);
  table.add({"y", "v"}, 1);
  table.add({"z", "v"}, 1);
  const auto found = ask("independent(a, b)", table).independence;
  // P(x) P(v) = 0.16 and P(x, u) - P(x) P(u) = 0.16 tie; those that occur come first.
  EXPECT_EQ(found.values, (std::vector<std::string>{"x", "u"}));
  WeightedTable third({"a", "b"});
  for (const auto& a : {"x", "y", "z"}) {
    for (const auto& b : {"u", "v", "w"}) {
      if (std::string(a) != "x" || std::string(b) != "u") third.add({a, b});
    }
  }
  const auto gap = ask("independent(a, b)", third).independence;
  EXPECT_EQ(gap.values, (std::vector<std::string>{"x", "u"}));
  EXPECT_EQ(gap.joint, 0);
  EXPECT_EQ(gap.product, 0.0625);
}

TEST(Query, rows_with_a_missing_value_are_left_out_and_counted) {
  WeightedTable table({"a", "b"});
  table.add({"x", "u"});
  const WeightedTable::Code row[] = {table.intern(0, "y"), WeightedTable::missing};
  table.add(row, 1);
  const auto found = ask("P(a=x)", table);
  EXPECT_EQ(found.probability.value, 1);
  EXPECT_EQ(found.left_out, 1u);
  EXPECT_EQ(probability("P(a=y)", table), 0);  // known, though in no complete row
}

TEST(Query, errors_name_what_is_wrong_and_the_way_out) {
  const auto table = joint();
  const auto usage = [&](const std::string& text) {
    return query_error(text, table, ErrorKind::usage);
  };
  EXPECT_EQ(usage("P(color=rde)"), "column \"color\" has no value \"rde\" (did you mean \"red\"?)");
  EXPECT_EQ(usage("P(color=ultraviolet)"),
            "column \"color\" has no value \"ultraviolet\" (its values are blue, red)");
  EXPECT_EQ(usage("P(colr=red)"), "no column \"colr\" (did you mean \"color\"?)");
  EXPECT_EQ(usage("independent(color, shap)"), "no column \"shap\" (did you mean \"shape\"?)");
  EXPECT_EQ(query_error("P(class=positive | color=red, color=blue)", table, ErrorKind::data),
            "P(class=positive | color=red, color=blue): the condition has probability 0");
  WeightedTable nothing({"a", "b"});
  EXPECT_EQ(query_error("P(a=x)", nothing, ErrorKind::data),
            "P(a=x): no row has a value in a and b");
  nothing.add({"x", "y"}, 0);
  EXPECT_EQ(query_error("P(a=x)", nothing, ErrorKind::data), "P(a=x): the weights sum to 0");
}

// A random expression, as text and as a function of a row.
struct RandomExpression {
  std::string text;
  std::function<bool(const std::vector<int>&)> holds;
};

RandomExpression random_expression(std::mt19937& random, int depth) {
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  const int kind = depth == 0 ? 0 : below(5);
  if (kind <= 1) {
    const int column = below(3), value = below(3);
    const bool equal = below(2);
    return {fmt::format("c{}{}v{}", column, equal ? "=" : "!=", value),
            [=](const std::vector<int>& row) {
              return (row[static_cast<std::size_t>(column)] == value) == equal;
            }};
  }
  const auto left = random_expression(random, depth - 1);
  if (kind == 2) {
    return {"not (" + left.text + ")",
            [=](const std::vector<int>& row) { return !left.holds(row); }};
  }
  const auto right = random_expression(random, depth - 1);
  if (kind == 3) {
    return {"(" + left.text + ")" + (below(2) ? ", " : " and ") + "(" + right.text + ")",
            [=](const std::vector<int>& row) { return left.holds(row) && right.holds(row); }};
  }
  return {"(" + left.text + " or " + right.text + ")",
          [=](const std::vector<int>& row) { return left.holds(row) || right.holds(row); }};
}

TEST(Query, any_expression_agrees_with_counting_row_by_row) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    WeightedTable table({"c0", "c1", "c2"});
    for (std::size_t c = 0; c < 3; ++c) {
      for (const char* v : {"v0", "v1", "v2"}) table.intern(c, v);
    }
    std::vector<std::pair<std::vector<int>, double>> rows;
    for (int r = 0; r < 40; ++r) {
      std::vector<int> row;
      std::vector<std::string> words;
      for (int c = 0; c < 3; ++c) {
        row.push_back(static_cast<int>(random() % 3));
        words.push_back("v" + std::to_string(row.back()));
      }
      const double weight = round % 2 ? 1.0 : static_cast<double>(random() % 1000) / 64;
      rows.emplace_back(row, weight);
      table.add(words, weight);
    }
    const auto event = random_expression(random, 4);
    const auto condition = random_expression(random, 3);
    double both = 0, given = 0;  // sums of multiples of 1/64: exact
    for (const auto& [row, weight] : rows) {
      if (!condition.holds(row)) continue;
      given += weight;
      if (event.holds(row)) both += weight;
    }
    const auto text = "P(" + event.text + " | " + condition.text + ")";
    if (given == 0) {
      query_error(text, table, ErrorKind::data);
    } else {
      EXPECT_NEAR(probability(text, table), both / given, 4e-16) << text;
    }
  }
}

TEST(Query, the_largest_gap_agrees_with_walking_all_combinations) {
  std::mt19937 random(11);
  for (int round = 0; round < 100; ++round) {
    WeightedTable table({"a", "b", "c"});
    std::map<std::vector<std::string>, double> joint;
    std::vector<std::map<std::string, double>> marginal(3);
    double total = 0;
    for (int r = 0; r < 25; ++r) {
      std::vector<std::string> row;
      for (int c = 0; c < 3; ++c) row.push_back(std::to_string(random() % (2 + random() % 4)));
      const double weight = 1 + static_cast<double>(random() % 9);
      table.add(row, weight);
      joint[row] += weight;
      for (std::size_t c = 0; c < 3; ++c) marginal[c][row[c]] += weight;
      total += weight;
    }
    double widest = 0;
    for (const auto& [a, p] : marginal[0]) {
      for (const auto& [b, q] : marginal[1]) {
        for (const auto& [c, r] : marginal[2]) {
          const auto found = joint.find({a, b, c});
          const double cell = found == joint.end() ? 0 : found->second / total;
          widest = std::max(widest, std::abs(cell - p * q * r / (total * total * total)));
        }
      }
    }
    const auto found = ask("independent(a, b, c)", table).independence;
    EXPECT_NEAR(std::abs(found.joint - found.product), widest, 1e-9 * widest + 1e-15);
  }
}

TEST(WeightedTable, chunks_with_their_own_dictionaries_make_one_table) {
  Chunk first, second;
  first.rows = 2;
  first.columns = {Categories{{0, 1}, {"x", "y"}}, Categories{{0, 0}, {"u"}}};
  second.rows = 2;
  second.columns = {Categories{{0, -1}, {"y"}}, Categories{{1, 0}, {"v", "u"}}};
  WeightedTable table({"b", "a"});
  const std::size_t places[] = {1, 0};
  table.observe(first, places);
  table.observe(second, places);
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(table.left_out(), 1u);
  EXPECT_EQ(probability("P(a=y, b=u)", table), 2.0 / 3);
}

}  // namespace
}  // namespace credence

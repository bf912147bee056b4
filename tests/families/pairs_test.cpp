// SPDX-License-Identifier: Apache-2.0
// Pairs: what the laws of other families say only of estimates that do not follow the data.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/chunk_rows.hpp"
#include "core/random.hpp"
#include "credence/credence.hpp"

namespace credence {
namespace {

// Columns along a chain: b follows a, c follows b, d follows nothing.
Chunk chain(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  Chunk chunk;
  chunk.rows = rows;
  chunk.labels.dictionary = {"no", "yes"};
  std::vector<Categories> columns(4, Categories{{}, {"u", "v", "w"}});
  for (std::size_t r = 0; r < rows; ++r) {
    const auto cls = random.below(2);
    chunk.labels.codes.push_back(static_cast<std::int32_t>(cls));
    std::size_t value = random.below(cls == 0 ? 2 : 3);
    columns[0].codes.push_back(static_cast<std::int32_t>(value));
    for (std::size_t i = 1; i < 3; ++i) {
      if (random.uniform() < 0.3) value = (value + 1 + cls) % 3;
      columns[i].codes.push_back(static_cast<std::int32_t>(value));
    }
    columns[3].codes.push_back(static_cast<std::int32_t>(random.below(3)));
  }
  for (auto& column : columns) chunk.columns.emplace_back(std::move(column));
  return chunk;
}

Model pairs_of(const Chunk& chunk, const std::string& reading, const std::string& rule = "bayes") {
  Schema schema;
  schema.target = "class";
  for (const auto* name : {"a", "b", "c", "d"}) {
    schema.columns.push_back({name, ColumnKind::category, {}});
  }
  Settings settings;
  settings.rule = parse_rule(rule);
  Model model(schema, {{"pairs", {0, 1, 2, 3}, 1, reading}}, settings);
  model.observe(chunk);
  return model;
}

std::map<std::string, std::string> parents(const Model& model) {
  std::map<std::string, std::string> result;
  const ParameterTable table = Scorer(model).tables()[0];
  for (const auto& entry : table.structure) result[entry.column] = entry.parent;
  return result;
}

double log_likelihood_of(const Scorer& scorer, const Chunk& chunk) {
  const auto joint = scorer.log_joint(chunk);
  double sum = 0;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    sum += joint[r * 2 + static_cast<std::size_t>(chunk.labels.codes[r])];
  }
  return sum;
}

TEST(Pairs, a_tree_finds_the_chain_that_rows_were_drawn_from) {
  const auto found = parents(pairs_of(chain(3000, 1), "tan"));
  EXPECT_EQ(found.at("a"), "");
  EXPECT_EQ(found.at("b"), "a");
  EXPECT_EQ(found.at("c"), "b");
}

TEST(Pairs, another_reading_of_the_same_model_is_that_of_a_model_fitted_so) {
  const Chunk chunk = chain(300, 2), test = chain(50, 3);
  Model model = pairs_of(chunk, "tan");
  for (const std::string reading : {"aode", "kdb=1", "linear", "naive", "tan, backoff=3"}) {
    model.settings().reading = reading;
    EXPECT_EQ(Scorer(model).log_joint(test), Scorer(pairs_of(chunk, reading)).log_joint(test));
  }
}

TEST(Pairs, without_dependences_they_are_naive_bayes) {
  const Chunk chunk = chain(200, 4), test = chain(60, 5);
  Schema schema = pairs_of(chunk, "").schema();
  Model naive(
      schema,
      {{"categorical", {0}}, {"categorical", {1}}, {"categorical", {2}}, {"categorical", {3}}});
  naive.observe(chunk);
  const auto expected = Scorer(naive).log_joint(test);
  const auto found = Scorer(pairs_of(chunk, "naive")).log_joint(test);
  const auto far = Scorer(pairs_of(chunk, "tan, backoff=1e15")).log_joint(test);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-12);
    EXPECT_NEAR(far[i], expected[i], 1e-11);
  }
}

// How often columns count by themselves, and how often what their parents add: between naive Bayes
// and the tree, and beyond.
TEST(Pairs, columns_and_what_their_parents_add_are_trusted_apart) {
  const Chunk chunk = chain(200, 4);
  Chunk test = chain(60, 5);
  for (std::size_t r = 0; r < 30; ++r) {
    std::get<Categories>(test.columns[r % 4]).codes[r] = Categories::missing_code;
  }
  for (const std::string reading : {"tan", "kdb=1"}) {
    const auto alone = Scorer(pairs_of(chunk, "naive")).log_joint(test);
    const auto whole = Scorer(pairs_of(chunk, reading)).log_joint(test);
    const Model model = pairs_of(chunk, reading);
    const double prior = std::log(model.class_weights()[0] / 200);
    for (const double own : {0.0, 1.0, 2.5}) {
      for (const double added : {0.0, 1.0, -0.5}) {
        const auto four = [](double x) { return fmt::format("{0}|{0}|{0}|{0}", x); };
        const auto text = fmt::format("{}, trust={}, given={}", reading, four(own), four(added));
        const auto found = Scorer(pairs_of(chunk, text)).log_joint(test);
        for (std::size_t r = 0; r < test.rows; ++r) {
          const double expected =
              own * (alone[2 * r] - prior) + added * (whole[2 * r] - alone[2 * r]);
          EXPECT_NEAR(found[2 * r] - prior, expected, 1e-12) << text << ", row " << r;
        }
      }
    }
  }
}

// The column b once more as another column: what it says is not news.
TEST(Pairs, a_linear_reading_does_not_count_twice_what_two_columns_say) {
  const Chunk chunk = chain(300, 12), test = chain(40, 13);
  const auto with = [](Chunk rows, std::size_t copied) {
    rows.columns[3] = rows.columns[copied];
    return rows;
  };
  const auto odds = [](const Model& model, const Chunk& rows) {
    const auto joint = Scorer(model).log_joint(rows);
    std::vector<double> result;
    for (std::size_t r = 0; r < rows.rows; ++r) result.push_back(joint[2 * r] - joint[2 * r + 1]);
    return result;
  };
  Schema schema = pairs_of(chunk, "").schema();
  Settings settings;
  settings.rule = parse_rule("bayes=0.000001");
  Model once(schema, {{"pairs", {0, 1, 2}, 1, "linear"}}, settings);
  once.observe(chunk);
  const auto expected = odds(once, test);
  const auto found = odds(pairs_of(with(chunk, 1), "linear", "bayes=0.000001"), with(test, 1));
  const auto naive = odds(pairs_of(with(chunk, 1), "naive", "bayes=0.000001"), with(test, 1));
  double away = 0;
  for (std::size_t r = 0; r < test.rows; ++r) {
    EXPECT_NEAR(found[r], expected[r], 1e-5);
    away = std::max(away, std::abs(naive[r] - expected[r]));
  }
  EXPECT_GT(away, 0.1);
}

TEST(Pairs, read_linearly_rows_without_any_column_have_the_shares_of_the_classes) {
  Chunk test = chain(5, 14);
  const Scorer scorer(pairs_of(chain(300, 15), "linear"));
  for (auto& column : test.columns) {
    std::get<Categories>(column).codes.assign(test.rows, Categories::missing_code);
  }
  const auto joint = scorer.log_joint(test);
  for (std::size_t i = 0; i < joint.size(); ++i) EXPECT_EQ(joint[i], scorer.log_prior()[i % 2]);
}

TEST(Pairs, what_cannot_be_read_linearly_says_why) {
  const auto message = [](const Chunk& chunk, const std::string& rule) -> std::string {
    try {
      Scorer{pairs_of(chunk, "linear", rule)};
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(chain(50, 16), "mle").find("pairs(linear) needs a prior"), std::string::npos);
  Chunk wide = chain(3100, 17);
  auto& words = std::get<Categories>(wide.columns[0]);
  words.dictionary.clear();
  for (std::size_t r = 0; r < wide.rows; ++r) {
    words.codes[r] = static_cast<std::int32_t>(r);
    words.dictionary.push_back("w" + std::to_string(r));
  }
  EXPECT_NE(message(wide, "bayes").find("too many to weigh together"), std::string::npos);
}

TEST(Pairs, the_reported_log_likelihood_is_that_of_complete_rows) {
  const Chunk chunk = chain(150, 6);
  for (const std::string reading : {"tan", "kdb=1", "naive"}) {
    for (const std::string rule : {"mle", "laplace=2", "m-estimate=3"}) {
      const Scorer scorer(pairs_of(chunk, reading, rule));
      EXPECT_NEAR(scorer.log_likelihood(), log_likelihood_of(scorer, chunk), 1e-9) << reading;
    }
  }
  EXPECT_TRUE(std::isnan(Scorer(pairs_of(chunk, "aode")).log_likelihood()));
}

// Chow and Liu (1968): no tree, and no table of it, is more likely.
TEST(Pairs, no_other_tree_is_more_likely_than_the_mle) {
  const Chunk chunk = chain(150, 7);
  const double best = Scorer(pairs_of(chunk, "tan", "mle")).log_likelihood();
  EXPECT_LE(Scorer(pairs_of(chunk, "kdb=1", "mle")).log_likelihood(), best + 1e-9);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Model pulled = pairs_of(chunk, "tan", "mle");
    pulled.observe(chain(20, 100 + seed));
    EXPECT_LT(log_likelihood_of(Scorer(pulled), chunk), best);
  }
}

TEST(Pairs, samples_refit_to_the_parameters) {
  const Scorer truth(pairs_of(chain(400, 8), "tan", "m-estimate=1"));
  const auto expected = truth.tables()[0];
  const auto found = Scorer(pairs_of(truth.sample(60000, 9), "tan", "mle")).tables()[0];
  std::map<std::string, ParameterTable::Row> rows;
  for (const auto& row : found.rows) rows[row.label()] = row;
  std::size_t compared = 0;
  for (const auto& row : expected.rows) {
    if (!rows.contains(row.label())) continue;  // of d, which depends on nothing, on chance
    ++compared;
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(row.cells[c].value, rows.at(row.label()).cells[c].value, 0.04) << row.label();
    }
  }
  EXPECT_GE(compared, 3u + 9u + 9u);
}

TEST(Pairs, a_missing_column_is_summed_out) {
  const Chunk chunk = chain(200, 10);
  for (const std::string reading : {"tan", "aode", "kdb=1"}) {
    const Scorer scorer(pairs_of(chunk, reading));
    for (std::size_t gap = 0; gap < 4; ++gap) {
      Chunk rows = chain(3, 11), one = rows;
      const std::size_t first[] = {0, 0, 0};
      rows = select_rows(rows, first);
      for (std::size_t v = 0; v < 3; ++v) {
        std::get<Categories>(rows.columns[gap]).codes[v] = static_cast<std::int32_t>(v);
      }
      std::get<Categories>(one.columns[gap]).codes[0] = Categories::missing_code;
      const auto values = scorer.log_joint(rows), alone = scorer.log_joint(one);
      for (std::size_t c = 0; c < 2; ++c) {
        const double sum = std::exp(values[c]) + std::exp(values[2 + c]) + std::exp(values[4 + c]);
        EXPECT_NEAR(std::log(sum), alone[c], 1e-12) << reading << ", column " << gap;
      }
    }
  }
}

TEST(Pairs, what_depends_on_what_does_not_depend_on_the_order_of_rows) {
  const Chunk chunk = chain(500, 12);
  Model forwards = pairs_of(chunk, "tan").empty(), backwards = forwards;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const std::size_t one[] = {r}, other[] = {chunk.rows - 1 - r};
    forwards.observe(select_rows(chunk, one));
    backwards.observe(select_rows(chunk, other));
  }
  EXPECT_EQ(to_bytes(forwards), to_bytes(backwards));
  EXPECT_EQ(parents(forwards), parents(backwards));
}

TEST(Pairs, tables_too_large_to_fill_answer_as_small_ones_do) {
  // 1,500 values of two columns make more cells than are kept.
  Chunk chunk;
  chunk.rows = 6000;
  chunk.labels.dictionary = {"no", "yes"};
  Categories a, b;
  for (int v = 0; v < 1500; ++v) a.dictionary.push_back("v" + std::to_string(v));
  b.dictionary = a.dictionary;
  Random random(13);
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    chunk.labels.codes.push_back(static_cast<std::int32_t>(random.below(2)));
    a.codes.push_back(static_cast<std::int32_t>(random.below(1500)));
    b.codes.push_back(random.uniform() < 0.5 ? a.codes.back()
                                             : static_cast<std::int32_t>(random.below(1500)));
  }
  chunk.columns = {a, b};
  Schema schema;
  schema.target = "class";
  schema.columns = {{"a", ColumnKind::category, {}}, {"b", ColumnKind::category, {}}};
  Model model(schema, {{"pairs", {0, 1}, 1, "tan, backoff=2"}});
  model.observe(chunk);
  std::map<std::vector<std::int32_t>, double> both, alone_a, alone_b;
  std::vector<double> rows(2, 0.0);
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const auto c = chunk.labels.codes[r];
    both[{c, a.codes[r], b.codes[r]}] += 1;
    alone_a[{c, a.codes[r]}] += 1;
    alone_b[{c, b.codes[r]}] += 1;
    rows[static_cast<std::size_t>(c)] += 1;
  }
  const auto different = [](const Categories& column) {
    return static_cast<double>(
        std::set<std::int32_t>(column.codes.begin(), column.codes.end()).size());
  };
  const Scorer scorer(model);
  const auto joint = scorer.log_joint(chunk);
  for (std::size_t r = 0; r < 200; ++r) {
    for (std::int32_t c = 0; c < 2; ++c) {
      const auto k = static_cast<std::size_t>(c);
      const double share_a = (alone_a[{c, a.codes[r]}] + 1 / different(a)) / (rows[k] + 1);
      const double share_b = (alone_b[{c, b.codes[r]}] + 1 / different(b)) / (rows[k] + 1);
      const double given =
          (both[{c, a.codes[r], b.codes[r]}] + 2 * share_b) / (alone_a[{c, a.codes[r]}] + 2);
      EXPECT_NEAR(joint[r * 2 + k] - scorer.log_prior()[k], std::log(share_a * given), 1e-11);
    }
  }
}

}  // namespace
}  // namespace credence

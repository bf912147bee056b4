// SPDX-License-Identifier: Apache-2.0
// Every way of holding rows out by subtraction scores them as a model does that was learnt from the
// other rows: for every family, and for families side by side.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "credence/hold_out.hpp"
#include "hold_out/dealt.hpp"
#include "hold_out/folds.hpp"
#include "laws/random_data.hpp"

namespace credence::laws {
namespace {

struct Table {
  Model empty;
  std::vector<Chunk> chunks;  // the last two columns are a group and a time, and no block's
  std::size_t group = 0, time = 0;
};

// The cases side by side, each a block.
Table table_of(const std::vector<Case>& blocks, const std::string& rule, Weights weights,
               Random& random) {
  Settings settings;
  settings.rule = parse_rule(rule);
  Schema schema;
  schema.target = "class";
  std::vector<BlockSpec> specs;
  std::vector<Chunk> chunks;
  for (const std::size_t rows : {28, 14}) {
    chunks.push_back(random_chunk(blocks[0], rows, weights, random));
    chunks.back().columns.clear();
  }
  for (const auto& block : blocks) {
    const Model one = model_for(block);
    BlockSpec spec = one.blocks()[0];
    for (auto& column : spec.columns) column += schema.columns.size();
    for (auto column : one.schema().columns) {
      column.name = block.name + column.name;
      schema.columns.push_back(column);
    }
    specs.push_back(spec);
    for (auto& chunk : chunks) {
      auto part = random_chunk(block, chunk.rows, Weights::none, random);
      for (auto& column : part.columns) chunk.columns.push_back(std::move(column));
    }
  }
  const std::size_t group = schema.columns.size();
  schema.columns.push_back({"who", ColumnKind::category, {}, {}});
  schema.columns.push_back({"when", ColumnKind::category, {}, {}});
  for (auto& chunk : chunks) {
    Categories who{{}, {"p", "q", "r", "s", "t", "u", "v"}};
    Categories when{{},
                    {"2024-1-9", "2024-10-1", "2024-2-1", "2023-12-31", "2024-2-02", "2025-1-1"}};
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      who.codes.push_back(static_cast<std::int32_t>(random.below(who.dictionary.size())));
      when.codes.push_back(static_cast<std::int32_t>(random.below(when.dictionary.size())));
    }
    chunk.columns.emplace_back(std::move(who));
    chunk.columns.emplace_back(std::move(when));
  }
  return {Model(schema, specs, settings), std::move(chunks), group, group + 1};
}

struct Way {
  std::string name;
  Folds folds;
};

std::vector<Way> ways(const Table& table) {
  std::vector<Way> result(6);
  result[0].name = "stratified";
  result[1].name = "plain";
  result[1].folds.stratified = false;
  result[2].name = "grouped";
  result[2].folds.group_column = table.group;
  result[3].name = "in time";
  result[3].folds.time_column = table.time;
  for (auto& way : result) way.folds.count = 4;
  result[4].name = "one row";
  result[4].folds.leave_one_out = true;
  result[5].name = "one group";
  result[5].folds.leave_one_out = true;
  result[5].folds.group_column = table.group;
  return result;
}

// A model learnt from the rows for which keep() is true.
Model learn_rows(const Table& table, const std::function<bool(std::size_t, std::size_t)>& keep) {
  Model model = table.empty;
  for (std::size_t i = 0; i < table.chunks.size(); ++i) {
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < table.chunks[i].rows; ++r) {
      if (keep(i, r)) rows.push_back(r);
    }
    if (!rows.empty()) model.observe(select_rows(table.chunks[i], rows));
  }
  return model;
}

void expect_refits(const Table& table, const Way& way) {
  const ScoredRows held = hold_out(table.empty, table.chunks, way.folds);
  const bool in_time = way.folds.time_column != Folds::no_column;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> fold_of;
  std::set<std::size_t> folds;
  for (const auto& row : held.rows) {
    fold_of[{row.chunk, row.row}] = row.fold;
    folds.insert(row.fold);
  }
  for (const auto fold : folds) {
    const Scorer refit(learn_rows(table, [&](std::size_t chunk, std::size_t row) {
      const auto found = fold_of.find({chunk, row});
      if (found == fold_of.end()) return true;  // in time order: before all folds
      return in_time ? found->second < fold : found->second != fold;
    }));
    for (std::size_t i = 0; i < held.rows.size(); ++i) {
      if (held.rows[i].fold != fold) continue;
      const std::size_t only[] = {held.rows[i].row};
      const auto joint = refit.log_joint(select_rows(table.chunks[held.rows[i].chunk], only));
      for (std::size_t c = 0; c < held.classes.size(); ++c) {
        const double found = held.log_joint[i * held.classes.size() + c];
        const auto place =
            std::find(refit.classes().begin(), refit.classes().end(), held.classes[c]);
        const double expected =
            place == refit.classes().end()
                ? -INFINITY
                : joint[static_cast<std::size_t>(place - refit.classes().begin())];
        if (std::isinf(expected) || std::isinf(found)) {
          ASSERT_EQ(found, expected) << way.name << ", fold " << fold;
        } else {
          ASSERT_NEAR(found, expected, 1e-12 * (1 + std::abs(expected)))
              << way.name << ", fold " << fold << ", row " << i;
        }
      }
    }
  }
}

class HoldingOut : public testing::TestWithParam<Case> {};

TEST_P(HoldingOut, scores_every_row_as_refitting_does) {
  Random random(101);
  const std::vector<std::pair<std::string, Weights>> settings = {{"bayes", Weights::exaggerated},
                                                                 {"laplace=0.5", Weights::none}};
  for (const auto& [rule, weights] : settings) {
    SCOPED_TRACE(rule);
    const auto table = table_of({GetParam()}, rule, weights, random);
    for (const auto& way : ways(table)) {
      expect_refits(table, way);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(families, HoldingOut, testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

const Case& named(const std::string& name) {
  return *std::find_if(cases().begin(), cases().end(),
                       [&](const Case& one) { return one.name == name; });
}

TEST(HoldingOutMixed, scores_every_row_as_refitting_does) {
  Random random(103);
  for (const auto& names : std::vector<std::vector<std::string>>{
           {"categorical", "gaussian", "text_multinomial"},
           {"gaussian_full", "bernoulli_bag", "poisson", "histogram_20"},
           {"text_complement_log_idf", "kernel", "multinomial_columns", "gaussian_tied"}}) {
    std::vector<Case> blocks;
    for (const auto& name : names) blocks.push_back(named(name));
    for (const auto weights : {Weights::none, Weights::exaggerated}) {
      const auto table = table_of(blocks, "bayes", weights, random);
      for (const auto& way : ways(table)) expect_refits(table, way);
    }
  }
}

// Fails where an empty class still counts, as it would in a pooled covariance.
TEST(HoldingOutMixed, forgets_a_class_all_of_whose_rows_are_held_out) {
  Random random(109);
  for (const auto* name : {"gaussian_tied", "gaussian_diagonal_tied", "text_complement",
                           "categorical", "mixture_1", "gaussian_rda"}) {
    auto table = table_of({named(name)}, "laplace=0.5", Weights::none, random);
    // Class c is all of group "p", and of nothing else.
    for (auto& chunk : table.chunks) {
      auto& who = std::get<Categories>(chunk.columns[table.group]);
      for (std::size_t r = 0; r < chunk.rows; ++r) {
        if (who.codes[r] == 0 || chunk.labels.codes[r] == 2) {
          who.codes[r] = 0;
          chunk.labels.codes[r] = 2;
        }
      }
    }
    const auto all = ways(table);
    for (const std::size_t way : {2, 5}) expect_refits(table, all[way]);
  }
}

// Learning anew is the slow way to the same scores.
TEST(HoldingOutMixed, learns_anew_what_it_cannot_subtract) {
  Random random(113);
  const auto table = table_of({named("categorical"), named("gaussian_full")}, "bayes",
                              Weights::exaggerated, random);
  const Learner refit = [&](const std::vector<Chunk>& rows) {
    Model model = table.empty;
    for (const auto& chunk : rows) model.observe(chunk);
    return std::make_unique<Scorer>(model);
  };
  for (const auto& way : ways(table)) {
    const auto fast = hold_out(table.empty, table.chunks, way.folds);
    const auto slow = hold_out(refit, deal_out(table.chunks, table.empty.schema(), way.folds), 2);
    ASSERT_EQ(fast.classes, slow.classes);
    ASSERT_EQ(fast.log_joint.size(), slow.log_joint.size()) << way.name;
    for (std::size_t i = 0; i < fast.log_joint.size(); ++i) {
      EXPECT_NEAR(fast.log_joint[i], slow.log_joint[i], 1e-12 * (1 + std::abs(slow.log_joint[i])))
          << way.name;
    }
  }
}

// The prior of a model names all classes; that a fold is left without one of them is no error.
TEST(HoldingOutMixed, keeps_a_given_prior_where_a_class_has_no_row_left) {
  Random random(127);
  auto table = table_of({named("gaussian_tied")}, "laplace=0.5", Weights::none, random);
  table.empty.settings().prior = parse_class_prior("a=0.2,b=0.3,c=0.5");
  for (auto& chunk : table.chunks) {
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (chunk.labels.codes[r] == 2) chunk.labels.codes[r] = 1;
    }
  }
  table.chunks[0].labels.codes[5] = 2;  // the only row of c
  for (const auto& way : ways(table)) {
    const auto held = hold_out(table.empty, table.chunks, way.folds);
    const double log_odds = std::log(0.2) - std::log(0.3);
    for (std::size_t i = 0; i < held.rows.size(); ++i) {
      if (held.rows[i].cls != 2) continue;
      EXPECT_EQ(held.scores(i)[2], -INFINITY) << way.name;
      EXPECT_TRUE(std::isfinite(held.scores(i)[0] - held.scores(i)[1] - log_odds)) << way.name;
    }
  }
}

// A class of one row is empty without it, whichever way the row is left out.
TEST(HoldingOutMixed, forgets_a_class_of_one_row_when_that_is_left_out_by_itself) {
  Random random(131);
  for (const auto* name : {"gaussian_tied", "gaussian_diagonal_tied", "gaussian_full", "gaussian",
                           "text_complement", "categorical", "gaussian_rda", "poisson"}) {
    SCOPED_TRACE(name);
    auto table = table_of({named(name)}, "laplace=0.5", Weights::none, random);
    for (auto& chunk : table.chunks) {
      for (auto& code : chunk.labels.codes) code = code == 2 ? 1 : code;
    }
    table.chunks[1].labels.codes[3] = 2;
    expect_refits(table, ways(table)[4]);
  }
}

TEST(HoldingOutMixed, keeps_groups_together_and_judges_by_the_past_alone) {
  Random random(107);
  const auto table = table_of({named("categorical")}, "bayes", Weights::none, random);
  const auto all = ways(table);
  const auto grouped = hold_out(table.empty, table.chunks, all[2].folds);
  const auto groups = values_of(table.chunks, grouped.rows, "who", table.group, false);
  std::map<std::size_t, std::set<std::size_t>> folds_of_group;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    folds_of_group[groups[i]].insert(grouped.rows[i].fold);
  }
  EXPECT_EQ(folds_of_group.size(), 7u);
  for (const auto& [group, folds] : folds_of_group) EXPECT_EQ(folds.size(), 1u);

  const auto timed = hold_out(table.empty, table.chunks, all[3].folds);
  EXPECT_LT(timed.rows.size(), grouped.rows.size()) << "the first part is not judged";
  const std::vector<std::string> in_order = {"2023-12-31", "2024-1-9",  "2024-2-1",
                                             "2024-2-02",  "2024-10-1", "2025-1-1"};
  std::vector<std::size_t> last(4, 0), first(4, 99);
  for (const auto& row : timed.rows) {
    const auto& when = std::get<Categories>(table.chunks[row.chunk].columns[table.time]);
    const auto& text = when.dictionary[static_cast<std::size_t>(when.codes[row.row])];
    const auto place = static_cast<std::size_t>(std::find(in_order.begin(), in_order.end(), text) -
                                                in_order.begin());
    last[row.fold] = std::max(last[row.fold], place);
    first[row.fold] = std::min(first[row.fold], place);
  }
  EXPECT_GT(first[0], 0u);
  for (std::size_t f = 1; f < 4; ++f) EXPECT_LT(last[f - 1], first[f]);
}

}  // namespace
}  // namespace credence::laws

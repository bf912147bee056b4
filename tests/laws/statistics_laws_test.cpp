// SPDX-License-Identifier: Apache-2.0
// Laws of statistics, for every family: merging, chunking, forgetting, weights, files.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "laws/random_data.hpp"

namespace credence::laws {
namespace {

class StatisticsLaws : public testing::TestWithParam<Case> {};

// Not of gaussian blocks: within a chunk a scatter is summed in plain doubles, so rows that were
// never a chunk of their own leave 1e-16 of the spread before behind (docs/design.md, Moments).
class SubsetLaws : public testing::TestWithParam<Case> {};

std::vector<Case> exactly_summed() {
  std::vector<Case> result;
  for (const auto& what : cases()) {
    if (what.family != "gaussian" || what.parameters.empty()) result.push_back(what);
  }
  return result;
}

// Checks a property on random tables of up to 120 rows, weighted and not.
template <typename Property>
void for_random_tables(const Case& what, const Property& property) {
  ASSERT_TRUE(rc::check([&] {
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    const auto weights = *rc::gen::element(Weights::none, Weights::exaggerated);
    const auto rows = *rc::gen::inRange<std::size_t>(0, 120);
    property(random_chunk(what, rows, weights, random), random);
  }));
}

TEST_P(StatisticsLaws, any_chunking_and_order_gives_the_same_statistics) {
  for_random_tables(GetParam(), [&](const Chunk& chunk, Random& random) {
    const Model empty = model_for(GetParam());
    expect_same_statistics(learn(empty, {chunk}), learn(empty, shuffled_pieces(chunk, random)));
  });
}

TEST_P(StatisticsLaws, merging_is_commutative_and_associative) {
  for_random_tables(GetParam(), [&](const Chunk& chunk, Random& random) {
    const Model empty = model_for(GetParam());
    std::vector<Model> parts(3, empty);
    for (const auto& piece : shuffled_pieces(chunk, random)) parts[random.below(3)].observe(piece);
    Model left = parts[0];
    left.merge(parts[1]);
    Model swapped = parts[1];
    swapped.merge(parts[0]);
    expect_same_statistics(left, swapped);
    left.merge(parts[2]);
    Model tail = parts[1];
    tail.merge(parts[2]);
    Model right = parts[0];
    right.merge(tail);
    expect_same_statistics(left, right);
  });
}

TEST_P(StatisticsLaws, forgetting_what_was_observed_returns_the_earlier_statistics) {
  for_random_tables(GetParam(), [&](const Chunk& chunk, Random& random) {
    const Model empty = model_for(GetParam());
    const Model before = learn(empty, {chunk});
    const Model more =
        learn(empty, {random_chunk(GetParam(), random.below(60), Weights::exaggerated, random)});
    Model model = before;
    model.merge(more);
    model.forget(more);
    expect_same_statistics(before, model);
  });
}

// Rows that were never a chunk of their own, an outlier among them: what is left must be the
// statistics of the rest, not the rest of rounding.
TEST_P(SubsetLaws, forgetting_some_of_the_rows_leaves_the_statistics_of_the_others) {
  for_random_tables(GetParam(), [&](Chunk chunk, Random& random) {
    if (chunk.rows == 0) return;
    if (auto* numbers = std::get_if<Numbers>(&chunk.columns[0])) {
      if (GetParam().kind == ColumnKind::number)
        numbers->values[0] = GetParam().offset + 1e6 * GetParam().scale;
    }
    std::vector<std::size_t> gone{0}, rest;
    for (std::size_t r = 1; r < chunk.rows; ++r) (random.below(3) ? gone : rest).push_back(r);
    const Model empty = model_for(GetParam());
    Model model = learn(empty, {chunk});
    model.forget(learn(empty, {select_rows(chunk, gone)}));
    expect_same_statistics(learn(empty, {select_rows(chunk, rest)}), model);
  });
}

TEST_P(StatisticsLaws, forgetting_everything_leaves_nothing) {
  for_random_tables(GetParam(), [&](const Chunk& chunk, Random& random) {
    const Model empty = model_for(GetParam());
    Model model = learn(empty, {chunk});
    model.forget(learn(empty, shuffled_pieces(chunk, random)));
    RC_ASSERT(model.classes().empty());
    RC_ASSERT(model.rows() == 0);
  });
}

TEST_P(StatisticsLaws, a_weight_equals_repetition) {
  for_random_tables(GetParam(), [&](Chunk chunk, Random& random) {
    chunk.weights.clear();
    std::vector<std::size_t> repeated;
    Chunk weighted = chunk;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const std::size_t times = random.below(4);
      weighted.weights.push_back(static_cast<double>(times));
      repeated.insert(repeated.end(), times, r);
    }
    const Model empty = model_for(GetParam());
    const Model once = learn(empty, {weighted});
    const Model many = learn(empty, {select_rows(chunk, repeated)});
    RC_ASSERT(once.classes() == many.classes());
    RC_ASSERT(once.class_weights() == many.class_weights());
    const auto left = tensors_of(once), right = tensors_of(many);
    for (const auto& [name, tensor] : left.all) {
      if (!name.starts_with("block.")) continue;
      if (name.ends_with(".low")) continue;
      const auto x = left.sums(name, tensor.shape), y = right.sums(name, tensor.shape);
      const double unit = unit_of(left, name);
      for (std::size_t i = 0; i < x.size(); ++i) {
        RC_ASSERT(std::abs((x.exact(i) - y.exact(i)).value()) <=
                  1e-12 * std::max(unit, std::abs(x[i])));
      }
    }
  });
}

TEST_P(StatisticsLaws, saving_and_loading_is_exact) {
  for_random_tables(GetParam(), [&](const Chunk& chunk, Random&) {
    const Model model = learn(model_for(GetParam()), {chunk});
    const std::string bytes = to_bytes(model);
    RC_ASSERT(to_bytes(from_bytes(bytes, "memory")) == bytes);
  });
}

TEST_P(StatisticsLaws, a_failed_forget_changes_nothing) {
  for_random_tables(GetParam(), [&](const Chunk& chunk, Random& random) {
    const Model empty = model_for(GetParam());
    Model model = learn(empty, {chunk});
    const std::string before = to_bytes(model);
    Model more = learn(empty, {chunk});
    more.merge(
        learn(empty, {random_chunk(GetParam(), 1 + random.below(9), Weights::none, random)}));
    RC_ASSERT_THROWS_AS(model.forget(more), Error);
    RC_ASSERT(to_bytes(model) == before);
  });
}

INSTANTIATE_TEST_SUITE_P(families, StatisticsLaws, testing::ValuesIn(cases_and_zeros()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

INSTANTIATE_TEST_SUITE_P(families, SubsetLaws, testing::ValuesIn(exactly_summed()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace credence::laws

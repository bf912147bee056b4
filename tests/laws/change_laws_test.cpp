// SPDX-License-Identifier: Apache-2.0
// Laws of what changes a model without old data, for every family: classes, decay, windows.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "laws/random_data.hpp"

namespace credence::laws {
namespace {

class ChangeLaws : public testing::TestWithParam<Case> {};

template <typename Property>
void for_tables_of_all_classes(const Case& what, const Property& property) {
  ASSERT_TRUE(rc::check([&] {
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    const auto weights = *rc::gen::element(Weights::none, Weights::exaggerated);
    const auto rows = *rc::gen::inRange<std::size_t>(0, 80);
    Chunk chunk = random_chunk(what, rows + 3, weights, random);
    for (std::int32_t c = 0; c < 3; ++c) chunk.labels.codes[static_cast<std::size_t>(c)] = c;
    property(chunk, random);
  }));
}

// The same chunk with class c called names[c]; random_chunk calls them b, a, c.
Chunk labelled(Chunk chunk, const std::vector<std::string>& names) {
  Categories labels;
  for (const auto code : chunk.labels.codes) {
    const auto& name = names[static_cast<std::size_t>(code)];
    auto found = std::find(labels.dictionary.begin(), labels.dictionary.end(), name);
    labels.codes.push_back(static_cast<std::int32_t>(found - labels.dictionary.begin()));
    if (found == labels.dictionary.end()) labels.dictionary.push_back(name);
  }
  chunk.labels = std::move(labels);
  return chunk;
}

std::vector<std::size_t> rows_of_class(const Chunk& chunk, std::int32_t cls, bool others) {
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    if ((chunk.labels.codes[r] == cls) != others) rows.push_back(r);
  }
  return rows;
}

// All arrays alike, numbers to 1e-12 in the unit of the largest of their array.
void expect_close_statistics(const Model& a, const Model& b) {
  const auto left = tensors_of(a), right = tensors_of(b);
  for (const auto& [name, tensor] : left.all) {
    if (name.ends_with(".low")) continue;
    RC_ASSERT(right.has(name));
    RC_ASSERT(tensor.shape == right.all.at(name).shape);
    const auto x = left.sums(name, tensor.shape), y = right.sums(name, tensor.shape);
    double unit = unit_of(left, name);
    for (std::size_t i = 0; i < x.size(); ++i) unit = std::max(unit, std::abs(x[i]));
    for (std::size_t i = 0; i < x.size(); ++i) {
      RC_ASSERT(std::abs((x.exact(i) - y.exact(i)).value()) <= 1e-12 * unit);
    }
  }
}

Model in_window(Model model, const std::string& name) {
  model.put_into_window(name);
  return model;
}

TEST_P(ChangeLaws, joining_classes_equals_having_labelled_them_so) {
  for_tables_of_all_classes(GetParam(), [&](const Chunk& chunk, Random&) {
    const Model empty = model_for(GetParam());
    Model model = learn(empty, {chunk});
    model.join_classes({"a", "c"}, "together");
    expect_same_statistics(learn(empty, {labelled(chunk, {"b", "together", "together"})}), model);
    Model again = learn(empty, {chunk});
    again.join_classes({"a", "b"}, "a");
    expect_same_statistics(learn(empty, {labelled(chunk, {"a", "a", "c"})}), again);
  });
}

TEST_P(ChangeLaws, renaming_a_class_equals_having_called_it_so) {
  for_tables_of_all_classes(GetParam(), [&](const Chunk& chunk, Random&) {
    const Model empty = model_for(GetParam());
    Model model = learn(empty, {chunk});
    model.rename_class("a", "z");
    RC_ASSERT(to_bytes(learn(empty, {labelled(chunk, {"b", "z", "c"})})) == to_bytes(model));
  });
}

TEST_P(ChangeLaws, dropping_a_class_equals_never_having_had_it) {
  for_tables_of_all_classes(GetParam(), [&](const Chunk& chunk, Random&) {
    const Model empty = model_for(GetParam());
    Model model = learn(empty, {chunk});
    model.drop_class("a");
    RC_ASSERT(to_bytes(learn(empty, {select_rows(chunk, rows_of_class(chunk, 1, true))})) ==
              to_bytes(model));
  });
}

TEST_P(ChangeLaws, adding_a_class_later_equals_having_had_it_from_the_start) {
  for_tables_of_all_classes(GetParam(), [&](const Chunk& chunk, Random&) {
    const Model empty = model_for(GetParam());
    Model model = learn(empty, {select_rows(chunk, rows_of_class(chunk, 1, true))});
    model.observe(select_rows(chunk, rows_of_class(chunk, 1, false)));
    expect_same_statistics(learn(empty, {chunk}), model);
  });
}

TEST_P(ChangeLaws, decaying_twice_by_a_half_is_decaying_by_a_quarter) {
  for_tables_of_all_classes(GetParam(), [&](const Chunk& chunk, Random&) {
    Model twice = learn(model_for(GetParam()), {chunk});
    Model once = twice;
    twice.decay(0.5);
    twice.decay(0.5);
    once.decay(0.25);
    RC_ASSERT(to_bytes(once) == to_bytes(twice));
  });
}

TEST_P(ChangeLaws, decaying_equals_weighing_every_row_less) {
  for_tables_of_all_classes(GetParam(), [&](Chunk chunk, Random&) {
    const Model empty = model_for(GetParam());
    Model model = learn(empty, {chunk});
    model.decay(0.7);
    if (chunk.weights.empty()) chunk.weights.assign(chunk.rows, 1.0);
    for (auto& weight : chunk.weights) weight *= 0.7;
    expect_close_statistics(learn(empty, {chunk}), model);
  });
}

TEST_P(ChangeLaws, decay_commutes_with_merge) {
  for_tables_of_all_classes(GetParam(), [&](const Chunk& chunk, Random& random) {
    const Model empty = model_for(GetParam());
    for (const double factor : {0.5, 0.7}) {
      Model first = learn(empty, {chunk}), sum = first;
      Model second = learn(
          empty, {random_chunk(GetParam(), 1 + random.below(40), Weights::exaggerated, random)});
      sum.merge(second);
      sum.decay(factor);
      first.decay(factor);
      second.decay(factor);
      first.merge(second);
      RC_ASSERT(first.rows() == sum.rows());
      expect_close_statistics(first, sum);
      if (factor == 0.5) expect_same_statistics(first, sum);
    }
  });
}

// Whatever was decayed in between: to the bit, moments included.
TEST_P(ChangeLaws, forgetting_a_window_equals_never_having_had_it) {
  for_tables_of_all_classes(GetParam(), [&](const Chunk& chunk, Random& random) {
    const Model empty = model_for(GetParam());
    Model with = learn(empty, {chunk}), without = with;
    for (const char* const name : {"june", "july", "june"}) {
      const Model more = learn(
          empty, {random_chunk(GetParam(), 1 + random.below(30), Weights::exaggerated, random)});
      with.merge(in_window(more, name));
      with.decay(0.7);
      without.decay(0.7);
    }
    RC_ASSERT(with.windows().size() == 2u);
    RC_ASSERT(with.rows() > without.rows());
    with.forget_window("july");
    with.forget_window("june");
    RC_ASSERT(with.windows().empty());
    RC_ASSERT(to_bytes(with) == to_bytes(without));
  });
}

TEST_P(ChangeLaws, a_window_is_among_all_rows) {
  for_tables_of_all_classes(GetParam(), [&](const Chunk& chunk, Random& random) {
    const Model empty = model_for(GetParam());
    const Model more =
        learn(empty, {random_chunk(GetParam(), 1 + random.below(30), Weights::none, random)});
    Model apart = learn(empty, {chunk}), together = apart;
    together.merge(more);
    apart.merge(in_window(more, "june"));
    expect_same_statistics(together, apart);
    // Rows of a window are forgotten from it, not from the rest.
    const std::string before = to_bytes(apart);
    apart.forget(in_window(more, "june"));
    RC_ASSERT(apart.windows().empty());
    RC_ASSERT(to_bytes(apart) == to_bytes(learn(empty, {chunk})));
  });
}

TEST_P(ChangeLaws, windows_follow_their_classes) {
  for_tables_of_all_classes(GetParam(), [&](const Chunk& chunk, Random& random) {
    const Model empty = model_for(GetParam());
    Model first = learn(empty, {chunk}), later = first;
    const Model more = in_window(
        learn(empty, {random_chunk(GetParam(), 1 + random.below(30), Weights::none, random)}), "w");
    first.merge(more);
    const auto change = [](Model& model) {
      model.join_classes({"a", "b"}, "ab");
      model.rename_class("c", "0");
    };
    change(first);
    first.forget_window("w");
    change(later);
    RC_ASSERT(to_bytes(first) == to_bytes(later));
    first.merge(in_window(learn(empty, {labelled(chunk, {"ab", "0", "new"})}), "w"));
    first.drop_class("new");
    first.forget_window("w");
    RC_ASSERT(to_bytes(first) == to_bytes(later));
  });
}

TEST_P(ChangeLaws, windows_and_decay_survive_a_file) {
  for_tables_of_all_classes(GetParam(), [&](const Chunk& chunk, Random& random) {
    const Model empty = model_for(GetParam());
    Model model = in_window(learn(empty, {chunk}), "june");
    model.decay(0.3);
    model.merge(in_window(
        learn(empty, {random_chunk(GetParam(), 1 + random.below(30), Weights::none, random)}),
        "july"));
    model.record({"update", 3, "2026-07-01", "window july"});
    const std::string bytes = to_bytes(model);
    Model read = from_bytes(bytes, "memory");
    RC_ASSERT(to_bytes(read) == bytes);
    RC_ASSERT(read.journal() == model.journal());
    read.forget_window("june");
    model.forget_window("june");
    RC_ASSERT(to_bytes(read) == to_bytes(model));
  });
}

TEST_P(ChangeLaws, rows_of_a_decayed_model_are_not_forgotten_one_by_one) {
  for_tables_of_all_classes(GetParam(), [&](const Chunk& chunk, Random&) {
    const Model rows = learn(model_for(GetParam()), {chunk});
    Model model = rows;
    model.decay(0.5);
    const std::string before = to_bytes(model);
    RC_ASSERT_THROWS_AS(model.forget(rows), Error);
    RC_ASSERT(to_bytes(model) == before);
  });
}

INSTANTIATE_TEST_SUITE_P(families, ChangeLaws, testing::ValuesIn(cases_and_zeros()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace credence::laws

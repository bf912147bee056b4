// SPDX-License-Identifier: Apache-2.0
// What is refused when a model is changed, what follows a change, and forgetting on real tables.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/chunk_rows.hpp"
#include "core/random.hpp"
#include "credence/credence.hpp"
#include "error_of.hpp"
#include "io/container.hpp"
#include "model/statistics.hpp"
#include "places.hpp"
#include "tables/temp_folder.hpp"

namespace credence {
namespace {

using data_test::TempFolder;

Model colours() {
  const TempFolder folder;
  folder.write("rows.csv", "colour,size,class\nred,1,a\nred,2,a\nblue,3,b\nblue,5,b\ngreen,8,c\n");
  Plan plan;
  plan.target = "class";
  return fit(*open_source({"rows.csv"}), plan);
}

TEST(Change, refuses_classes_that_are_not_there) {
  Model model = colours();
  const auto before = to_bytes(model);
  EXPECT_EQ(error_of([&] { model.drop_class("d"); }),
            "\"d\" is no class of this model; its classes are a, b, c");
  EXPECT_EQ(error_of([&] { model.rename_class("a", "b"); }),
            "rename \"a\": there is a class \"b\" already (join the two instead)");
  EXPECT_EQ(error_of([&] {
              model.join_classes({"a", "x"}, "y");
            }),
            "\"x\" is no class of this model; its classes are a, b, c");
  EXPECT_EQ(error_of([&] {
              model.join_classes({"a", "a"}, "y");
            }),
            "join into \"y\": two classes or more are needed");
  EXPECT_EQ(error_of([&] {
              model.join_classes({"a", "b"}, "c");
            }),
            "join into \"c\": there is a class of that name already (name it among those to join)");
  EXPECT_EQ(error_of([&] { model.rename_class("a", ""); }), "a class has a name");
  EXPECT_EQ(to_bytes(model), before);
}

TEST(Change, leaves_at_least_one_class) {
  Model model = colours();
  model.drop_class("a");
  model.drop_class("b");
  EXPECT_EQ(error_of([&] { model.drop_class("c"); }),
            "nothing would be left: delete the model instead (it is unchanged)");
  EXPECT_EQ(model.classes(), std::vector<std::string>{"c"});
}

TEST(Change, a_given_prior_follows_the_classes) {
  Model model = colours();
  model.settings().prior = parse_class_prior("a=0.5,b=0.3,c=0.2");
  model.rename_class("b", "z");
  EXPECT_EQ(to_string(model.settings().prior), "a=0.5,z=0.3,c=0.2");
  Model joined = model;
  joined.join_classes({"a", "c"}, "ac");
  EXPECT_EQ(to_string(joined.settings().prior), "ac=0.7,z=0.3");
  model.drop_class("c");
  ASSERT_EQ(model.settings().prior.shares.size(), 2u);
  EXPECT_DOUBLE_EQ(model.settings().prior.shares[0].second, 0.5 / 0.8);
  EXPECT_DOUBLE_EQ(model.settings().prior.shares[1].second, 0.3 / 0.8);
  model.settings().prior = parse_class_prior("a=1,z=0");
  EXPECT_EQ(error_of([&] { model.drop_class("a"); }),
            "the model's prior gives every class but \"a\" probability 0: without it no prior is "
            "left (adapt the prior first)");
}

TEST(Change, refuses_factors_that_are_no_decay) {
  Model model = colours();
  for (const double factor : {0.0, -1.0, 1.5, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(model.decay(factor), Error) << factor;
  }
  EXPECT_FALSE(model.decayed());
  model.decay(1);
  EXPECT_FALSE(model.decayed());
  model.decay(0.5);
  EXPECT_TRUE(model.decayed());
  EXPECT_EQ(model.rows(), 5);
  EXPECT_EQ(model.class_weights(), (std::vector<double>{1, 1, 0.5}));
}

// Half-life after half-life, what is old gets lighter and at last is gone: nothing overflows.
TEST(Change, a_class_that_decays_for_long_is_gone) {
  Model model = colours();
  const Model news = [] {
    Model rows = colours();
    rows.drop_class("c");
    return rows;
  }();
  for (int i = 0; i < 1200; ++i) {
    model.decay(0.5);
    model.merge(news);
    ASSERT_NO_THROW(Scorer{model}) << i;
  }
  EXPECT_EQ(model.classes(), (std::vector<std::string>{"a", "b"}));
  EXPECT_NEAR(model.class_weights()[0], 4, 1e-12);
  EXPECT_EQ(error_of([&] { model.decay(1e-200); }),
            "nothing would be left: delete the model instead (it is unchanged)");
}

TEST(Change, refuses_windows_that_are_not_there) {
  Model model = colours();
  EXPECT_EQ(error_of([&] { model.forget_window("june"); }),
            "no window \"june\": this model has none");
  model.put_into_window("june");
  EXPECT_EQ(error_of([&] { model.forget_window("jun"); }),
            "no window \"jun\" (did you mean \"june\"?); this model has june");
  EXPECT_EQ(error_of([&] { model.forget_window("june"); }),
            "nothing would be left: delete the model instead (it is unchanged)");
  EXPECT_EQ(error_of([&] { model.forget(colours()); }),
            "cannot forget what was not observed: 2 more of class \"a\" than was observed; rows of "
            "a window are forgotten with `window` (the model is unchanged)");
}

TEST(Change, the_journal_counts_what_is_repeated) {
  Model model = colours();
  for (int i = 0; i < 3; ++i) model.record({"update", 2});
  model.record({"update", 2, "2026-11-15"});
  ASSERT_EQ(model.journal().size(), 2u);
  EXPECT_EQ(model.journal()[0], (JournalEntry{"update", 6, "", "", "", 3}));
  Model other = colours();
  other.record({"fit", 5});
  other.record_merged(model.journal(), 2);
  model.record_merged(other.journal(), 3);
  EXPECT_EQ(model.journal().back(), (JournalEntry{"update", 2, "2026-11-15", "", "3.2"}));
  EXPECT_EQ(fingerprint(model), fingerprint(colours()));
  EXPECT_NE(to_bytes(model), to_bytes(colours()));
  EXPECT_EQ(from_bytes(to_bytes(model), "memory").journal(), model.journal());
}

std::string repacked(const Model& model, const std::function<void(Tensors&)>& change) {
  auto unpacked = unpack(to_bytes(model), "m");
  Tensors tensors;
  tensors.all = unpacked.tensors.all;
  change(tensors);
  return pack(tensors, unpacked.model);
}

TEST(ChangeFile, of_an_early_version_has_the_rows_of_all_classes_as_one_number) {
  const Model model = colours();
  const auto bytes =
      repacked(model, [](Tensors& tensors) { tensors.put("rows", std::vector<double>{5}, {1}); });
  EXPECT_NE(bytes, to_bytes(model));
  EXPECT_EQ(to_bytes(from_bytes(bytes, "m")), to_bytes(model));
}

TEST(ChangeFile, with_windows_that_do_not_fit_is_refused) {
  Model model = colours();
  model.put_into_window("june");
  model.merge(colours());
  const auto error = [&](const std::function<void(Tensors&)>& change) {
    return error_of([&] { from_bytes(repacked(model, change), "m"); });
  };
  const std::string start = "m: the model file is damaged: ";
  EXPECT_EQ(error([](Tensors&) {}), "");
  EXPECT_EQ(error([](Tensors& t) {
              t.put("window.0.rows", std::vector<double>{1, 2, 1}, {3});
            }),
            start + "its windows and the rest have 9 rows, all have 10");
  EXPECT_EQ(error([](Tensors& t) { t.all.erase("rest.classes"); }),
            start + "the array \"rest.classes\" (U8) is missing");
  EXPECT_EQ(error([](Tensors& t) { t.put("window.1.rows", std::vector<double>{1}, {1}); }),
            start + "the array \"window.1.rows\" is unknown");
  EXPECT_EQ(error([](Tensors& t) {
              t.put("rest.block.0.counts", std::vector<double>(9, -1), {3, 3});
            }),
            start + "column \"colour\": 1 more of \"blue\" in class \"a\" than was observed");
}

// Counts must be equal, moments to 1e-10 of the largest in their array.
void expect_same(const Model& expected, const Model& actual) {
  Tensors left, right;
  expected.statistics().save(left);
  actual.statistics().save(right);
  for (const auto& [name, tensor] : left.all) {
    if (name.ends_with(".low")) continue;
    ASSERT_TRUE(right.has(name)) << name;
    ASSERT_EQ(tensor.shape, right.all.at(name).shape) << name;
    if (!name.ends_with(".mean") && !name.ends_with(".m2") && !name.ends_with(".log_factorial")) {
      EXPECT_EQ(tensor.bytes, right.all.at(name).bytes) << name;
      continue;
    }
    const auto x = left.sums(name, tensor.shape), y = right.sums(name, tensor.shape);
    double unit = 0;
    for (std::size_t i = 0; i < x.size(); ++i) unit = std::max(unit, std::abs(x[i]));
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-10 * unit) << name;
  }
}

TEST(Forgetting, three_in_ten_rows_of_adult_leaves_the_model_of_the_other_seven) {
  const std::string path = shared_data() + "/tabular/adult_train.csv.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
  Plan plan;
  plan.target = "income";
  plan.as = {"age: kernel", "capital*gain: histogram", "hours*: gaussian",
             "education*num: poisson"};
  const auto source = open_source({path});
  const Model empty = plan_model(source->profile(), plan);
  source->select(empty.schema(), true);
  Model all = empty, gone = empty, rest = empty;
  Random random(30);
  for (const Chunk& chunk : data_test::chunks_of(*source)) {
    std::vector<std::size_t> out, in;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      (random.uniform() < 0.3 ? out : in).push_back(r);
    }
    all.observe(chunk);
    gone.observe(select_rows(chunk, out));
    rest.observe(select_rows(chunk, in));
  }
  ASSERT_GT(gone.rows(), 9000);
  all.forget(gone);
  EXPECT_EQ(all.rows(), rest.rows());
  expect_same(rest, all);
}

TEST(Forgetting, three_in_ten_documents_leaves_the_very_same_file_as_the_other_seven) {
  const TempFolder folder;
  Random random(7);
  const std::vector<std::string> names = {"ham", "spam"};
  for (const auto& part : {"all", "gone", "rest"}) {
    for (const auto& name : names) {
      std::filesystem::create_directories(std::string(part) + "/" + name);
    }
  }
  for (int i = 0; i < 200; ++i) {
    const std::size_t cls = random.below(2);
    std::string text;
    for (std::size_t w = 0; w < 5 + random.below(30); ++w) {
      text += "word" + std::to_string(random.below(cls == 0 ? 60 : 90)) + " ";
    }
    const auto file = "/" + names[cls] + "/" + std::to_string(i) + ".txt";
    folder.write("all" + file, text);
    folder.write((i % 10 < 3 ? "gone" : "rest") + file, text);
  }
  for (const char* const parameters : {"", "complement, idf, counts=log", "bernoulli, min=2"}) {
    Plan plan;
    if (*parameters) plan.as = {std::string("text: text(") + parameters + ")"};
    Model model = fit(*open_source({"all"}), plan);
    const auto gone = open_source({"gone"});
    gone->select(model.schema(), true);
    Model change = model.empty();
    change.learn(*gone);
    EXPECT_EQ(change.rows(), 60);
    model.forget(change);
    EXPECT_EQ(to_bytes(model), to_bytes(fit(*open_source({"rest"}), plan))) << parameters;
  }
}

}  // namespace
}  // namespace credence

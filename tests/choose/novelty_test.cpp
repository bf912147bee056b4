// SPDX-License-Identifier: Apache-2.0
#include "credence/novelty.hpp"

#include <algorithm>
#include <cmath>

#include "choose/generated_table.hpp"
#include "core/log_math.hpp"
#include "credence/error.hpp"
#include "credence/hold_out.hpp"
#include "credence/io.hpp"

namespace credence {
namespace {

// Three columns of numbers and one of words; values are missing with this probability.
std::string usual_rows(std::size_t rows, double missing, std::uint64_t seed) {
  Random random(seed);
  std::string text = "u,v,w,colour,y\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const bool first = random.uniform() < 0.4;
    const double u = (first ? 0 : 3) + random.normal();
    const auto cell = [&](double value) {
      return random.uniform() < missing ? std::string(",") : std::to_string(value) + ",";
    };
    text += cell(u) + cell(u + 0.3 * random.normal()) + cell(1000 * random.normal());
    text += random.uniform() < 0.3 ? "red," : "blue,";
    text += first ? "a\n" : "b\n";
  }
  return text;
}

// The largest distance of the shares from those of a uniform, times the root of their number.
double kolmogorov_smirnov(std::vector<double> p) {
  std::sort(p.begin(), p.end());
  const auto n = static_cast<double>(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto place = static_cast<double>(i);
    largest = std::max({largest, p[i] - place / n, (place + 1) / n - p[i]});
  }
  return largest * std::sqrt(n);
}
constexpr double rejected_at_one_in_thousand = 1.95;

class NoveltyOf : public GeneratedTable {
 protected:
  Model with_reference(const std::string& text, const std::string& kind = "") {
    Model model = learn(text, kind);
    CalibrationOptions options;
    options.novelty = true;
    calibrate(model, chunks(text, model), options);
    return model;
  }
  std::vector<double> p_values(const Model& model, const std::string& text) {
    const Scorer scorer(model);
    const NoveltyTest test(model, scorer);
    std::vector<double> result;
    for (const auto& chunk : chunks(text, model)) {
      const auto part = test.p_values(chunk);
      result.insert(result.end(), part.begin(), part.end());
    }
    return result;
  }
};

// Leaving out its only row leaves class c without any: nobody knows what it looks like then.
TEST_F(NoveltyOf, rows_takes_nothing_for_usual_of_a_class_that_a_fold_leaves_empty) {
  const auto text = usual_rows(300, 0, 5) + "50,50,100000,red,c\n";
  const Model model = with_reference(text);
  Folds folds;
  folds.leave_one_out = true;
  const auto held = hold_out(model.empty(), chunks(text, model), folds, 0, true);
  for (const auto& block : held.blocks) EXPECT_EQ(block.back(), -infinity);
  // The row is the least usual of all, not the most usual.
  const auto& first = model.settings().novelty->blocks[0];
  EXPECT_LT(*std::min_element(first.reference.surplus.begin(), first.reference.surplus.end()), -50);
  for (const auto& block : model.settings().novelty->blocks) {
    EXPECT_TRUE(std::isfinite(block.own.at(1)));
    EXPECT_TRUE(std::isfinite(block.contribution.at(1)));
  }
}

TEST_F(NoveltyOf, ordinary_rows_have_uniform_p_values) {
  for (const std::string kind : {"", "qda"}) {
    const Model model = with_reference(usual_rows(3000, 0, 1), kind);
    EXPECT_LT(kolmogorov_smirnov(p_values(model, usual_rows(3000, 0, 2))),
              rejected_at_one_in_thousand)
        << kind;
  }
}

TEST_F(NoveltyOf, ordinary_rows_with_gaps_have_p_values_near_uniform) {
  const Model model = with_reference(usual_rows(4000, 0.2, 3));
  EXPECT_LT(kolmogorov_smirnov(p_values(model, usual_rows(2000, 0.2, 4))),
            rejected_at_one_in_thousand);
  // Gaps where no row learned had any: the mean is right, and rows are not all called strange.
  const Model complete = with_reference(usual_rows(4000, 0, 3));
  auto p = p_values(complete, usual_rows(2000, 0.2, 4));
  const auto below = [&](double level) {
    return std::count_if(p.begin(), p.end(), [&](double v) { return v < level; }) / 2000.0;
  };
  EXPECT_LT(below(0.01), 0.03);
  EXPECT_NEAR(below(0.5), 0.5, 0.12);
}

TEST_F(NoveltyOf, a_row_far_from_all_is_strange_and_its_column_is_named) {
  for (const std::string kind : {"", "qda"}) {
    const Model model = with_reference(usual_rows(2000, 0, 1), kind);
    const Scorer scorer(model);
    const NoveltyTest test(model, scorer);
    const auto rows =
        chunks("u,v,w,colour\n0,0,9000,red\n40,40,0,blue\n0,0,100,blue\n0,3,0,blue\n", model)[0];
    const auto p = test.p_values(rows);
    const std::vector<std::size_t> all{0, 1, 2, 3};
    const auto strange = test.strange_columns(rows, all);
    EXPECT_LT(p[0], 0.002);
    EXPECT_LT(p[1], 0.002);
    EXPECT_GT(p[2], 0.05);
    EXPECT_EQ(strange[0], std::vector<std::string>{"w"}) << kind;
    const auto both = strange[1];
    EXPECT_TRUE(std::find(both.begin(), both.end(), "u") != both.end() ||
                std::find(both.begin(), both.end(), "v") != both.end())
        << kind;
    EXPECT_TRUE(strange[2].empty()) << kind;
    // Each value is usual, together they are not: only a block of both can see it.
    if (kind == "qda") {
      EXPECT_LT(p[3], 0.002);
    }
  }
}

// Two columns of words, of which the class says something.
std::string worded_rows(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  const char* const colours[] = {"red", "green", "blue", "white"};
  std::string text = "colour,shape,y\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t cls = random.below(2);
    text += std::string(colours[random.uniform() < 0.6 ? cls : random.below(4)]) + ",";
    text += random.uniform() < 0.8 ? "round," : "square,";
    text += cls == 0 ? "a\n" : "b\n";
  }
  return text;
}

TEST_F(NoveltyOf, a_value_never_seen_counts_as_missing_or_is_strange_where_it_is_reserved) {
  Model model = with_reference(worded_rows(400, 1));
  const std::string rows = "colour,shape\n,round\nplaid,round\nplaid,square\n,square\nplaid,oval\n";
  const auto p = p_values(model, rows);
  EXPECT_EQ(p[1], p[0]);
  EXPECT_EQ(p[2], p[3]);
  EXPECT_LT(p[1], 1);
  EXPECT_LT(p[4], 1);
  EXPECT_GT(p[4], 0.05);
  model.settings().reserve_unseen = true;
  CalibrationOptions options;
  options.novelty = true;
  calibrate(model, chunks(worded_rows(400, 1), model), options);
  const auto reserved = p_values(model, rows);
  EXPECT_LT(reserved[1], 0.01);
  EXPECT_LT(reserved[4], 0.01);
  EXPECT_GT(reserved[0], 0.1);
  const Scorer scorer(model);
  const auto chunk = chunks(rows, model)[0];
  const std::vector<std::size_t> second{1};
  EXPECT_EQ(NoveltyTest(model, scorer).strange_columns(chunk, second)[0],
            std::vector<std::string>{"colour"});
}

TEST_F(NoveltyOf, a_text_of_words_never_seen_counts_as_missing) {
  Random random(1);
  const char* const words[] = {"sun", "rain", "wind", "snow", "hail", "fog"};
  std::string text = "says,y\n";
  for (std::size_t r = 0; r < 200; ++r) {
    const std::size_t cls = random.below(2);
    for (std::size_t i = 0; i < 4; ++i) text += std::string(words[2 * cls + random.below(4)]) + " ";
    text += cls == 0 ? "today,a\n" : "tonight,b\n";
  }
  Plan plan;
  plan.target = "y";
  plan.as = {"says: text(multinomial, tokens=plain)"};
  Model model = fit(*open(text), plan);
  CalibrationOptions options;
  options.novelty = true;
  calibrate(model, chunks(text, model), options);
  const auto p =
      p_values(model, "says\n\"\"\nle soleil brille encore demain\nsun sun rain wind today\n");
  EXPECT_EQ(p[1], p[0]);
  EXPECT_LT(p[1], 0.99);
}

TEST_F(NoveltyOf, does_not_move_with_the_class_prior_or_a_calibration) {
  Model model = with_reference(usual_rows(500, 0, 1));
  const auto rows = usual_rows(200, 0, 2);
  const auto before = p_values(model, rows);
  model.settings().prior = parse_class_prior("a=0.99,b=0.01");
  EXPECT_EQ(p_values(model, rows), before);
  CalibrationOptions options;
  options.method = Calibration::Method::temperature;
  const auto reference = model.settings().novelty;
  calibrate(model, chunks(usual_rows(500, 0, 1), model), options);
  EXPECT_EQ(model.settings().novelty, reference);
  EXPECT_EQ(p_values(model, rows), before);
}

TEST_F(NoveltyOf, more_rows_than_are_kept_change_p_values_by_little) {
  const Model model = with_reference(usual_rows(9000, 0, 1));
  const auto& kept = model.settings().novelty->all;
  EXPECT_EQ(kept.surplus.size(), 4096u);
  EXPECT_TRUE(kept.expected.empty());
  EXPECT_TRUE(std::is_sorted(kept.surplus.begin(), kept.surplus.end()));
  // Rank k of all 9000 rows, by the rows kept.
  Model level = model;
  level.settings().prior.kind = ClassPrior::Kind::given;
  for (std::size_t c = 0; c < 2; ++c) {
    level.settings().prior.shares.emplace_back(model.classes()[c],
                                               std::exp(model.settings().novelty->log_prior[c]));
  }
  const auto held = hold_out(level, chunks(usual_rows(9000, 0, 1), model), {});
  double expected = 0;
  for (const auto& block : model.settings().novelty->blocks) {
    expected += block.contribution.at(1);
  }
  std::vector<double> evidence;
  for (std::size_t i = 0; i < held.rows.size(); ++i) {
    evidence.push_back(posterior(std::span(held.log_joint).subspan(2 * i, 2)).log_evidence -
                       expected);
  }
  std::sort(evidence.begin(), evidence.end());
  for (std::size_t i = 0; i < evidence.size(); i += 50) {
    EXPECT_NEAR(kept.p_value(0, evidence[i]), static_cast<double>(i) / 9000, 1.5 / 4096);
  }
}

TEST_F(NoveltyOf, ties_count_half_and_like_is_compared_with_like) {
  Novelty::Reference same{{}, {1, 2, 2, 2, 3}};
  EXPECT_DOUBLE_EQ(same.p_value(0, 2), (1 + 1 + 1.5) / 6);
  EXPECT_DOUBLE_EQ(same.p_value(0, 0), 1.0 / 6);
  EXPECT_DOUBLE_EQ(same.p_value(0, 9), 1);
  Novelty::Reference two;
  for (int i = 0; i < 600; ++i) {
    two.expected.push_back(0);
    two.surplus.push_back(i);
  }
  for (int i = 0; i < 600; ++i) {
    two.expected.push_back(10);
    two.surplus.push_back(i - 1000);
  }
  EXPECT_DOUBLE_EQ(two.p_value(0, -1), 1.0 / 601);
  EXPECT_DOUBLE_EQ(two.p_value(10, -1), 1);
  EXPECT_DOUBLE_EQ(two.p_value(2, -1), 1.0 / 601);
  // Alone at its expectation: the nearest rows are taken, all that are equally near.
  two.expected.push_back(11);
  two.surplus.push_back(0);
  EXPECT_DOUBLE_EQ(two.p_value(11, -1), 601.0 / 602);
}

TEST_F(NoveltyOf, survives_a_file) {
  const auto text = usual_rows(400, 0.1, 1);
  for (const std::string kind : {"", "qda"}) {
    const Model model = with_reference(text, kind);
    const auto bytes = to_bytes(model);
    const Model again = from_bytes(bytes, "m");
    EXPECT_EQ(to_bytes(again), bytes);
    EXPECT_EQ(p_values(model, text), p_values(again, text));
  }
}

TEST_F(NoveltyOf, a_model_without_a_reference_or_with_a_stale_one_says_so) {
  Model model = learn(usual_rows(100, 0, 1));
  const Scorer scorer(model);
  EXPECT_THROW(NoveltyTest(model, scorer), Error);
  Model other = with_reference(usual_rows(100, 0, 1));
  other.settings().rule = parse_rule("laplace=1");
  const Scorer another(other);
  EXPECT_THROW(NoveltyTest(other, another), Error);
}

}  // namespace
}  // namespace credence

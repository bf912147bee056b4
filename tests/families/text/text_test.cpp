// SPDX-License-Identifier: Apache-2.0
// Texts against the bag families on the same words, the lectures' documents, and odd input.
#include "families/text/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "core/log_math.hpp"
#include "credence/credence.hpp"
#include "error_of.hpp"
#include "families/registry.hpp"
#include "laws/random_data.hpp"
#include "tables/temp_folder.hpp"

namespace credence {
namespace {

using data_test::TempFolder;
using testing::HasSubstr;

Scorer scorer_of(const laws::Case& what, const std::string& rule, const std::vector<Chunk>& rows) {
  Settings settings;
  settings.rule = parse_rule(rule);
  return Scorer(laws::learn(laws::model_for(what, settings), rows));
}

// The text model and the bag family learn the same rows and score the same rows.
void expect_equal(const std::string& parameters, const std::string& family,
                  const std::string& rule) {
  const laws::Case text{"text", ColumnKind::text, "text", 0, 1, 1, parameters};
  const laws::Case bag{"bag", ColumnKind::bag, family};
  Random random(3);
  std::size_t impossible = 0;
  for (const std::size_t rows : {6u, 8u, 10u, 60u}) {
    for (const auto weights : {laws::Weights::none, laws::Weights::exaggerated}) {
      const Chunk train = laws::random_chunk(bag, rows, weights, random);
      const Chunk test = laws::random_chunk(bag, 200, laws::Weights::none, random);
      std::optional<Scorer> bags;
      try {
        bags.emplace(scorer_of(bag, rule, {train}));
      } catch (const Error&) {  // a class without a value
        EXPECT_THROW(scorer_of(text, rule, {train}), Error);
        continue;
      }
      const Scorer &one = scorer_of(text, rule, {train}), &other = *bags;
      const auto a = one.log_joint(test), b = other.log_joint(test);
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isinf(b[i])) {
          ++impossible;
          EXPECT_EQ(a[i], b[i]) << rule;
        } else {
          EXPECT_NEAR(a[i], b[i], 1e-12 * (1 + std::abs(b[i]))) << rule;
        }
      }
      const double expected = other.log_likelihood(), found = one.log_likelihood();
      EXPECT_TRUE(found == expected || std::abs(found - expected) <= 1e-11 * std::abs(expected))
          << rule << ": " << found << " instead of " << expected;
      EXPECT_EQ(one.parameters(), other.parameters());
    }
  }
  if (rule == "mle") {
    EXPECT_GT(impossible, 0u) << "the rows do not test what is impossible";
  }
}

TEST(TextFamily, multinomial_equals_the_bag_family) {
  for (const auto* rule : {"mle", "unbiased", "laplace=1", "m-estimate=2", "map", "map=30"}) {
    expect_equal("multinomial", "multinomial", rule);
  }
}

TEST(TextFamily, bernoulli_equals_the_bag_family) {
  for (const auto* rule : {"mle", "unbiased", "laplace=1", "m-estimate=2", "map", "map=1", "map=5",
                           "bayes", "bayes=7"}) {
    expect_equal("bernoulli", "bernoulli", rule);
  }
}

TEST(TextFamily, weak_modes_equal_those_of_the_bag_family) {
  const laws::Case text{"text", ColumnKind::text, "text", 0, 1, 1, "multinomial"};
  const laws::Case bag{"bag", ColumnKind::bag, "multinomial"};
  Random random(5);
  const Chunk train = laws::random_chunk(bag, 60, laws::Weights::none, random);
  const auto a = scorer_of(text, "map=2", {train}).log_joint(train),
             b = scorer_of(bag, "map=2", {train}).log_joint(train);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12 * std::abs(b[i]));
}

TEST(TextFamily, a_row_that_no_class_allows_is_undecidable) {
  const laws::Case what{"text", ColumnKind::text, "text", 0, 1, 1, "bernoulli"};
  Chunk train;
  train.rows = 2;
  train.labels = {{0, 1}, {"ham", "spam"}};
  train.columns = {Bags{{0, 1, 2}, {0, 1}, {1, 1}, {0, 0}, {"good", "bad"}}};
  const Scorer scorer = scorer_of(what, "mle", {train});
  Chunk test;
  test.rows = 2;
  test.columns = {Bags{{0, 2, 2}, {0, 1}, {1, 1}, {0, 0}, {"good", "bad"}}};
  const auto joint = scorer.log_joint(test);
  for (const double value : joint) EXPECT_EQ(value, -infinity);
  EXPECT_TRUE(posterior(std::span(joint).subspan(0, 2)).undecidable());
  EXPECT_THAT(scorer.zero_factors(test, 0), HasSubstr("bad"));
  EXPECT_THAT(scorer.zero_factors(test, 0), HasSubstr("good"));
  EXPECT_THAT(scorer.zero_factors(test, 1), HasSubstr("(all absent ones)"));
}

TEST(TextFamily, complement_tells_classes_apart_by_what_the_others_are_not) {
  // Rennie's weights are -log of a word's share in the other classes. Sums of them and the score
  // differ by what all classes share, so posteriors are equal.
  const laws::Case what{"text", ColumnKind::text, "text", 0, 1, 1, "complement"};
  Random random(7);
  const Chunk train = laws::random_chunk(what, 50, laws::Weights::none, random);
  const Scorer scorer = scorer_of(what, "laplace=1", {train});
  const auto& bags = std::get<Bags>(train.columns[0]);
  std::vector<std::vector<double>> counts(3, std::vector<double>(5, 1.0));  // of the other classes
  for (std::size_t r = 0; r < train.rows; ++r) {
    for (std::size_t i = bags.offsets[r]; i < bags.offsets[r + 1]; ++i) {
      const auto& label = train.labels.dictionary[static_cast<std::size_t>(train.labels.codes[r])];
      for (std::size_t c = 0; c < 3; ++c) {
        if (scorer.classes()[c] != label) {
          counts[c][static_cast<std::size_t>(bags.features[i])] += bags.counts[i];
        }
      }
    }
  }
  const auto joint = scorer.log_joint(train);
  for (std::size_t r = 0; r < train.rows; ++r) {
    std::vector<double> weights(scorer.log_prior());
    for (std::size_t c = 0; c < 3; ++c) {
      double total = 0;
      for (const double n : counts[c]) total += n;
      for (std::size_t i = bags.offsets[r]; i < bags.offsets[r + 1]; ++i) {
        const double share = counts[c][static_cast<std::size_t>(bags.features[i])] / total;
        weights[c] -= bags.counts[i] * std::log(share);
      }
    }
    const auto expected = posterior(weights), found = posterior(std::span(joint).subspan(3 * r, 3));
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(found.probabilities[c], expected.probabilities[c], 1e-13);
    }
  }
}

std::string usage_error(const std::string& parameters) {
  return error_of([&] { parse_text(parameters); }, ErrorKind::usage);
}

TEST(TextFamily, refuses_parameters_that_say_nothing) {
  EXPECT_EQ(usage_error("bernoulli, counts=raw"), "text(bernoulli): only counts=binary go with it");
  EXPECT_EQ(usage_error("bernoulli, idf"), "text(bernoulli): idf does not go with it");
  EXPECT_EQ(usage_error("bernoulli, alpha=1"), "text(bernoulli): alpha does not go with it");
  EXPECT_EQ(usage_error("scale=2, bernoulli"), "text(bernoulli): scale does not go with it");
  EXPECT_EQ(usage_error("counts=tf"), "text(counts=tf): raw, binary or log is wanted");
  EXPECT_THAT(usage_error("max=2"), HasSubstr("from 0 to 1"));
  EXPECT_THAT(usage_error("alpha=0"), HasSubstr("a number above 0"));
  EXPECT_THAT(usage_error("multinomal"), HasSubstr("did you mean \"multinomial\""));
}

TEST(TextFamily, names_the_parameters_of_tokeniser_and_model_alike) {
  TempFolder folder;
  folder.write("t.csv", "class,text\na,one\nb,two\n");
  Plan plan;
  plan.target = "class";
  for (const auto& [wrong, right] :
       {std::pair{"multinomal", "multinomial"}, {"ngrms=2", "ngrams"}, {"alfa=1", "alpha"}}) {
    plan.as = {std::string("text: text(") + wrong + ")"};
    try {
      plan_model(open_source({"t.csv"})->profile(), plan);
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_THAT(error.what(), HasSubstr(std::string("did you mean \"") + right + "\""));
    }
  }
}

TEST(TextFamily, complement_without_a_prior_is_refused) {
  const laws::Case what{"text", ColumnKind::text, "text", 0, 1, 1, "complement"};
  Random random(9);
  const Chunk train = laws::random_chunk(what, 30, laws::Weights::none, random);
  for (const auto* rule : {"mle", "unbiased", "map=2"}) {
    try {
      scorer_of(what, rule, {train});
      ADD_FAILURE() << rule;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_THAT(error.what(), HasSubstr("needs a prior"));
    }
  }
}

TEST(TextFamily, leaves_out_words_of_too_few_or_too_many_documents) {
  TempFolder folder;
  folder.write("t.csv",
               "class,text\na,the once red\na,the red rose\nb,the blue sea\nb,the blue sky\n");
  const auto words_with = [&](const std::string& parameters) {
    Plan plan;
    plan.target = "class";
    plan.as = {"text: text(multinomial" + parameters + ")"};
    const auto source = open_source({"t.csv"});
    const Scorer scorer(fit(*source, plan));
    return scorer.tables()[0].remark;
  };
  EXPECT_EQ(words_with(""), "multinomial, 7 words");
  EXPECT_EQ(words_with(", min=2"), "multinomial, 3 words");
  EXPECT_EQ(words_with(", max=0.9"), "multinomial, 6 words");
  EXPECT_EQ(words_with(", min=2, max=0.9"), "multinomial, 2 words");
}

TEST(TextFamily, a_dictionary_may_name_a_word_twice) {
  Chunk once, twice;
  once.rows = twice.rows = 3;
  once.columns = {Bags{{0, 2, 3, 4}, {0, 1, 0, 1}, {1, 2, 3, 1}, {0, 0, 0}, {"a", "b"}}};
  twice.columns = {Bags{{0, 2, 3, 4}, {0, 1, 2, 3}, {1, 2, 3, 1}, {0, 0, 0}, {"a", "b", "a", "b"}}};
  const std::vector<std::int32_t> classes = {0, 1, 1};
  const std::vector<std::size_t> room(2, ExactSums::npos);
  Tensors saved[2];
  for (const bool second : {false, true}) {
    const auto statistics =
        find_family("text").make({{0}, {"t"}, ColumnKind::text, {}}, "multinomial");
    statistics->rearrange_classes(room);
    statistics->observe(second ? twice : once, classes);
    statistics->canonicalise();
    statistics->save(saved[second], "block.0");
  }
  ASSERT_EQ(saved[0].all.size(), saved[1].all.size());
  for (const auto& [name, tensor] : saved[0].all) {
    EXPECT_EQ(tensor.bytes, saved[1].all.at(name).bytes) << name;
  }
}

// The lectures' documents, as a text column of a CSV.
struct Lecture {
  TempFolder folder;
  Scorer fitted(const std::string& csv, const std::string& parameters, const std::string& rule) {
    folder.write("documents.csv", csv);
    Plan plan;
    plan.target = "class";
    plan.as = {"text: text(" + parameters + ")"};
    plan.settings.rule = parse_rule(rule);
    const auto source = open_source({"documents.csv"});
    return Scorer(fit(*source, plan));
  }
  Posterior of(const Scorer& scorer, const std::string& text) {
    return posterior(scorer.log_joint(parse_given(scorer.schema(), {"text=" + text})));
  }
};

const char* const good_bad =
    "class,text\nham,good\nham,very good\nspam,bad\nspam,very bad\nspam,very bad very bad\n";

TEST(TextLecture, good_bad_very) {
  Lecture lecture;
  const std::string test = "good bad very bad";
  EXPECT_TRUE(lecture.of(lecture.fitted(good_bad, "bernoulli", "mle"), test).undecidable());
  const auto coins = lecture.fitted(good_bad, "bernoulli", "laplace=1");
  const auto joint = coins.log_joint(parse_given(coins.schema(), {"text=" + test}));
  EXPECT_NEAR(std::exp(joint[0]), 0.0375, 1e-15);
  EXPECT_NEAR(std::exp(joint[1]), 0.0576, 1e-15);
  EXPECT_NEAR(lecture.of(coins, test).probabilities[1], 0.605678, 5e-7);
  const auto urns = lecture.fitted(good_bad, "multinomial", "laplace=1");
  const auto draws = urns.log_joint(parse_given(urns.schema(), {"text=" + test}));
  EXPECT_NEAR(std::exp(draws[0]), 0.00185185, 5e-9);
  EXPECT_NEAR(std::exp(draws[1]), 0.006, 1e-15);
  EXPECT_NEAR(lecture.of(urns, test).probabilities[1], 0.764151, 5e-7);
}

TEST(TextLecture, six_emails) {
  const char* const mails =
      "class,text\nspam,send us your password\nspam,review us\nspam,send your password\n"
      "spam,send us your account\nnot,send us your review\nnot,review your password\n";
  Lecture lecture;
  const std::string test = "Review us now!";  // "now" was never seen
  const auto at = [&](const std::string& rule) {
    return lecture.of(lecture.fitted(mails, "bernoulli", rule), test).probabilities[1];
  };
  EXPECT_EQ(at("mle"), 1);
  EXPECT_NEAR(at("m-estimate=1"), 0.477659, 5e-7);
  EXPECT_NEAR(at("m-estimate=2"), 0.483589, 5e-7);
  const auto scorer = lecture.fitted(mails, "bernoulli", "m-estimate=1");
  const auto joint = scorer.log_joint(parse_given(scorer.schema(), {"text=" + test}));
  EXPECT_NEAR(std::exp(joint[1]), 0.00441, 5e-9);
  EXPECT_NEAR(std::exp(joint[0]), 0.00482253, 5e-9);
}

TEST(TextLecture, the_linear_form_gives_the_same_log_odds) {
  Lecture lecture;
  const auto scorer = lecture.fitted(good_bad, "bernoulli", "laplace=1");
  const auto form = scorer.linear_form();
  const Chunk row = parse_given(scorer.schema(), {"text=very good"});
  const auto joint = scorer.log_joint(row);
  double odds = form.intercepts[1] - form.intercepts[0];
  for (const auto& feature : form.features) {
    if (feature.name == "text: good" || feature.name == "text: very") {
      odds += feature.coefficients[1] - feature.coefficients[0];
    }
  }
  EXPECT_NEAR(odds, joint[1] - joint[0], 1e-13);
}

}  // namespace
}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Leaving a row out the short way gives what estimating anew gives, row by row, odd rows included.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "credence/hold_out.hpp"
#include "laws/random_data.hpp"

namespace credence::laws {
namespace {

struct Answer {
  std::vector<double> scores;
  std::string error;
};

template <typename Work>
Answer answer(std::size_t classes, const Work& work) {
  Answer result{std::vector<double>(classes, 0.0), ""};
  try {
    work(result.scores);
  } catch (const Error& error) {
    result = {{}, error.what()};
  }
  return result;
}

// What the family says of a row left out, and what BlockStatistics' own way says of it.
// A density's mean is one double. Where the exact mean lies halfway between two, either is right,
// and far from 0 that shows: `slack` is its last digit in units of the spread.
void expect_same(const Model& whole, const Chunk& chunk, double slack, const std::string& what) {
  const auto& block = whole.statistics().block(0);
  const std::size_t many = whole.classes().size();
  const Estimation estimation{whole.settings().rule,   whole.settings().reserve_unseen,
                              whole.classes(),         whole.class_weights(),
                              whole.settings().shares, {}};
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const std::size_t only[] = {r};
    const Chunk row = select_rows(chunk, only);
    const auto& label = row.labels.dictionary[static_cast<std::size_t>(row.labels.codes[0])];
    const auto place = std::find(whole.classes().begin(), whole.classes().end(), label);
    if (place == whole.classes().end()) continue;  // all rows of the class weigh 0
    const std::int32_t classes[] = {static_cast<std::int32_t>(place - whole.classes().begin())};
    const auto quick = answer(many, [&](std::vector<double>& scores) {
      block.add_held_out(estimation, row, classes, 1.5, scores);
    });
    const auto slow = answer(many, [&](std::vector<double>& scores) {
      block.BlockStatistics::add_held_out(estimation, row, classes, 1.5, scores);
    });
    ASSERT_EQ(quick.error, slow.error) << what << ", row " << r;
    ASSERT_EQ(quick.scores.size(), slow.scores.size());
    for (std::size_t c = 0; c < slow.scores.size(); ++c) {
      if (std::isinf(slow.scores[c])) {
        EXPECT_EQ(quick.scores[c], slow.scores[c]) << what << ", row " << r;
        continue;
      }
      EXPECT_NEAR(quick.scores[c], slow.scores[c],
                  (1e-12 + slack) * std::max(1.0, std::abs(slow.scores[c])))
          << what << ", row " << r << ", class " << whole.classes()[c];
    }
  }
}

// Row 0 is alone in its class, row 1 has what no other row has, row 2 weighs nothing, and class d
// has the two equal values of rows 3 and 4 and one more: without that their variance is 0.
Chunk odd_chunk(const Case& what, bool weighted, Random& random) {
  Chunk chunk = random_chunk(what, 30, weighted ? Weights::exaggerated : Weights::none, random);
  chunk.labels.dictionary.insert(chunk.labels.dictionary.end(), {"alone", "d"});
  chunk.labels.codes[0] = 3;
  for (const std::size_t r : {3u, 4u, 5u}) chunk.labels.codes[r] = 4;
  if (weighted) {
    chunk.weights[2] = 0;
    chunk.weights[7] = 1e9;
  }
  for (auto& column : chunk.columns) {
    if (auto* words = std::get_if<Categories>(&column)) {
      words->dictionary.push_back("unheard of");
      words->dictionary.push_back("weightless");
      words->codes[1] = static_cast<std::int32_t>(words->dictionary.size() - 2);
      if (weighted) words->codes[2] = static_cast<std::int32_t>(words->dictionary.size() - 1);
      words->codes[4] = words->codes[3];
    } else if (auto* numbers = std::get_if<Numbers>(&column)) {
      numbers->values[3] = numbers->values[4] = numbers->values[6];
      if (what.kind == ColumnKind::number) numbers->values[1] *= 1e6;
    } else {
      auto& bags = std::get<Bags>(column);
      const auto add_word = [&](std::size_t row, const std::string& word) {
        bags.dictionary.push_back(word);
        const auto at = static_cast<std::ptrdiff_t>(bags.offsets[row + 1]);
        bags.features.insert(bags.features.begin() + at,
                             static_cast<std::int32_t>(bags.dictionary.size() - 1));
        bags.counts.insert(bags.counts.begin() + at, 2);
        for (std::size_t r = row + 1; r < bags.offsets.size(); ++r) ++bags.offsets[r];
        bags.missing[row] = 0;
      };
      add_word(1, "unheard of");
      if (weighted) add_word(2, "weightless");
    }
  }
  return chunk;
}

class HeldOutLaws : public testing::TestWithParam<Case> {};

TEST_P(HeldOutLaws, the_short_way_gives_what_estimating_anew_gives) {
  Random random(83);
  const double ratio = std::abs(GetParam().offset) / GetParam().scale;
  const double slack = ratio > 1e3 ? ratio * 0x1p-50 : 0;
  for (const auto* rule : {"bayes", "bayes=0.01", "laplace=0.5", "m-estimate=50", "map", "map=0.5",
                           "mle", "unbiased"}) {
    for (const bool weighted : {false, true}) {
      for (const bool reserve : {false, true}) {
        Settings settings;
        settings.rule = parse_rule(rule);
        settings.reserve_unseen = reserve;
        const Model empty = model_for(GetParam(), settings);
        const Chunk odd = odd_chunk(GetParam(), weighted, random);
        expect_same(learn(empty, {odd}), odd, slack,
                    std::string(rule) + (weighted ? ", weighted" : ""));
        const Chunk plain =
            random_chunk(GetParam(), 60, weighted ? Weights::exaggerated : Weights::none, random);
        expect_same(learn(empty, {plain}), plain, slack, rule);
      }
    }
  }
}

// All that a document left out changes beside its own words: the rarity of all others, and which
// words are left out as too rare or too common.
const std::vector<std::string> text_options = {
    "bernoulli, min=2",
    "bernoulli, min=9, max=0.5",
    "bernoulli, max=0.4",
    "multinomial, idf",
    "multinomial, counts=log, alpha=2",
    "multinomial, counts=log, idf, min=3, max=0.5, scale=0.3",
    "complement, counts=log",
    "complement, counts=binary, idf, max=0.4",
    "complement, counts=log, idf, min=9, max=0.6"};

// The families that know a shorter way; the others take the long one.
std::vector<Case> quick_cases() {
  std::vector<Case> result;
  for (const auto& what : cases()) {
    const bool gaussian = what.family == "gaussian" && what.parameters.empty();
    if (gaussian || what.family == "categorical" || what.family == "poisson" ||
        what.family == "bernoulli" || what.family == "multinomial" || what.family == "text") {
      result.push_back(what);
    }
  }
  for (const auto& options : text_options) {
    const Case what{"text_" + options, ColumnKind::text, "text", 0, 1, 1, options};
    result.push_back(what);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(families, HeldOutLaws, testing::ValuesIn(quick_cases()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           for (char& c : name) c = std::isalnum(c) ? c : '_';
                           return name;
                         });

// Few documents of few classes, with many words that one or two of them have, some without a word,
// and classes of one document.
Chunk small_texts(Random& random, bool weighted) {
  Chunk chunk;
  chunk.rows = 2 + random.below(12);
  Bags bags;
  const std::size_t kinds = 1 + random.below(30);
  for (std::size_t w = 0; w < kinds; ++w) bags.dictionary.push_back("w" + std::to_string(w));
  chunk.labels.dictionary = {"a", "b", "c"};
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    chunk.labels.codes.push_back(r < 2 ? static_cast<std::int32_t>(r)
                                       : static_cast<std::int32_t>(random.below(3)));
    if (weighted) chunk.weights.push_back(std::vector<double>{0, 0.3, 1, 7}[random.below(4)]);
    bags.missing.push_back(random.below(9) == 0);
    const std::size_t length = bags.missing.back() ? 0 : random.below(8);
    std::vector<bool> has(kinds, false);
    for (std::size_t n = 0; n < length; ++n) {
      // The first words are common, the others rare.
      has[random.below(2) == 0 ? random.below(std::min<std::size_t>(kinds, 3))
                               : random.below(kinds)] = true;
    }
    for (std::size_t w = 0; w < kinds; ++w) {
      if (!has[w]) continue;
      bags.features.push_back(static_cast<std::int32_t>(w));
      bags.counts.push_back(1 + static_cast<double>(random.below(3)));
    }
    bags.offsets.push_back(bags.features.size());
  }
  chunk.columns = {bags};
  return chunk;
}

TEST(HeldOut, a_document_left_out_the_short_way_is_scored_as_by_a_refit) {
  std::vector<Case> all = {{"bag", ColumnKind::bag, "bernoulli"},
                           {"bag", ColumnKind::bag, "multinomial"}};
  std::vector<std::string> options = text_options;
  options.insert(options.end(), {"bernoulli", "multinomial", "multinomial, min=2", "complement",
                                 "complement, idf, max=0.3"});
  for (const auto& parameters : options) {
    all.push_back({"text", ColumnKind::text, "text", 0, 1, 1, parameters});
  }
  ASSERT_TRUE(rc::check([&] {
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    const auto& what = all[*rc::gen::inRange<std::size_t>(0, all.size())];
    Settings settings;
    const auto rule =
        *rc::gen::element<std::string>("bayes", "bayes=0.01", "laplace=0.5", "m-estimate=50", "map",
                                       "map=0.5", "map=40", "mle", "unbiased");
    settings.rule = parse_rule(rule);
    const Chunk chunk = small_texts(random, *rc::gen::arbitrary<bool>());
    expect_same(learn(model_for(what, settings), {chunk}), chunk, 0,
                what.family + " " + what.parameters + ", " + rule);
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

TEST(HeldOut, a_variance_of_zero_without_the_row_is_the_error_of_the_refit) {
  const Case what{"gaussian", ColumnKind::number, "gaussian"};
  Settings settings;
  settings.rule = parse_rule("mle");
  Chunk chunk;
  chunk.rows = 5;
  chunk.labels = {{0, 0, 0, 1, 1}, {"a", "b"}};
  chunk.columns = {Numbers{{1, 1, 3, 4, 5}}};
  Folds folds;
  folds.leave_one_out = true;
  try {
    hold_out(model_for(what, settings), {chunk}, folds);
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("do not vary"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace credence::laws

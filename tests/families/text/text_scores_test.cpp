// SPDX-License-Identifier: Apache-2.0
// What scoring keeps of words: cells in less memory, rows several at a time.
#include "families/text/text_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/random.hpp"
#include "credence/credence.hpp"
#include "families/text/cell_scores.hpp"
#include "laws/random_data.hpp"

namespace credence {
namespace {

// The same cells, and the same sums, as a list of pairs has.
void expect_kept(const std::vector<std::pair<std::uint32_t, double>>& pairs) {
  CellScores cells;
  for (const auto& [cls, correction] : pairs) cells.push_back(cls, correction);
  ASSERT_EQ(cells.size(), pairs.size());
  std::map<std::uint32_t, double> sums;
  std::uint32_t classes = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    EXPECT_EQ(cells.cls(k), pairs[k].first);
    EXPECT_EQ(cells.correction(k), pairs[k].second);
    if (k > 0) sums[pairs[k].first] += 2.5 * pairs[k].second;
    classes = std::max(classes, pairs[k].first + 1);
  }
  std::vector<double> score(classes, 0.0);
  cells.add(1, pairs.size() - 1, 2.5, score);
  for (const auto& [cls, sum] : sums) EXPECT_EQ(score[cls], sum);
}

TEST(CellScores, keep_few_different_numbers_and_many) {
  for (const std::size_t different : {1u, 100u, 4096u, 4097u, 20000u}) {
    std::vector<std::pair<std::uint32_t, double>> pairs;
    for (std::size_t k = 0; k < 20000; ++k) {
      pairs.emplace_back(k % 20, std::log(1.0 + static_cast<double>(k % different)));
    }
    expect_kept(pairs);
  }
}

TEST(CellScores, keep_classes_of_any_number_and_zeros_of_either_sign) {
  expect_kept({{0, 0.5}, {(1u << 20) - 1, 0.25}, {3, 0.5}});
  expect_kept({{0, 0.5}, {1u << 20, 0.25}, {3, 0.5}});
  CellScores cells;
  cells.push_back(0, 0.0);
  cells.push_back(0, -0.0);
  EXPECT_FALSE(std::signbit(cells.correction(0)));
  EXPECT_TRUE(std::signbit(cells.correction(1)));
}

// Documents of many words, some of which most classes have and some of which few.
Chunk documents(std::size_t rows, std::size_t classes, Random& random) {
  constexpr std::size_t kinds = 400;
  Chunk chunk;
  chunk.rows = rows;
  Bags bags;
  for (std::size_t w = 0; w < kinds; ++w) {
    bags.dictionary.push_back((w % 3 == 0 ? "a_rather_long_word_" : "w") + std::to_string(w));
  }
  for (std::size_t c = 0; c < classes; ++c) {
    chunk.labels.dictionary.push_back("class" + std::to_string(c));
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t cls = r % classes;
    chunk.labels.codes.push_back(static_cast<std::int32_t>(cls));
    std::map<std::int32_t, double> counts;
    for (std::size_t n = random.below(90); n > 0; --n) {
      const bool common = random.uniform() < 0.6;
      const std::size_t word = common ? random.below(50) : 50 + (cls * 29 + random.below(60)) % 350;
      counts[static_cast<std::int32_t>(word)] += 1;
    }
    for (const auto& [word, count] : counts) {
      bags.features.push_back(word);
      bags.counts.push_back(count);
    }
    bags.offsets.push_back(bags.features.size());
    bags.missing.push_back(0);
  }
  chunk.columns = {std::move(bags)};
  return chunk;
}

TEST(TextScores, of_long_documents_are_those_of_the_bag_family) {
  const laws::Case text{"text", ColumnKind::text, "text", 0, 1, 1, "multinomial"};
  const laws::Case bag{"bag", ColumnKind::bag, "multinomial"};
  Settings settings;
  settings.rule = parse_rule("laplace=1");
  Random random(17);
  for (const std::size_t classes : {2u, 3u, 12u, 21u}) {
    const Chunk train = documents(300, classes, random), test = documents(120, classes, random);
    const Scorer one(laws::learn(laws::model_for(text, settings), {train}));
    const Scorer other(laws::learn(laws::model_for(bag, settings), {train}));
    const auto found = one.log_joint(test), expected = other.log_joint(test);
    ASSERT_EQ(found.size(), 120 * classes);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i], expected[i], 1e-12 * (1 + std::abs(expected[i]))) << classes;
    }
  }
}

}  // namespace
}  // namespace credence

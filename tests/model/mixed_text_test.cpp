// SPDX-License-Identifier: Apache-2.0
// A text, two numbers and a word together tell more than any of them alone: rows drawn from a known
// model, learnt from one half and judged on the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "core/random.hpp"
#include "credence/credence.hpp"

namespace credence {
namespace {

constexpr std::size_t vocabulary = 200;

// Given the class: words from shares that tilt the other way, two normals one spread apart, and a
// color. All are independent, so the true posterior is the product of their likelihoods.
struct World {
  std::vector<double> word_share[2];
  double mean[2][2] = {{0, 0}, {1, -0.8}};
  double red[2] = {0.7, 0.35};

  World() {
    for (std::size_t w = 0; w < vocabulary; ++w) {
      const double common = 1.0 / static_cast<double>(w + 1), tilt = w % 2 == 0 ? 1.15 : 0.85;
      word_share[0].push_back(common * tilt);
      word_share[1].push_back(common * (2 - tilt));
    }
    for (auto& shares : word_share) {
      double total = 0;
      for (const double share : shares) total += share;
      for (double& share : shares) share /= total;
    }
  }

  // The rows, and the true log P(b, x) - log P(a, x) of each.
  Chunk draw(std::size_t rows, Random& random, std::vector<double>& truth) const {
    Chunk chunk;
    chunk.rows = rows;
    chunk.labels.dictionary = {"a", "b"};
    Bags bags;
    Numbers x, y;
    Categories color{{}, {"red", "blue"}};
    for (std::size_t w = 0; w < vocabulary; ++w) bags.dictionary.push_back("w" + std::to_string(w));
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t c = random.below(2);
      chunk.labels.codes.push_back(static_cast<std::int32_t>(c));
      double odds = 0;
      std::vector<double> counts(vocabulary, 0.0);
      for (int n = 0; n < 40; ++n) {
        const std::size_t w = random.pick(word_share[c]);
        counts[w] += 1;
        odds += std::log(word_share[1][w] / word_share[0][w]);
      }
      for (std::size_t w = 0; w < vocabulary; ++w) {
        if (counts[w] == 0) continue;
        bags.features.push_back(static_cast<std::int32_t>(w));
        bags.counts.push_back(counts[w]);
      }
      bags.offsets.push_back(bags.features.size());
      bags.missing.push_back(0);
      for (int i = 0; i < 2; ++i) {
        const double value = mean[c][i] + random.normal();
        (i == 0 ? x : y).values.push_back(value);
        const double from_a = value - mean[0][i], from_b = value - mean[1][i];
        odds += (from_a * from_a - from_b * from_b) / 2;
      }
      const bool is_red = random.uniform() < red[c];
      color.codes.push_back(is_red ? 0 : 1);
      odds += is_red ? std::log(red[1] / red[0]) : std::log((1 - red[1]) / (1 - red[0]));
      truth.push_back(odds);
    }
    chunk.columns = {std::move(bags), std::move(x), std::move(y), std::move(color)};
    return chunk;
  }
};

struct Judged {
  double log_loss = 0, accuracy = 0;
};

Judged judge_odds(const std::vector<double>& odds, const Chunk& test) {
  Judged result;
  for (std::size_t r = 0; r < test.rows; ++r) {
    const double sign = test.labels.codes[r] == 1 ? 1 : -1;
    result.log_loss += std::log1p(std::exp(-sign * odds[r])) / static_cast<double>(test.rows);
    result.accuracy += (sign * odds[r] > 0) / static_cast<double>(test.rows);
  }
  return result;
}

TEST(MixedText, the_whole_beats_each_of_its_parts_and_comes_near_the_truth) {
  const World world;
  Random random(2026);
  std::vector<double> ignored, truth;
  const Chunk train = world.draw(4000, random, ignored), test = world.draw(4000, random, truth);
  Schema schema;
  schema.target = "class";
  schema.columns = {{"text", ColumnKind::text, {}},
                    {"x", ColumnKind::number, {}},
                    {"y", ColumnKind::number, {}},
                    {"color", ColumnKind::category, {}}};
  const BlockSpec text{"text", {0}, 1, "multinomial, alpha=1"}, x{"gaussian", {1}, 1},
      y{"gaussian", {2}, 1}, color{"categorical", {3}, 1};
  const auto judged = [&](const std::vector<BlockSpec>& blocks) {
    // A column outside all blocks is not allowed: its block weighs nothing instead.
    std::vector<BlockSpec> all = {text, x, y, color};
    for (auto& block : all) {
      if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) block.weight = 0;
    }
    Model model(schema, all, {});
    model.observe(train);
    const Scorer scorer(model);
    const auto joint = scorer.log_joint(test);
    std::vector<double> odds;
    for (std::size_t r = 0; r < test.rows; ++r) odds.push_back(joint[2 * r + 1] - joint[2 * r]);
    return judge_odds(odds, test);
  };
  const Judged whole = judged({text, x, y, color});
  const std::vector<std::pair<const char*, std::vector<BlockSpec>>> parts = {
      {"text", {text}},
      {"numbers", {x, y}},
      {"color", {color}},
      {"all but the text", {x, y, color}},
      {"all but the numbers", {text, color}},
      {"all but the color", {text, x, y}}};
  for (const auto& [name, blocks] : parts) {
    const Judged part = judged(blocks);
    EXPECT_LT(whole.log_loss, part.log_loss - 0.01) << name;
    EXPECT_GT(whole.accuracy, part.accuracy + 0.003) << name;
    EXPECT_LT(part.log_loss, std::log(2.0)) << name << " tells nothing";
  }
  // The model is of the kind that drew the rows: little is lost to learning from 4000 of them.
  const Judged best = judge_odds(truth, test);
  EXPECT_NEAR(whole.log_loss, best.log_loss, 0.01);
  EXPECT_NEAR(whole.accuracy, best.accuracy, 0.01);
}

}  // namespace
}  // namespace credence

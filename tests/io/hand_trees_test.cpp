// SPDX-License-Identifier: Apache-2.0
// Trees written by hand: the model says of every row what the product of the tables says.
#include "io/hand_trees.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "credence/io.hpp"
#include "credence/scorer.hpp"

namespace credence {
namespace {

using Shares = std::vector<double>;

// A tree over columns of 2 to 4 values in two classes; with the zeros that people write.
class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : random_(seed) {
    for (std::size_t i = 0; i < columns; ++i) {
      values_.push_back(2 + random_() % 3);
      parents_.push_back(i == 0 ? i : random_() % i);
      const std::size_t tables = i == 0 ? 1 : values_[parents_[i]];
      for (std::size_t c = 0; c < 2; ++c) {
        for (std::size_t b = 0; b < tables; ++b) tables_[i][c].push_back(shares(values_[i]));
      }
    }
  }

  // Columns stand in the file from the last to the first: parents below their children.
  std::string text() const {
    OrderedJson json{{"prior", {{"a", 0.25}, {"b", 0.75}}}};
    for (std::size_t i = columns; i-- > 0;) {
      auto& column = json["columns"][name(i)];
      if (i > 0) column["parent"] = name(parents_[i]);
      for (std::size_t c = 0; c < 2; ++c) {
        auto& given = column["given"][c == 0 ? "a" : "b"];
        for (std::size_t b = 0; b < tables_[i][c].size(); ++b) {
          auto& table = i == 0 ? given : given["v" + std::to_string(b)];
          for (std::size_t v = 0; v < values_[i]; ++v) {
            table["v" + std::to_string(v)] = tables_[i][c][b][v];
          }
        }
      }
    }
    return json.dump();
  }

  // Each row once, with P(c, x) of both classes.
  void each_row(const std::function<void(const std::string&, const double*)>& visit) const {
    std::vector<std::size_t> row(columns, 0);
    for (;;) {
      double joint[2] = {0.25, 0.75};
      std::string given;
      for (std::size_t i = 0; i < columns; ++i) {
        given += (i ? "," : "") + name(i) + "=v" + std::to_string(row[i]);
        for (std::size_t c = 0; c < 2; ++c) {
          joint[c] *= tables_[i][c][i == 0 ? 0 : row[parents_[i]]][row[i]];
        }
      }
      visit(given, joint);
      std::size_t at = 0;
      while (at < columns && ++row[at] == values_[at]) row[at++] = 0;
      if (at == columns) return;
    }
  }

 private:
  static constexpr std::size_t columns = 5;
  static std::string name(std::size_t column) { return "x" + std::to_string(column); }
  Shares shares(std::size_t count) {
    Shares result;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      result.push_back(i > 0 && random_() % 5 == 0 ? 0 : 0.1 + static_cast<double>(random_() % 90));
      sum += result.back();
    }
    for (auto& share : result) share /= sum;
    return result;
  }

  std::mt19937 random_;
  std::vector<std::size_t> values_, parents_;
  std::vector<Shares> tables_[columns][2];
};

TEST(HandTrees, say_of_every_row_what_the_product_of_their_tables_says) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const RandomTree tree(seed);
    const Model model = from_bytes(tree.text(), "tree.json");
    const Scorer scorer(model);
    double sum = 0;
    tree.each_row([&](const std::string& given, const double* joint) {
      const auto logs = scorer.log_joint(parse_given(model.schema(), {given}));
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_NEAR(std::exp(logs[c]), joint[c], 1e-13) << given << " " << seed;
        sum += std::exp(logs[c]);
      }
    });
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

}  // namespace
}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// A sparse matrix whose rows are read where they lie.
#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "core/chunk_rows.hpp"
#include "core/random.hpp"
#include "credence/credence.hpp"
#include "tables/memory/memory.hpp"
#include "tables/memory/memory_columns.hpp"

namespace credence {
namespace {

constexpr std::size_t features = 40;

struct Sparse {
  std::vector<std::int32_t> starts{0};
  std::vector<std::int32_t> columns;
  std::vector<double> counts;
  std::vector<std::int32_t> labels;
  std::vector<std::string> names;
  std::vector<double> weights = {};  // none: 1 each

  explicit Sparse(std::size_t rows) {
    Random random(7);
    for (std::size_t f = 0; f < features; ++f) names.push_back(std::to_string(f));
    for (std::size_t r = 0; r < rows; ++r) {
      labels.push_back(static_cast<std::int32_t>(random.below(3)));
      for (std::size_t f = 0; f < features; ++f) {
        const auto cls = static_cast<std::size_t>(labels.back());
        if (random.below(8) > (f % 3 == cls ? 3u : 0u)) continue;
        columns.push_back(static_cast<std::int32_t>(f));
        counts.push_back(static_cast<double>(random.below(4)));  // zeros may be written down
      }
      starts.push_back(static_cast<std::int32_t>(columns.size()));
    }
  }

  data::SparseView view() const {
    return {{starts.data(), data::NumberType::int32, sizeof(std::int32_t)},
            {columns.data(), data::NumberType::int32, sizeof(std::int32_t)},
            {counts.data(), data::NumberType::float64, sizeof(double)},
            features,
            nullptr};
  }

  std::unique_ptr<Source> open() const {
    data::Batch batch;
    batch.rows = labels.size();
    batch.columns.push_back(data::sparse_column(view()));
    batch.lend_sparse = data::lend_sparse(view());
    data::MemoryTable table;
    table.fields.push_back({"words", data::ValueKind::bag, false});
    table.labels = data::RowLabels{labels, {"a", "b", "c"}};
    table.weights = weights;
    table.lends = batch.lend_sparse != nullptr;
    table.width = features;
    table.entries_of_row = 6;
    table.next = [batch = std::optional<data::Batch>(batch)]() mutable {
      return std::exchange(batch, std::nullopt);
    };
    return data::open_memory(std::move(table), "class");
  }

  Schema schema() const { return {{{"words", ColumnKind::bag, names}}, "class", ""}; }

  std::vector<Chunk> chunks(bool training, bool lend) const {
    const auto source = open();
    source->select(schema(), training);
    if (lend) {
      EXPECT_TRUE(source->lend_rows());
    }
    std::vector<Chunk> result;
    for (RawChunk raw; source->read(raw);) result.push_back(source->parse(raw));
    return result;
  }

  Model learned(const std::string& family, const std::string& rule, bool lend) const {
    Settings settings;
    settings.rule = parse_rule(rule);
    const auto open = family.find('(');
    const auto parameters =
        open == std::string::npos ? "" : family.substr(open + 1, family.size() - open - 2);
    Model model(schema(), {{family.substr(0, open), {0}, 1, parameters}}, settings);
    const auto source = this->open();
    source->select(model.schema(), true);
    if (lend) {
      EXPECT_TRUE(source->lend_rows());
    }
    model.learn(*source, 2);
    return model;
  }
};

using Case = std::pair<const char*, const char*>;  // family, rule
class SparseRowsOf : public testing::TestWithParam<Case> {};

TEST_P(SparseRowsOf, GiveTheModelAndTheScoresOfTheirBags) {
  const Sparse rows(9000);  // more than one chunk, of which the second is smaller
  const auto& [family, rule] = GetParam();
  const Model model = rows.learned(family, rule, true);
  EXPECT_EQ(to_bytes(model), to_bytes(rows.learned(family, rule, false)));
  const Scorer scorer(model);
  const auto scores = [&](bool lend) {
    std::vector<double> all;
    for (const auto& chunk : rows.chunks(false, lend)) {
      EXPECT_EQ(static_cast<bool>(chunk.sparse), lend);
      const auto part = scorer.log_joint(chunk);
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  };
  EXPECT_EQ(scores(true), scores(false));
}

TEST_P(SparseRowsOf, WeighWhatTheyAreSaidToWeigh) {
  Sparse rows(9000);
  for (std::size_t r = 0; r < rows.labels.size(); ++r) {
    rows.weights.push_back(0.25 * static_cast<double>(r % 7));
  }
  const auto& [family, rule] = GetParam();
  const auto lent = to_bytes(rows.learned(family, rule, true));
  EXPECT_EQ(lent, to_bytes(rows.learned(family, rule, false)));
  rows.weights.clear();
  EXPECT_NE(lent, to_bytes(rows.learned(family, rule, true)));
}

TEST_P(SparseRowsOf, AreTheSameSlicedSelectedAndPutIntoColumns) {
  const Sparse rows(50);
  const Scorer scorer(rows.learned(GetParam().first, GetParam().second, true));
  const Chunk all = rows.chunks(true, true)[0];
  const auto joint = scorer.log_joint(all);
  const auto of = [&](std::size_t row) {
    const auto from = joint.begin() + static_cast<std::ptrdiff_t>(3 * row);
    return std::vector<double>(from, from + 3);
  };
  const std::vector<std::size_t> wanted{41, 3, 17};
  const Chunk picked = select_rows(select_rows(all, wanted), std::vector<std::size_t>{2, 0});
  EXPECT_EQ(scorer.log_joint(slice_rows(picked, 0, 1)), of(17));
  EXPECT_EQ(scorer.log_joint(slice_rows(picked, 1, 1)), of(41));
  const Chunk slice = slice_rows(all, 20, 2);
  EXPECT_EQ(scorer.log_joint(slice_rows(slice, 1, 1)), of(21));
  EXPECT_EQ(scorer.log_joint(in_columns(slice_rows(slice, 1, 1), rows.schema())), of(21));
  EXPECT_EQ(scorer.log_joint(in_columns(slice_rows(picked, 1, 1), rows.schema())), of(41));
}

INSTANTIATE_TEST_SUITE_P(Families, SparseRowsOf,
                         testing::Values(Case{"multinomial", "laplace=1"},
                                         Case{"multinomial", "bayes"}, Case{"multinomial", "mle"},
                                         Case{"multinomial(complement)", "laplace=1"},
                                         Case{"bernoulli", "laplace=1"},
                                         Case{"poisson", "m-estimate=1"}));

TEST(SparseRows, ThatAreOutOfOrderOrNoCountsAreNotLent) {
  for (int broken = 0; broken < 3; ++broken) {
    Sparse rows(20);
    auto& columns = rows.columns;
    if (broken == 0) std::swap(columns[0], columns[1]);
    if (broken == 1) rows.counts[2] = -1;
    if (broken == 2) columns[1] = features;
    EXPECT_FALSE(data::lend_sparse(rows.view())(0, 20).has_value()) << broken;
    EXPECT_TRUE(data::lend_sparse(rows.view())(10, 20).has_value()) << broken;
  }
}

}  // namespace
}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// What bernoulli and multinomial keep of bags: weight per (feature, class), and rows per class.
// Derivations: docs/families/bernoulli.md, docs/families/multinomial.md
#pragma once

#include <memory>
#include <string>

#include "families/bags/bag.hpp"
#include "families/bags/bag_held_out.hpp"
#include "families/statistics/class_arrays.hpp"
#include "families/statistics/count_table.hpp"
#include "families/statistics/declared.hpp"

namespace credence {

enum class BagFamily { bernoulli, multinomial };

struct BagBlock : BagColumns {
  BagFamily family;
};

class BagStatistics : public DeclaredStatistics<BagStatistics, BagBlock> {
  CountTable counts_{columns_.sparse ? std::vector<std::string>{} : columns_.names};
  ClassSums rows_{".rows", ClassSums::Kind::exact, "rows"};

 public:
  using DeclaredStatistics::DeclaredStatistics;
  static constexpr auto arrays = std::tuple(&BagStatistics::counts_, &BagStatistics::rows_);

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override;
  std::string defect(const std::vector<std::string>& classes) const override;
  std::unique_ptr<Density> fit(const Estimation& estimation) const override;
  std::optional<double> log_marginal_likelihood(const Estimation& estimation) const override;
  void add_held_out(const Estimation& estimation, const Chunk& chunk,
                    std::span<const std::int32_t> classes, double weight,
                    std::span<double> joint) const override;
  AddHeldOut held_out(const Estimation& estimation) const override;

  const BagColumns& columns() const { return columns_; }
  const CountTable& counts() const { return counts_; }
  DoubleDouble rows(std::size_t cls) const { return rows_.exact(cls); }

 private:
  CountedBags counted(const Rule& rule) const;
};

std::unique_ptr<BlockStatistics> make_bag(const BlockColumns& columns, BagFamily family);

std::unique_ptr<Density> fit_bernoulli_bag(const BagStatistics& statistics,
                                           const Estimation& estimation);
std::unique_ptr<Density> fit_multinomial(const BagStatistics& statistics,
                                         const Estimation& estimation);

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// What bernoulli and multinomial keep of bags: weight per (feature, class), and rows per class.
// Derivations: docs/families/bernoulli.md, docs/families/multinomial.md
#pragma once

#include <memory>
#include <string>

#include "families/bag.hpp"
#include "families/bag_held_out.hpp"
#include "families/count_table.hpp"
#include "families/family.hpp"

namespace credence {

enum class BagFamily { bernoulli, multinomial };

class BagStatistics : public BlockStatistics {
 public:
  BagStatistics(BagColumns columns, BagFamily family);

  std::unique_ptr<BlockStatistics> clone() const override;
  std::unique_ptr<BlockStatistics> empty() const override;
  void rearrange_classes(std::span<const std::size_t> from) override;
  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override;
  void merge(const BlockStatistics& other, std::span<const std::size_t> class_map,
             int sign) override;
  void scale(double factor) override;
  void canonicalise() override { counts_.canonicalise(); }
  std::string defect(const std::vector<std::string>& classes) const override;
  void save(Tensors& tensors, const std::string& prefix) const override;
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes) override;
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

  BagColumns columns_;
  BagFamily family_;
  CountTable counts_;
  ExactSums rows_;
};

std::unique_ptr<Density> fit_bernoulli_bag(const BagStatistics& statistics,
                                           const Estimation& estimation);
std::unique_ptr<Density> fit_multinomial(const BagStatistics& statistics,
                                         const Estimation& estimation);

}  // namespace credence

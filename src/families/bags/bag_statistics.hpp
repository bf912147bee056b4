// SPDX-License-Identifier: Apache-2.0
// What bernoulli, multinomial and poisson keep of bags: weight per (feature, class), and rows per
// class. Derivations: docs/families/bernoulli.md, docs/families/multinomial.md, poisson.md
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "families/bags/bag.hpp"
#include "families/bags/bag_held_out.hpp"
#include "families/statistics/class_arrays.hpp"
#include "families/statistics/count_table.hpp"
#include "families/statistics/declared.hpp"

namespace credence {

// complement: a class is judged by the counts of all others; normed: its weights sum to 1.
enum class BagFamily { bernoulli, multinomial, complement, normed_complement, poisson };

struct BagBlock : BagColumns {
  BagBlock(BagColumns columns, BagFamily of)
      : BagColumns(std::move(columns)),
        family(of),
        domain(std::make_shared<Domain>(sparse ? declared : names)) {}

  BagFamily family;
  std::shared_ptr<Domain> domain;  // known beforehand; tables copy it when they meet another
};

// Sums of log x!, which poisson alone keeps.
class LogFactorials : public ClassSums {
 public:
  explicit LogFactorials(bool kept) : ClassSums(".log_factorial", Kind::rounded), kept_(kept) {}

  void save(Tensors& tensors, const std::string& prefix) const {
    if (kept_) ClassSums::save(tensors, prefix);
  }
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
    if (kept_) return ClassSums::load(tensors, prefix, classes);
    rearrange_classes(std::vector<std::size_t>(classes, ExactSums::npos));
  }

 private:
  bool kept_;
};

class BagStatistics : public DeclaredStatistics<BagStatistics, BagBlock> {
  CountTable counts_{columns_.domain};
  ClassSums rows_{".rows", ClassSums::Kind::exact, "rows"};
  LogFactorials log_factorials_{columns_.family == BagFamily::poisson};

 public:
  using DeclaredStatistics::DeclaredStatistics;
  static constexpr auto arrays =
      std::tuple(&BagStatistics::rows_, &BagStatistics::counts_, &BagStatistics::log_factorials_);

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override;
  std::string defect(const std::vector<std::string>& classes) const override;
  std::unique_ptr<Density> fit(const Estimation& estimation) const override;
  bool reads_rows() const override { return !columns_.declared.empty(); }
  std::optional<double> log_marginal_likelihood(const Estimation& estimation) const override;
  Draw drawing(const Estimation& estimation) const override;
  bool draws_by_row() const override;
  void add_held_out(const Estimation& estimation, const Chunk& chunk,
                    std::span<const std::int32_t> classes, double weight,
                    std::span<double> joint) const override;
  AddHeldOut held_out(const Estimation& estimation) const override;

  const BagColumns& columns() const { return columns_; }
  BagFamily family() const { return columns_.family; }
  const CountTable& counts() const { return counts_; }
  DoubleDouble rows(std::size_t cls) const { return rows_.exact(cls); }
  // poisson: the sum of log x! over the rows and features of a class.
  double log_factorials(std::size_t cls) const { return log_factorials_[cls]; }
  // The same block after rows in which features, [feature][class], were counted so often.
  std::unique_ptr<BagStatistics> counted(const std::vector<std::string>& features,
                                         const ExactSums& counts, const ExactSums& rows) const;

 private:
  // Draws or coins, which have a closed form and a short way of leaving a row out.
  bool plain() const {
    return columns_.family == BagFamily::bernoulli || columns_.family == BagFamily::multinomial;
  }
  std::string too_many_presences(const std::vector<std::string>& classes) const;
  void observe_matrix(const Chunk& chunk, std::span<const std::int32_t> classes);
  CountedBags counted(const Rule& rule) const;
};

std::unique_ptr<BlockStatistics> make_bag(const BlockColumns& columns, BagFamily family);

std::unique_ptr<Density> fit_bernoulli_bag(const BagStatistics& statistics,
                                           const Estimation& estimation);
std::unique_ptr<Density> fit_multinomial(const BagStatistics& statistics,
                                         const Estimation& estimation);
std::unique_ptr<Density> fit_poisson_bag(const BagStatistics& statistics,
                                         const Estimation& estimation);

}  // namespace credence

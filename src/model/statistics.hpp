// SPDX-License-Identifier: Apache-2.0
// Everything observed: weight per class and the statistics of every block.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/exact_sums.hpp"
#include "core/tensors.hpp"
#include "credence/chunk.hpp"
#include "credence/model.hpp"
#include "families/family.hpp"
#include "families/statistics/domain.hpp"

namespace credence {

class Statistics {
 public:
  Statistics(const Schema& schema, const std::vector<BlockSpec>& blocks);
  Statistics(const Statistics& other);
  Statistics(Statistics&&) = default;
  Statistics& operator=(Statistics&&) = default;

  Statistics empty() const;

  const std::vector<std::string>& classes() const { return labels_.values(); }
  const ExactSums& class_weights() const { return weights_; }
  double rows() const;  // each counted once
  double rows_of(std::size_t cls) const { return rows_[cls]; }
  const BlockStatistics& block(std::size_t i) const { return *blocks_[i]; }

  // Adds the rows of a chunk; rows without a label are left out and counted in the result.
  std::size_t observe(const Chunk& chunk);
  // Adds rows whose class is not known: row r is shares[r * classes + c] of a row of classes()[c],
  // times `weight` and its own weight; shares of 0 are skipped, rows without any are left out.
  void observe_shared(const Chunk& chunk, std::span<const double> shares, double weight);
  // How many of rows() were of that kind.
  double shared_rows() const { return shared_rows_[0]; }
  // From now on canonicalise() puts these classes first, in this order.
  void put_first(const std::vector<std::string>& classes);
  bool precedes(const std::string& one_class, const std::string& other) const;
  // Makes room for these classes, in this order, before any row.
  void prepare(const std::vector<std::string>& classes) { place_classes(classes); }
  // Before any row: what comes first may take its place.
  bool untouched() const { return labels_.size() == 0 && shared_rows_[0] == 0; }
  // Adds (sign 1) or takes away (sign -1); what goes wrong is found by defect().
  void merge(const Statistics& other, int sign);
  // Multiplies the weight of every row; rows() stays.
  void scale(double factor);
  // The same rows with class c called names[c]; classes with the same name become one.
  Statistics renamed(const std::vector<std::string>& names) const;
  // Takes out the rows of every class that `gone` says so of.
  void drop_classes(const std::function<bool(std::size_t cls)>& gone);
  // Takes out the classes whose rows weigh less than that, in all or in a block.
  void drop_lighter(double weight);
  // What is wrong, or "": less than nothing, more than a double holds, or more rows in a block than
  // in its class. Typed in by hand, weights do not add up.
  std::string defect(bool by_hand = false) const;
  // The same with parameters drawn from their posterior, to be read by maximum likelihood: by
  // `draws`, what each block's drawing() says. Throws a usage error where a block's family knows
  // none.
  Statistics drawn(const std::vector<BlockStatistics::Draw>& draws,
                   const std::vector<BlockSpec>& specs, Random& random, const Chunk& rows) const;
  // Sorts classes and values, and drops those without rows.
  void canonicalise();

  // Under names that all begin with `prefix`.
  void save(Tensors& tensors, const std::string& prefix = "") const;
  void load(const Tensors& tensors, const std::string& prefix = "");

 private:
  Statistics() = default;
  std::string excess() const;
  std::vector<std::size_t> place_classes(const std::vector<std::string>& labels);
  void keep_classes(const std::vector<std::size_t>& order);

  std::shared_ptr<const Domain> first_ = std::make_shared<Domain>();  // classes, in their order
  Domain labels_;
  ExactSums weights_;         // per class
  ExactSums rows_;            // per class: rows that weigh something, each counted once
  ExactSums shared_rows_{1};  // rows shared among classes, not among those
  std::vector<std::unique_ptr<BlockStatistics>> blocks_;
};

// How a model with these statistics and settings is estimated.
Estimation estimation_of(const Statistics& statistics, const Settings& settings);

// Throws a data error where there are fewer: there is nothing to tell apart. `why`, if given, ends
// the sentence.
void require_two_classes(const std::string& target, const std::vector<std::string>& classes,
                         const std::string& why = "");

}  // namespace credence

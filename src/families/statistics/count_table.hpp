// SPDX-License-Identifier: Apache-2.0
// Weights over (value, class): the statistics of every discrete family.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/exact_sums.hpp"
#include "core/tensors.hpp"
#include "families/statistics/domain.hpp"

namespace credence {

class CountTable {
 public:
  CountTable() : domain_(std::make_shared<Domain>()) {}
  explicit CountTable(const std::vector<std::string>& declared)
      : domain_(std::make_shared<Domain>(declared)) {}

  // Of values that many tables share until one of them meets another.
  explicit CountTable(std::shared_ptr<Domain> declared) : domain_(std::move(declared)) {}

  std::size_t classes() const { return classes_; }
  const Domain& domain() const { return *domain_; }
  std::shared_ptr<const Domain> shared_domain() const { return domain_; }

  double operator()(std::size_t value, std::size_t cls) const {
    return counts_[value * classes_ + cls];
  }
  DoubleDouble exact(std::size_t value, std::size_t cls) const {
    return counts_.exact(value * classes_ + cls);
  }
  // A value counts as known when it was declared or when some row has it.
  bool known(std::size_t value) const;
  std::vector<std::size_t> known_values() const;

  // The place of each dictionary entry in the domain, which grows where needed.
  std::vector<std::size_t> place(const std::vector<std::string>& dictionary);
  void add_one(std::size_t value, std::size_t cls) { counts_.add_one(value * classes_ + cls); }
  void add(std::size_t value, std::size_t cls, DoubleDouble weight) {
    counts_.add(value * classes_ + cls, weight);
  }

  std::vector<double> row_weights() const;
  void rearrange_classes(std::span<const std::size_t> from);
  void merge(const CountTable& other, std::span<const std::size_t> class_map, int sign);
  void scale(double factor) { counts_.scale(factor); }
  void canonicalise();
  std::string defect(const std::string& column, const std::vector<std::string>& classes) const;
  void save(Tensors& tensors, const std::string& prefix) const;
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes);

 private:
  Domain& own_domain();  // copies the shared domain before a change

  std::shared_ptr<Domain> domain_;
  std::size_t classes_ = 0;
  ExactSums counts_;  // [value][class]
};

// The values that count, numbered as the rows of a density's tables.
class KnownValues {
 public:
  explicit KnownValues(const CountTable& counts)
      : domain_(counts.shared_domain()),
        places_(counts.known_values()),
        row_of_(domain_->size(), places_.size()) {
    for (std::size_t i = 0; i < places_.size(); ++i) row_of_[places_[i]] = i;
  }

  std::size_t size() const { return places_.size(); }
  bool empty() const { return places_.empty(); }
  std::size_t place(std::size_t row) const { return places_[row]; }  // in the domain
  const std::string& name(std::size_t row) const { return (*domain_)[places_[row]]; }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < size(); ++i) result.push_back(name(i));
    return result;
  }

  // The row of a value; size() for one that is not known.
  std::size_t row_of(const std::string& value, std::size_t guess = Domain::npos) const {
    const std::size_t place = domain_->find(value, guess);
    return place == Domain::npos ? size() : row_of_[place];
  }
  std::vector<std::size_t> rows_of(const std::vector<std::string>& dictionary) const {
    std::vector<std::size_t> rows;
    rows.reserve(dictionary.size());
    for (std::size_t i = 0; i < dictionary.size(); ++i) rows.push_back(row_of(dictionary[i], i));
    return rows;
  }

 private:
  std::shared_ptr<const Domain> domain_;
  std::vector<std::size_t> places_;
  std::vector<std::size_t> row_of_;  // by place in the domain
};

// The same for sums kept one per class: shared by the families that need a weight beside a table.
void merge(ExactSums& sums, const ExactSums& other, std::span<const std::size_t> class_map,
           int sign);

}  // namespace credence

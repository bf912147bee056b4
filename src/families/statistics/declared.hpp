// SPDX-License-Identifier: Apache-2.0
// Statistics that are a list of arrays. A family declares which; how they are copied, emptied,
// merged, forgotten, scaled, sorted, checked, written and read follows from that, here.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/exact_sums.hpp"
#include "families/registry.hpp"

namespace credence {

// The only column of a block.
struct BlockColumn {
  std::size_t index;  // in the chunk
  std::string name;
  const std::string& title() const { return name; }
};

// Derived is made from Columns, which has a title(), and lists pointers to its arrays:
//   static constexpr auto arrays = std::tuple(&Derived::weight_, &Derived::sum_);
// The first one says what the rows of each class weigh. Errors are those of the first array that
// has one, then the family's own inconsistency().
template <typename Derived, typename Columns>
class DeclaredStatistics : public BlockStatistics {
 public:
  explicit DeclaredStatistics(Columns columns) : columns_(std::move(columns)) {}

  std::unique_ptr<BlockStatistics> clone() const override {
    return std::make_unique<Derived>(self());
  }
  std::unique_ptr<BlockStatistics> empty() const override {
    return std::make_unique<Derived>(columns_);
  }
  void rearrange_classes(std::span<const std::size_t> from) override {
    each([&](auto array) { (self().*array).rearrange_classes(from); });
  }
  void merge(const BlockStatistics& other, std::span<const std::size_t> class_map,
             int sign) override {
    const auto& from = static_cast<const Derived&>(other);
    each([&](auto array) { (self().*array).merge(from.*array, class_map, sign); });
  }
  void scale(double factor) override {
    each([&](auto array) { (self().*array).scale(factor); });
  }
  void canonicalise() override {
    each([&](auto array) { (self().*array).canonicalise(); });
  }
  std::string defect(const std::vector<std::string>& classes) const override {
    std::string found;
    each([&](auto array) {
      if (found.empty()) found = (self().*array).defect(columns_.title(), classes);
    });
    return found.empty() ? self().inconsistency(classes) : found;
  }
  std::string title() const override { return columns_.title(); }
  std::vector<double> row_weights() const override {
    return (self().*std::get<0>(Derived::arrays)).row_weights();
  }
  void save(Tensors& tensors, const std::string& prefix) const override {
    each([&](auto array) { (self().*array).save(tensors, prefix); });
  }
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes) override {
    each([&](auto array) { (self().*array).load(tensors, prefix, classes); });
  }

 protected:
  // What arrays say of each other that cannot be.
  std::string inconsistency(const std::vector<std::string>&) const { return ""; }

  // The same block with room for its classes, before any row.
  std::unique_ptr<Derived> room(std::size_t classes) const {
    auto result = std::make_unique<Derived>(columns_);
    result->rearrange_classes(std::vector<std::size_t>(classes, ExactSums::npos));
    return result;
  }

  Derived& self() { return static_cast<Derived&>(*this); }
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  Columns columns_;

 private:
  template <typename Visit>
  static void each(const Visit& visit) {
    std::apply([&](auto... array) { (visit(array), ...); }, Derived::arrays);
  }
};

// A block of one column whose statistics need to know nothing else.
template <typename Statistics>
std::unique_ptr<BlockStatistics> make_univariate(const BlockColumns& columns, const std::string&) {
  return std::make_unique<Statistics>(BlockColumn{columns.indices[0], columns.names[0]});
}

}  // namespace credence

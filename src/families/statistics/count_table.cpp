// SPDX-License-Identifier: Apache-2.0
#include "families/statistics/count_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {

bool CountTable::known(std::size_t value) const {
  if (value < domain_->declared()) return true;
  for (std::size_t c = 0; c < classes_; ++c) {
    if ((*this)(value, c) != 0) return true;
  }
  return false;
}

std::vector<std::size_t> CountTable::known_values() const {
  std::vector<std::size_t> result;
  for (std::size_t v = 0; v < domain_->size(); ++v) {
    if (known(v)) result.push_back(v);
  }
  return result;
}

Domain& CountTable::own_domain() {
  if (domain_.use_count() > 1) domain_ = std::make_shared<Domain>(*domain_);
  return *domain_;
}

std::vector<std::size_t> CountTable::place(const std::vector<std::string>& dictionary) {
  std::vector<std::size_t> places(dictionary.size());
  for (std::size_t i = 0; i < dictionary.size(); ++i) {
    places[i] = domain_->find(dictionary[i], i);
    if (places[i] == Domain::npos) places[i] = own_domain().insert(dictionary[i]);
  }
  counts_.resize(domain_->size() * classes_);
  return places;
}

std::vector<double> CountTable::row_weights() const {
  std::vector<double> result(classes_, 0.0);
  for (std::size_t v = 0; v < domain_->size(); ++v) {
    for (std::size_t c = 0; c < classes_; ++c) result[c] += (*this)(v, c);
  }
  return result;
}

void CountTable::rearrange_classes(std::span<const std::size_t> from) {
  if (classes_ == 0) {
    classes_ = from.size();
    counts_ = ExactSums(domain_->size() * classes_);
    return;
  }
  std::vector<std::size_t> cells(domain_->size() * from.size());
  for (std::size_t v = 0; v < domain_->size(); ++v) {
    for (std::size_t c = 0; c < from.size(); ++c) {
      cells[v * from.size() + c] =
          from[c] == ExactSums::npos ? ExactSums::npos : v * classes_ + from[c];
    }
  }
  counts_.resize(domain_->size() * classes_);
  counts_.rearrange(cells);
  classes_ = from.size();
}

void CountTable::merge(const CountTable& other, std::span<const std::size_t> class_map, int sign) {
  bool alike = domain_ == other.domain_ && classes_ == other.classes_;
  for (std::size_t c = 0; c < class_map.size(); ++c) alike = alike && class_map[c] == c;
  if (alike && counts_.add_whole(other.counts_, sign)) return;
  const auto places = place(other.domain_->values());
  for (std::size_t v = 0; v < places.size(); ++v) {
    for (std::size_t c = 0; c < other.classes_; ++c) {
      const DoubleDouble count = other.counts_.exact(v * other.classes_ + c);
      if (count.hi == 0) continue;
      counts_.add(places[v] * classes_ + class_map[c], sign < 0 ? -count : count);
    }
  }
}

void CountTable::canonicalise() {
  auto order = known_values();
  const auto first_discovered = order.begin() + static_cast<std::ptrdiff_t>(domain_->declared());
  std::sort(first_discovered, order.end(),
            [&](auto a, auto b) { return natural_less((*domain_)[a], (*domain_)[b]); });
  if (order.size() == domain_->size() && std::is_sorted(order.begin(), order.end())) return;
  std::vector<std::string> declared(
      domain_->values().begin(),
      domain_->values().begin() + static_cast<std::ptrdiff_t>(domain_->declared()));
  auto sorted = std::make_shared<Domain>(declared);
  std::vector<std::size_t> cells;
  for (const auto v : order) {
    sorted->insert((*domain_)[v]);
    for (std::size_t c = 0; c < classes_; ++c) cells.push_back(v * classes_ + c);
  }
  domain_ = std::move(sorted);
  counts_.rearrange(cells);
}

std::string CountTable::defect(const std::string& column,
                               const std::vector<std::string>& classes) const {
  for (std::size_t v = 0; v < domain_->size(); ++v) {
    for (std::size_t c = 0; c < classes_; ++c) {
      if (!std::isfinite((*this)(v, c))) {
        return fmt::format("column \"{}\": the counts of \"{}\" are too large to add up", column,
                           (*domain_)[v]);
      }
      if ((*this)(v, c) < 0) {
        return fmt::format("column \"{}\": {} more of \"{}\" in class \"{}\" than was observed",
                           column, format_number(-(*this)(v, c)), (*domain_)[v], classes[c]);
      }
    }
  }
  return "";
}

void CountTable::save(Tensors& tensors, const std::string& prefix) const {
  tensors.put(prefix + ".values", domain_->values());
  tensors.put(prefix + ".counts", counts_, {domain_->size(), classes_});
}

void CountTable::load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
  classes_ = classes;
  // The declared values are known from the schema and come first.
  const auto values = tensors.texts(prefix + ".values");
  for (const auto& value : values) own_domain().insert(value);
  if (values != domain_->values()) {
    throw Error(ErrorKind::model,
                fmt::format("the values of \"{}\" are not the declared ones, each once", prefix));
  }
  counts_ = tensors.sums(prefix + ".counts", {domain_->size(), classes});
}

void merge(ExactSums& sums, const ExactSums& other, std::span<const std::size_t> class_map,
           int sign) {
  for (std::size_t c = 0; c < other.size(); ++c) {
    const DoubleDouble sum = other.exact(c);
    sums.add(class_map[c], sign < 0 ? -sum : sum);
  }
}

}  // namespace credence

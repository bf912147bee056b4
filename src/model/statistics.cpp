// SPDX-License-Identifier: Apache-2.0
#include "model/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/chunk_rows.hpp"
#include "core/text.hpp"
#include "credence/error.hpp"
#include "families/count_table.hpp"
#include "model/blocks.hpp"

namespace credence {

Statistics::Statistics(const Schema& schema, const std::vector<BlockSpec>& blocks) {
  for (const auto& spec : blocks) blocks_.push_back(make_block(schema, spec));
}

Statistics::Statistics(const Statistics& other)
    : labels_(other.labels_),
      weights_(other.weights_),
      rows_(other.rows_),
      shared_rows_(other.shared_rows_) {
  for (const auto& block : other.blocks_) blocks_.push_back(block->clone());
}

Statistics Statistics::empty() const {
  Statistics result;
  for (const auto& block : blocks_) result.blocks_.push_back(block->empty());
  return result;
}

std::vector<std::size_t> Statistics::place_classes(const std::vector<std::string>& labels) {
  const std::size_t before = labels_.size();
  std::vector<std::size_t> places;
  for (const auto& label : labels) places.push_back(labels_.insert(label));
  if (labels_.size() > before) {
    std::vector<std::size_t> from(labels_.size(), ExactSums::npos);
    std::iota(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(before), std::size_t{0});
    weights_.rearrange(from);
    for (auto& block : blocks_) block->rearrange_classes(from);
  }
  return places;
}

std::size_t Statistics::observe(const Chunk& chunk) {
  const auto places = place_classes(chunk.labels.dictionary);
  std::vector<std::int32_t> classes(chunk.rows, -1);
  std::size_t unlabelled = 0;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    if (chunk.labels.codes.empty() || chunk.labels.codes[r] < 0) {
      ++unlabelled;
      continue;
    }
    const std::size_t cls = places[static_cast<std::size_t>(chunk.labels.codes[r])];
    classes[r] = static_cast<std::int32_t>(cls);
    weights_.add(cls, chunk.weights.empty() ? 1.0 : chunk.weights[r]);
    rows_.add_one(0);
  }
  for (auto& block : blocks_) block->observe(chunk, classes);
  return unlabelled;
}

void Statistics::observe_shared(const Chunk& chunk, std::span<const double> shares, double weight) {
  const std::size_t many = labels_.size();
  // A row once for every class that has a share of it.
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> classes;
  std::vector<double> weights;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const std::size_t before = rows.size();
    for (std::size_t c = 0; c < many; ++c) {
      const double share = shares[r * many + c];
      if (share == 0) continue;
      rows.push_back(r);
      classes.push_back(static_cast<std::int32_t>(c));
      weights.push_back(weight * share * (chunk.weights.empty() ? 1.0 : chunk.weights[r]));
      weights_.add(c, weights.back());
    }
    if (rows.size() == before) continue;
    rows_.add_one(0);
    shared_rows_.add_one(0);
  }
  Chunk expanded = select_rows(chunk, rows);
  expanded.weights = std::move(weights);
  for (auto& block : blocks_) block->observe(expanded, classes);
}

void Statistics::merge(const Statistics& other, int sign) {
  const auto class_map = place_classes(other.classes());
  credence::merge(weights_, other.weights_, class_map, sign);
  rows_.add(0, sign < 0 ? -other.rows_.exact(0) : other.rows_.exact(0));
  const DoubleDouble shared = other.shared_rows_.exact(0);
  shared_rows_.add(0, sign < 0 ? -shared : shared);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b]->merge(*other.blocks_[b], class_map, sign);
  }
}

void Statistics::scale(double factor) {
  weights_.scale(factor);
  for (auto& block : blocks_) block->scale(factor);
}

std::string Statistics::defect() const {
  for (std::size_t c = 0; c < labels_.size(); ++c) {
    if (!std::isfinite(weights_[c])) return "the weights of the rows are too large to add up";
    if (weights_[c] < 0) {
      return fmt::format("{} more of class \"{}\" than was observed", format_number(-weights_[c]),
                         labels_[c]);
    }
  }
  if (rows_[0] < 0) return fmt::format("{} more rows than were observed", format_number(-rows_[0]));
  for (const auto& block : blocks_) {
    if (auto text = block->defect(classes()); !text.empty()) return text;
  }
  return "";
}

void Statistics::canonicalise() {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < labels_.size(); ++c) {
    if (weights_[c] != 0) order.push_back(c);
  }
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return natural_less(labels_[a], labels_[b]); });
  if (order.size() < labels_.size() || !std::is_sorted(order.begin(), order.end())) {
    Domain sorted;
    for (const auto c : order) sorted.insert(labels_[c]);
    labels_ = std::move(sorted);
    weights_.rearrange(order);
    for (auto& block : blocks_) block->rearrange_classes(order);
  }
  for (auto& block : blocks_) block->canonicalise();
}

void Statistics::save(Tensors& tensors) const {
  tensors.put("classes", labels_.values());
  tensors.put("class_weights", weights_, {weights_.size()});
  tensors.put("rows", rows_, {1});
  if (shared_rows_[0] != 0) tensors.put("shared_rows", shared_rows_, {1});
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b]->save(tensors, "block." + std::to_string(b));
  }
}

void Statistics::load(const Tensors& tensors) {
  labels_ = {};
  const auto labels = tensors.texts("classes");
  for (const auto& label : labels) labels_.insert(label);
  if (labels != labels_.values()) throw Error(ErrorKind::model, "a class stands twice");
  weights_ = tensors.sums("class_weights", {labels_.size()});
  rows_ = tensors.sums("rows", {1});
  if (tensors.has("shared_rows")) shared_rows_ = tensors.sums("shared_rows", {1});
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b]->load(tensors, "block." + std::to_string(b), labels_.size());
  }
  if (const auto name = tensors.unread(); !name.empty()) {
    throw Error(ErrorKind::model, fmt::format("the array \"{}\" is unknown", name));
  }
}

}  // namespace credence

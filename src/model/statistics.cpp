// SPDX-License-Identifier: Apache-2.0
#include "model/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/chunk_rows.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/statistics/count_table.hpp"
#include "model/blocks.hpp"

namespace credence {

Statistics::Statistics(const Schema& schema, const std::vector<BlockSpec>& blocks) {
  put_first(schema.classes);
  for (const auto& spec : blocks) blocks_.push_back(make_block(schema, spec));
}

Statistics::Statistics(const Statistics& other)
    : first_(other.first_),
      labels_(other.labels_),
      weights_(other.weights_),
      rows_(other.rows_),
      shared_rows_(other.shared_rows_) {
  for (const auto& block : other.blocks_) blocks_.push_back(block->clone());
}

double Statistics::rows() const {
  DoubleDouble total = shared_rows_.exact(0);
  for (std::size_t c = 0; c < rows_.size(); ++c) total = total + rows_.exact(c);
  return total.value();
}

Statistics Statistics::empty() const {
  Statistics result;
  result.first_ = first_;
  for (const auto& block : blocks_) result.blocks_.push_back(block->empty());
  return result;
}

namespace {

[[noreturn]] void refuse_to_draw(const BlockSpec& spec, const std::string& title) {
  const auto& family = find_family(spec.family);
  if (const auto score = family.score(spec.parameters)) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {}, so its parameters have no posterior (use {})", title,
                            score->what, setting("as", title + ": " + score->instead)));
  }
  throw Error(ErrorKind::usage,
              fmt::format("{}: the parameters of {} have no posterior that could be drawn from (of "
                          "numbers those of gaussian, histogram and kernel have one)",
                          title, spec.family));
}

}  // namespace

Statistics Statistics::drawn(const std::vector<BlockStatistics::Draw>& draws,
                             const std::vector<BlockSpec>& specs, Random& random,
                             const Chunk& rows) const {
  Statistics result;
  result.first_ = first_;
  result.labels_ = labels_;
  result.weights_ = weights_;
  result.rows_ = rows_;
  result.shared_rows_ = shared_rows_;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    result.blocks_.push_back(draws[b](random, rows));
    if (!result.blocks_.back()) refuse_to_draw(specs[b], blocks_[b]->title());
  }
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
    rows_.rearrange(from);
    for (auto& block : blocks_) block->rearrange_classes(from);
  }
  return places;
}

std::size_t Statistics::observe(const Chunk& chunk) {
  const auto places = place_classes(chunk.labels.dictionary);
  std::vector<std::int32_t> classes(chunk.rows, -1);
  std::vector<std::size_t> rows(labels_.size());
  std::size_t unlabelled = 0;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    if (chunk.labels.codes.empty() || chunk.labels.codes[r] < 0) {
      ++unlabelled;
      continue;
    }
    const std::size_t cls = places[static_cast<std::size_t>(chunk.labels.codes[r])];
    classes[r] = static_cast<std::int32_t>(cls);
    const double weight = chunk.weights.empty() ? 1.0 : chunk.weights[r];
    if (weight != 0) ++rows[cls];
    if (!chunk.weights.empty()) weights_.add(cls, weight);
  }
  for (std::size_t c = 0; c < rows.size(); ++c) {
    rows_.add(c, static_cast<double>(rows[c]));
    if (chunk.weights.empty()) weights_.add(c, static_cast<double>(rows[c]));
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
    shared_rows_.add_one(0);
  }
  Chunk expanded = select_rows(chunk, rows);
  expanded.weights = std::move(weights);
  for (auto& block : blocks_) block->observe(expanded, classes);
}

void Statistics::merge(const Statistics& other, int sign) {
  const auto class_map = place_classes(other.classes());
  credence::merge(weights_, other.weights_, class_map, sign);
  credence::merge(rows_, other.rows_, class_map, sign);
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

Statistics Statistics::renamed(const std::vector<std::string>& names) const {
  Statistics result = empty();
  const auto class_map = result.place_classes(names);
  credence::merge(result.weights_, weights_, class_map, 1);
  credence::merge(result.rows_, rows_, class_map, 1);
  result.shared_rows_ = shared_rows_;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    result.blocks_[b]->merge(*blocks_[b], class_map, 1);
  }
  return result;
}

void Statistics::drop_classes(const std::function<bool(std::size_t cls)>& gone) {
  std::vector<std::size_t> kept;
  for (std::size_t c = 0; c < labels_.size(); ++c) {
    if (!gone(c)) kept.push_back(c);
  }
  if (kept.size() < labels_.size()) keep_classes(kept);
}

void Statistics::keep_classes(const std::vector<std::size_t>& order) {
  Domain kept;
  for (const auto c : order) kept.insert(labels_[c]);
  labels_ = std::move(kept);
  weights_.rearrange(order);
  rows_.rearrange(order);
  for (auto& block : blocks_) block->rearrange_classes(order);
}

Estimation estimation_of(const Statistics& statistics, const Settings& settings) {
  return {settings.rule,
          settings.reserve_unseen,
          statistics.classes(),
          statistics.class_weights().high(),
          settings.shares,
          {},
          {},
          settings.reading};
}

void require_two_classes(const std::string& target, const std::vector<std::string>& classes,
                         const std::string& why) {
  if (classes.size() >= 2) return;
  const auto usual =
      fmt::format("; a classifier needs at least two classes (is {} right?)", setting("target"));
  throw Error(
      ErrorKind::data,
      fmt::format("column \"{}\": {}{}", target,
                  classes.empty() ? "no class at all" : "only the class \"" + classes[0] + "\"",
                  why.empty() ? usual : why));
}

void Statistics::drop_lighter(double weight) {
  drop_classes([&](std::size_t c) { return weights_[c] < weight; });
  for (auto& block : blocks_) {
    const auto cells = block->row_weights();
    std::vector<std::size_t> from(labels_.size());
    std::iota(from.begin(), from.end(), std::size_t{0});
    bool all = true;
    for (std::size_t c = 0; c < from.size(); ++c) {
      const auto width = static_cast<std::ptrdiff_t>(cells.size() / from.size());
      const auto first = cells.begin() + static_cast<std::ptrdiff_t>(c) * width;
      const double heaviest = *std::max_element(first, first + width);
      if (heaviest == 0 || heaviest >= weight) continue;
      from[c] = ExactSums::npos;
      all = false;
    }
    if (!all) block->rearrange_classes(from);
  }
}

// Rows of a block are rows of its class.
std::string Statistics::excess() const {
  for (const auto& block : blocks_) {
    const auto cells = block->row_weights();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t c = i / (cells.size() / labels_.size());
      if (cells[i] <= weights_[c] * (1 + 1e-9)) continue;
      return fmt::format("column \"{}\": more rows of class \"{}\" than it has: {} of {}",
                         block->title(), labels_[c], format_number(cells[i]),
                         format_number(weights_[c]));
    }
  }
  return "";
}

std::string Statistics::defect(bool by_hand) const {
  double total = 0;
  for (std::size_t c = 0; c < labels_.size(); ++c) {
    total += weights_[c];
    if (!std::isfinite(total)) return "the weights of the rows are too large to add up";
    if (weights_[c] < 0) {
      return fmt::format("{} more of class \"{}\" than was observed", format_number(-weights_[c]),
                         labels_[c]);
    }
    if (rows_[c] < 0) {
      return fmt::format("{} more rows of class \"{}\" than were observed",
                         format_number(-rows_[c]), labels_[c]);
    }
  }
  for (const auto& block : blocks_) {
    if (auto text = block->defect(classes()); !text.empty()) return text;
  }
  if (!(shared_rows_[0] >= 0)) return "more rows without a class than were observed";
  return by_hand ? "" : excess();
}

void Statistics::put_first(const std::vector<std::string>& classes) {
  first_ = std::make_shared<Domain>(classes);
}

bool Statistics::precedes(const std::string& one_class, const std::string& other) const {
  const std::size_t left = first_->find(one_class), right = first_->find(other);
  return left == right ? natural_less(one_class, other) : left < right;  // npos is behind all
}

void Statistics::canonicalise() {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < labels_.size(); ++c) {
    if (weights_[c] != 0) order.push_back(c);
  }
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return precedes(labels_[a], labels_[b]); });
  if (order.size() < labels_.size() || !std::is_sorted(order.begin(), order.end())) {
    keep_classes(order);
  }
  for (auto& block : blocks_) {
    for (std::size_t c = 0; c < rows_.size() && shared_rows_[0] == 0; ++c) {
      if (rows_[c] == 1) block->one_row_left(c);
    }
    block->canonicalise();
  }
}

void Statistics::save(Tensors& tensors, const std::string& prefix) const {
  tensors.put(prefix + "classes", labels_.values());
  tensors.put(prefix + "class_weights", weights_, {weights_.size()});
  tensors.put(prefix + "rows", rows_, {rows_.size()});
  if (shared_rows_[0] != 0) tensors.put(prefix + "shared_rows", shared_rows_, {1});
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b]->save(tensors, fmt::format("{}block.{}", prefix, b));
  }
}

namespace {

// Files once held the rows of all classes as one number. Where each row weighs 1 the weights of the
// classes say how they are shared out; else they are shared out in that proportion.
ExactSums shared_out(const ExactSums& rows, const ExactSums& weights) {
  DoubleDouble total;
  for (std::size_t c = 0; c < weights.size(); ++c) total = total + weights.exact(c);
  ExactSums result(weights.size());
  for (std::size_t c = 0; c < weights.size(); ++c) {
    result.set(
        c, total == rows.exact(0) ? weights.exact(c) : weights.exact(c) * (rows.exact(0) / total));
  }
  return result;
}

}  // namespace

void Statistics::load(const Tensors& tensors, const std::string& prefix) {
  labels_ = {};
  const auto labels = tensors.texts(prefix + "classes");
  for (const auto& label : labels) labels_.insert(label);
  if (labels != labels_.values()) throw Error(ErrorKind::model, "a class stands twice");
  weights_ = tensors.sums(prefix + "class_weights", {labels_.size()});
  const auto rows = tensors.all.find(prefix + "rows");
  const bool one = rows != tensors.all.end() && rows->second.shape == Tensors::Shape{1};
  rows_ = tensors.sums(prefix + "rows", {one ? 1 : labels_.size()});
  if (one && labels_.size() != 1) rows_ = shared_out(rows_, weights_);
  if (tensors.has(prefix + "shared_rows")) {
    shared_rows_ = tensors.sums(prefix + "shared_rows", {1});
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b]->load(tensors, fmt::format("{}block.{}", prefix, b), labels_.size());
  }
}

}  // namespace credence

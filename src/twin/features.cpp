// SPDX-License-Identifier: Apache-2.0
#include "twin/features.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/moments.hpp"
#include "core/strings.hpp"
#include "families/registry.hpp"

namespace credence {

std::vector<std::int32_t> classes_of(const Chunk& chunk, const std::vector<std::string>& classes) {
  std::vector<std::int32_t> result(chunk.rows, -1);
  if (chunk.labels.codes.empty()) return result;
  const Domain known(classes);
  std::vector<std::int32_t> place;
  for (const auto& label : chunk.labels.dictionary) {
    const std::size_t found = known.find(label);
    place.push_back(found == Domain::npos ? -1 : static_cast<std::int32_t>(found));
  }
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const auto code = chunk.labels.codes[r];
    const bool counts = code >= 0 && (chunk.weights.empty() || chunk.weights[r] > 0);
    if (counts) result[r] = place[static_cast<std::size_t>(code)];
  }
  return result;
}

namespace {

using Classes = std::vector<std::vector<std::int32_t>>;  // of every chunk's rows

double as_number(double x, ColumnKind kind) {
  return kind == ColumnKind::binary ? (x > 0 ? 1.0 : 0.0) : x;
}

// The standardisation is that of the rows that are fitted, not that of the model's families: a
// poisson column, say, keeps no second moment.
void learn_number(const std::vector<Chunk>& chunks, const Classes& classes, std::size_t column,
                  ColumnKind kind, FeatureColumn& feature) {
  Moments moments;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto& values = std::get<Numbers>(chunks[i].columns[column]).values;
    for (std::size_t r = 0; r < chunks[i].rows; ++r) {
      if (classes[i][r] < 0 || std::isnan(values[r])) continue;
      const double w = chunks[i].weights.empty() ? 1.0 : chunks[i].weights[r];
      moments.merge(Moments::of(as_number(values[r], kind), w));
    }
  }
  if (moments.weight.value() == 0) return;
  feature.mean = std::ldexp(moments.mean.value(), moments.exponent);
  const double variance = moments.m2.value() / moments.weight.value();
  if (kind != ColumnKind::binary && variance > 0) {
    feature.scale = std::ldexp(std::sqrt(variance), moments.exponent);
  }
}

// Declared values first, in their order; then those that some row has, sorted, so that neither
// the order of the rows nor the borders of the chunks matter.
void learn_values(const std::vector<Chunk>& chunks, const Classes& classes, std::size_t column,
                  const std::vector<std::string>& declared, FeatureColumn& feature) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto& cells = chunks[i].columns[column];
    const auto* words = std::get_if<Categories>(&cells);
    const auto* bags = std::get_if<Bags>(&cells);
    const auto& dictionary = words ? words->dictionary : bags->dictionary;
    std::vector<bool> present(dictionary.size(), false);
    for (std::size_t r = 0; r < chunks[i].rows; ++r) {
      if (classes[i][r] < 0) continue;
      if (words && words->codes[r] >= 0) present[static_cast<std::size_t>(words->codes[r])] = true;
      for (std::size_t k = bags ? bags->offsets[r] : 0; bags && k < bags->offsets[r + 1]; ++k) {
        if (bags->counts[k] > 0) present[static_cast<std::size_t>(bags->features[k])] = true;
      }
    }
    for (std::size_t v = 0; v < dictionary.size(); ++v) {
      if (present[v]) seen.insert(dictionary[v]);
    }
  }
  std::vector<std::string> sorted(seen.begin(), seen.end());
  std::stable_sort(sorted.begin(), sorted.end(), natural_less);
  feature.values = Domain(declared);
  for (const auto& value : sorted) feature.values.insert(value);
}

bool presence_only(const BlockSpec& block) {
  return find_family(block.family).presence_only(block.parameters);
}

// The places of a chunk's dictionary among the known values.
std::vector<std::size_t> places(const Domain& values, const std::vector<std::string>& dictionary) {
  std::vector<std::size_t> result;
  for (const auto& value : dictionary) result.push_back(values.find(value));
  return result;
}

}  // namespace

Features::Features(Schema schema, std::vector<FeatureColumn> columns)
    : schema_(std::move(schema)), columns_(std::move(columns)) {
  for (auto& column : columns_) {
    column.first = size_;
    size_ += column.width();
  }
}

Features Features::learn(const Model& model, const std::vector<Chunk>& chunks) {
  Classes classes;
  for (const auto& chunk : chunks) classes.push_back(classes_of(chunk, model.classes()));
  // A family that looks at presence only is met on its own terms.
  std::vector<bool> presences(model.schema().columns.size(), false);
  for (const auto& block : model.blocks()) {
    for (const auto column : block.columns) {
      presences[column] = presences[column] || presence_only(block);
    }
  }
  std::vector<FeatureColumn> columns;
  for (std::size_t i = 0; i < model.schema().columns.size(); ++i) {
    const auto& spec = model.schema().columns[i];
    FeatureColumn feature;
    if (spec.kind == ColumnKind::category) feature.coding = FeatureColumn::Coding::one_hot;
    if (holds_bags(spec.kind)) {
      feature.coding =
          presences[i] ? FeatureColumn::Coding::indicator : FeatureColumn::Coding::count;
    }
    if (feature.coding == FeatureColumn::Coding::number) {
      learn_number(chunks, classes, i, spec.kind, feature);
    } else {
      learn_values(chunks, classes, i, spec.values, feature);
    }
    columns.push_back(std::move(feature));
  }
  return {model.schema(), std::move(columns)};
}

std::string Features::name(std::size_t feature) const {
  if (feature >= size_) return "intercept";
  // The last column that begins there or before; those without features end where they begin.
  const auto after = std::upper_bound(
      columns_.begin(), columns_.end(), feature,
      [](std::size_t at, const FeatureColumn& column) { return at < column.first; });
  const auto i = static_cast<std::size_t>(after - columns_.begin()) - 1;
  const auto& column = columns_[i];
  const auto& name = schema_.columns[i].name;
  return column.coding == FeatureColumn::Coding::number
             ? name
             : name + "=" + column.values[feature - column.first];
}

void Features::append(const Chunk& chunk, Design& design) const {
  design.features = size_;
  std::vector<std::vector<std::size_t>> known(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto& cells = chunk.columns[i];
    if (const auto* words = std::get_if<Categories>(&cells)) {
      known[i] = places(columns_[i].values, words->dictionary);
    } else if (const auto* bags = std::get_if<Bags>(&cells)) {
      known[i] = places(columns_[i].values, bags->dictionary);
    }
  }
  const auto put = [&](std::size_t feature, double value) {
    design.index.push_back(static_cast<std::uint32_t>(feature));
    design.value.push_back(value);
  };
  std::vector<std::pair<std::size_t, double>> bag;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto& column = columns_[i];
      if (const auto* numbers = std::get_if<Numbers>(&chunk.columns[i])) {
        const double x = numbers->values[r];
        if (std::isnan(x)) continue;
        put(column.first, (as_number(x, schema_.columns[i].kind) - column.mean) / column.scale);
      } else if (const auto* words = std::get_if<Categories>(&chunk.columns[i])) {
        if (words->codes[r] < 0) continue;
        const std::size_t place = known[i][static_cast<std::size_t>(words->codes[r])];
        if (place != Domain::npos) put(column.first + place, 1);
      } else {
        const auto& bags = std::get<Bags>(chunk.columns[i]);
        bag.clear();
        for (std::size_t k = bags.offsets[r]; k < bags.offsets[r + 1]; ++k) {
          const std::size_t place = known[i][static_cast<std::size_t>(bags.features[k])];
          if (place != Domain::npos && bags.counts[k] > 0) bag.emplace_back(place, bags.counts[k]);
        }
        std::sort(bag.begin(), bag.end());
        const bool counts = column.coding == FeatureColumn::Coding::count;
        for (const auto& [place, count] : bag) put(column.first + place, counts ? count : 1);
      }
    }
    design.offsets.push_back(design.index.size());
  }
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "ask/weighted_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "credence/error.hpp"

namespace credence {
namespace {

std::string key_of(std::span<const WeightedTable::Code> codes) {
  return {reinterpret_cast<const char*>(codes.data()), codes.size_bytes()};
}

}  // namespace

WeightedTable::WeightedTable(std::vector<std::string> columns)
    : columns_(std::move(columns)), domains_(columns_.size()) {}

WeightedTable::Code WeightedTable::intern(std::size_t column, std::string_view value) {
  return static_cast<Code>(domains_[column].insert(value));
}

void WeightedTable::add(const std::vector<std::string>& values, double weight) {
  assert(values.size() == columns_.size());
  std::vector<Code> codes;
  for (std::size_t i = 0; i < values.size(); ++i) codes.push_back(intern(i, values[i]));
  add(codes, weight);
}

void WeightedTable::add(std::span<const Code> codes, DoubleDouble weight) {
  if (std::find(codes.begin(), codes.end(), missing) != codes.end()) {
    ++left_out_;
    return;
  }
  counts_ = counts_ && weight == DoubleDouble(1);
  const auto [place, is_new] = places_.try_emplace(key_of(codes), size());
  if (is_new) {
    codes_.insert(codes_.end(), codes.begin(), codes.end());
    weights_.emplace_back();
  }
  weights_[place->second] = weights_[place->second] + weight;
}

void WeightedTable::observe(const Chunk& chunk, std::span<const std::size_t> places) {
  // A word is looked up once per chunk, not once per row.
  std::vector<std::vector<Code>> codes(places.size());
  std::vector<const std::vector<std::int32_t>*> cells;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& words = std::get<Categories>(chunk.columns[places[i]]);
    for (const auto& word : words.dictionary) codes[i].push_back(intern(i, word));
    cells.push_back(&words.codes);
  }
  std::vector<Code> row(places.size());
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto code = (*cells[i])[r];
      row[i] = code < 0 ? missing : codes[i][static_cast<std::size_t>(code)];
    }
    add(row, chunk.weights.empty() ? 1.0 : chunk.weights[r]);
  }
}

std::size_t WeightedTable::column(const std::string& name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
  throw Error(ErrorKind::usage,
              fmt::format("no column \"{}\"{}", name, suggestion(name, columns_)));
}

DoubleDouble WeightedTable::weight(std::span<const Code> codes) const {
  const auto found = places_.find(key_of(codes));
  return found == places_.end() ? DoubleDouble() : weights_[found->second];
}

WeightedTable WeightedTable::project(std::span<const std::size_t> columns,
                                     const std::function<bool(std::span<const Code>)>& keep) const {
  std::vector<std::string> names;
  for (const auto column : columns) names.push_back(columns_[column]);
  WeightedTable result(std::move(names));
  for (std::size_t i = 0; i < columns.size(); ++i) result.domains_[i] = domains_[columns[i]];
  std::vector<Code> codes(columns.size());
  for (std::size_t r = 0; r < size(); ++r) {
    for (std::size_t i = 0; i < columns.size(); ++i) codes[i] = row(r)[columns[i]];
    result.add(codes, keep(row(r)) ? weights_[r] : DoubleDouble());
  }
  result.counts_ = counts_;
  result.left_out_ = left_out_;
  return result;
}

}  // namespace credence

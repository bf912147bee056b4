// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "core/tensors.hpp"
#include "credence/scorer.hpp"
#include "credence/tune.hpp"
#include "families/registry.hpp"
#include "model/statistics.hpp"

namespace credence {

namespace {

// In few digits, which is how people are told them: what was found is not more exact.
double rounded(double weight) { return std::stod(fmt::format("{:.6g}", weight)); }

// Trusts the factors of a block; returns where those of the next one begin.
std::size_t trust(BlockSpec& block, std::size_t factors, const std::vector<double>& weights,
                  std::size_t first) {
  if (factors == 1) {
    block.weight = std::round(weights[first] * 1e4) / 1e4;
    return first + 1;
  }
  std::vector<double> of_block;
  for (std::size_t f = 0; f < factors; ++f) of_block.push_back(rounded(weights[first + f]));
  block.parameters = find_family(block.family).trusting(block.parameters, of_block);
  return first + factors;
}

// The classes' shares with what was added to their logarithms.
ClassPrior shifted(const Model& whole, const ClassPrior& prior, const std::vector<double>& shifts) {
  const auto& classes = whole.classes();
  auto shares = class_shares(prior, classes, whole.class_weights());
  double total = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    shares[c] = rounded(shares[c] * std::exp(shifts[c]));
    total += shares[c];
  }
  ClassPrior result;
  result.kind = ClassPrior::Kind::given;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    result.shares.emplace_back(classes[c], shares[c] / total);
  }
  return result;
}

}  // namespace

Model fit_candidate(const Model& whole, const Candidate& candidate, const Tried& found,
                    bool all_columns) {
  std::vector<bool> used(whole.schema().columns.size(), all_columns);
  for (const auto b : candidate.blocks) {
    for (const auto column : whole.blocks()[b].columns) used[column] = true;
  }
  Schema schema = whole.schema();
  schema.columns.clear();
  std::vector<std::size_t> place(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    place[i] = schema.columns.size();
    if (used[i]) schema.columns.push_back(whole.schema().columns[i]);
  }
  std::vector<BlockSpec> blocks;
  Settings settings = candidate.settings;
  const auto estimation = estimation_of(whole.statistics(), settings);
  std::size_t next = 0;  // of the factors
  // As if it had been saved with other blocks and were loaded without them.
  Tensors all, chosen;
  whole.statistics().save(all);
  for (const auto& [name, tensor] : all.all) {
    if (!name.starts_with("block.")) chosen.all[name] = tensor;
  }
  for (std::size_t i = 0; i < candidate.blocks.size(); ++i) {
    blocks.push_back(whole.blocks()[candidate.blocks[i]]);
    for (auto& column : blocks.back().columns) column = place[column];
    auto& block = blocks.back();
    if (!settings.reading.empty() && find_family(block.family).has_readings) {
      block.parameters = settings.reading;
    }
    if (!found.weights.empty()) {
      // Where rows were left out one by one, every block was one factor.
      const bool one_each = found.weights.size() == candidate.blocks.size();
      const auto factors = whole.statistics().block(candidate.blocks[i]).factors(estimation);
      next = trust(block, one_each ? 1 : factors.all(), found.weights, next);
    }
    const auto from = fmt::format("block.{}.", candidate.blocks[i]);
    const auto to = fmt::format("block.{}.", i);
    for (const auto& [name, tensor] : all.all) {
      if (name.starts_with(from)) chosen.all[to + name.substr(from.size())] = tensor;
    }
  }
  settings.reading.clear();  // it stands in the block now
  if (!found.shifts.empty()) settings.prior = shifted(whole, settings.prior, found.shifts);
  Model model(std::move(schema), std::move(blocks), std::move(settings));
  model.statistics().load(chosen);
  return model;
}

Model fit_calibrated(const Model& whole, const Candidate& candidate, const Tried& found,
                     const std::vector<Chunk>& chunks, unsigned threads,
                     SampleCalibration* report) {
  RowSample sample;
  for (const auto& chunk : chunks) sample.add(chunk);
  // The chunks have the columns of all candidates.
  Model wide = fit_candidate(whole, candidate, found, true);
  const auto calibration = calibrate_by_sample(wide, sample, threads);
  if (report) *report = calibration;
  Model model = fit_candidate(whole, candidate, found);
  model.settings().calibration = wide.settings().calibration;
  return model;
}

}  // namespace credence

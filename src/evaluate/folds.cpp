// SPDX-License-Identifier: Apache-2.0
#include "evaluate/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/random.hpp"
#include "credence/error.hpp"

namespace credence {

std::vector<HeldOut::Row> labelled_rows(const std::vector<Chunk>& chunks,
                                        const std::vector<std::string>& classes) {
  std::vector<HeldOut::Row> rows;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto& labels = chunks[i].labels;
    std::vector<std::size_t> place;
    for (const auto& label : labels.dictionary) {
      place.push_back(static_cast<std::size_t>(std::find(classes.begin(), classes.end(), label) -
                                               classes.begin()));
    }
    for (std::size_t r = 0; r < labels.codes.size(); ++r) {
      if (labels.codes[r] < 0) continue;
      const std::size_t cls = place[static_cast<std::size_t>(labels.codes[r])];
      if (cls >= classes.size()) continue;
      rows.push_back({i, r, cls, 0, chunks[i].weights.empty() ? 1.0 : chunks[i].weights[r]});
    }
  }
  return rows;
}

std::vector<std::size_t> deal(const std::vector<std::size_t>& classes, const Folds& folds) {
  if (folds.count < 2 || folds.count > classes.size()) {
    throw Error(ErrorKind::usage,
                fmt::format("--folds {}: with {} rows, 2 to {} folds are possible", folds.count,
                            classes.size(), classes.size()));
  }
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(folds.seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  if (folds.stratified) {
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return classes[a] < classes[b]; });
  }
  std::vector<std::size_t> fold(classes.size());
  for (std::size_t i = 0; i < order.size(); ++i) fold[order[i]] = i % folds.count;
  return fold;
}

}  // namespace credence

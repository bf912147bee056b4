// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/trees/tree_scores.hpp"

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"

namespace credence {

TreeScores::Room TreeScores::room() const {
  Room result;
  result.upwards.resize(read_.kept.size());
  result.reached.resize(read_.kept.size());
  result.of_trees.resize(read_.trees.size() * read_.classes);
  result.row.resize(read_.classes);
  return result;
}

// log p(x | c) for every class.
void TreeScores::score(std::span<const std::int32_t> row, Room& room,
                       std::vector<double>& out) const {
  const std::size_t classes = read_.classes, trees = read_.trees.size();
  const bool gaps = std::find(row.begin(), row.end(), gap) != row.end();
  const bool at_once = !gaps && !stars_.empty();
  if (at_once) stars_.score(row, room.of_trees);
  for (std::size_t t = 0; t < trees && !at_once; ++t) {
    double* const to = trees == 1 ? out.data() : room.of_trees.data() + t * classes;
    std::fill(to, to + classes, 0.0);
    if (gaps) {
      add_with_gaps(t, row, room, to);
    } else {
      add_complete(t, row, room, to);
    }
  }
  if (trees == 1) return;
  room.of_states.resize(trees);
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t t = 0; t < trees; ++t) room.of_states[t] = room.of_trees[t * classes + c];
    out[c] = log_sum_exp(room.of_states) - std::log(static_cast<double>(trees));
  }
}

void TreeScores::factors(std::span<const std::int32_t> row, Room& room,
                         std::span<double> out) const {
  const std::size_t classes = read_.classes;
  std::fill(out.begin(), out.end(), 0.0);
  if (std::find(row.begin(), row.end(), gap) == row.end()) {
    for (std::size_t i = 0; i < row.size(); ++i) add_own(0, row, i, room, out.data() + i * classes);
    return;
  }
  std::vector<std::int32_t> above(row.size(), gap);
  std::vector<double> before(classes, 0.0), now(classes);
  for (const auto i : read_.trees[0].order) {
    if (row[i] == gap) continue;
    above[i] = row[i];
    score(above, room, now);
    for (std::size_t c = 0; c < classes; ++c) {
      if (before[c] != -infinity) out[i * classes + c] = now[c] - before[c];
    }
    before = now;
  }
}

// One column given its parent, where the row has both.
void TreeScores::add_own(std::size_t t, std::span<const std::int32_t> row, std::size_t i,
                         Room& room, double* out) const {
  const auto state = static_cast<std::size_t>(row[i]);
  const std::size_t parent = read_.trees[t].parent[i];
  const double* log_p =
      parent == ColumnTree::none
          ? states(i).log_shares.data() + state * read_.classes
          : read_.table(t, i)(static_cast<std::size_t>(row[parent]), state, room.row.data());
  for (std::size_t c = 0; c < read_.classes; ++c) out[c] += log_p[c];
}

void TreeScores::add_complete(std::size_t t, std::span<const std::int32_t> row, Room& room,
                              double* out) const {
  for (std::size_t i = 0; i < row.size(); ++i) add_own(t, row, i, room, out);
}

// A column that is missing is summed over: what the columns below it say goes up to it for each
// of its states. One with nothing below it adds a factor of 1.
void TreeScores::add_with_gaps(std::size_t t, std::span<const std::int32_t> row, Room& room,
                               double* out) const {
  const auto& tree = read_.trees[t];
  const std::size_t classes = read_.classes;
  std::fill(room.reached.begin(), room.reached.end(), std::uint8_t{0});
  for (auto at = tree.order.rbegin(); at != tree.order.rend(); ++at) {
    const std::size_t i = *at, parent = tree.parent[i];
    if (row[i] == gap && !room.reached[i]) continue;
    if (parent == ColumnTree::none || row[parent] != gap) {
      const std::size_t above =
          parent == ColumnTree::none ? 0 : static_cast<std::size_t>(row[parent]);
      add_given(t, i, row[i], above, room, out);
      continue;
    }
    auto& up = room.upwards[parent];
    if (!room.reached[parent]) up.assign(states(parent).states * classes, 0.0);
    room.reached[parent] = 1;
    for (std::size_t b = 0; b < states(parent).states; ++b) {
      add_given(t, i, row[i], b, room, up.data() + b * classes);
    }
  }
}

// A column's factor where its parent is in state `above`, with all that lies below it.
void TreeScores::add_given(std::size_t t, std::size_t i, std::int32_t state, std::size_t above,
                           Room& room, double* out) const {
  const std::size_t classes = read_.classes;
  const auto log_p = [&](std::size_t a) {
    return read_.trees[t].parent[i] == ColumnTree::none
               ? states(i).log_shares.data() + a * classes
               : read_.table(t, i)(above, a, room.row.data());
  };
  if (state != gap) {
    const double* of_state = log_p(static_cast<std::size_t>(state));
    for (std::size_t c = 0; c < classes; ++c) out[c] += of_state[c];
    return;
  }
  const std::size_t many = states(i).states;
  room.of_states.resize(many * classes);
  for (std::size_t a = 0; a < many; ++a) {
    const double* of_state = log_p(a);
    for (std::size_t c = 0; c < classes; ++c) {
      room.of_states[c * many + a] = of_state[c] + room.upwards[i][a * classes + c];
    }
  }
  for (std::size_t c = 0; c < classes; ++c) {
    out[c] += log_sum_exp(std::span(room.of_states).subspan(c * many, many));
  }
}

}  // namespace credence

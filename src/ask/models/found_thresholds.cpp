// SPDX-License-Identifier: Apache-2.0
// Where the decision along one column changes, found by looking and halving.
#include <algorithm>
#include <cmath>

#include "ask/models/thresholds.hpp"
#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "core/random.hpp"
#include "families/family.hpp"
#include "families/number/number_summary.hpp"

namespace credence {
namespace {

// How many places are looked at: values drawn from all classes, and in even steps.
constexpr std::size_t most_drawn = 8192, most_of_a_class = 1024, steps = 2048,
                      steps_of_a_class = 64;

class Line {
 public:
  Line(const Model& model, const Scorer& scorer)
      : scorer_(scorer),
        schema_(model.schema()),
        counts_(schema_.columns[0].kind == ColumnKind::count) {
    for (std::size_t b = 0; b < model.blocks().size(); ++b) {
      const auto* heaped = dynamic_cast<const HeapedAtZero*>(&scorer.density(b));
      zeros_apart_ = zeros_apart_ || (heaped && heaped->zeros_stand_apart());
    }
  }

  bool counts() const { return counts_; }
  bool zeros_apart() const { return zeros_apart_; }

  std::vector<std::size_t> winners(std::vector<double> places) const {
    // What 0 itself is says nothing of what lies around it.
    for (double& place : places) {
      if (zeros_apart_ && place == 0) place = std::numeric_limits<double>::min();
    }
    return winners_of(std::move(places));
  }
  std::size_t winner_at_zero() const { return winners_of({0})[0]; }

  // Rising, none twice.
  std::vector<double> places(std::size_t blocks) const {
    std::vector<double> result;
    double low = infinity, high = -infinity;
    const std::size_t classes = scorer_.classes().size();
    for (std::size_t c = 0; c < classes; ++c) {
      const auto drawn =
          drawn_from(c, blocks, std::clamp(most_drawn / classes, std::size_t{1}, most_of_a_class));
      if (drawn.empty()) continue;
      const auto [least, most] = std::minmax_element(drawn.begin(), drawn.end());
      low = std::min(low, *least);
      high = std::max(high, *most);
      result.insert(result.end(), drawn.begin(), drawn.end());
      if (classes <= most_drawn / steps_of_a_class)
        add_steps(*least, *most, steps_of_a_class, result);
    }
    if (low <= high) add_steps(low, high, steps, result);
    for (double& place : result) place = counts_ ? std::max(0.0, std::floor(place)) : place;
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  // Between two places with different winners: where that of the lower one ends.
  double change(double below, double above, std::size_t winner) const {
    for (int halving = 0; halving < 1100; ++halving) {
      double middle = std::midpoint(below, above);
      if (counts_) middle = std::floor(middle);
      if (middle <= below || middle >= above) break;
      (winners({middle})[0] == winner ? below : above) = middle;
    }
    // Between two counts there is none: the threshold lies halfway.
    return counts_ ? std::midpoint(below, above) : above;
  }

 private:
  const Scorer& scorer_;
  const Schema& schema_;
  bool counts_ = false, zeros_apart_ = false;

  std::vector<std::size_t> winners_of(std::vector<double> places) const {
    Chunk rows;
    rows.rows = places.size();
    rows.columns.emplace_back(Numbers{std::move(places)});
    const std::size_t classes = scorer_.classes().size();
    std::vector<std::size_t> result;
    in_slices(rows, classes, [&](const Chunk& slice, std::size_t) {
      const auto joint = scorer_.log_joint(slice);
      for (auto row = joint.begin(); row != joint.end();) {
        const auto end = row + static_cast<std::ptrdiff_t>(classes);
        result.push_back(static_cast<std::size_t>(std::max_element(row, end) - row));
        row = end;
      }
    });
    return result;
  }

  std::vector<double> drawn_from(std::size_t cls, std::size_t blocks, std::size_t draws) const {
    Random random(cls + 1);
    Chunk drawn = no_rows(schema_);
    for (std::size_t i = 0; i < draws; ++i) {
      for (std::size_t b = 0; b < blocks; ++b) scorer_.density(b).sample(random, cls, drawn);
    }
    auto values = std::move(std::get<Numbers>(drawn.columns[0]).values);
    std::erase_if(values, [](double x) { return !std::isfinite(x); });
    return values;
  }

  // Evenly over the range and as far again on both sides.
  static void add_steps(double low, double high, std::size_t count, std::vector<double>& places) {
    const double reach = std::max(high - low, 1e-9 * std::max(1.0, std::abs(high)));
    const double width = high - low + 2 * reach;
    for (std::size_t i = 0; i < count; ++i) {
      const double place =
          low - reach + width * static_cast<double>(i) / static_cast<double>(count - 1);
      if (std::isfinite(place)) places.push_back(place);
    }
  }
};

}  // namespace

std::optional<Thresholds> found_thresholds(const Model& model, const Scorer& scorer) {
  if (!is_one_number(model.schema())) return std::nullopt;
  const Line line(model, scorer);
  const auto places = line.places(model.blocks().size());
  if (places.empty()) return std::nullopt;
  const auto winners = line.winners(places);
  Thresholds result{model.schema().columns[0].name, {}, {winners[0]}};
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (winners[i] == winners[i - 1]) continue;
    result.thresholds.push_back(line.change(places[i - 1], places[i], winners[i - 1]));
    result.winners.push_back(winners[i]);
  }
  if (!line.zeros_apart()) return result;
  if (const auto winner = line.winner_at_zero(); winner != line.winners({0})[0])
    result.at_zero = winner;
  return result;
}

}  // namespace credence

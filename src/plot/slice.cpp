// SPDX-License-Identifier: Apache-2.0
#include "plot/slice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/family.hpp"
#include "families/free_form/histogram.hpp"
#include "families/number/number_summary.hpp"

namespace credence::plot {
namespace {

Model with_even_prior(Model model) {
  model.settings().prior = ClassPrior{ClassPrior::Kind::uniform, 1, {}};
  model.settings().calibration.reset();  // of posteriors; densities are drawn as they are
  return model;
}

bool is_missing(const Column& column, std::size_t row) {
  if (const auto* numbers = std::get_if<Numbers>(&column)) return std::isnan(numbers->values[row]);
  if (const auto* words = std::get_if<Categories>(&column)) return words->codes[row] < 0;
  return std::get<Bags>(column).missing[row] != 0;
}

// From the `share` quantile to the one as far from the other end.
Range quantiles(std::vector<double> values, double share) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {0, 1};
  std::sort(values.begin(), values.end());
  const double last = static_cast<double>(values.size() - 1);
  return range_of({values[static_cast<std::size_t>(std::floor(share * last))],
                   values[static_cast<std::size_t>(std::ceil((1 - share) * last))]});
}

// Of a column of numbers or of words.
std::size_t size_of(const Column& column) {
  if (const auto* numbers = std::get_if<Numbers>(&column)) return numbers->values.size();
  return std::get<Categories>(column).codes.size();
}

Column selected(const Column& column, const std::vector<std::size_t>& rows) {
  Chunk chunk;
  chunk.rows = size_of(column);
  chunk.columns.push_back(column);
  return std::move(select_rows(chunk, rows).columns[0]);
}

const Numbers* numbers_of(const Chunk& chunk, std::size_t column) {
  return std::get_if<Numbers>(&chunk.columns[column]);
}

}  // namespace

Points points_of(const std::vector<Chunk>& chunks, std::size_t column,
                 const std::vector<std::string>& classes) {
  Points result;
  for (const auto& chunk : chunks) {
    if (const auto* numbers = numbers_of(chunk, column)) {
      result.values.insert(result.values.end(), numbers->values.begin(), numbers->values.end());
    }
    std::vector<std::size_t> places;
    for (const auto& label : chunk.labels.dictionary) {
      const auto found = std::find(classes.begin(), classes.end(), label);
      places.push_back(found == classes.end() ? Points::no_class
                                              : static_cast<std::size_t>(found - classes.begin()));
    }
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const auto code = r < chunk.labels.codes.size() ? chunk.labels.codes[r] : -1;
      result.classes.push_back(code < 0 ? Points::no_class
                                        : places[static_cast<std::size_t>(code)]);
    }
  }
  return result;
}

Slice::Slice(const Model& model, const std::string& at)
    : blocks_(model.blocks()),
      scorer_(std::make_unique<const Scorer>(model)),
      even_(std::make_unique<const Scorer>(with_even_prior(model))),
      classifier_(scorer_.get()),
      base_(parse_given(model.schema(), {at}, "at")),
      at_(at) {
  constexpr std::size_t per_class = 600;
  drawn_ = even_->sample(std::min<std::size_t>(20000, per_class * classes().size() + 2000), 1);
}

Slice::Slice(const Classifier& classifier, const std::string& at)
    : classifier_(&classifier), base_(parse_given(classifier.schema(), {at}, "at")), at_(at) {}

std::string Slice::subtitle(const std::vector<std::size_t>& shown) const {
  std::size_t others = 0;
  for (std::size_t i = 0; i < base_.columns.size(); ++i) {
    const bool on_axis = std::find(shown.begin(), shown.end(), i) != shown.end();
    others += !on_axis && is_missing(base_.columns[i], 0);
  }
  std::vector<std::string> parts;
  for (const auto& piece : split(at_, ',')) {
    if (!piece.empty()) parts.push_back(piece);
  }
  const bool summed = classifier_->knows_evidence();
  if (others == 1) {
    parts.push_back(summed ? "the other column is summed out" : "the other column is at its mean");
  }
  if (others > 1) {
    parts.push_back(fmt::format("the other {} columns are {}", others,
                                summed ? "summed out" : "at their means"));
  }
  return join(parts, ", ");
}

bool Slice::has_density(std::size_t column) const {
  Chunk two = rows(2);
  two.columns[column] = Numbers{{not_a_number, 0}};  // missing, and any value
  const auto joint = classifier_->log_scores(two);
  const auto middle = joint.begin() + static_cast<std::ptrdiff_t>(classes().size());
  return !std::equal(joint.begin(), middle, middle);
}

void Slice::require_density(std::size_t column) const {
  if (has_density(column)) return;
  throw Error(ErrorKind::usage,
              fmt::format("column \"{}\" does not vary: the model leaves it out, and there is no "
                          "density to draw",
                          schema().columns[column].name));
}

std::vector<std::string> Slice::words(const std::vector<Chunk>& data, std::size_t column) const {
  const auto& spec = schema().columns[column];
  if (spec.kind == ColumnKind::binary) return {"0", "1"};
  if (!spec.values.empty()) return spec.values;
  std::vector<std::string> result;
  if (const auto* density = density_of(column)) {
    for (const auto& row : density->table().rows) result.push_back(row.label());
  }
  if (!result.empty()) return result;
  const auto take = [&](const Chunk& chunk) {
    const auto* words = std::get_if<Categories>(&chunk.columns[column]);
    if (words) result.insert(result.end(), words->dictionary.begin(), words->dictionary.end());
  };
  for (const auto& chunk : data) take(chunk);
  if (scorer_) take(drawn_);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  if (!result.empty()) return result;
  throw Error(
      ErrorKind::usage,
      fmt::format("which values \"{}\" has is not known to this model: give DATA, too", spec.name));
}

const Density* Slice::density_of(std::size_t column) const {
  for (std::size_t b = 0; scorer_ && b < blocks_.size(); ++b) {
    if (blocks_[b].columns == std::vector<std::size_t>{column}) return &scorer_->density(b);
  }
  return nullptr;
}

std::vector<double> Slice::edges(std::size_t column) const {
  const auto* stepped = dynamic_cast<const Stepped*>(density_of(column));
  if (!stepped || stepped->edges().size() < 2) return {};
  return {stepped->edges().begin(), stepped->edges().end()};
}

bool Slice::zeros_apart(std::size_t column) const {
  const auto* heaped = dynamic_cast<const HeapedAtZero*>(density_of(column));
  return heaped && heaped->zeros_stand_apart();
}

std::vector<double> Slice::heaps(std::size_t column) const {
  if (!zeros_apart(column)) return {};
  auto result = log_density(column, Numbers{{0}});
  for (double& p : result) p = std::isfinite(p) ? std::exp(p) : 0;
  return result;
}

namespace {

std::vector<double> finite_values(const std::vector<Chunk>& data, std::size_t column) {
  std::vector<double> values;
  for (const auto& chunk : data) {
    const auto* numbers = numbers_of(chunk, column);
    if (numbers) values.insert(values.end(), numbers->values.begin(), numbers->values.end());
  }
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  return values;
}

// Where no row is negative an axis does not go below 0, but for the rims of the points there.
Range from_zero(Range range, const std::vector<double>& values) {
  const bool positive = !values.empty() && *std::min_element(values.begin(), values.end()) >= 0;
  if (positive && range.low < 0) range.low = std::max(range.low, -0.015 * range.high);
  return range;
}

}  // namespace

Range Slice::range(const std::vector<Chunk>& data, std::size_t column) const {
  const auto values = finite_values(data, column);
  Range range;
  if (!values.empty()) {
    range = from_zero(widened(range_of(values), 0.05), values);
  } else if (!even_) {
    throw Error(ErrorKind::usage,
                fmt::format("how far \"{}\" reaches is not known to this model: give DATA, too",
                            schema().columns[column].name));
  } else {
    // By class: a rare one would fall out of the quantiles of all.
    range = range_of_class(column, 0);
    for (std::size_t c = 1; c < classes().size(); ++c) {
      const Range other = range_of_class(column, c);
      range = {std::min(range.low, other.low), std::max(range.high, other.high)};
    }
  }
  // Half a count of room, so that points at 0 are not cut in two.
  if (is_count(column)) range.low = std::max(-0.5, range.low);
  return range;
}

Range Slice::range_of_densities(const std::vector<Chunk>& data, std::size_t column) const {
  Range result = range(data, column);
  if (is_count(column)) return result;
  const Range most = widened(result, 1);
  if (const auto steps = edges(column); !steps.empty()) {
    const Range own = widened({steps.front(), steps.back()}, 0.02);
    return {std::max(most.low, std::min(result.low, own.low)),
            std::min(most.high, std::max(result.high, own.high))};
  }
  for (std::size_t c = 0; c < classes().size(); ++c) {
    // 99 % of a class, and as much again as a normal has to where it is 0.01 of its peak.
    const Range own = widened(range_of_class(column, c), 0.2);
    result.low = std::max(most.low, std::min(result.low, own.low));
    result.high = std::min(most.high, std::max(result.high, own.high));
  }
  return from_zero(result, finite_values(data, column));
}

std::string Slice::cut(const Range& range, std::size_t column) const {
  for (std::size_t c = 0; c < classes().size(); ++c) {
    if (range_of_class(column, c).low < range.low) {
      return range.low < 0 && range.low > -0.02 * range.high ? "densities go on below 0" : "";
    }
  }
  return "";
}

std::vector<double> Slice::drawn(std::size_t column, std::size_t cls) const {
  std::vector<double> values;
  const auto* numbers = numbers_of(drawn_, column);
  for (std::size_t r = 0; numbers && r < drawn_.rows; ++r) {
    if (drawn_.labels.codes[r] == static_cast<std::int32_t>(cls))
      values.push_back(numbers->values[r]);
  }
  return values;
}

Range Slice::range_of_class(std::size_t column, std::size_t cls) const {
  return quantiles(drawn(column, cls), 0.005);
}

Range Slice::middle_of_class(std::size_t column, std::size_t cls) const {
  return quantiles(drawn(column, cls), 0.25);
}

bool Slice::is_count(std::size_t column) const {
  return schema().columns[column].kind == ColumnKind::count;
}

Chunk Slice::rows(std::size_t count) const {
  return select_rows(base_, std::vector<std::size_t>(count, 0));
}

namespace {

// log P(c, x) under even classes less log P(c): a class without rows has no density.
void subtract_prior(std::vector<double>& joint, const std::vector<double>& log_prior) {
  for (std::size_t i = 0; i < joint.size(); ++i) {
    const double prior = log_prior[i % log_prior.size()];
    joint[i] = std::isfinite(prior) ? joint[i] - prior : prior;
  }
}

}  // namespace

std::vector<double> Slice::log_density(std::size_t column, Column values) const {
  const std::size_t count = size_of(values);
  Chunk chunk = rows(count);
  // What is fixed elsewhere in the row has its own density, which is not part of this column's.
  const auto fixed = even_->log_joint(base_);
  chunk.columns[column] = std::move(values);
  auto joint = even_->log_joint(chunk);
  subtract_prior(joint, fixed);
  return joint;
}

Chunk Slice::rows(std::size_t x, std::size_t y, const Column& xs, const Column& ys) const {
  const std::size_t across = size_of(xs), down = size_of(ys);
  Chunk chunk = rows(across * down);
  std::vector<std::size_t> of_x, of_y;
  for (std::size_t i = 0; i < across * down; ++i) {
    of_x.push_back(i % across);
    of_y.push_back(i / across);
  }
  chunk.columns[x] = selected(xs, of_x);
  chunk.columns[y] = selected(ys, of_y);
  // Left of 0, counts are drawn as 0 is.
  for (const std::size_t column : {x, y}) {
    if (!is_count(column)) continue;
    for (auto& value : std::get<Numbers>(chunk.columns[column]).values)
      value = std::max(0.0, value);
  }
  return chunk;
}

std::vector<double> Slice::log_density(std::size_t x, std::size_t y, const Grid& grid) const {
  auto joint = even_->log_joint(rows(x, y, Numbers{grid.x}, Numbers{grid.y}));
  subtract_prior(joint, even_->log_joint(base_));
  return joint;
}

std::vector<double> Slice::scores(std::size_t x, std::size_t y, const Column& xs,
                                  const Column& ys) const {
  return classifier_->log_scores(rows(x, y, xs, ys));
}

std::vector<double> Slice::scores(std::size_t x, std::size_t y, const Grid& grid) const {
  return scores(x, y, Numbers{grid.x}, Numbers{grid.y});
}

std::vector<double> Slice::scores(std::size_t x, Column xs) const {
  Chunk chunk = rows(size_of(xs));
  chunk.columns[x] = std::move(xs);
  return classifier_->log_scores(chunk);
}

}  // namespace credence::plot

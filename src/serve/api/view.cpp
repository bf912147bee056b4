// SPDX-License-Identifier: Apache-2.0
// A model as `show` has it, with what its columns may hold.
#include "serve/api/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answers/model.hpp"
#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "serve/api/columns.hpp"
#include "serve/api/endpoints.hpp"

namespace credence::serve {
namespace {

// Of a column of words the most frequent one, of numbers the middle of the classes' middles.
Json typical(const plot::Slice& slice, const Snapshot& snapshot, std::size_t column,
             const ColumnValues& values) {
  const auto& log_prior = snapshot.scorer("show").log_prior();
  const std::size_t classes = slice.classes().size();
  double middle = 0, weight = 0;
  if (values.words.empty()) {
    for (std::size_t c = 0; c < classes; ++c) {
      const auto range = slice.middle_of_class(column, c);
      middle += std::exp(log_prior[c]) * (range.low + range.high) / 2;
      weight += std::exp(log_prior[c]);
    }
    if (slice.schema().columns[column].kind == ColumnKind::count)
      return std::round(middle / weight);
    return to_number(fmt::format("{:.4g}", middle / weight)).value_or(middle / weight);
  }
  const auto densities = log_densities(snapshot, column, values);
  std::size_t best = 0;
  double most = -1;
  for (std::size_t v = 0; v < values.words.size(); ++v) {
    double share = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      share += std::exp(log_prior[c] + densities[v * classes + c]);
    }
    if (share <= most) continue;
    most = share;
    best = v;
  }
  return values.words[best];
}

// The least and the largest number of a column in these rows; nothing where there are none.
std::optional<plot::Range> seen_range(const std::vector<Chunk>& data, std::size_t column) {
  std::optional<plot::Range> seen;
  for (const auto& chunk : data) {
    if (column >= chunk.columns.size()) return std::nullopt;
    const auto* numbers = std::get_if<Numbers>(&chunk.columns[column]);
    if (!numbers) return std::nullopt;
    for (const double x : numbers->values) {
      if (std::isnan(x)) continue;
      if (!seen) seen = {x, x};
      seen = {std::min(seen->low, x), std::max(seen->high, x)};
    }
  }
  return seen;
}

// How a column is written, and how far the rows of the server reach.
void add_notation_and_reach(const ColumnSpec& spec, const std::vector<Chunk>& data,
                            std::size_t column, Json& json) {
  if (!spec.reading.empty()) json["reading"] = spec.reading;
  if (kind_of(spec) != "number") return;
  if (const auto seen = seen_range(data, column)) json["seen"] = {seen->low, seen->high};
}

Json logistic_json(const LogisticModel& model, const std::vector<Chunk>& data) {
  Json columns = Json::array();
  for (std::size_t i = 0; i < model.schema().columns.size(); ++i) {
    const auto& spec = model.schema().columns[i];
    columns.push_back({{"name", spec.name}, {"kind", kind_of(spec)}, {"family", "logistic"}});
    if (!spec.values.empty()) columns.back()["values"] = spec.values;
    add_notation_and_reach(spec, data, i, columns.back());
  }
  return {{"target", model.schema().target},
          {"rows", count(model.rows())},
          {"logistic", true},
          {"penalty", model.penalty()},
          {"converged", model.converged()},
          {"schema",
           {{"target", model.schema().target},
            {"columns", std::move(columns)},
            {"classes", model.classes()},
            {"calibrated", false}}}};
}

}  // namespace

Json entry_json(const Snapshot& snapshot, bool learns, bool has_data) {
  Json one = {{"name", snapshot.name()}, {"target", snapshot.schema().target}};
  if (snapshot.generative()) one["rows"] = count(snapshot.generative()->rows());
  one["classes"] = snapshot.classes();
  one["learn"] = learns;
  one["data"] = has_data;
  one["version"] = snapshot.version();
  return one;
}

Json home_json(Json entries, bool learns) {
  return {{"name", "credence"},
          {"version", CREDENCE_VERSION},
          {"models", std::move(entries)},
          {"learn", learns},
          {"examples", true}};
}

const plot::Slice& ModelView::slice() {
  if (!slice_) slice_ = std::make_unique<const plot::Slice>(snapshot_.model("columns"), "");
  return *slice_;
}

Json ModelView::columns() {
  const Model& model = snapshot_.model("show");
  const auto& schema = model.schema();
  Json columns = Json::array();
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const auto& spec = schema.columns[i];
    const std::size_t block = block_place(model, i);
    Json one = {{"name", spec.name},
                {"kind", kind_of(spec)},
                {"family", model.blocks()[block].family},
                {"block", block}};
    if (model.blocks()[block].weight != 1) one["trust"] = number(model.blocks()[block].weight);
    if (!spec.from.empty()) one["from"] = spec.from;
    add_notation_and_reach(spec, data_, i, one);
    if (spec.kind != ColumnKind::text && spec.kind != ColumnKind::bag) {
      try {
        const auto values = values_along(slice(), data_, i, 2);
        if (!values.words.empty()) one["values"] = values.words;
        if (values.words.empty()) {
          const auto range = slice().range(data_, i);
          one["range"] = {number(range.low), number(range.high)};
        }
        one["typical"] = typical(slice(), snapshot_, i, values);
      } catch (const Error&) {
        // A column that never varies has no values to speak of.
      }
    }
    columns.push_back(std::move(one));
  }
  return columns;
}

Json ModelView::model(std::size_t words) {
  if (snapshot_.logistic()) return logistic_json(*snapshot_.logistic(), data_);
  const Model& model = snapshot_.model("show");
  const Scorer& scorer = snapshot_.scorer("show");
  Json json = to_json(model, scorer, words);
  json["name"] = snapshot_.name();
  json["schema"] = {{"target", model.schema().target},
                    {"columns", columns()},
                    {"classes", model.classes()},
                    {"rule", to_string(model.settings().rule)},
                    {"prior_rule", to_string(model.settings().prior)},
                    {"calibrated", scorer.calibration() != nullptr},
                    {"novelty", snapshot_.novelty() != nullptr},
                    {"hand_written", model.settings().hand_written},
                    {"version", snapshot_.version()},
                    {"history", history_json(model)}};
  if (snapshot_.bytes() > 0) json["schema"]["size_bytes"] = snapshot_.bytes();
  return json;
}

Response show_model(const Call& call) {
  const auto model = call.model(call.query.overrides());
  const auto words = call.query.whole("words", 10, 0, 50);
  call.query.finish();
  Response response;
  response.body = *model->cached(fmt::format("show {}", words), [&] {
    const auto data = call.store.data_of(call.names[0]);
    return compact(ModelView(*model, chunks_of(data)).model(words));
  });
  return response;
}

}  // namespace credence::serve

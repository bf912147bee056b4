// SPDX-License-Identifier: Apache-2.0
// One column, class by class.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/family.hpp"
#include "serve/api/columns.hpp"
#include "serve/api/endpoints.hpp"
#include "serve/api/view.hpp"

namespace credence::serve {
namespace {

Json curve_of(const Snapshot& snapshot, std::size_t column, const ColumnValues& values) {
  const auto& classes = snapshot.classes();
  const auto densities = log_densities(snapshot, column, values);
  Json by = Json::object();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    Json line = Json::array();
    for (std::size_t i = 0; i < values.size(); ++i) {
      line.push_back(number(std::exp(densities[i * classes.size() + c])));
    }
    by[classes[c]] = std::move(line);
  }
  return {{"x", values.numbers}, {"density", std::move(by)}};
}

// How many rows have each value in each class, before anything is smoothed.
std::vector<std::vector<double>> counts_of(const Snapshot& snapshot, std::size_t column,
                                           const std::vector<std::string>& values) {
  const Model& model = snapshot.model("counts");
  const auto block = block_place(model, column);
  if (model.settings().hand_written || model.blocks()[block].columns.size() > 1) return {};
  std::vector<std::vector<double>> result(values.size());
  try {
    const auto plain = snapshot.with({"mle", "", "off"});
    for (const auto& row : plain->scorer("counts").density(block).table().rows) {
      const auto found = std::find(values.begin(), values.end(), row.label());
      if (found == values.end()) continue;
      for (const auto& cell : row.cells) {
        result[static_cast<std::size_t>(found - values.begin())].push_back(cell.numerator);
      }
    }
  } catch (const Error&) {
    return {};  // maximum likelihood has no answer for some column
  }
  return result;
}

Json table_of(const Snapshot& snapshot, std::size_t column, const ColumnValues& values) {
  const auto& classes = snapshot.classes();
  const auto densities = log_densities(snapshot, column, values);
  const auto counts = counts_of(snapshot, column, values.words);
  Json rows = Json::array();
  for (std::size_t v = 0; v < values.words.size(); ++v) {
    std::vector<double> shares;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      shares.push_back(std::exp(densities[v * classes.size() + c]));
    }
    rows.push_back({{"value", values.words[v]}, {"probability", by_class(classes, shares.data())}});
    if (v < counts.size() && counts[v].size() == classes.size()) {
      Json& by = rows.back()["count"] = Json::object();
      for (std::size_t c = 0; c < classes.size(); ++c) by[classes[c]] = count(counts[v][c]);
    }
  }
  return rows;
}

// A row that has nothing but one bag with one word, or an empty one.
Chunk one_word(const Snapshot& snapshot, std::size_t column, const std::string& word) {
  Chunk chunk = empty_row(snapshot);
  Bags bags;
  bags.missing = {0};
  bags.dictionary = {word};
  if (!word.empty()) {
    bags.features = {0};
    bags.counts = {1};
  }
  bags.offsets = {0, bags.features.size()};
  chunk.columns[column] = std::move(bags);
  return chunk;
}

// The words that tell the classes apart, as the model lists them, and how probable each is.
Json words_of(const Snapshot& snapshot, std::size_t column, std::size_t most) {
  const auto& scorer = snapshot.scorer("words");
  const auto& model = snapshot.model("words");
  const auto& classes = snapshot.classes();
  std::vector<std::string> words;
  const auto table = scorer.density(block_place(model, column)).table();
  for (std::size_t i = 0; words.size() < most; ++i) {
    bool any = false;
    for (const auto& list : table.lists) {
      if (i >= list.words.size()) continue;
      any = true;
      const auto& word = list.words[i].first;
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
    if (!any) break;
  }
  for (const auto& row : table.rows) {
    if (!table.lists.empty() || words.size() >= most) break;
    if (!row.of.empty()) words.push_back(row.of[0]);
  }
  const auto base = scorer.log_density(block_place(model, column), one_word(snapshot, column, ""));
  Json result = Json::array();
  for (std::size_t i = 0; i < words.size() && i < most; ++i) {
    auto logs =
        scorer.log_density(block_place(model, column), one_word(snapshot, column, words[i]));
    Json weights = Json::object(), shares = Json::object();
    for (std::size_t c = 0; c < classes.size(); ++c) logs[c] -= base[c];
    for (std::size_t c = 0; c < classes.size(); ++c) {
      std::vector<double> others;
      for (std::size_t d = 0; d < classes.size(); ++d) {
        if (d != c) others.push_back(logs[d]);
      }
      const double mean = others.empty() ? 0
                                         : log_sum_exp(std::span<const double>(others)) -
                                               std::log(static_cast<double>(others.size()));
      weights[classes[c]] = number(logs[c] - mean);
      shares[classes[c]] = number(std::exp(logs[c]));
    }
    result.push_back(
        {{"word", words[i]}, {"weight", std::move(weights)}, {"probability", std::move(shares)}});
  }
  return result;
}

// The places of a curve: where a density jumps it is told at the jump, from which on it holds. A 0
// that has a probability of its own is no part of it.
ColumnValues places_of(const plot::Slice& slice, const std::vector<Chunk>& data, std::size_t column,
                       std::size_t points, bool zero_apart) {
  auto result = values_along(slice, data, column, points);
  if (!result.words.empty()) return result;
  auto& places = result.numbers;
  const auto edges = slice.edges(column);
  places.insert(places.end(), edges.begin(), edges.end());
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  if (zero_apart) std::erase(places, 0.0);
  return result;
}

bool has_zero_apart(const Scorer& scorer, std::size_t block) {
  const auto table = scorer.density(block).table();
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [](const auto& row) { return row.label() == "P(0)"; });
}

}  // namespace

// Densities along a column of numbers, or a table of its words.
void ModelView::add_densities(std::size_t place, std::size_t points, Json& json) {
  const Model& model = snapshot_.model("column");
  const bool zero = has_zero_apart(snapshot_.scorer("column"), block_place(model, place));
  const auto values = places_of(slice(), data_, place, points, zero);
  if (!values.words.empty()) {
    json["table"] = table_of(snapshot_, place, values);
    return;
  }
  if (!plot::is_numeric(model.schema(), place)) {
    throw HttpError(422, fmt::format("column \"{}\" has no density of its own",
                                     model.schema().columns[place].name));
  }
  slice().require_density(place);
  json["curve"] = curve_of(snapshot_, place, values);
  if (!slice().edges(place).empty()) json["curve"]["steps"] = true;
  if (!zero) return;
  ColumnValues at_zero;
  at_zero.numbers = {0};
  auto shares = log_densities(snapshot_, place, at_zero);
  for (double& share : shares) share = std::exp(share);
  json["zero"] = by_class(snapshot_.classes(), shares.data());
}

Json ModelView::column(std::size_t place, std::size_t points, std::size_t words) {
  const Model& model = snapshot_.model("column");
  const auto& spec = model.schema().columns[place];
  std::vector<double> prior;
  for (const double log : snapshot_.scorer("column").log_prior()) prior.push_back(std::exp(log));
  Json json = {{"column", spec.name},
               {"family", model.blocks()[block_place(model, place)].family},
               {"kind", kind_of(spec)},
               {"rule", to_string(model.settings().rule)},
               {"classes", snapshot_.classes()},
               {"prior", by_class(snapshot_.classes(), prior.data())}};
  if (spec.kind == ColumnKind::text || spec.kind == ColumnKind::bag) {
    json["words"] = words_of(snapshot_, place, words);
  } else {
    add_densities(place, points, json);
  }
  return json;
}

Response column(const Call& call) {
  auto overrides = call.query.overrides();
  if (const auto strength = call.query.number("strength")) {
    // The rule's name with another number.
    const auto base = overrides.rule.empty()
                          ? to_string(call.model()->model("column").settings().rule)
                          : overrides.rule;
    const auto kind = base.substr(0, base.find('='));
    if (kind != "mle" && kind != "unbiased") {
      overrides.rule = fmt::format("{}={}", kind, format_number(*strength));
    }
  }
  const auto snapshot = call.model(overrides);
  const auto points = call.query.whole("points", 200, 2, 2000);
  const auto words = call.query.whole("words", 30, 1, 500);
  call.query.finish();
  const auto place = column_place(snapshot->model("column").schema(), call.names.at(1));
  const auto data = call.store.data_of(call.names[0]);
  return json_response(ModelView(*snapshot, chunks_of(data)).column(place, points, words));
}

}  // namespace credence::serve

// SPDX-License-Identifier: Apache-2.0
// A model, its columns one by one and in pairs.
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
Json typical(const plot::Slice& slice, const Scorer& scorer, std::size_t column,
             const ColumnValues& values) {
  const auto& log_prior = scorer.log_prior();
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
  const bool binary = slice.schema().columns[column].kind == ColumnKind::binary;
  const auto densities = slice.log_density(column, values.column(binary));
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

Json columns_json(const Model& model, const Scorer& scorer, const std::vector<Chunk>& data) {
  const auto& schema = model.schema();
  std::unique_ptr<const plot::Slice> slice;
  Json columns = Json::array();
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const auto& spec = schema.columns[i];
    const std::size_t block = block_place(model, i);
    Json one = {{"name", spec.name},
                {"kind", kind_of(spec)},
                {"family", model.blocks()[block].family},
                {"block", block}};
    if (model.blocks()[block].weight != 1) one["weight"] = number(model.blocks()[block].weight);
    if (!spec.from.empty()) one["from"] = spec.from;
    if (spec.kind != ColumnKind::text && spec.kind != ColumnKind::bag) {
      if (!slice) slice = std::make_unique<const plot::Slice>(model, "");
      try {
        const auto values = values_along(*slice, data, i, 2);
        if (!values.words.empty()) one["values"] = values.words;
        if (values.words.empty()) {
          const auto range = slice->range(data, i);
          one["range"] = {number(range.low), number(range.high)};
        }
        one["typical"] = typical(*slice, scorer, i, values);
      } catch (const Error&) {
        // A column that never varies has no values to speak of.
      }
    }
    columns.push_back(std::move(one));
  }
  return columns;
}

Json logistic_json(const LogisticModel& model) {
  Json columns = Json::array();
  for (const auto& spec : model.schema().columns) {
    columns.push_back({{"name", spec.name}, {"kind", kind_of(spec)}, {"family", "logistic"}});
    if (!spec.values.empty()) columns.back()["values"] = spec.values;
  }
  return {{"target", model.schema().target},
          {"rows", count(model.rows())},
          {"penalty", model.penalty()},
          {"converged", model.converged()},
          {"schema",
           {{"target", model.schema().target},
            {"columns", std::move(columns)},
            {"classes", model.classes()},
            {"calibrated", false}}}};
}

std::string view_of(const Snapshot& snapshot, const std::vector<Chunk>& data, std::size_t words) {
  if (snapshot.logistic()) return logistic_json(*snapshot.logistic()).dump();
  const Model& model = snapshot.model("show");
  const Scorer& scorer = snapshot.scorer("show");
  Json json = to_json(model, scorer, words);
  json["name"] = snapshot.name();
  json["schema"] = {{"target", model.schema().target},
                    {"columns", columns_json(model, scorer, data)},
                    {"classes", model.classes()},
                    {"rule", to_string(model.settings().rule)},
                    {"prior_rule", to_string(model.settings().prior)},
                    {"calibrated", scorer.calibration() != nullptr},
                    {"novelty", snapshot.novelty() != nullptr},
                    {"hand_written", model.settings().hand_written},
                    {"size_bytes", snapshot.bytes()},
                    {"version", snapshot.version()},
                    {"history", history_json(model)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Response show_model(const Call& call) {
  const auto model = call.model(call.query.overrides());
  const auto words = call.query.whole("words", 10, 0, 50);
  Response response;
  response.body = *model->cached(fmt::format("show {}", words), [&] {
    return view_of(*model, chunks_of(call.store.data_of(call.names[0])), words);
  });
  return response;
}

namespace {

Json curve_of(const plot::Slice& slice, std::size_t column, const ColumnValues& values) {
  const auto& classes = slice.classes();
  const auto densities = slice.log_density(column, Numbers{values.numbers});
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
std::vector<std::vector<double>> counts_of(const Snapshot& snapshot, const std::string& name,
                                           const std::vector<std::string>& values) {
  if (snapshot.model("counts").settings().hand_written) return {};
  std::vector<std::vector<double>> result(values.size());
  try {
    const auto plain = snapshot.with({"mle", "", "off"});
    for (const auto& table : plain->scorer("counts").tables()) {
      if (table.title != name) continue;
      for (const auto& row : table.rows) {
        const auto found = std::find(values.begin(), values.end(), row.label());
        if (found == values.end()) continue;
        for (const auto& cell : row.cells) {
          result[static_cast<std::size_t>(found - values.begin())].push_back(cell.numerator);
        }
      }
    }
  } catch (const Error&) {
    return {};  // maximum likelihood has no answer for some column
  }
  return result;
}

Json table_of(const plot::Slice& slice, const Snapshot& snapshot, std::size_t column,
              const ColumnValues& values) {
  const auto& classes = slice.classes();
  const auto& spec = slice.schema().columns[column];
  const auto densities = slice.log_density(column, values.column(spec.kind == ColumnKind::binary));
  const auto counts = counts_of(snapshot, spec.name, values.words);
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
  Chunk chunk = snapshot.rows().read({});
  const std::string_view empty = "{}";
  chunk = snapshot.rows().read({&empty, 1});
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
  const auto tables = scorer.tables();
  const auto& table = tables[block_place(model, column)];
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

}  // namespace

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
  const Model& model = snapshot->model("column");
  const std::size_t place = column_place(model.schema(), call.names.at(1));
  const auto& spec = model.schema().columns[place];
  const auto points = call.query.whole("points", 200, 2, 2000);
  const auto words = call.query.whole("words", 30, 1, 500);
  std::vector<double> prior;
  for (const double log : snapshot->scorer("column").log_prior()) prior.push_back(std::exp(log));
  Json json = {{"column", spec.name},
               {"family", model.blocks()[block_place(model, place)].family},
               {"kind", kind_of(spec)},
               {"rule", to_string(model.settings().rule)},
               {"classes", snapshot->classes()},
               {"prior", by_class(snapshot->classes(), prior.data())}};
  if (spec.kind == ColumnKind::text || spec.kind == ColumnKind::bag) {
    json["words"] = words_of(*snapshot, place, words);
    return json_response(json);
  }
  const plot::Slice slice(model, "");
  const auto data = call.store.data_of(call.names[0]);
  const auto values = values_along(slice, chunks_of(data), place, points);
  if (!values.words.empty()) {
    json["table"] = table_of(slice, *snapshot, place, values);
  } else {
    if (!plot::is_numeric(model.schema(), place)) {
      throw HttpError(422, fmt::format("column \"{}\" has no density of its own", spec.name));
    }
    slice.require_density(place);
    json["curve"] = curve_of(slice, place, values);
  }
  return json_response(json);
}

namespace {

// A grid of numbers, one inner array for each place of y.
template <typename Value>
Json grid_json(std::size_t across, std::size_t down, const Value& value) {
  Json rows = Json::array();
  for (std::size_t j = 0; j < down; ++j) {
    Json row = Json::array();
    for (std::size_t i = 0; i < across; ++i) row.push_back(number(value(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

// log p(x | c) + log p(y | c), as if the columns were independent given the class.
std::vector<double> as_if_independent(const plot::Slice& slice, std::size_t x, std::size_t y,
                                      const plot::Grid& grid) {
  const auto of_x = slice.log_density(x, Numbers{grid.x});
  const auto of_y = slice.log_density(y, Numbers{grid.y});
  const std::size_t classes = slice.classes().size();
  std::vector<double> result(grid.x.size() * grid.y.size() * classes);
  for (std::size_t j = 0; j < grid.y.size(); ++j) {
    for (std::size_t i = 0; i < grid.x.size(); ++i) {
      for (std::size_t c = 0; c < classes; ++c) {
        result[(j * grid.x.size() + i) * classes + c] =
            of_x[i * classes + c] + of_y[j * classes + c];
      }
    }
  }
  return result;
}

// Fixed columns as one writes them by hand.
std::string at_in(Fields& fields) {
  const auto at = fields.json("at");
  if (!at) return "";
  if (!at->is_object()) throw HttpError(422, "\"at\": an object of values by column is wanted");
  std::string text;
  for (const auto& [name, value] : at->items()) {
    if (value.is_null()) continue;
    const std::string cell = value.is_string() ? value.get<std::string>() : value.dump();
    if (cell.find('"') != cell.npos) throw HttpError(422, "\"at\": a value has a quote");
    text += fmt::format("{}\"{}={}\"", text.empty() ? "" : ",", name, cell);
  }
  return text;
}

}  // namespace

Response plane(const Call& call) {
  auto fields = call.fields();
  const auto snapshot = call.model(fields.overrides());
  const Model& model = snapshot->model("plane");
  const auto& classes = snapshot->classes();
  const auto x_name = fields.text("x"), y_name = fields.text("y");
  if (!x_name || !y_name)
    throw HttpError(422, "\"x\" and \"y\" are wanted: two columns of numbers");
  const auto size = fields.whole("size", 2, 200).value_or(80);
  const bool independent = fields.flag("independent");
  const auto at = at_in(fields);
  fields.finish();
  const std::size_t x = column_place(model.schema(), *x_name);
  const std::size_t y = column_place(model.schema(), *y_name);
  if (x == y) throw HttpError(422, "\"x\" and \"y\" are the same column");
  const plot::Slice slice(model, at);
  const auto data = call.store.data_of(call.names[0]);
  for (const auto place : {x, y}) {
    plot::require_number(model, place);
    slice.require_density(place);
  }
  const plot::Grid grid{values_along(slice, chunks_of(data), x, size).numbers,
                        values_along(slice, chunks_of(data), y, size).numbers,
                        {}};
  const auto densities =
      independent ? as_if_independent(slice, x, y, grid) : slice.log_density(x, y, grid);
  auto scores = independent ? densities : slice.scores(x, y, grid);
  const auto& log_prior = snapshot->scorer("plane").log_prior();
  for (std::size_t i = 0; independent && i < scores.size(); ++i) {
    scores[i] += log_prior[i % classes.size()];
  }
  std::vector<double> posteriors(scores.size());
  Posterior one;
  for (std::size_t i = 0; i < scores.size(); i += classes.size()) {
    posterior(std::span(scores).subspan(i, classes.size()), one);
    std::copy(one.probabilities.begin(), one.probabilities.end(),
              posteriors.begin() + static_cast<std::ptrdiff_t>(i));
  }
  Json density_json = Json::object(), posterior_json = Json::object();
  const std::size_t across = grid.x.size();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto from = [&](const std::vector<double>& all) {
      return [&, c](std::size_t i, std::size_t j) {
        return all[(j * across + i) * classes.size() + c];
      };
    };
    density_json[classes[c]] = grid_json(across, grid.y.size(), from(densities));
    posterior_json[classes[c]] = grid_json(across, grid.y.size(), from(posteriors));
  }
  std::vector<double> prior;
  for (const double log : log_prior) prior.push_back(std::exp(log));
  return json_response({{"x", grid.x},
                        {"y", grid.y},
                        {"columns", {*x_name, *y_name}},
                        {"classes", classes},
                        {"log_density", std::move(density_json)},
                        {"posterior", std::move(posterior_json)},
                        {"prior", by_class(classes, prior.data())}});
}

}  // namespace credence::serve

// SPDX-License-Identifier: Apache-2.0
// Questions, rows drawn, rows left out, and two models beside each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answers/query.hpp"
#include "answers/reasons.hpp"
#include "ask/models/ask_model.hpp"
#include "core/chunk_rows.hpp"
#include "credence/decision.hpp"
#include "credence/error.hpp"
#include "serve/api/columns.hpp"
#include "serve/api/endpoints.hpp"
#include "serve/api/json_text.hpp"
#include "serve/models/learner.hpp"

namespace credence::serve {

Response query(const Call& call) {
  constexpr std::size_t most = 100;
  auto fields = call.fields();
  auto overrides = fields.overrides();
  // Calibration is of posteriors: it is no part of the joint distribution.
  overrides.calibration = "off";
  const auto questions = fields.json("questions");
  fields.finish();
  if (!questions || !questions->is_array() || questions->empty() || questions->size() > most) {
    throw HttpError(422, fmt::format("\"questions\": an array of 1 to {} texts is wanted", most));
  }
  const auto snapshot = call.model(overrides);
  Json answers = Json::array();
  for (const auto& question : *questions) {
    if (!question.is_string()) throw HttpError(422, "\"questions\": texts are wanted");
    const auto text = question.get<std::string>();
    try {
      answers.push_back(to_json(
          answer(parse_question(text), snapshot->model("query"), snapshot->scorer("query"))));
    } catch (const Error& error) {
      answers.push_back({{"question", text}, {"error", error.what()}});
    }
  }
  return json_response({{"answers", std::move(answers)}});
}

Response sample(const Call& call) {
  auto fields = call.fields();
  auto overrides = fields.overrides();
  const auto rows = fields.whole("rows", 0, 10000).value_or(10);
  const auto seed = fields.whole("seed", 0, std::size_t{1} << 53).value_or(1);
  const auto label = fields.text("class");
  fields.finish();
  auto snapshot = call.model(overrides);
  if (label) {
    const auto only = class_named("class", *label, snapshot->classifier());
    overrides.prior.clear();
    for (std::size_t c = 0; c < snapshot->classes().size(); ++c) {
      overrides.prior +=
          fmt::format("{}\"{}={}\"", c > 0 ? "," : "", snapshot->classes()[c], c == only ? 1 : 0);
    }
    overrides.calibration = "off";
    snapshot = call.model(overrides);
  }
  const Chunk drawn = snapshot->scorer("sample").sample(rows, seed);
  Json list = Json::array();
  for (std::size_t r = 0; r < drawn.rows; ++r) {
    list.push_back(row_json(drawn, snapshot->schema(), r));
  }
  return json_response({{"rows", std::move(list)}});
}

namespace {

struct Parameter {
  std::string column, name, cls;
  double from, to;
};

// By how much a parameter differs, as a share of itself: columns have units of their own.
double difference(const Parameter& one) {
  const double size = std::max(std::abs(one.from), std::abs(one.to));
  const double share = std::abs(one.to - one.from) / size;
  return std::isnan(share) ? 1 : share;  // one of them has no number, or is infinite
}

// The parameters of two models that are not the same but for rounding, those that differ most
// first.
std::vector<Parameter> moved(const Scorer& from, const Scorer& to, std::size_t most) {
  std::vector<Parameter> result;
  const auto before = from.tables(), after = to.tables();
  for (const auto& table : before) {
    for (const auto& other : after) {
      if (other.title != table.title || other.family != table.family) continue;
      for (const auto& row : table.rows) {
        const auto same = std::find_if(other.rows.begin(), other.rows.end(),
                                       [&](const auto& one) { return one.label() == row.label(); });
        if (same == other.rows.end()) continue;
        for (std::size_t c = 0; c < row.cells.size(); ++c) {
          const auto& classes = to.classes();
          const auto at = std::find(classes.begin(), classes.end(), from.classes()[c]);
          if (at == classes.end()) continue;
          const auto& cell = same->cells[static_cast<std::size_t>(at - classes.begin())];
          Parameter one{table.title, row.label(), from.classes()[c], row.cells[c].value,
                        cell.value};
          if (one.from != one.to && difference(one) > 1e-9) result.push_back(std::move(one));
        }
      }
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return difference(a) > difference(b); });
  if (result.size() > most) result.resize(most);
  return result;
}

Json said(const Snapshot& model, std::size_t row, const std::vector<double>& scores) {
  const auto& classes = model.classes();
  const auto found = posterior(std::span(scores).subspan(row * classes.size(), classes.size()));
  const auto label = decide(found);
  return {{"label", label ? Json(classes[*label]) : Json()},
          {"probabilities", by_class(classes, found.probabilities.data())}};
}

Chunk labelled_row(const Call& call, Fields& fields, const Snapshot& snapshot) {
  if (const auto index = fields.whole("index", 0, std::size_t{1} << 40)) {
    const auto data = call.store.data_of(call.names[0]);
    if (!data || *index >= data->rows) {
      throw HttpError(422, fmt::format("\"index\": there are {} rows", data ? data->rows : 0));
    }
    const auto [chunk, place] = data->at(*index);
    return slice_rows(*chunk, place, 1);
  }
  Chunk row = row_in(fields, snapshot);
  if (row.labels.codes.empty() || row.labels.codes[0] < 0) {
    throw HttpError(422, fmt::format("\"row\": it needs a value of \"{}\", its class",
                                     snapshot.schema().target));
  }
  return row;
}

}  // namespace

Response influence(const Call& call) {
  auto fields = call.fields();
  const auto snapshot = call.model(fields.overrides());
  const Model& model = snapshot->model("influence");
  if (model.settings().hand_written) {
    throw HttpError(422, "a hand-written model has learned no rows");
  }
  const Chunk row = labelled_row(call, fields, *snapshot);
  Chunk probes = row;
  if (const auto given = fields.raw("probe")) probes = snapshot->rows().read(elements_of(*given));
  fields.finish();
  Model less = model;
  Model change = model.empty();
  change.observe(row);
  less.forget(change);
  settle(less);
  const Snapshot without(snapshot->name(), std::move(less), snapshot->version());
  const auto before = snapshot->classifier().log_scores(probes);
  const auto after = without.classifier().log_scores(probes);
  Json list = Json::array(), parameters = Json::array();
  for (std::size_t r = 0; r < probes.rows; ++r) {
    list.push_back({{"with", said(*snapshot, r, before)}, {"without", said(without, r, after)}});
  }
  for (const auto& one : moved(snapshot->scorer(""), without.scorer(""), 50)) {
    parameters.push_back({{"column", one.column},
                          {"parameter", one.name},
                          {"class", one.cls},
                          {"from", number(one.from)},
                          {"to", number(one.to)}});
  }
  Json json = {{"row", row_json(row, snapshot->schema(), 0)}};
  if (!list.empty()) {
    json["with"] = list[0]["with"]["probabilities"];
    json["without"] = list[0]["without"]["probabilities"];
  }
  json["probes"] = std::move(list);
  json["moved"] = std::move(parameters);
  return json_response(json);
}

namespace {

// A name, or {"model":…,"version":…}.
std::shared_ptr<const Snapshot> named_model(const Call& call, const Json& json) {
  if (json.is_string()) return call.store.find(json.get<std::string>());
  if (json.is_object() && json.contains("model") && json.at("model").is_string()) {
    const auto name = json.at("model").get<std::string>();
    if (!json.contains("version")) return call.store.find(name);
    if (json.at("version").is_number_unsigned()) {
      return call.store.find(name, json.at("version").get<std::uint64_t>());
    }
  }
  throw HttpError(422, "\"models\": names, or {\"model\":…,\"version\":…}, are wanted");
}

using Rows = std::shared_ptr<const DataRows>;

// The rows of a call as each of two models reads them.
std::pair<Rows, Rows> rows_for_both(const Call& call, Fields& fields, const Snapshot& a,
                                    const Snapshot& b) {
  const auto sent = [&](const Snapshot& model) {
    auto data = std::make_shared<DataRows>();
    data->chunks.push_back(rows_in(fields, model));
    data->rows = data->chunks.back().rows;
    return data;
  };
  if (fields.raw("rows")) return {sent(a), sent(b)};
  auto of_a = call.store.data_of(a.name()), of_b = call.store.data_of(b.name());
  if (!of_a || !of_b || of_a->rows != of_b->rows) {
    throw HttpError(409, "the server has no rows that both models can read (send \"rows\")");
  }
  return {std::move(of_a), std::move(of_b)};
}

}  // namespace

Response compare(const Call& call) {
  constexpr std::size_t most = 200;
  auto fields = call.fields();
  const auto models = fields.json("models");
  if (!models || !models->is_array() || models->size() != 2) {
    throw HttpError(422, "\"models\": an array of two is wanted");
  }
  const auto a = named_model(call, models->at(0)), b = named_model(call, models->at(1));
  if (a->schema().target != b->schema().target) {
    throw HttpError(422, fmt::format("one model tells \"{}\" and the other \"{}\": they are not "
                                     "about the same",
                                     a->schema().target, b->schema().target));
  }
  const auto [of_a, of_b] = rows_for_both(call, fields, *a, *b);
  fields.finish();
  const auto &rows_a = of_a->chunks, &rows_b = of_b->chunks;
  std::size_t agree = 0, total = 0;
  Json list = Json::array(), parameters = Json::array();
  for (std::size_t i = 0; i < rows_a.size() && i < rows_b.size(); ++i) {
    const auto scores_a = a->classifier().log_scores(rows_a[i]);
    const auto scores_b = b->classifier().log_scores(rows_b[i]);
    for (std::size_t r = 0; r < std::min(rows_a[i].rows, rows_b[i].rows); ++r, ++total) {
      Json one = said(*a, r, scores_a), other = said(*b, r, scores_b);
      if (one["label"] == other["label"]) {
        ++agree;
      } else if (list.size() < most) {
        list.push_back({{"index", total},
                        {"row", row_json(*of_a, i, a->schema(), r)},
                        {"a", std::move(one)},
                        {"b", std::move(other)}});
      }
    }
  }
  if (a->generative() && b->generative()) {
    for (const auto& one : moved(a->scorer(""), b->scorer(""), most)) {
      parameters.push_back({{"column", one.column},
                            {"value", one.name},
                            {"class", one.cls},
                            {"a", number(one.from)},
                            {"b", number(one.to)}});
    }
  }
  return json_response({{"disagree", std::move(list)},
                        {"agree", agree},
                        {"total", total},
                        {"parameters", std::move(parameters)}});
}

}  // namespace credence::serve

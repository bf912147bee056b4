// SPDX-License-Identifier: Apache-2.0
#include "answers/model.hpp"

#include <cmath>

#include "credence/calibration.hpp"
#include "credence/io.hpp"
#include "credence/novelty.hpp"

namespace credence {
namespace {

Json lists_json(const std::vector<ParameterTable::WordList>& lists, std::size_t words) {
  Json result = Json::array();
  for (const auto& list : lists) {
    Json entries = Json::array();
    for (std::size_t i = 0; i < list.words.size() && i < words; ++i) {
      entries.push_back({{"word", list.words[i].first}, {"value", number(list.words[i].second)}});
    }
    result.push_back({{"title", list.title}, {"words", std::move(entries)}});
  }
  return result;
}

}  // namespace

Json structure_json(const ParameterTable& table) {
  Json result = Json::array();
  for (const auto& entry : table.structure) {
    Json json = {{"column", entry.column}, {"parent", nullptr}};
    if (!entry.parent.empty()) {
      json["parent"] = entry.parent;
      json["information"] = number(entry.information);
      json["backoff"] = number(entry.backoff);
    }
    result.push_back(std::move(json));
  }
  return result;
}

void add_extras(const Model& model, Json& json) {
  const auto& settings = model.settings();
  if (settings.calibration) {
    const auto& calibration = *settings.calibration;
    Json entry = {{"method", to_string(calibration.method)}, {"rows", count(calibration.rows)}};
    if (calibration.model_rows != 0) entry["model_rows"] = count(calibration.model_rows);
    for (std::size_t c = 0; c < calibration.classes.size(); ++c) {
      entry["prior"][calibration.classes[c]] = std::exp(calibration.log_prior[c]);
    }
    if (calibration.method != Calibration::Method::isotonic) entry["slope"] = calibration.slope;
    for (std::size_t c = 0; c < calibration.bias.size(); ++c) {
      entry["bias"][calibration.classes[c]] = calibration.bias[c];
    }
    for (const auto& curve : calibration.curves) {
      entry["curves"].push_back({{"score", curve.score}, {"probability", curve.probability}});
    }
    json["calibration"] = std::move(entry);
  }
  if (settings.novelty) json["novelty"] = {{"rows", count(settings.novelty->rows)}};
}

Json to_json(const Model& model, const Scorer& scorer, std::size_t words) {
  const auto& classes = scorer.classes();
  Json prior = Json::object();
  for (std::size_t c = 0; c < classes.size(); ++c)
    prior[classes[c]] = std::exp(scorer.log_prior()[c]);
  Json columns = Json::array();
  for (const auto& table : scorer.tables()) {
    Json rows = Json::object();
    for (const auto& row : table.rows) {
      for (std::size_t c = 0; c < classes.size(); ++c)
        rows[row.label()][classes[c]] = number(row.cells[c].value);
    }
    columns.push_back({{"column", table.title},
                       {"family", table.family},
                       {"remark", table.remark},
                       {"table", std::move(rows)}});
    if (table.trust != 1) columns.back()["trust"] = table.trust;
    if (!table.structure.empty()) columns.back()["structure"] = structure_json(table);
    if (!table.lists.empty()) columns.back()["words"] = lists_json(table.lists, words);
  }
  Json json = {{"target", model.schema().target},
               {"rows", count(model.rows())},
               {"unlabelled_rows", count(model.shared_rows())},
               {"rule", to_string(model.settings().rule)},
               {"prior_rule", to_string(model.settings().prior)},
               {"parameters", scorer.parameters()},
               {"log_likelihood", number(scorer.log_likelihood())},
               {"prior", std::move(prior)},
               {"columns", std::move(columns)}};
  add_extras(model, json);
  return json;
}

Json history_json(const Model& model) {
  Json journal = Json::array(), windows = Json::array();
  for (const auto& entry : model.journal()) {
    journal.push_back({{"what", entry.what},
                       {"rows", count(entry.rows)},
                       {"times", entry.times},
                       {"when", entry.when},
                       {"detail", entry.detail},
                       {"model", entry.from}});
  }
  for (const auto& window : model.windows()) {
    windows.push_back({{"name", window.name},
                       {"rows", count(window.rows)},
                       {"weight", count(window.weight)},
                       {"decayed", window.decayed}});
  }
  return {{"journal", std::move(journal)},
          {"windows", std::move(windows)},
          {"decayed", model.rest_decayed()},
          {"state", fingerprint(model)}};
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "io/model_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/ordered_json.hpp"
#include "credence/error.hpp"
#include "io/extras_json.hpp"

namespace credence {
namespace {

using Json = OrderedJson;

constexpr std::array<std::pair<ColumnKind, const char*>, 7> kinds = {{
    {ColumnKind::number, "number"},
    {ColumnKind::amount, "amount"},
    {ColumnKind::count, "count"},
    {ColumnKind::binary, "binary"},
    {ColumnKind::category, "category"},
    {ColumnKind::bag, "bag"},
    {ColumnKind::text, "text"},
}};

ColumnKind kind_named(const std::string& name) {
  for (const auto& [kind, text] : kinds) {
    if (name == text) return kind;
  }
  throw Error(ErrorKind::model, "unknown kind of column \"" + name + "\"");
}

const char* name_of(ColumnKind kind) {
  for (const auto& [known, text] : kinds) {
    if (kind == known) return text;
  }
  return "number";
}

Json describe_prior(const ClassPrior& prior) {
  if (prior.kind != ClassPrior::Kind::given) return to_string(prior);
  Json shares = Json::object();
  for (const auto& [name, share] : prior.shares) shares[name] = share;
  return shares;
}

ClassPrior read_prior(const Json& json) {
  if (json.is_string()) return parse_class_prior(json.get<std::string>());
  if (!json.is_object()) throw Error(ErrorKind::model, "the prior is neither a word nor shares");
  ClassPrior prior{ClassPrior::Kind::given, 1, {}};
  for (const auto& [name, share] : json.items()) {
    prior.shares.emplace_back(name, number_at(json, name));
  }
  return prior;
}

// Places in the list of columns.
std::vector<std::size_t> read_places(const Json& block) {
  std::vector<std::size_t> result;
  for (const auto& place : list_at(block, "columns")) {
    if (!place.is_number_unsigned()) {
      throw Error(ErrorKind::model, "the columns of a block are places from 0 on");
    }
    result.push_back(place.get<std::size_t>());
  }
  return result;
}

std::map<std::string, std::map<std::string, double>> read_shares(const Json& json) {
  std::map<std::string, std::map<std::string, double>> result;
  for (const auto& [column, values] : json.get<std::map<std::string, Json>>()) {
    for (const auto& [value, share] : values.get<std::map<std::string, Json>>()) {
      result[column][value] = number_at(values, value);
    }
  }
  return result;
}

// Whole numbers without ".0".
Json whole(double value) {
  if (value == std::floor(value) && std::abs(value) < 0x1p53)
    return static_cast<std::int64_t>(value);
  return value;
}

Json describe_journal(const std::vector<JournalEntry>& journal) {
  Json result = Json::array();
  for (const auto& entry : journal) {
    Json json = {{"what", entry.what}, {"rows", whole(entry.rows)}};
    if (entry.times != 1) json["times"] = entry.times;
    if (!entry.when.empty()) json["when"] = entry.when;
    if (!entry.detail.empty()) json["detail"] = entry.detail;
    if (!entry.from.empty()) json["from"] = entry.from;
    result.push_back(std::move(json));
  }
  return result;
}

std::vector<JournalEntry> read_journal(const Json& json) {
  std::vector<JournalEntry> result;
  for (const auto& entry : json) {
    refuse_unknown_keys(entry, {"what", "rows", "times", "when", "detail", "from"});
    result.push_back({entry.at("what").get<std::string>(), number_at(entry, "rows"),
                      entry.value("when", ""), entry.value("detail", ""), entry.value("from", ""),
                      entry.value("times", std::size_t{1})});
  }
  return result;
}

Json describe_windows(const std::vector<Window>& windows) {
  Json result = Json::array();
  for (const auto& window : windows) {
    result.push_back({{"name", window.name}});
    if (window.decayed) result.back()["decayed"] = true;
  }
  return result;
}

std::vector<Window> read_windows(const Json& json) {
  std::vector<Window> result;
  for (const auto& entry : json) {
    refuse_unknown_keys(entry, {"name", "decayed"});
    result.push_back({entry.at("name").get<std::string>(), 0, 0, entry.value("decayed", false)});
  }
  return result;
}

}  // namespace

std::string describe_model(const Model& model) {
  const auto& schema = model.schema();
  Json columns = Json::array();
  for (const auto& column : schema.columns) {
    Json entry = {{"name", column.name}, {"kind", name_of(column.kind)}};
    if (!column.values.empty()) entry["values"] = column.values;
    if (!column.tokens.empty()) entry["tokens"] = column.tokens;
    if (!column.reading.empty()) entry["reading"] = column.reading;
    if (!column.from.empty()) entry["from"] = column.from;
    columns.push_back(std::move(entry));
  }
  Json blocks = Json::array();
  for (const auto& block : model.blocks()) {
    Json entry = {{"family", block.family}, {"columns", block.columns}, {"weight", block.weight}};
    if (!block.parameters.empty()) entry["parameters"] = block.parameters;
    blocks.push_back(std::move(entry));
  }
  const auto& settings = model.settings();
  Json json = {{"target", schema.target},
               {"weights", schema.weights},
               {"missing", schema.missing},
               {"columns", std::move(columns)},
               {"blocks", std::move(blocks)},
               {"rule", to_string(settings.rule)},
               {"prior", describe_prior(settings.prior)},
               {"unseen", settings.reserve_unseen ? "reserve" : "ignore"},
               {"hand_written", settings.hand_written}};
  if (!schema.classes.empty()) json["classes"] = schema.classes;
  if (!settings.reading.empty()) json["reading"] = settings.reading;
  if (!settings.shares.empty()) json["p"] = settings.shares;
  if (model.rest_decayed()) json["decayed"] = true;
  if (!model.windows().empty()) json["windows"] = describe_windows(model.windows());
  if (!model.journal().empty()) json["journal"] = describe_journal(model.journal());
  if (settings.calibration) json["calibration"] = describe_calibration(*settings.calibration);
  if (settings.novelty) json["novelty"] = describe_novelty(*settings.novelty);
  return json.dump();
}

Described model_from_description(const std::string& text) {
  const Json json = Json::parse(text);
  refuse_unknown_keys(json, {"target", "weights", "missing", "columns", "blocks", "rule", "prior",
                             "unseen", "hand_written", "classes", "reading", "p", "decayed",
                             "windows", "journal", "calibration", "novelty"});
  Schema schema{{},
                json.at("target").get<std::string>(),
                json.at("weights").get<std::string>(),
                json.at("missing").get<std::vector<std::string>>(),
                json.value("classes", std::vector<std::string>{})};
  for (const auto& entry : list_at(json, "columns")) {
    refuse_unknown_keys(entry, {"name", "kind", "values", "tokens", "reading", "from"});
    schema.columns.push_back(
        {entry.at("name").get<std::string>(), kind_named(entry.at("kind").get<std::string>()),
         entry.value("values", std::vector<std::string>{}), entry.value("tokens", ""),
         entry.value("reading", ""), entry.value("from", "")});
  }
  std::vector<BlockSpec> blocks;
  for (const auto& entry : list_at(json, "blocks")) {
    refuse_unknown_keys(entry, {"family", "columns", "weight", "parameters"});
    blocks.push_back({entry.at("family").get<std::string>(), read_places(entry),
                      number_at(entry, "weight"), entry.value("parameters", "")});
  }
  Settings settings;
  settings.rule = parse_rule(json.at("rule").get<std::string>());
  settings.prior = read_prior(json.at("prior"));
  const auto unseen = json.at("unseen").get<std::string>();
  if (unseen != "reserve" && unseen != "ignore") {
    throw Error(ErrorKind::model, "unknown treatment of unseen values \"" + unseen + "\"");
  }
  settings.reserve_unseen = unseen == "reserve";
  settings.hand_written = json.at("hand_written").get<bool>();
  settings.reading = json.value("reading", "");
  if (json.contains("p")) {
    settings.shares = read_shares(json.at("p"));
  }
  if (json.contains("calibration")) {
    settings.calibration = read_calibration(json.at("calibration"));
  }
  if (json.contains("novelty")) {
    settings.novelty = std::make_shared<const Novelty>(read_novelty(json.at("novelty")));
  }
  Described result{{std::move(schema), std::move(blocks), std::move(settings)},
                   {},
                   json.value("decayed", false)};
  if (json.contains("windows")) result.windows = read_windows(list_at(json, "windows"));
  if (json.contains("journal")) result.model.record_all(read_journal(list_at(json, "journal")));
  return result;
}

}  // namespace credence

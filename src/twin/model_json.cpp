// SPDX-License-Identifier: Apache-2.0
// The file of a logistic model. Its format: docs/discriminative.md
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/ordered_json.hpp"
#include "credence/error.hpp"
#include "twin/model.hpp"

namespace credence {
namespace {

using Json = OrderedJson;
using Coding = FeatureColumn::Coding;

struct KindName {
  ColumnKind kind;
  const char* name;
};
constexpr std::array<KindName, 7> kinds = {{{ColumnKind::number, "number"},
                                            {ColumnKind::amount, "amount"},
                                            {ColumnKind::count, "count"},
                                            {ColumnKind::binary, "binary"},
                                            {ColumnKind::category, "category"},
                                            {ColumnKind::bag, "bag"},
                                            {ColumnKind::text, "text"}}};

const char* name_of(ColumnKind kind) {
  for (const auto& known : kinds) {
    if (known.kind == kind) return known.name;
  }
  return "number";
}

ColumnKind kind_named(const std::string& name) {
  for (const auto& known : kinds) {
    if (name == known.name) return known.kind;
  }
  throw Error(ErrorKind::model, "unknown kind of column \"" + name + "\"");
}

double finite(const Json& json, const std::string& what) {
  if (json.is_number() && std::isfinite(json.get<double>())) return json.get<double>();
  throw Error(ErrorKind::model, what + " is not a number");
}

void refuse_unknown_keys(const Json& object, const std::vector<std::string>& known) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw Error(ErrorKind::model, "unknown key \"" + key + "\"");
    }
  }
}

Domain domain_of(const std::vector<std::string>& values, const std::string& what) {
  Domain domain(values);
  if (domain.size() != values.size()) throw Error(ErrorKind::model, what + ": a name stands twice");
  return domain;
}

FeatureColumn read_column(const Json& json, Schema& schema) {
  refuse_unknown_keys(
      json, {"name", "kind", "mean", "values", "features", "coding", "tokens", "reading", "from"});
  ColumnSpec spec{
      json.at("name").get<std::string>(), kind_named(json.at("kind")), {},
      json.value("tokens", ""),           json.value("reading", ""),   json.value("from", "")};
  FeatureColumn column;
  if (spec.kind == ColumnKind::category) {
    column.coding = Coding::one_hot;
    column.values = domain_of(json.at("values").get<std::vector<std::string>>(), spec.name);
  } else if (holds_bags(spec.kind)) {
    const auto coding = json.at("coding").get<std::string>();
    if (coding != "indicator" && coding != "count") {
      throw Error(ErrorKind::model, "unknown coding \"" + coding + "\"");
    }
    column.coding = coding == "count" ? Coding::count : Coding::indicator;
    column.values = domain_of(json.at("features").get<std::vector<std::string>>(), spec.name);
  } else {
    column.mean = finite(json.at("mean"), "the mean of \"" + spec.name + "\"");
  }
  schema.columns.push_back(std::move(spec));
  return column;
}

}  // namespace

std::string LogisticModel::to_json() const {
  const auto& schema = features_.schema();
  Json columns = Json::array();
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const auto& column = features_.columns()[i];
    Json entry = {{"name", schema.columns[i].name}, {"kind", name_of(schema.columns[i].kind)}};
    if (column.coding == Coding::number) entry["mean"] = column.mean;
    if (column.coding == Coding::one_hot) entry["values"] = column.values.values();
    if (!schema.columns[i].tokens.empty()) entry["tokens"] = schema.columns[i].tokens;
    if (!schema.columns[i].reading.empty()) entry["reading"] = schema.columns[i].reading;
    if (!schema.columns[i].from.empty()) entry["from"] = schema.columns[i].from;
    if (holds_bags(schema.columns[i].kind)) {
      entry["coding"] = column.coding == Coding::count ? "count" : "indicator";
      entry["features"] = column.values.values();
    }
    columns.push_back(std::move(entry));
  }
  Json intercepts = Json::object(), coefficients = Json::object();
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    intercepts[classes_[c]] = coefficient(c, features_.size());
    Json entry = Json::object();
    for (std::size_t i = 0; i < schema.columns.size(); ++i) {
      const auto& column = features_.columns()[i];
      const auto& name = schema.columns[i].name;
      if (column.coding == Coding::number) {
        entry[name] = coefficient(c, column.first);
        continue;
      }
      entry[name] = Json::object();
      for (std::size_t v = 0; v < column.values.size(); ++v) {
        entry[name][column.values[v]] = coefficient(c, column.first + v);
      }
    }
    coefficients[classes_[c]] = std::move(entry);
  }
  const Json json = {{"credence_discriminative", 1},
                     {"target", schema.target},
                     {"weights", schema.weights},
                     {"missing", schema.missing},
                     {"columns", std::move(columns)},
                     {"classes", classes_},
                     {"intercepts", std::move(intercepts)},
                     {"coefficients", std::move(coefficients)},
                     {"rows", static_cast<std::int64_t>(rows_)},
                     {"penalty", penalty_},
                     {"iterations", iterations_},
                     {"gradient_norm", gradient_norm_},
                     {"converged", converged_}};
  return json.dump(2) + "\n";
}

bool LogisticModel::recognises(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  if (text.find("\"credence_discriminative\"") == std::string_view::npos) return false;
  const Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() || json.contains("credence_discriminative");
}

LogisticModel LogisticModel::from_json(std::string_view text, const std::string& name) {
  try {
    const Json json = Json::parse(text);
    if (!json.is_object() || !json.contains("credence_discriminative")) {
      throw Error(ErrorKind::model, "not a discriminative model");
    }
    if (json.at("credence_discriminative") != 1) {
      throw Error(ErrorKind::model, "written by a later version of credence");
    }
    refuse_unknown_keys(json, {"credence_discriminative", "target", "weights", "missing", "columns",
                               "classes", "intercepts", "coefficients", "rows", "penalty",
                               "iterations", "gradient_norm", "converged"});
    LogisticModel model;
    Schema schema{{}, json.at("target"), json.at("weights"), json.at("missing")};
    std::vector<FeatureColumn> columns;
    for (const auto& entry : json.at("columns")) columns.push_back(read_column(entry, schema));
    model.features_ = Features(schema, std::move(columns));
    model.classes_ = json.at("classes").get<std::vector<std::string>>();
    if (domain_of(model.classes_, "classes").size() < 2) {
      throw Error(ErrorKind::model, "fewer than two classes");
    }
    const std::size_t classes = model.classes_.size();
    model.coefficients_.assign((model.features_.size() + 1) * classes, 0.0);
    for (std::size_t c = 0; c < classes; ++c) {
      const auto& cls = model.classes_[c];
      const auto put = [&](std::size_t feature, const Json& value) {
        model.coefficients_[feature * classes + c] =
            finite(value, fmt::format("class \"{}\": the coefficient of \"{}\"", cls,
                                      model.features_.name(feature)));
      };
      put(model.features_.size(), json.at("intercepts").at(cls));
      for (std::size_t i = 0; i < schema.columns.size(); ++i) {
        const auto& column = model.features_.columns()[i];
        const auto& entry = json.at("coefficients").at(cls).at(schema.columns[i].name);
        if (column.coding == Coding::number) put(column.first, entry);
        for (std::size_t v = 0; v < column.values.size(); ++v) {
          put(column.first + v, entry.at(column.values[v]));
        }
      }
    }
    model.rows_ = finite(json.at("rows"), "rows");
    model.penalty_ = finite(json.at("penalty"), "penalty");
    model.iterations_ = json.at("iterations").get<std::size_t>();
    model.gradient_norm_ = finite(json.at("gradient_norm"), "gradient_norm");
    model.converged_ = json.at("converged").get<bool>();
    return model;
  } catch (const nlohmann::json::exception& error) {
    const std::string what = error.what();
    throw Error(ErrorKind::model, name + ": " + what.substr(what.find("] ") + 2));
  } catch (const Error& error) {
    throw Error(ErrorKind::model, name + ": " + error.message().marked());
  }
}

}  // namespace credence

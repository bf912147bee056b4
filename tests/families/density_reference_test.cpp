// SPDX-License-Identifier: Apache-2.0
// Every family under every rule against values computed elsewhere (make_density_reference.py).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/log_math.hpp"
#include "credence/credence.hpp"
#include "model/blocks.hpp"
#include "places.hpp"

namespace credence {
namespace {

using nlohmann::json;

ColumnKind kind_of(const std::string& name) {
  static const std::map<std::string, ColumnKind> kinds = {
      {"number", ColumnKind::number},     {"count", ColumnKind::count},
      {"category", ColumnKind::category}, {"binary", ColumnKind::binary},
      {"amount", ColumnKind::amount},     {"bag", ColumnKind::bag},
      {"text", ColumnKind::text}};
  return kinds.at(name);
}

Column column_of(const json& cells) {
  const bool has_words =
      std::any_of(cells.begin(), cells.end(), [](const json& cell) { return cell.is_string(); });
  if (has_words) {
    Categories words;
    for (const auto& cell : cells) {
      if (cell.is_null()) {
        words.codes.push_back(Categories::missing_code);
        continue;
      }
      words.codes.push_back(static_cast<std::int32_t>(words.dictionary.size()));
      words.dictionary.push_back(cell.get<std::string>());
    }
    return words;
  }
  if (cells.at(0).is_object()) {
    Bags bags;
    for (const auto& cell : cells) {
      for (const auto& [word, count] : cell.items()) {
        bags.features.push_back(static_cast<std::int32_t>(bags.dictionary.size()));
        bags.dictionary.push_back(word);
        bags.counts.push_back(count.get<double>());
      }
      bags.offsets.push_back(bags.features.size());
      bags.missing.push_back(0);
    }
    return bags;
  }
  Numbers numbers;
  for (const auto& cell : cells) {
    numbers.values.push_back(cell.is_null() ? std::nan("") : cell.get<double>());
  }
  return numbers;
}

Chunk training_rows(const json& table, const json& classes) {
  Chunk chunk;
  chunk.rows = classes.size();
  for (const auto& column : table.at("columns")) chunk.columns.push_back(column_of(column));
  chunk.labels = {classes.get<std::vector<std::int32_t>>(), {"0", "1", "2"}};
  return chunk;
}

Chunk points_of(const json& table) {
  Chunk chunk;
  chunk.rows = table.at("points").size();
  for (std::size_t i = 0; i < table.at("columns").size(); ++i) {
    json cells = json::array();
    for (const auto& point : table.at("points")) cells.push_back(point.at(i));
    chunk.columns.push_back(column_of(cells));
  }
  return chunk;
}

Model model_of(const json& what, const json& table) {
  const auto family = what.at("family").get<std::string>();
  const auto parameters = what.at("parameters").get<std::string>();
  Schema schema;
  schema.target = "class";
  std::vector<BlockSpec> blocks;
  // Several columns are one block where the family joins them, else one block each.
  const bool joins = find_family(family).joins(parameters);
  for (std::size_t i = 0; i < table.at("columns").size(); ++i) {
    schema.columns.push_back(
        {"x" + std::to_string(i), kind_of(table.at("kind").get<std::string>()), {}});
    for (const auto& edge : table.contains("edges") ? table.at("edges").at(i) : json::array()) {
      schema.columns.back().values.push_back(format_number(edge.get<double>()));
    }
    if (blocks.empty() || !joins) blocks.push_back({family, {}, 1, parameters});
    blocks.back().columns.push_back(i);
  }
  Settings settings;
  settings.rule = parse_rule(what.at("rule").get<std::string>());
  return {schema, blocks, settings};
}

json read_reference() {
  std::ifstream file(tests_folder() + "/families/density_reference.json");
  return json::parse(file);
}

TEST(DensityReference, every_family_agrees_under_every_rule) {
  const json reference = read_reference();
  for (const auto& what : reference.at("cases")) {
    const json& table = reference.at("tables").at(what.at("table").get<std::string>());
    Model model = model_of(what, table);
    model.observe(training_rows(table, reference.at("classes")));
    if (what.contains("refused")) {
      EXPECT_THROW(Scorer{model}, Error) << what;
      continue;
    }
    const Scorer scorer(model);
    const auto joint = scorer.log_joint(points_of(table));
    const auto name =
        what.at("family").get<std::string>() + "(" + what.at("parameters").get<std::string>() + ")";
    // Two components are climbed to, and the climb ends a little below the top.
    const double bound = name.starts_with("mixture(2") ? 5e-10 : 1e-11;
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t p = 0; p < table.at("points").size(); ++p) {
        const json& value = what.at("log_density").at(c).at(p);
        const double expected = value.is_null() ? -infinity : value.get<double>();
        const double density = joint[p * 3 + c] - scorer.log_prior()[c];
        const auto place = name + ", " + what.at("rule").get<std::string>() + ", class " +
                           std::to_string(c) + ", point " + std::to_string(p);
        if (std::isinf(expected)) {
          EXPECT_EQ(density, expected) << place;
          continue;
        }
        const double difference = std::abs(density - expected) / std::max(1.0, std::abs(expected));
        EXPECT_LE(difference, bound) << place << ": " << density << " instead of " << expected;
      }
    }
  }
}

TEST(DensityReference, has_all_families_and_all_rules) {
  const json reference = read_reference();
  std::set<std::string> families;
  std::map<std::string, std::set<std::string>> rules;
  for (const auto& what : reference.at("cases")) {
    families.insert(what.at("family").get<std::string>());
    rules[what.at("family").get<std::string>() + what.at("parameters").get<std::string>()].insert(
        to_string(Rule{parse_rule(what.at("rule").get<std::string>()).kind, 1}));
  }
  for (const auto& name : family_names()) EXPECT_TRUE(families.contains(name)) << name;
  for (const auto& [name, under] : rules) EXPECT_EQ(under.size(), 6u) << name;
}

}  // namespace
}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// describe: what the columns of a table hold, and which of them say something of the class.
#include "ask/describe.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/options/folds.hpp"
#include "cli/options/plan.hpp"
#include "core/strings.hpp"
#include "families/registry.hpp"
#include "model/blocks.hpp"
#include "notation/reading.hpp"

namespace credence::cli {
namespace {

struct DescribeOptions {
  Common common;
  DataOptions data;
  std::string target;
};

// A column, how it is read to be described, and how fit would use it.
struct Described {
  const char* kind;
  PlannedColumn use;
};

ColumnKind described_kind(const ColumnProfile& column, const PlannedColumn& use) {
  if (column.bag) return ColumnKind::bag;
  if (column.text) return ColumnKind::text;
  if (use.family == "ignore") {
    // The digits of a code or an identifier are no amount of anything.
    const bool digits = column.codes || column.long_digits;
    return column.present > 0 && column.numbers == column.present && !digits ? ColumnKind::number
                                                                             : ColumnKind::category;
  }
  const auto kind = find_family(use.family).kinds[0];
  return kind == ColumnKind::category || kind == ColumnKind::text ? kind : ColumnKind::number;
}

const char* kind_name(ColumnKind kind, const std::string& reading) {
  if (reading.starts_with("date")) return "dates";
  if (reading.starts_with("time")) return "times";
  if (reading.starts_with("duration")) return "durations";
  switch (kind) {
    case ColumnKind::category:
      return "words";
    case ColumnKind::bag:
      return "set";
    case ColumnKind::text:
      return "text";
    default:
      return "numbers";
  }
}

std::string number_text(const ColumnSpec& spec, double value) {
  const auto text = data::written(spec.reading, value);
  return text.empty() ? six_digits(value) : text;
}

std::string values_text(const ColumnSummary& column, const ColumnSpec& spec) {
  if (column.rows == 0) return "";
  if (spec.kind == ColumnKind::number) {
    if (column.low == column.high) return "always " + number_text(spec, column.low);
    // Days have no mean time of day.
    const bool whole = column.low == std::round(column.low) && spec.reading.starts_with("date");
    return fmt::format("{} to {}, mean {}", number_text(spec, column.low),
                       number_text(spec, column.high),
                       number_text(spec, whole ? std::round(column.mean) : column.mean));
  }
  std::vector<std::string> parts;
  for (const auto& [value, rows] : column.frequent) {
    if (parts.size() == 3) break;
    std::string shown = value;
    if (shown_width(shown) > 20) shown = shown.substr(0, shown.find(' ', 15)) + "…";
    parts.push_back(fmt::format("{} {}", shown, format_number(rows)));
  }
  return join(parts, ", ") + (column.distinct > static_cast<double>(parts.size()) ? ", …" : "");
}

// By what they say of the class, where there is one.
std::vector<std::size_t> ranked(const TableSummary& table) {
  std::vector<std::size_t> order(table.columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    const auto &x = table.columns[a], &y = table.columns[b];
    if (x.beyond_chance != y.beyond_chance) return x.beyond_chance > y.beyond_chance;
    return x.information > y.information;
  });
  return order;
}

std::string described_text(const DescribeOptions& options, const Schema& schema,
                           const TableSummary& table, const std::vector<Described>& described) {
  const bool classes = !options.target.empty();
  std::string text = fmt::format("{} rows, {} columns\n", format_number(table.rows),
                                 schema.columns.size() + (classes ? 1 : 0));
  if (classes) {
    std::vector<std::string> parts;
    for (const auto& [name, rows] : table.classes)
      parts.push_back(name + " " + format_number(rows));
    text += fmt::format("{}: {} classes ({}), {} bits\n", options.target, table.classes.size(),
                        join_some(parts), six_digits(table.entropy));
  }
  std::vector<std::vector<std::string>> rows(1,
                                             {"column", "holds", "missing", "distinct", "values"});
  if (classes) rows[0].insert(rows[0].end(), {"information", "beyond chance"});
  rows[0].emplace_back("fit");
  for (const auto i : ranked(table)) {
    const auto& column = table.columns[i];
    rows.push_back({schema.columns[i].name, described[i].kind, format_number(column.missing),
                    format_number(column.distinct), values_text(column, schema.columns[i])});
    if (classes) {
      rows.back().push_back(fmt::format("{:.4f}", column.information));
      rows.back().push_back(fmt::format("{:.4f}", column.beyond_chance));
    }
    const auto& use = described[i].use;
    rows.back().push_back(use.family == "ignore" ? "ignored: " + use.reason : use.family);
    if (!column.best_word.empty()) rows.back().back() += ", most by \"" + column.best_word + "\"";
  }
  return text + "\n" + aligned(rows, 0);
}

Json described_json(const DescribeOptions& options, const Schema& schema, const TableSummary& table,
                    const std::vector<Described>& described) {
  Json json{{"rows", count(table.rows)}, {"columns", Json::array()}};
  if (!options.target.empty()) {
    json["target"] = options.target;
    json["classes"] = Json::object();
    for (const auto& [name, rows] : table.classes) json["classes"][name] = count(rows);
    json["entropy_bits"] = table.entropy;
  }
  for (const auto i : ranked(table)) {
    const auto& column = table.columns[i];
    Json entry{{"name", schema.columns[i].name},   {"holds", described[i].kind},
               {"missing", count(column.missing)}, {"distinct", count(column.distinct)},
               {"fit", described[i].use.family},   {"reason", described[i].use.reason}};
    if (schema.columns[i].kind == ColumnKind::number && column.rows > 0) {
      entry["low"] = column.low;
      entry["high"] = column.high;
      entry["mean"] = number(column.mean);
      entry["deviation"] = number(column.deviation);
    }
    for (const auto& [value, rows] : column.frequent) {
      entry["frequent"].push_back(Json::array({value, count(rows)}));
    }
    if (!options.target.empty()) {
      entry["information_bits"] = column.information;
      entry["beyond_chance_bits"] = column.beyond_chance;
      if (!column.best_word.empty()) entry["best_word"] = column.best_word;
    }
    json["columns"].push_back(std::move(entry));
  }
  return json;
}

void run(DescribeOptions& options) {
  auto read = options.data.read();
  // A word among numbers is counted, not refused: this is to find out about it.
  if (options.data.bad_cells.empty()) read.bad_cells = BadCells::missing;
  auto source = open_source(options.data.paths, read);
  const auto& profile = source->profile();
  auto& target = options.target;
  target = resolved_target(target.empty() ? source->default_target() : target, profile);
  if (!target.empty()) require_column("--target", target, profile);
  Schema schema{{}, target, "", read.missing};
  std::vector<Described> described;
  for (const auto& column : profile) {
    if (column.name == target) continue;
    auto use = inferred_use(column);
    const auto kind = described_kind(column, use);
    // As fit would read it: dates and decimal commas are numbers, too.
    const bool number = kind == ColumnKind::number;
    schema.columns.push_back({column.name, kind, {}, {}, number ? column.reading : ""});
    described.push_back({kind_name(kind, schema.columns.back().reading), std::move(use)});
  }
  source->select(schema, true);
  const auto chunks = read_watched(*source, options.common);
  note_hopeless(options.common, target, profile);
  const auto table = describe(schema, chunks);
  if (options.common.json) return print(described_json(options, schema, table, described));
  print(described_text(options, schema, table, described));
}

}  // namespace

void add_describe(CLI::App& app) {
  auto options = std::make_shared<DescribeOptions>();
  auto* command =
      add_command(app, "describe", "Say what the columns hold, and what they say of the class",
                  "  credence describe iris.csv\n"
                  "  credence describe adult.csv --target income --json");
  add_data(command, options->data);
  command->add_option("--target", options->target,
                      "The column that holds the class: columns are ranked by what they say of it");
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/options/models.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/calibration.hpp"
#include "families/pairs/reading.hpp"
#include "families/registry.hpp"
#include "io/container.hpp"
#include "io/model_json.hpp"

namespace credence::cli {

void add_overrides(CLI::App* command, Overrides& overrides) {
  command->add_option(
      "--estimate,--rule", overrides.rule,
      "Another rule than the model's: mle, unbiased, m-estimate=m, laplace=a, map, bayes");
  command->add_option("--prior", overrides.prior,
                      "Another class prior: empirical, uniform, smoothed, or a=0.3,b=0.7");
  command->add_option("--reading", overrides.reading,
                      "Another reading of pairs: tan, aode, kdb=1, naive");
  command
      ->add_option("--calibration", overrides.calibration,
                   "on (default): use the model's calibration if it has one; off: do not")
      ->check(one_of("calibration", {"on", "off"}));
}

namespace {

void read_pairs_as(Model& model, const std::string& path, const std::string& reading) {
  const auto counts_pairs = [](const BlockSpec& block) {
    return find_family(block.family).has_readings;
  };
  if (std::none_of(model.blocks().begin(), model.blocks().end(), counts_pairs)) {
    throw Error(ErrorKind::usage,
                fmt::format("--reading {}: {} has counted no pairs (fit --as 'a, b, c: pairs')",
                            reading, path));
  }
  if (model.settings().calibration) {
    throw Error(ErrorKind::usage,
                fmt::format("--reading {}: {} is calibrated for another reading (add "
                            "--calibration off)",
                            reading, path));
  }
  parse_reading(reading);
  model.settings().reading = reading;
}

Model with_overrides(Model model, const std::string& path, const Overrides& overrides) {
  if (!overrides.rule.empty()) {
    if (model.settings().hand_written) {
      throw Error(ErrorKind::usage, path +
                                        ": a hand-written model has probabilities, not counts: "
                                        "--estimate cannot change them");
    }
    model.settings().rule = parse_rule(overrides.rule);
  }
  if (!overrides.prior.empty()) model.settings().prior = parse_class_prior(overrides.prior);
  auto& calibration = model.settings().calibration;
  if (overrides.calibration == "off") calibration.reset();
  if (calibration && calibration->rule != model.settings().rule && !overrides.rule.empty()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("--estimate {}: {} is calibrated for the rule {} (add --calibration off)",
                    overrides.rule, path, to_string(calibration->rule)));
  }
  if (!overrides.reading.empty()) read_pairs_as(model, path, overrides.reading);
  return model;
}

}  // namespace

Model load_model(const std::string& path, const Overrides& overrides) {
  return with_overrides(load(path), path, overrides);
}

const Classifier& Loaded::classifier() const {
  if (logistic) return *logistic;
  return *scorer;
}

std::optional<Schema> schema_in(ModelFile& file) {
  constexpr std::size_t usually_enough = std::size_t{1} << 16, most = std::size_t{1} << 26;
  std::string bytes = file.beginning(usually_enough);
  const auto wanted = bytes_described_in(bytes);
  if (wanted > bytes.size() && wanted <= most) bytes = file.beginning(wanted);
  const auto description = description_in(bytes);
  if (description.empty()) return std::nullopt;
  try {
    return model_from_description(description).model.schema();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

Loaded load_any(const std::string& path, const Overrides& overrides) {
  return load_any(ModelFile(path), overrides);
}

Loaded load_any(const ModelFile& file, const Overrides& overrides) {
  const std::string& path = file.path();
  FileBytes bytes = file.read();
  Loaded result;
  if (!LogisticModel::recognises(bytes.view())) {
    result.model = with_overrides(from_bytes(bytes.view(), path), path, overrides);
    bytes = {};  // their room is used again for the scorer
    result.scorer = std::make_unique<Scorer>(*result.model);
    return result;
  }
  for (const auto& [option, value] :
       {std::pair{"--estimate", overrides.rule}, std::pair{"--prior", overrides.prior},
        std::pair{"--calibration", overrides.calibration},
        std::pair{"--reading", overrides.reading}}) {
    if (value.empty()) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{}: a logistic model has coefficients, not counts and a prior: {} "
                            "cannot change them",
                            path, option));
  }
  result.logistic = std::make_unique<LogisticModel>(LogisticModel::from_json(bytes.view(), path));
  return result;
}

void add_rows(CLI::App* command, RowOptions& rows) {
  add_data(command, rows.data, false);
  command->add_option("--given", rows.given, "A row: 'Outlook=Sunny,Wind=Weak'; may be repeated")
      ->allow_extra_args(false)
      ->take_all();
}

std::unique_ptr<Source> open_rows(const RowOptions& rows, const Schema& schema) {
  auto paths = rows.data.paths;
  if (paths.empty() && isatty(STDIN_FILENO)) {
    throw Error(ErrorKind::usage, "no rows: name a data file, use --given, or pipe data in");
  }
  if (paths.empty()) paths.push_back("-");
  auto options = rows.data.read();
  if (!rows.data.missing_given) options.missing = schema.missing;
  Schema selected = schema;
  selected.missing = options.missing;
  try {
    auto source = open_source(paths, options);
    source->select(selected, false);
    return source;
  } catch (const Error& error) {
    const bool texts = std::any_of(schema.columns.begin(), schema.columns.end(),
                                   [](const auto& c) { return c.kind == ColumnKind::text; });
    const bool piped = paths == std::vector<std::string>{"-"};
    if (!texts || !piped || error.kind() != ErrorKind::data ||
        options.format != FileFormat::automatic) {
      throw;
    }
    throw Error(ErrorKind::data, error.message().marked() +
                                     " (a document, not a table? credence classify judges one; "
                                     "many mails: --format mail)");
  }
}

namespace {

// A column of a model, or its class, with all values it may have.
struct DiscreteAxis {
  bool is_class;
  std::vector<std::string> values;
};

std::vector<DiscreteAxis> discrete_axes(const std::string& path, const Scorer& scorer,
                                        const std::vector<std::string>& columns) {
  const auto& schema = scorer.schema();
  std::vector<DiscreteAxis> axes;
  std::vector<std::string> known{schema.target};
  for (const auto& column : schema.columns) known.push_back(column.name);
  const auto tables = scorer.tables();
  for (const auto& name : columns) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: no column \"{}\"{}", path, name, suggestion(name, known)));
    }
    if (name == schema.target) {
      axes.push_back({true, scorer.classes()});
      continue;
    }
    const auto place = static_cast<std::size_t>(found - known.begin()) - 1;
    DiscreteAxis axis{false, {}};
    for (const auto& table : tables) {
      if (table.title != name || !find_family(table.family).one_of_values) continue;
      for (const auto& row : table.rows) axis.values.push_back(row.of[0]);
    }
    if (axis.values.empty() || schema.columns[place].kind == ColumnKind::bag) {
      throw Error(ErrorKind::usage, fmt::format("{}: column \"{}\" is not discrete", path, name));
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace

WeightedTable table_from_model(const std::string& path, const std::vector<std::string>& columns) {
  Model model = load(path);
  model.settings().calibration.reset();  // of posteriors: it is no part of the joint distribution
  const Scorer scorer(model);
  const auto axes = discrete_axes(path, scorer, columns);
  // Every combination as a row; columns not asked for are missing, that is, summed out.
  WeightedTable table(columns);
  std::vector<std::size_t> at(axes.size(), 0);
  for (;;) {
    std::string given;
    std::vector<std::string> values;
    std::optional<std::size_t> cls;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      values.push_back(axes[i].values[at[i]]);
      if (axes[i].is_class) {
        cls = at[i];
      } else {
        given += fmt::format("{}\"{}={}\"", given.empty() ? "" : ",", columns[i], values.back());
      }
    }
    const auto joint = scorer.log_joint(parse_given(scorer.schema(), {given}));
    double weight = 0;
    for (std::size_t c = 0; c < joint.size(); ++c) {
      if (!cls || cls == c) weight += std::exp(joint[c]);
    }
    table.add(values, weight);
    std::size_t i = 0;
    while (i < axes.size() && ++at[i] == axes[i].values.size()) at[i++] = 0;
    if (i == axes.size()) return table;
  }
}

}  // namespace credence::cli

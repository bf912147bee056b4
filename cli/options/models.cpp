// SPDX-License-Identifier: Apache-2.0
#include "cli/options/models.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/options/messages.hpp"
#include "core/strings.hpp"
#include "credence/calibration.hpp"
#include "families/pairs/reading.hpp"
#include "families/registry.hpp"
#include "io/container.hpp"
#include "io/model_json.hpp"
#include "sources/absent.hpp"

namespace credence::cli {

void add_estimation(CLI::App* command, Overrides& overrides) {
  command->add_option(
      "--estimate,--rule", overrides.rule,
      "Another rule than the model's: mle, unbiased, m-estimate=m, laplace=a, map, bayes");
  command->add_option("--prior", overrides.prior,
                      "Another class prior: empirical, uniform, smoothed, or a=0.3,b=0.7");
  command->add_option("--reading", overrides.reading,
                      "Another reading of pairs: tan, aode, kdb=1, linear, naive");
}

void add_overrides(CLI::App* command, Overrides& overrides) {
  add_estimation(command, overrides);
  command
      ->add_option("--calibration", overrides.calibration,
                   "on (default): use the model's calibration if it has one; off: do not")
      ->check(one_of("calibration", {"on", "off"}));
}

Model load_model(const std::string& path, const Overrides& overrides) {
  return overridden(load(path), path, overrides);
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

bool looks_like_model(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  const auto begun = ModelFile(path).beginning(std::size_t{1} << 16);
  if (is_container(begun) || LogisticModel::recognises(begun)) return true;
  if (!path.ends_with(".json")) return false;
  try {
    load(path);  // one written by hand, or JSON lines
    return true;
  } catch (const Error&) {
    return false;
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
    result.model = overridden(from_bytes(bytes.view(), path), path, overrides);
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
  add_absent(command, rows.data);
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
  const auto options = reading_for(rows.data, paths, schema);
  Schema selected = schema;
  selected.missing = options.missing;
  try {
    auto source = open_source(paths, options);
    if (rows.data.absent == "missing") source = data::absent_as_missing(std::move(source));
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

}  // namespace credence::cli

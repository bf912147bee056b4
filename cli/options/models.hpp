// SPDX-License-Identifier: Apache-2.0
// Models as the commands see them: loaded with other settings, fed with rows, asked as tables.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "answers/overrides.hpp"
#include "cli/options/common.hpp"
#include "credence/io.hpp"
#include "credence/scorer.hpp"
#include "io/file.hpp"
#include "twin/model.hpp"

namespace credence::cli {

// --estimate, --prior, --reading and --calibration given to a command that uses a model.
void add_overrides(CLI::App* command, Overrides& overrides);
// The same without calibration.
void add_estimation(CLI::App* command, Overrides& overrides);
Model load_model(const std::string& path, const Overrides& overrides);

// A model file of either kind, for the commands that only ask for probabilities and reasons.
struct Loaded {
  std::optional<Model> model;               // a generative one,
  std::unique_ptr<LogisticModel> logistic;  // or a logistic one
  std::unique_ptr<Scorer> scorer = {};      // of the generative one

  const Classifier& classifier() const;
};
Loaded load_any(const std::string& path, const Overrides& overrides);
Loaded load_any(const ModelFile& file, const Overrides& overrides);
// Whether a path is that of a model rather than of rows.
bool looks_like_model(const std::string& path);
// The columns of a model file, known long before its counts have become a scorer. Nothing where
// the file is of another kind, or damaged, as load_any() then says.
std::optional<Schema> schema_in(ModelFile& file);

// The rows a command works on: DATA, or --given.
struct RowOptions {
  DataOptions data;
  std::vector<std::string> given;
};
void add_rows(CLI::App* command, RowOptions& rows);
// Opens DATA (stdin when neither DATA nor --given was named) and selects a model's columns.
std::unique_ptr<Source> open_rows(const RowOptions& rows, const Schema& schema);

}  // namespace credence::cli

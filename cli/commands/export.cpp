// SPDX-License-Identifier: Apache-2.0
// export: a model as something that other programs run. docs/sql.md
#include "cli/options/models.hpp"

namespace credence::cli {
namespace {

struct ExportOptions {
  Common common;
  Overrides overrides;
  std::string model, dialect, output;
  std::string table = "data";
};

void run(const ExportOptions& options) {
  const Model model = load_model(options.model, options.overrides);
  const std::string text = scoring_sql(model, options.dialect, options.table);
  if (options.output.empty()) return print_data(text);
  write_atomically(options.output, text);
}

}  // namespace

void add_export(CLI::App& app) {
  auto options = std::make_shared<ExportOptions>();
  auto* command = add_command(
      app, "export", "Write a model as a query that scores rows where they are",
      "  credence export tennis.credence --sql duckdb --table days | duckdb weather.duckdb\n"
      "  credence export mail.credence --sql postgres --table public.inbox -o score.sql");
  command->add_option("MODEL", options->model, "A model file, or a hand-written JSON model")
      ->required();
  command->add_option("--sql", options->dialect, "Of which database: duckdb, postgres or spark")
      ->required();
  command->add_option("--table", options->table,
                      "The rows: a table, or what else stands after FROM (default: data)");
  command->add_option("-o,--output", options->output, "Write the query to this file");
  add_overrides(command, options->overrides);
  add_common(command, options->common, false);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
// report: a model on one HTML page that needs no network.
#include "plot/report/report.hpp"

#include <filesystem>

#include "cli/options/models.hpp"
#include "credence/evaluate.hpp"
#include "io/file.hpp"
#include "serve/report.hpp"

namespace credence::cli {
namespace {

struct ReportOptions {
  Common common;
  DataOptions data;
  Overrides overrides;
  std::string model;
  std::string output;
  plot::ReportOptions report;
  bool interactive = false;
};

std::string page_of(const ReportOptions& options, const Model& model,
                    const std::vector<Chunk>& data) {
  if (!options.interactive) return plot::report(model, data, options.report);
  const auto columns = model.schema().columns.size(), askable = serve::askable_columns(model);
  if (askable < columns) {
    note(options.common,
         "note: {} of {} columns, texts or modelled together, are shown but cannot be asked about "
         "(credence serve answers for them, too)",
         columns - askable, columns);
  }
  const auto& title = options.report.title;
  const auto name = std::filesystem::path(options.model).stem().string();
  return serve::interactive_report(title.empty() ? name : title, model, data);
}

void run(const ReportOptions& options) {
  const Model model = load_model(options.model, options.overrides);
  auto inputs = options.data.paths;
  inputs.push_back(options.model);
  if (options.output != "-") refuse_same_file(options.output, inputs);
  std::vector<Chunk> data;
  if (!options.data.paths.empty()) {
    auto source = open_rows({options.data, {}}, model.schema());
    data = read_all(*source, options.common.threads, progress_bar(options.common, "reading"));
    finish_progress();
  }
  const std::string html = page_of(options, model, data);
  if (options.output == "-") return print_data(html);
  write_atomically(options.output, html);
}

}  // namespace

void add_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  auto* command = add_command(app, "report", "Write a model as one HTML page with pictures",
                              "  credence report tennis.credence -o tennis.html\n"
                              "  credence report iris.credence iris.csv -o iris.html\n"
                              "  credence report iris.credence --interactive -o iris.html");
  command->add_option("MODEL", options->model, "A model file, or a hand-written JSON model")
      ->required();
  add_data(command, options->data, false);
  command->add_option("-o,--output", options->output, "The file to write; - is stdout")->required();
  command->add_option("--title", options->report.title, "Another title");
  auto* rows =
      command
          ->add_option("--rows", options->report.explained, "Rows of DATA to explain (default: 3)")
          ->check(whole_number(0));
  command
      ->add_flag("--interactive", options->interactive,
                 "A page to ask: posterior and nomogram of any row, without a server")
      ->excludes(rows);
  add_overrides(command, options->overrides);
  add_common(command, options->common, false);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

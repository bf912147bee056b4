// SPDX-License-Identifier: Apache-2.0
#include "cli/options/discriminative.hpp"

#include <filesystem>

#include "cli/options/changed.hpp"
#include "core/strings.hpp"
#include "credence/evaluate.hpp"
#include "io/file.hpp"
#include "twin/model.hpp"

namespace credence::cli {
namespace {

std::string default_output(const std::vector<std::string>& paths) {
  auto stem = paths.empty() || paths[0] == "-" ? std::filesystem::path("model")
                                               : std::filesystem::path(paths[0]).filename();
  while (stem.has_extension()) stem = stem.stem();
  return stem.string() + ".logistic.json";
}

void report(const Common& common, const LogisticModel& model, const std::string& path) {
  if (common.json && path != "-") {
    print(Json{{"rows", count(model.rows())},
               {"classes", model.classes()},
               {"features", model.features().size()},
               {"penalty", model.penalty()},
               {"iterations", model.iterations()},
               {"gradient_norm", model.gradient_norm()},
               {"converged", model.converged()},
               {"model", path}});
  }
  const std::size_t features = model.features().size();
  note(common, "{} rows, {} classes, {} feature{}; penalty {}, {} iterations, gradient norm {}",
       format_number(model.rows()), model.classes().size(), features, features == 1 ? "" : "s",
       format_number(model.penalty()), model.iterations(), six_digits(model.gradient_norm()));
  if (!model.converged()) {
    note(common, "the coefficients have not converged (a larger --penalty makes it easier)");
  }
  note(common, "wrote {}", path == "-" ? "stdout" : path);
}

}  // namespace

void run_discriminative(const PlanOptions& options, const Common& common, const std::string& output,
                        double penalty) {
  refuse_same_file(output, options.data.paths);
  auto planned = plan(options, common);
  const auto chunks = read_all(*planned.source, common.threads, progress_bar(common, "reading"));
  finish_progress();
  for (const auto& chunk : chunks) planned.model.observe(chunk);
  LogisticModel::Options settings;
  settings.penalty = penalty;
  const auto model = LogisticModel::fit(planned.model, chunks, settings);
  const auto path = output.empty() ? default_output(options.data.paths) : output;
  const auto text = model.to_json();
  LogisticModel::from_json(text, path);  // what cannot be read again is refused before writing
  const auto lock = lock_to_write(common, path);
  write_atomically(path, text);
  report(common, model, path);
}

}  // namespace credence::cli

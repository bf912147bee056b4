// SPDX-License-Identifier: Apache-2.0
// adapt: other shares of the same classes, learnt from rows without labels.
#include "credence/adapt.hpp"

#include "cli/options/changed.hpp"
#include "cli/options/models.hpp"
#include "core/strings.hpp"
#include "credence/calibration.hpp"
#include "credence/io.hpp"

namespace credence::cli {
namespace {

struct AdaptOptions {
  Common common;
  DataOptions data;
  std::string model;
  std::string when;
  std::string output;
};

void run(const AdaptOptions& options) {
  refuse_same_file(options.output, options.data.paths);
  const auto path = options.output.empty() ? options.model : options.output;
  const auto lock = lock_to_write(options.common, path);
  Model model = load_model(options.model, {});
  if (model.settings().hand_written && options.output.empty()) {
    throw Error(ErrorKind::usage,
                options.model + ": a hand-written model is not written over (use -o)");
  }
  auto source = open_rows({options.data, {}}, model.schema());
  const auto adapted =
      adapt_prior(model, *source, options.common.threads, progress_bar(options.common, "adapting"));
  finish_progress();
  for (const auto& line : source->notes()) note(options.common, "{}", line);
  const auto& calibration = model.settings().calibration;
  const bool calibrated = calibration && calibration->fits(model);
  model.settings().prior = adapted.prior;
  model.record({"adapt", adapted.rows, options.when});
  save(model, path);
  const auto& classes = model.classes();
  if (options.common.json) {
    Json json = {{"rows", count(adapted.rows)},
                 {"steps", adapted.evidence.size()},
                 {"log_evidence_before", number(adapted.evidence_before)},
                 {"converged", adapted.converged},
                 {"calibrated", calibrated},
                 {"log_evidence", number(adapted.evidence.back())},
                 {"model", path}};
    for (std::size_t c = 0; c < classes.size(); ++c) {
      json["before"][classes[c]] = number(adapted.before[c]);
      json["prior"][classes[c]] = number(adapted.after[c]);
    }
    print(json);
  } else {
    std::vector<std::vector<std::string>> lines{{"class", "before", "after"}};
    for (std::size_t c = 0; c < classes.size(); ++c) {
      lines.push_back({classes[c], six_digits(adapted.before[c]), six_digits(adapted.after[c])});
    }
    print(aligned(lines, 1));
  }
  note(options.common, "{} rows, {} steps, log-evidence {} -> {}", format_number(adapted.rows),
       adapted.evidence.size(), six_digits(adapted.evidence_before),
       six_digits(adapted.evidence.back()));
  if (!calibrated && !model.settings().hand_written) {
    note(options.common,
         "the model is not calibrated: if it is too sure of itself, the shares move too little "
         "(credence calibrate --method isotonic, or platt where rows are few)");
  }
  if (calibrated && calibration->method == Calibration::Method::temperature) {
    note(options.common,
         "a temperature does not mend the balance between classes, which the shares rest on "
         "(credence calibrate --method isotonic, or platt where rows are few)");
  }
  if (!adapted.converged) note(options.common, "not settled yet: the shares may be off a little");
  if (adapted.impossible > 0) {
    note(options.common, "{} rows that no class allows are left out",
         format_number(adapted.impossible));
  }
  note(options.common, "wrote {}", path == "-" ? "stdout" : path);
}

}  // namespace

void add_adapt(CLI::App& app) {
  auto options = std::make_shared<AdaptOptions>();
  auto* command = add_command(app, "adapt", "Learn new class shares from rows without labels",
                              "  credence adapt spam.credence july.mbox -o july.credence\n"
                              "  credence adapt adult.credence unlabelled.csv --json");
  command->add_option("MODEL", options->model, "A model file")->required();
  add_data(command, options->data);
  command->add_option("-o,--output", options->output, "Where to write (default: over MODEL)");
  add_writing(command, options->when, options->common);
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli

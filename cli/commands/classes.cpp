// SPDX-License-Identifier: Apache-2.0
// classes, decay: what changes a model without any data.
#include <cmath>
#include <optional>

#include "cli/options/changed.hpp"
#include "core/strings.hpp"
#include "credence/io.hpp"

namespace credence::cli {
namespace {

struct ClassesOptions {
  Common common;
  std::string model;
  std::string when;
  std::string output;
  std::vector<std::pair<std::string, std::string>> renamed;
  std::vector<std::string> joined;
  std::string into;
  std::vector<std::string> dropped;
  std::vector<std::string> first;
};

struct DecayOptions {
  Common common;
  std::string model;
  std::string when;
  std::string output;
  double factor = 0;
  double half_life = 0;
  double elapsed = -1;
};

void list_classes(const ClassesOptions& options, const Model& model) {
  std::vector<std::vector<std::string>> lines{{"class", "rows", "weight"}};
  Json json = Json::array();
  const auto weights = model.class_weights();
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const auto& name = model.classes()[c];
    const double rows = model.rows_of(name);
    lines.push_back({name, format_number(rows), weight_text(weights[c])});
    json.push_back({{"class", name}, {"rows", count(rows)}, {"weight", count(weights[c])}});
  }
  if (options.common.json) return print(json);
  print(aligned(lines, 0));
}

std::string quoted(const std::vector<std::string>& names) {
  return "\"" + join(names, "\", \"") + "\"";
}

void run_classes(const ClassesOptions& options) {
  const int kinds = !options.renamed.empty() + !options.joined.empty() + !options.dropped.empty() +
                    !options.first.empty();
  if (kinds > 1) {
    throw Error(ErrorKind::usage,
                "classes: one of --rename, --join, --drop and --order at a time (run it once for "
                "each)");
  }
  if (options.joined.empty() != options.into.empty()) {
    throw Error(ErrorKind::usage, "classes: --join names the classes, --into what they become");
  }
  const auto path = options.output.empty() ? options.model : options.output;
  std::optional<ModelLock> lock;
  if (kinds > 0) lock = lock_to_write(options.common, path);
  Model model = load(options.model);
  if (kinds == 0) {
    if (!options.output.empty() || !options.when.empty()) {
      throw Error(ErrorKind::usage,
                  "classes: nothing to change (--rename, --join, --drop or --order)");
    }
    return list_classes(options, model);
  }
  refuse_hand_written(model, options.model, "be changed (edit the file instead)");
  JournalEntry entry{"rename", 0, options.when};
  std::vector<std::string> details;
  for (const auto& [from, to] : options.renamed) {
    // Of the new name only: a table can bring a class that has to be renamed for that very reason.
    const auto problem = one_line()(std::string(to));
    if (!problem.empty()) throw Error(ErrorKind::usage, "classes: --rename: NEW: " + problem);
    entry.rows += model.rows_of(from);
    model.rename_class(from, to);
    details.push_back(fmt::format("\"{}\" to \"{}\"", from, to));
  }
  entry.detail = join(details, ", ");
  if (!options.joined.empty()) {
    model.join_classes(options.joined, options.into);
    entry = {"join", model.rows_of(options.into), options.when,
             fmt::format("{} into \"{}\"", quoted(options.joined), options.into)};
  }
  for (const auto& name : options.dropped) {
    entry.what = "drop";
    entry.rows += model.rows_of(name);
    model.drop_class(name);
    entry.detail = quoted(options.dropped);
  }
  if (!options.first.empty()) {
    for (const auto& name : options.first) model.rows_of(name);  // refuses what is no class
    model.order_classes(options.first);
    entry = {"order", 0, options.when, quoted(options.first)};
  }
  finish_change(options.common, model, std::move(entry), path);
}

void run_decay(const DecayOptions& options) {
  const bool by_time = options.half_life > 0 && options.elapsed >= 0;
  const bool any_time = options.half_life > 0 || options.elapsed >= 0;
  if (by_time != any_time || by_time == (options.factor > 0)) {
    throw Error(ErrorKind::usage, "decay: give --factor, or --half-life and --elapsed");
  }
  const auto path = options.output.empty() ? options.model : options.output;
  const auto lock = lock_to_write(options.common, path);
  Model model = load(options.model);
  refuse_hand_written(model, options.model, "decay");
  const double rows = model.rows();
  model.decay(by_time ? std::exp2(-options.elapsed / options.half_life) : options.factor);
  const auto detail =
      by_time ? fmt::format("half-life {}, elapsed {}", format_number(options.half_life),
                            format_number(options.elapsed))
              : "factor " + format_number(options.factor);
  finish_change(options.common, model, {"decay", rows, options.when, detail}, path);
}

}  // namespace

void add_classes(CLI::App& app) {
  auto options = std::make_shared<ClassesOptions>();
  auto* command =
      add_command(app, "classes", "List, rename, join, drop or order the classes of a model",
                  "  credence classes mail.credence\n"
                  "  credence classes mail.credence --rename junk spam\n"
                  "  credence classes mail.credence --join family friends --into people\n"
                  "  credence classes mail.credence --drop misc\n"
                  "  credence classes risk.credence --order low medium high");
  add_model(command, options->model, options->output);
  command->add_option("--rename", options->renamed, "OLD NEW; may be repeated, done in this order")
      ->allow_extra_args(false)
      ->type_name("OLD NEW");
  command->add_option("--join", options->joined, "Classes that become one")
      ->expected(1, 100000)
      ->type_name("A B ...");
  command->add_option("--into", options->into, "What the joined classes become")
      ->check(not_empty("a class"))
      ->check(one_line());
  command
      ->add_option("--drop", options->dropped,
                   "A class to take out, as if it had never been there; may be repeated")
      ->allow_extra_args(false);
  command
      ->add_option("--order", options->first,
                   "The classes that come first, in this order; the others follow, sorted")
      ->expected(1, 100000)
      ->type_name("A B ...");
  add_writing(command, options->when, options->common);
  add_common(command, options->common, true);
  command->callback([=] { run_classes(*options); });
}

void add_decay(CLI::App& app) {
  auto options = std::make_shared<DecayOptions>();
  auto* command =
      add_command(app, "decay", "Make what a model has observed weigh less than what comes",
                  "  credence decay mail.credence --factor 0.5\n"
                  "  credence decay mail.credence --half-life 90 --elapsed 7 --when 2026-11-15");
  add_model(command, options->model, options->output);
  command->add_option("--factor", options->factor, "What every weight is multiplied by, at most 1")
      ->check(CLI::Validator(
          [](std::string& text) -> std::string {
            const auto value = to_number(text);
            if (value && *value > 0 && *value <= 1) return "";
            return fmt::format("\"{}\" is not above 0 and at most 1", text);
          },
          ""));
  command->add_option("--half-life", options->half_life, "After this long a row weighs half")
      ->check(positive_number());
  command
      ->add_option("--elapsed", options->elapsed,
                   "How long ago the rows weighed what they do, in the unit of --half-life")
      ->check(positive_number(true));
  add_writing(command, options->when, options->common);
  add_common(command, options->common, true);
  command->callback([=] { run_decay(*options); });
}

}  // namespace credence::cli

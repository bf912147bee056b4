// SPDX-License-Identifier: Apache-2.0
#include "cli/options/changed.hpp"

#include <algorithm>
#include <cmath>

#include "cli/commands/calibrate.hpp"
#include "core/strings.hpp"
#include "credence/io.hpp"

namespace credence::cli {

void add_writing(CLI::App* command, std::string& when, Common& common) {
  command->add_option("--when", when, "A date or any other text for the model's journal")
      ->check(one_line());
  command->add_flag("--no-wait", common.no_wait,
                    "Give up where another program is changing the model, instead of waiting");
}

ModelLock lock_to_write(const Common& common, const std::string& path) {
  return ModelLock(path, !common.no_wait,
                   [&] { note(common, "waiting for another program that is changing {}", path); });
}

void add_model(CLI::App* command, std::string& model, std::string& output) {
  command->add_option("MODEL", model, "A model file")->required();
  command->add_option("-o,--output", output, "Where to write (default: over MODEL)");
}

namespace {

// Those of ASCII, and U+0080 to U+009F, which are C2 80 to C2 9F in UTF-8.
bool has_control_character(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f) return true;
    if (byte != 0xc2 || i + 1 == text.size()) continue;
    const auto next = static_cast<unsigned char>(text[i + 1]);
    if (next >= 0x80 && next < 0xa0) return true;
  }
  return false;
}

}  // namespace

CLI::Validator one_line() {
  return {[](std::string& text) -> std::string {
            if (!has_control_character(text)) return "";
            return "it must be one line, without control characters such as newlines and tabs";
          },
          ""};
}

CLI::Validator not_empty(const std::string& what) {
  return {[what](std::string& text) { return text.empty() ? what + " has a name" : std::string(); },
          ""};
}

CLI::Validator positive_number(bool zero_too) {
  return {[zero_too](std::string& text) -> std::string {
            const auto value = to_number(text);
            if (value && std::isfinite(*value) && (*value > 0 || (zero_too && *value == 0)))
              return "";
            return fmt::format("\"{}\" is not a number {}", text,
                               zero_too ? "from 0 on" : "above 0");
          },
          ""};
}

std::string weight_text(double weight) {
  return weight == std::floor(weight) ? format_number(weight) : six_digits(weight);
}

void refuse_hand_written(const Model& model, const std::string& path, const std::string& cannot) {
  if (!model.settings().hand_written) return;
  throw Error(ErrorKind::model,
              fmt::format("{}: a hand-written model has probabilities, not counts: it cannot {}",
                          path, cannot));
}

void make_room(const Common& common, Model& model) {
  drop_stale(common, model);
  for (const auto& [name, share] : model.complete_prior()) {
    note(common, "the model's prior has no share for class \"{}\": it gets {}, as among the rows",
         name, six_digits(share));
  }
}

namespace {

std::string counted(double number, const char* one, const char* many) {
  return format_number(number) + " " + (number == 1 ? one : many);
}

Json class_weights(const Model& model) {
  Json result = Json::object();
  const auto weights = model.class_weights();
  for (std::size_t c = 0; c < weights.size(); ++c) result[model.classes()[c]] = count(weights[c]);
  return result;
}

}  // namespace

void report(const Common& common, const Model& model, const Scorer& scorer, const std::string& path,
            const std::vector<PlannedColumn>& columns) {
  if (common.json) {
    Json json = {{"rows", count(model.rows())},
                 {"classes", class_weights(model)},
                 {"rule", to_string(model.settings().rule)},
                 {"prior", to_string(model.settings().prior)},
                 {"parameters", scorer.parameters()},
                 {"log_likelihood", number(scorer.log_likelihood())},
                 {"model", path}};
    if (model.shared_rows() > 0) json["unlabelled_rows"] = count(model.shared_rows());
    for (const auto& column : columns) {
      json["columns"].push_back(
          {{"name", column.name}, {"use", column.family}, {"reason", column.reason}});
    }
    print(json);
  }
  std::vector<std::string> classes;
  for (std::size_t c = 0; c < model.classes().size() && c < 12; ++c) {
    classes.push_back(model.classes()[c] + " " + weight_text(model.class_weights()[c]));
  }
  if (model.classes().size() > 12) classes.push_back("…");
  // Counts of pairs do not always tell the likelihood of the rows.
  const double log_likelihood = scorer.log_likelihood();
  const std::string likelihood =
      std::isnan(log_likelihood) ? "" : ", log-likelihood " + six_digits(log_likelihood);
  note(common, "{}, {} ({}); {}{} under {}", counted(model.rows(), "row", "rows"),
       counted(static_cast<double>(model.classes().size()), "class", "classes"),
       join(classes, ", "),
       counted(static_cast<double>(scorer.parameters()), "free parameter", "free parameters"),
       likelihood, to_string(model.settings().rule));
  if (model.unlabelled() > 0) {
    note(common, "{} without a value of \"{}\" left out",
         counted(model.unlabelled(), "row", "rows"), model.schema().target);
  }
  note(common, "wrote {}", path == "-" ? "stdout" : path);
}

void finish_change(const Common& common, Model& model, JournalEntry entry,
                   const std::string& path) {
  if (model.classes().empty()) {
    throw Error(ErrorKind::data,
                "nothing would be left: delete the model instead (it is unchanged)");
  }
  make_room(common, model);
  model.record(std::move(entry));
  // A rule that has nothing to go on is refused before writing.
  const Scorer checked(model);
  save(model, path);
  report(common, model, checked, path);
}

}  // namespace credence::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/options/plan.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/strings.hpp"
#include "credence/evidence.hpp"

namespace credence::cli {

void add_plan(CLI::App* command, PlanOptions& options) {
  add_data(command, options.data);
  add_learning(command, options);
}

namespace {

// What other programs call a model, and where it is here.
CLI::Validator other_models() {
  return {[](std::string& text) -> std::string {
            const auto name = ascii_lower(text);
            const bool logistic = name == "logistic" || name == "logreg" || name == "lr" ||
                                  name == "logistic_regression" || name == "maxent";
            if (logistic) {
              return fmt::format(
                  "no model \"{}\" (here: fit --discriminative, compare --models naive,logistic)",
                  text);
            }
            for (const auto* other : {"gaussian", "multinomial", "bernoulli", "categorical"}) {
              if (!name.starts_with(other)) continue;
              return fmt::format("no model \"{}\" (here: --as '*: {}')", text, other);
            }
            return "";
          },
          ""};
}

}  // namespace

void add_learning(CLI::App* command, PlanOptions& options) {
  command->add_option("--target", options.plan.target, "The column that holds the class");
  command
      ->add_option("--model", options.plan.model,
                   "How numbers are modelled: naive (each column alone, default), lda (together, "
                   "one covariance for all classes) or qda (together, one for each class)")
      ->check(other_models());
  command
      ->add_option(
          "--as", options.plan.as,
          "How to treat columns: 'age, income: gaussian', 'zip*: categorical', 'id: ignore', "
          "'*: auto' (by what the rows say), 'numbers: kernel', 'words: …', 'texts: …' (all of "
          "these); see docs/families for the families")
      ->allow_extra_args(false)
      ->take_all();
  command
      ->add_option("--values", options.plan.values,
                   "All the values a column may have: 'size=small|medium|large'")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--estimate,--rule", options.rule,
                      "mle, unbiased, m-estimate=m, laplace=a, map, bayes (default: bayes)");
  command
      ->add_option(
          "--p", options.shares,
          "The p of the m-estimate, instead of uniform: 'size=small:0.5|medium:0.3|large:0.2'")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--prior", options.prior,
                      "Class prior: empirical (default; tempered for texts alone), uniform, "
                      "tempered, smoothed, or a=0.3,b=0.7");
  command
      ->add_option("--trust", options.plan.trust,
                   "How often the evidence of columns counts: 'age=0.5, income=1.2', or on: as "
                   "suits rows held out; see tune")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--weights", options.plan.weights,
                      "The column that holds the weight of a row");
  command
      ->add_option(
          "--unseen", options.unseen,
          "Words never seen: ignore (no evidence, default) or reserve (one imaginary value)")
      ->check(one_of("treatment", {"ignore", "reserve"}));
}

namespace {

// 'size=small:0.5|medium:0.3|large:0.2'
void read_shares(const std::string& text, Settings& settings) {
  const auto equals = text.find('=');
  const std::string column(trim(std::string_view(text).substr(0, equals)));
  if (equals == std::string::npos) {
    throw Error(ErrorKind::usage, fmt::format("--p '{}': write 'COLUMN=value:p|value:p|…', or "
                                              "'BAG=p' for all features of a bag",
                                              text));
  }
  for (const auto& piece : split(std::string_view(text).substr(equals + 1), '|')) {
    const auto colon = piece.rfind(':');
    const bool named = colon != std::string::npos;
    const auto share = to_number_or_fraction(std::string_view(piece).substr(named ? colon + 1 : 0));
    if (!share || *share < 0) {
      throw Error(ErrorKind::usage,
                  fmt::format("--p '{}': \"{}\" is not value:probability", text, piece));
    }
    const auto value = trim(std::string_view(piece).substr(0, named ? colon : 0));
    settings.shares[column][std::string(value)] = *share;
  }
}

}  // namespace

bool PlanOptions::take_trust() {
  const auto count = plan.trust.size();
  std::erase(plan.trust, "on");
  const bool on = plan.trust.size() < count;
  std::erase(plan.trust, "off");
  if (on && !plan.trust.empty()) {
    throw Error(ErrorKind::usage, "--trust: numbers, or on to have them found: not both");
  }
  return on;
}

std::string trust_text(const Model& model) {
  std::vector<std::string> result;
  bool plain = true;
  for (const auto& block : model.blocks()) {
    result.push_back(fmt::format("{}={}", model.schema().columns[block.columns[0]].name,
                                 format_number(block.weight)));
    plain = plain && block.weight == 1;
  }
  return plain ? "" : join(result, ", ");
}

Plan PlanOptions::complete() const {
  Plan result = plan;
  result.missing = data.read().missing;
  if (!rule.empty()) result.settings.rule = parse_rule(rule);
  if (!prior.empty()) result.settings.prior = parse_class_prior(prior);
  result.settings.reserve_unseen = unseen == "reserve";
  for (const auto& text : shares) read_shares(text, result.settings);
  return result;
}

std::string resolved_target(const std::string& target, const std::vector<ColumnProfile>& profile) {
  const auto place = to_number(target);
  const auto count = static_cast<double>(profile.size());
  if (!place || *place != std::floor(*place) || *place == 0 || std::abs(*place) > count) {
    return target;
  }
  for (const auto& column : profile) {
    if (column.name == target) return target;
  }
  const auto& found = profile[static_cast<std::size_t>(*place < 0 ? count + *place : *place - 1)];
  if (*place < 0) return found.name;
  throw Error(ErrorKind::usage,
              fmt::format("--target: no column \"{}\" (column {} is \"{}\"; -1 is the last)",
                          target, target, found.name));
}

void note_hopeless(const Common& common, const std::string& target,
                   const std::vector<ColumnProfile>& profile) {
  constexpr std::size_t enough = 10;
  for (const auto& column : profile) {
    if (column.name != target || column.text || column.bag || column.present < enough) continue;
    if (column.distinct * 2 <= column.present) continue;
    note(common, "hopeless: \"{}\" has {} classes in the first {} rows{}", target, column.distinct,
         column.present,
         column.numbers == column.present
             ? "; a number is no class (cut it into ranges, or is another column meant?)"
             : "; a class needs rows to learn from (is another column meant?)");
  }
}

std::string default_model_path(const std::vector<std::string>& paths) {
  auto stem = paths.empty() || paths[0] == "-" ? std::filesystem::path("model")
                                               : std::filesystem::path(paths[0]).filename();
  while (stem.has_extension()) stem = stem.stem();
  return stem.string() + ".credence";
}

namespace {

// For columns under auto the rows are read once more, before the model is planned.
std::map<std::string, ChosenFamily> choose_open(const PlanOptions& options, const Plan& plan,
                                                const Source& source, const Common& common) {
  const auto& profile = source.profile();
  const bool known = std::any_of(profile.begin(), profile.end(),
                                 [&](const auto& column) { return column.name == plan.target; });
  if (!known) return {};  // plan_model says so
  const Schema open = open_columns(profile, plan);
  if (open.columns.empty()) return {};
  const auto& paths = options.data.paths;
  if (std::find(paths.begin(), paths.end(), "-") != paths.end()) {
    throw Error(ErrorKind::usage,
                fmt::format("--as '{}: auto' reads the rows twice, which standard input does not "
                            "allow (save them to a file first)",
                            open.columns[0].name));
  }
  auto first = open_source(paths, options.data.read());
  first->select(open, true);
  const auto chunks = read_all(*first, common.threads, progress_bar(common, "choosing"));
  auto chosen = choose_families(plan, open, chunks, common.threads);
  finish_progress();
  return chosen;
}

bool named_by(const std::vector<std::string>& texts, const std::string& column) {
  for (const auto& text : texts) {
    for (const auto& name : split(std::string_view(text).substr(0, text.rfind(':')), ',')) {
      if (name == column) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<ColumnProfile> to_learn_from(const PlanOptions& options, const Plan& complete,
                                         const std::vector<ColumnProfile>& profile,
                                         const std::vector<std::string>& tries) {
  const auto& column = options.beside.column();
  if (column.empty()) return profile;
  if (column == complete.target || column == complete.weights) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: \"{}\" is the {}", options.beside.option(), column,
                            column == complete.target ? "target" : "weight"));
  }
  require_column(options.beside.option(), column, profile);
  auto rest = profile;
  if (!named_by(options.plan.as, column) && !named_by(tries, column)) {
    std::erase_if(rest, [&](const ColumnProfile& one) { return one.name == column; });
  }
  return rest;
}

Schema as_written(Schema schema, const Source& source) {
  for (auto& column : schema.columns) {
    if (column.kind != ColumnKind::number && column.kind != ColumnKind::count) continue;
    for (const auto& seen : source.profile()) {
      if (seen.name == column.name) column.reading = seen.reading;
    }
  }
  return schema;
}

// Dates are in the order of time, not in that of their letters.
static void order_by_time(ColumnSpec& column, const Source& source) {
  for (const auto& seen : source.profile()) {
    if (seen.name != column.name || seen.reading.empty()) continue;
    column.kind = ColumnKind::number;
    column.reading = seen.reading;
  }
}

Planned plan(const PlanOptions& options, const Common& common) {
  Plan complete = options.complete();
  auto source = open_source(options.data.paths, options.data.read());
  if (complete.target.empty()) complete.target = source->default_target();
  complete.target = resolved_target(complete.target, source->profile());
  complete.chosen = choose_open(options, complete, *source, common);
  std::vector<PlannedColumn> columns;
  auto profile = to_learn_from(options, complete, source->profile());
  Model model = plan_model(profile, complete, &columns);
  Schema read = model.schema();
  std::size_t beside = 0;
  if (const auto& column = options.beside.column(); !column.empty()) {
    beside = place_beside(read, column);
    const bool added = beside == model.schema().columns.size();
    if (added && options.beside.group.empty()) order_by_time(read.columns[beside], *source);
    if (profile.size() < source->profile().size()) {
      columns.push_back({column, "ignored",
                         fmt::format("{} the rows; --as makes it a feature as well",
                                     options.beside.group.empty() ? "orders" : "groups")});
    }
  }
  source->select(read, true);
  std::vector<std::vector<std::string>> lines;
  for (const auto& column : columns) {
    lines.push_back(
        {column.name, column.family, column.reason.empty() ? "" : "(" + column.reason + ")"});
  }
  constexpr std::size_t list_at_most = 60;
  const std::size_t all = lines.size();
  if (all > list_at_most) lines.resize(list_at_most);
  if (!common.quiet) say(aligned(lines, 0));
  if (all > list_at_most) note(common, "… and {} more columns", all - list_at_most);
  note_hopeless(common, complete.target, source->profile());
  return {std::move(source), std::move(model),   std::move(columns),
          std::move(read),   std::move(profile), beside};
}

}  // namespace credence::cli

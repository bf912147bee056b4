// SPDX-License-Identifier: Apache-2.0
#include "choose/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/registry.hpp"
#include "model/blocks.hpp"

namespace credence {
namespace {

constexpr std::size_t most_candidates = 1000;
const std::vector<std::string> settings_names = {"rule", "prior", "model", "unseen", "trust"};

// Whether "gaussian(tied)" starts with the name of a family.
bool is_family(const std::string& choice) {
  const auto name =
      std::string(trim(std::string_view(choice).substr(0, choice.find_first_of("(+"))));
  const auto names = family_names();
  return name == "ignore" || std::find(names.begin(), names.end(), name) != names.end();
}

void check_choices(const std::string& text, Axis& axis) {
  std::string kind;  // of the rule before: "bayes=0.1 | 1 | 10" need not repeat it
  for (auto& choice : axis.choices) {
    if (axis.name == "rule") {
      if (to_number(choice) && !kind.empty()) choice = kind + "=" + choice;
      parse_rule(choice);
      kind = choice.substr(0, choice.find('='));
    } else if (axis.name == "prior") {
      parse_class_prior(choice);
    } else if (axis.name == "unseen" && choice != "ignore" && choice != "reserve") {
      throw Error(ErrorKind::usage, fmt::format("{}: \"{}\" is neither ignore nor reserve",
                                                setting("try", text), choice));
    } else if (axis.name == "trust" && choice != "off" && choice != "on") {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: \"{}\" is neither off nor on", setting("try", text), choice));
    }
  }
}

// Blocks and columns of several plans, each once; columns in the order of the file.
class Union {
 public:
  explicit Union(const std::vector<ColumnProfile>& profile) {
    for (const auto& column : profile) in_file_.emplace(column.name, in_file_.size());
  }

  // The places of the plan's blocks among all. What is counted once can be read in several ways:
  // the reading is a setting then.
  std::vector<std::size_t> add(const Model& model, Settings& settings) {
    const auto is_read = [](const BlockSpec& block) {
      return find_family(block.family).has_readings;
    };
    const auto& blocks = model.blocks();
    const bool one_reading = std::count_if(blocks.begin(), blocks.end(), is_read) == 1;
    std::vector<std::size_t> columns, places;
    for (const auto& column : model.schema().columns) columns.push_back(place_column(column));
    for (auto block : model.blocks()) {
      for (auto& column : block.columns) column = columns[column];
      if (one_reading && is_read(block)) settings.reading = std::exchange(block.parameters, "");
      auto& alike = by_column_[block.columns.empty() ? 0 : block.columns[0]];
      const auto found = std::find_if(alike.begin(), alike.end(),
                                      [&](std::size_t place) { return blocks_[place] == block; });
      places.push_back(found == alike.end() ? blocks_.size() : *found);
      if (found != alike.end()) continue;
      alike.push_back(blocks_.size());
      blocks_.push_back(block);
    }
    return places;
  }

  Model model(const Schema& like) const {
    std::vector<std::size_t> order(columns_.size()), place(columns_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
      return in_file(columns_[a].in_file()) < in_file(columns_[b].in_file());
    });
    Schema schema = like;
    schema.columns.clear();
    for (std::size_t i = 0; i < order.size(); ++i) {
      schema.columns.push_back(columns_[order[i]]);
      place[order[i]] = i;
    }
    auto blocks = blocks_;
    for (auto& block : blocks) {
      for (auto& column : block.columns) column = place[column];
    }
    return {std::move(schema), std::move(blocks)};
  }

 private:
  std::size_t place_column(const ColumnSpec& column) {
    auto& alike = by_name_[column.name];
    for (const auto i : alike) {
      const auto& c = columns_[i];
      if (c.kind == column.kind && c.values == column.values && c.tokens == column.tokens &&
          c.reading == column.reading && c.from == column.from) {
        return i;
      }
    }
    alike.push_back(columns_.size());
    columns_.push_back(column);
    return columns_.size() - 1;
  }
  std::size_t in_file(const std::string& name) const {
    const auto found = in_file_.find(name);
    return found == in_file_.end() ? in_file_.size() : found->second;
  }

  std::map<std::string, std::size_t> in_file_;  // the places of the columns
  std::vector<ColumnSpec> columns_;
  std::vector<BlockSpec> blocks_;
  // Places of columns of one name, and of blocks with one first column.
  std::map<std::string, std::vector<std::size_t>> by_name_;
  std::map<std::size_t, std::vector<std::size_t>> by_column_;
};

// The columns an axis names, but for the class and the weight, which no family is for.
std::vector<std::string> columns_of(const Axis& axis, const Plan& plan,
                                    const std::vector<ColumnProfile>& profile) {
  std::vector<std::string> names;
  for (const auto& pattern : split(axis.name, ',')) {
    for (const auto i : columns_matching(pattern, profile, plan)) {
      const auto& name = profile[i].name;
      if (name != plan.target && name != plan.weights) names.push_back(name);
    }
  }
  return names;
}

// As under Plan::as, of two axes that name a column the later one decides about it: an axis that is
// left without any column, or a setting named twice, would be tried without effect.
void refuse_overruled(const std::vector<Axis>& axes, const Plan& plan,
                      const std::vector<ColumnProfile>& profile) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto& axis = axes[i];
    auto left = axis.columns ? columns_of(axis, plan, profile) : std::vector<std::string>();
    for (std::size_t k = i + 1; k < axes.size(); ++k) {
      if (axes[k].columns != axis.columns) continue;
      if (axes[k].name == axis.name) {
        throw Error(ErrorKind::usage,
                    fmt::format("{}: \"{}\" is there twice; join the choices with |: '{}: {} | {}'",
                                setting("try"), axis.name, axis.name, join(axis.choices, " | "),
                                join(axes[k].choices, " | ")));
      }
      if (!axis.columns) continue;
      const auto taken = columns_of(axes[k], plan, profile);
      const auto before = left.size();
      std::erase_if(left, [&](const auto& name) {
        return std::find(taken.begin(), taken.end(), name) != taken.end();
      });
      if (before == 0 || !left.empty()) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("{}: every column of \"{}\" is in \"{}\" again, which comes later "
                              "and decides (name each column once, or put \"{}\" last)",
                              setting("try"), axis.name, axes[k].name, axis.name));
    }
  }
}

// The plan with one choice made.
void apply(const Axis& axis, const std::string& choice, Plan& plan, bool& weigh) {
  if (axis.names_model(choice)) {
    plan.model = choice;
  } else if (axis.columns) {
    const auto line = axis.line(choice);
    if (!line.empty()) plan.as.insert(axis.yields ? plan.as.begin() : plan.as.end(), line);
  } else if (axis.name == "rule") {
    plan.settings.rule = parse_rule(choice);
  } else if (axis.name == "prior") {
    plan.settings.prior = parse_class_prior(choice);
  } else if (axis.name == "model") {
    plan.model = choice;
  } else if (axis.name == "unseen") {
    plan.settings.reserve_unseen = choice == "reserve";
  } else {
    weigh = choice == "on";
  }
}

}  // namespace

bool Axis::names_model(const std::string& choice) const {
  const auto* model = columns ? find_model(choice) : nullptr;
  return model != nullptr && !model->parameters.empty();
}

std::string Axis::line(const std::string& choice) const {
  if (patterns.empty()) return name + ": " + choice;
  const auto found = std::find(choices.begin(), choices.end(), choice);
  const auto& pattern = patterns[static_cast<std::size_t>(found - choices.begin())];
  return pattern.empty() ? "" : pattern + ": " + choice;
}

Axis parse_axis(const std::string& text, const std::vector<ColumnProfile>& profile) {
  // A family's parameters may hold a colon, a column's name too: the last one before any choice.
  const auto colon = text.substr(0, text.find_first_of("|(")).rfind(':');
  if (colon == std::string::npos) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: write 'WHAT: choice | choice', for example 'age: gaussian "
                            "| kernel' or 'rule: bayes=0.1 | bayes=1'",
                            setting("try", text)));
  }
  Axis axis{std::string(trim(std::string_view(text).substr(0, colon))),
            split(std::string_view(text).substr(colon + 1), '|'), false};
  for (const auto& choice : axis.choices) {
    if (!choice.empty()) continue;
    throw Error(ErrorKind::usage, fmt::format("{}: a choice is empty", setting("try", text)));
  }
  const bool named =
      std::find(settings_names.begin(), settings_names.end(), axis.name) != settings_names.end();
  const bool column = std::any_of(profile.begin(), profile.end(),
                                  [&](const auto& known) { return known.name == axis.name; });
  if (axis.name == "weights" && !column) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: weights are those of rows; how often the evidence of columns "
                            "counts is trust: 'trust: off | on'",
                            setting("try", text)));
  }
  axis.columns = !named || (column && is_family(axis.choices[0]));
  if (!axis.columns) {
    check_choices(text, axis);
    return axis;
  }
  for (const auto& choice : axis.choices) {
    if (is_family(choice) || (axis.name == "numbers" && axis.names_model(choice))) continue;
    auto families = family_names();
    families.push_back("ignore");
    const auto name = choice.substr(0, choice.find('('));
    throw Error(ErrorKind::usage,
                fmt::format("{}: no family \"{}\"{}; the families are {}", setting("try", text),
                            name, suggestion(name, families), join(families, ", ")));
  }
  for (const auto& pattern : split(axis.name, ',')) {
    std::vector<std::string> names = settings_names;
    for (const auto& known : profile) names.push_back(known.name);
    if (!columns_matching(pattern, profile, {}).empty()) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{}: \"{}\" is no column and none of {}{}", setting("try", text),
                            pattern, join(settings_names, ", "), suggestion(pattern, names)));
  }
  return axis;
}

namespace {

// How many columns of this kind are left for which nobody has named a family.
std::size_t open_columns_of(const std::string& kind, const Plan& plan,
                            const std::vector<ColumnProfile>& profile) {
  std::vector<std::size_t> columns;
  try {
    columns = columns_matching(kind, profile, plan);
  } catch (const Error&) {
    return 0;  // there is none
  }
  // A column that is called so says nothing of its kind.
  if (columns.size() == 1 && profile[columns[0]].name == kind) return 0;
  std::vector<PlannedColumn> planned;
  plan_model(profile, plan, &planned);
  const auto open = [&](std::size_t i) {
    const auto usual = inferred_use(profile[i]);
    return std::any_of(planned.begin(), planned.end(), [&](const PlannedColumn& column) {
      return column.name == usual.name && column.reason == usual.reason;
    });
  };
  return static_cast<std::size_t>(std::count_if(columns.begin(), columns.end(), open));
}

}  // namespace

namespace {

// What keeps tables of every value in every class, up to thousands of values, has one in each fold:
// of so many columns and classes they would fill the memory.
constexpr std::size_t most_tables = 2000;

// What adds up all different values for every row takes some seconds for this many terms, and the
// race has them several times.
constexpr double most_terms = 3e8;

double terms_of(const std::vector<ColumnProfile>& profile) {
  double terms = 0;
  for (const auto& column : profile) {
    if (column.numbers < column.present) continue;  // words
    terms += static_cast<double>(column.present) * static_cast<double>(column.distinct);
  }
  return terms;
}

// What all families let try for these columns, the simplest first.
std::vector<std::pair<const Family*, RaceEntry>> entries_of(ColumnLook look) {
  std::vector<std::pair<const Family*, RaceEntry>> result;
  for (const auto& family : families()) {
    for (const auto& entry : family.tried) {
      if (std::count(entry.of.begin(), entry.of.end(), look) > 0)
        result.push_back({&family, entry});
    }
  }
  std::sort(result.begin(), result.end(),
            [](const auto& a, const auto& b) { return a.second.place < b.second.place; });
  return result;
}

std::string with_parameters(const std::string& family, const std::string& parameters) {
  return parameters.empty() ? family : family + "(" + parameters + ")";
}

// As people write it: numbers in one block by the name of their model.
std::string name_of(const Family& family, const RaceEntry& entry) {
  for (const auto& model : family.models) {
    if (model.parameters == entry.parameters) return model.name;
  }
  return with_parameters(family.name, entry.parameters);
}

// Ways to look at the columns of a table: one by one, numbers together, and all of them in pairs.
Axis table_axis(std::size_t numbers, std::size_t words, std::size_t classes, double terms) {
  Axis axis{"columns", {}, true, true};
  const auto add = [&](const std::string& choice, const std::string& pattern) {
    axis.choices.push_back(choice);
    axis.patterns.push_back(pattern);
  };
  const ColumnLook usual = numbers > 0 ? ColumnLook::numbers : ColumnLook::words;
  add(usual_family(usual).name, numbers > 0 ? "numbers" : "");
  for (const auto& [family, entry] : entries_of(usual)) {
    const bool mixed = entry.of.size() > 1;
    const std::size_t columns = mixed ? numbers + words : numbers;
    if (columns < entry.least_columns || columns > entry.most_columns) continue;
    if (entry.keeps_tables && (numbers + words) * classes > most_tables) continue;
    if (entry.adds_all_values && terms > most_terms) continue;
    add(name_of(*family, entry), !mixed || words == 0 ? "numbers"
                                 : numbers == 0       ? "words"
                                                      : "numbers, words");
  }
  return axis;
}

// Ways to look at documents; several columns as one document where the plan has them so.
std::vector<std::string> text_choices(const Plan& plan, const std::vector<ColumnProfile>& profile) {
  const Model model = plan_model(profile, plan);
  const auto& text = usual_family(ColumnLook::documents);
  const auto& blocks = model.blocks();
  const bool together = std::any_of(blocks.begin(), blocks.end(), [&](const BlockSpec& block) {
    return block.family == text.name && block.columns.size() > 1;
  });
  std::vector<std::string> choices;
  for (const auto& [family, entry] : entries_of(ColumnLook::documents)) {
    std::vector<std::string> parameters;
    if (together) parameters.emplace_back("together");
    if (!entry.parameters.empty()) parameters.push_back(entry.parameters);
    choices.push_back(with_parameters(family->name, join(parameters, ", ")));
    if (!entry.beside.empty()) {
      choices.back() += " + " + with_parameters(family->name, entry.beside);
    }
  }
  return choices;
}

// What documents are called stays as a plan has it, whatever becomes of the documents: it has to be
// said, as who names the documents' family leaves it out.
void add_text_axes(const Plan& plan, const std::vector<ColumnProfile>& profile,
                   std::vector<Axis>& axes) {
  const auto headline = std::find_if(profile.begin(), profile.end(),
                                     [](const ColumnProfile& column) { return column.headline; });
  std::string texts = "texts";
  if (headline != profile.end()) {
    std::vector<std::string> longer;
    for (const auto& column : profile) {
      if (column.text && !column.headline && !column.spare) longer.push_back(column.name);
    }
    texts = join(longer, ", ");
  }
  axes.push_back({texts, text_choices(plan, profile), true, true});
  if (headline == profile.end()) return;
  const auto family = inferred_use(*headline).family;
  axes.push_back({headline->name, {with_parameters(family, "scale=1")}, true, true});
}

}  // namespace

std::vector<Axis> automatic_axes(const Plan& plan, const std::vector<ColumnProfile>& profile) {
  std::vector<Axis> axes;
  const auto numbers = plan.model.empty() ? open_columns_of("numbers", plan, profile) : 0;
  const auto words = plan.model.empty() ? open_columns_of("words", plan, profile) : 0;
  const auto target =
      std::find_if(profile.begin(), profile.end(),
                   [&](const ColumnProfile& column) { return column.name == plan.target; });
  auto table =
      table_axis(numbers, words, target == profile.end() ? 0 : target->distinct, terms_of(profile));
  if (table.choices.size() > 1) axes.push_back(std::move(table));
  if (open_columns_of("texts", plan, profile) > 0) add_text_axes(plan, profile, axes);
  if (plan.trust.empty()) axes.push_back({"trust", {"off", "on"}, false, false});
  auto rule = plan.settings.rule;
  using Kind = Rule::Kind;
  if (rule.kind != Kind::m_estimate && rule.kind != Kind::laplace) rule.kind = Kind::bayes;
  Axis strengths{"rule", {}, false, false};
  for (const double strength : {1.0, 0.01, 0.1, 10.0}) {
    rule.strength = strength;
    strengths.choices.push_back(to_string(rule));
  }
  axes.push_back(std::move(strengths));
  return axes;
}

Grid make_grid(std::vector<Axis> axes, const Plan& plan,
               const std::vector<ColumnProfile>& profile) {
  refuse_overruled(axes, plan, profile);
  std::size_t count = 1;
  for (const auto& axis : axes) {
    count *= axis.choices.size();
    if (count > most_candidates) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: more than {} candidates (leave out some choices, or tune in "
                              "steps)",
                              setting("try"), most_candidates));
    }
  }
  Union all(profile);
  Grid grid{std::move(axes), Model({}, {}), {}, {}, {}};
  Schema schema;
  for (std::size_t i = 0; i < count; ++i) {
    Plan chosen = plan;
    Candidate candidate;
    std::vector<std::string> choices(grid.axes.size());
    std::size_t rest = i;
    for (std::size_t a = grid.axes.size(); a-- > 0;) {
      const auto& axis = grid.axes[a];
      choices[a] = axis.choices[rest % axis.choices.size()];
      rest /= axis.choices.size();
    }
    for (std::size_t a = 0; a < grid.axes.size(); ++a) {
      apply(grid.axes[a], choices[a], chosen, candidate.weigh);
    }
    std::vector<PlannedColumn> columns;
    const Model model = plan_model(profile, chosen, &columns);
    candidate.settings = model.settings();
    candidate.blocks = all.add(model, candidate.settings);
    schema = model.schema();
    grid.candidates.push_back(std::move(candidate));
    grid.choices.push_back(std::move(choices));
    grid.columns.push_back(std::move(columns));
  }
  grid.model = all.model(schema);
  return grid;
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// From the columns of a table and what a person said about them to the blocks of a model.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/evidence.hpp"
#include "credence/model.hpp"
#include "families/free_form/histogram_bins.hpp"
#include "families/statistics/domain.hpp"
#include "families/text/text.hpp"
#include "model/blocks.hpp"
#include "model/planning/as_line.hpp"
#include "model/planning/declared.hpp"
#include "model/planning/trust.hpp"
#include "notation/reading.hpp"
#include "words/options.hpp"

namespace credence {
namespace {

struct Choice {
  std::string family;
  std::string reason;
  std::string parameters = {};
  int group = -1;  // columns of one line of Plan::as that form one block share a group
  std::vector<FamilyText> more = {};        // other ways in which a text is read as well
  std::optional<std::string> reading = {};  // none: as the profile says
  std::vector<data::Reading> parts = {};    // of dates and times, each a column of its own
};

// "id", "customer_id", "PassengerId", "#": a name that says that rows are told apart by the column.
bool named_for_rows(const std::string& name) {
  static const std::vector<std::string> known = {"",    "#",     "id",   "ids", "idx", "index",
                                                 "row", "rowid", "uuid", "uid", "nr",  "no."};
  const std::string low = ascii_lower(name);
  if (std::find(known.begin(), known.end(), low) != known.end()) return true;
  if (low.starts_with("id_") || low.starts_with("id ")) return true;
  if (low.size() < 3 || !low.ends_with("id")) return false;
  const char before = name[name.size() - 3];
  if (before == '_' || before == '-' || before == ' ' || before == '.') return true;
  return std::islower(static_cast<unsigned char>(before)) && name[name.size() - 2] == 'I';
}

// What tells rows apart says nothing of other rows; "" where a column is of another kind.
std::string rows_told_apart(const ColumnProfile& column) {
  constexpr std::size_t enough = 30;  // fewer rows may well look so by chance
  constexpr std::size_t few = 5;      // where the name says so, too
  const bool words = column.numbers == 0 && column.distinct == column.present;
  if (column.row_numbers && column.present >= enough) {
    return "row numbers or identifiers, in order";
  }
  if (column.without_gaps && column.present >= enough) {
    return "row numbers in another order: every whole number once";
  }
  if ((column.own_numbers || words) && column.present >= few && named_for_rows(column.name)) {
    return column.name.empty() ? "row numbers: a column without a name, every row has its own"
                               : "identifiers, by the name: every row has its own";
  }
  return "";
}

Choice infer(const ColumnProfile& column) {
  if (column.spare && column.text) {
    return {"ignore", "all of it at once; other columns hold its parts"};
  }
  if (column.spare) return {"ignore", "where the rows are from"};
  const auto usual = [](ColumnLook look, std::string reason) {
    return Choice{usual_family(look).name, std::move(reason)};
  };
  // What it says has been said once in the longer text: it is not stretched as that is.
  if (column.headline) {
    return {usual_family(ColumnLook::documents).name, "what documents are called", "scale=1"};
  }
  if (column.text) return usual(ColumnLook::documents, "documents");
  if (column.bag) {
    if (column.unit)
      return usual(ColumnLook::features, "a set of features, each present or absent");
    return usual(ColumnLook::counts, "a set of counts");
  }
  if (column.present == 0) return {"ignore", "no value in the sample"};
  constexpr std::size_t enough = 30;  // fewer rows may well look so by chance
  const auto example = fmt::format("such as \"{}\"", column.example);
  if (auto reason = rows_told_apart(column); !reason.empty()) return {"ignore", std::move(reason)};
  if (column.long_digits && column.numbers == column.present && column.present >= enough &&
      column.distinct * 10 > column.present * 9) {
    return {"ignore", fmt::format("identifiers, {}: nearly every row has its own", example)};
  }
  // A stray word among numbers is more likely a mistake than a category, and is reported as such.
  const std::size_t words = column.present - column.numbers;
  const bool stray = words * 10 <= column.present || (words == 1 && column.present >= 4);
  if (!column.codes && (words == 0 || (stray && column.distinct > 2))) {
    if (column.zero_one) return usual(ColumnLook::zero_one, "only 0 and 1");
    if (column.reading.empty()) return usual(ColumnLook::numbers, "numbers");
    return usual(ColumnLook::numbers,
                 fmt::format("{}, {}", data::parse_reading(column.reading).describe(), example));
  }
  if (column.words >= 4 && column.distinct * 2 > column.present && column.present >= 3) {
    return usual(ColumnLook::documents,
                 fmt::format("{} words on average", format_number(std::round(column.words))));
  }
  if (column.present >= enough && column.distinct * 2 > column.present) {
    return {"ignore",
            fmt::format("{} different values in {} rows, {}: {}", column.distinct, column.present,
                        example, column.doubt.empty() ? "too many to count" : column.doubt)};
  }
  return usual(
      ColumnLook::words,
      fmt::format("{}, {} different{}", column.codes ? "codes with zeros in front" : "words",
                  column.distinct, column.doubt.empty() ? "" : "; " + column.doubt));
}

// What a person says of how cells are written. The family stays, unless the profile chose it for
// cells that are written otherwise.
void read_as(const FamilyText& said, const std::string& text, const ColumnProfile& column,
             Choice& choice) {
  const bool inferred = !choice.reason.empty();
  if (said.family == "parts") {
    choice = {"parts",
              "",
              "",
              -1,
              {},
              std::nullopt,
              data::parse_parts(said.parameters, column.reading, setting("as", text))};
    return;
  }
  if (said.family == "date" && said.parameters.empty() && column.reading.starts_with("date")) {
    choice.reading = column.reading;
  } else {
    try {
      choice.reading = data::to_string(data::parse_reading(
          said.parameters.empty() ? said.family
                                  : fmt::format("{}({})", said.family, said.parameters)));
    } catch (const Error& error) {
      throw Error(error.kind(),
                  fmt::format("{}: {}", setting("as", text), error.message().marked()));
    }
  }
  if (inferred) {
    choice.family = usual_family(ColumnLook::numbers).name;
    choice.reason = data::parse_reading(*choice.reading).describe();
  }
}

ColumnKind kind_for(const std::string& family, const ColumnProfile& column) {
  const auto& found = find_family(family);
  if (!column.bag) {
    // Of the kinds that a family reads, the one that the column looks like.
    const auto inferred = infer(column).family;
    const bool number = column.present > 0 && column.numbers == column.present && !column.codes;
    const auto usual = inferred != "ignore" ? find_family(inferred).kinds[0]
                       : number             ? ColumnKind::number
                                            : found.kinds[0];
    return reads(found, usual) ? usual : found.kinds[0];
  }
  if (!reads(found, ColumnKind::bag)) {
    std::vector<std::string> able;
    for (const auto& other : families()) {
      if (reads(other, ColumnKind::bag)) able.emplace_back(other.name);
    }
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: column \"{}\" is a set of features; it can be {} or ignore, not {}",
                    setting("as"), column.name, join(able, ", "), family));
  }
  return ColumnKind::bag;
}

// The covariance under which a shortcut joins all columns of numbers; "": each on its own.
std::string covariance_of(const std::string& model) {
  if (model.empty()) return "";
  if (const auto* found = find_model(model)) return found->parameters;
  const auto known = model_names();
  throw Error(ErrorKind::usage, fmt::format("{}: no model \"{}\"{}; choose {}", setting("model"),
                                            model, suggestion(model, known), join(known, ", ")));
}

// Names that stand for all columns that look so, unless a column is called so itself.
constexpr std::pair<std::string_view, ColumnLook> looks[] = {{"numbers", ColumnLook::numbers},
                                                             {"words", ColumnLook::words},
                                                             {"texts", ColumnLook::documents}};

// The columns that a pattern names. Without a star it is a name, which is looked up: a thousand
// names of a thousand columns are not compared one by one.
class ColumnNames {
 public:
  ColumnNames(const std::vector<ColumnProfile>& profile, const Plan& plan)
      : profile_(profile), plan_(plan) {
    for (std::size_t i = 0; i < profile.size(); ++i) places_.emplace(profile[i].name, i);
  }

  std::vector<std::size_t> matching(const std::string& pattern) const {
    std::vector<std::size_t> result;
    if (pattern.find('*') == pattern.npos) {
      const auto found = places_.find(pattern);
      if (found == places_.end()) return looking_so(pattern);
      result.push_back(found->second);
      return result;
    }
    for (std::size_t i = 0; i < profile_.size(); ++i) {
      if (glob_matches(pattern, profile_[i].name)) result.push_back(i);
    }
    return result;
  }

 private:
  std::vector<std::size_t> looking_so(const std::string& kind) const {
    std::vector<std::size_t> result;
    for (const auto& [name, look] : looks) {
      if (name != kind) continue;
      for (std::size_t i = 0; i < profile_.size(); ++i) {
        const auto& column = profile_[i].name;
        if (column == plan_.target || column == plan_.weights) continue;
        if (infer(profile_[i]).family == usual_family(look).name) result.push_back(i);
      }
      if (result.empty()) {
        throw Error(ErrorKind::usage,
                    fmt::format("{}: no column is of {}, nor called so", setting("as"), kind));
      }
    }
    return result;
  }

  const std::vector<ColumnProfile>& profile_;
  const Plan& plan_;
  std::unordered_map<std::string_view, std::size_t> places_;
};

// Whether two columns of sentences are of one kind: of the most frequent words of each at least
// half are frequent in the other.
bool share_words(const ColumnProfile& a, const ColumnProfile& b) {
  constexpr std::size_t most = 50, least = 10;
  const auto half_of = [&](const ColumnProfile& one, const ColumnProfile& other) {
    const std::size_t count = std::min(most, one.frequent.size());
    std::size_t shared = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& all = other.frequent;
      shared += std::find(all.begin(), all.end(), one.frequent[i]) != all.end();
    }
    return count >= least && 2 * shared >= count;
  };
  return half_of(a, b) && half_of(b, a);
}

// Texts of which nobody has said anything are one document, as a title and what stands below it,
// where they share words with the first of them.
void join_texts(const std::vector<ColumnProfile>& profile, const Plan& plan,
                std::vector<Choice>& choices) {
  std::size_t first = profile.size();
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const bool open = choices[i].family == usual_family(ColumnLook::documents).name &&
                      !choices[i].reason.empty() && profile[i].name != plan.target &&
                      profile[i].name != plan.weights;
    if (!open) continue;
    if (first == profile.size()) {
      first = i;
    } else if (share_words(profile[first], profile[i])) {
      for (const auto one : {first, i}) {
        choices[one].parameters = "together";
        choices[one].group = static_cast<int>(plan.as.size()) + 1;
      }
    }
  }
}

// Who says how the longer text is read has all of it, what it is called as well.
void leave_headlines(const std::vector<ColumnProfile>& profile, std::vector<Choice>& choices) {
  bool open = false;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const bool longer = profile[i].text && !profile[i].headline && !profile[i].spare;
    open = open || (longer && !choices[i].reason.empty());
  }
  for (std::size_t i = 0; i < profile.size(); ++i) {
    if (open || !profile[i].headline || choices[i].reason.empty()) continue;
    choices[i] = {"ignore", "its words are in another column, too"};
  }
}

std::vector<Choice> choose(const std::vector<ColumnProfile>& profile, const Plan& plan,
                           const Declared& declared) {
  const std::string covariance = covariance_of(plan.model);
  std::vector<Choice> choices;
  for (const auto& column : profile) {
    choices.push_back(declared.contains(column.name) && !column.bag
                          ? Choice{usual_family(ColumnLook::words).name, "its values are declared"}
                          : infer(column));
    if (choices.back().family == usual_family(ColumnLook::numbers).name && !covariance.empty()) {
      choices.back().parameters = covariance;
      choices.back().group = static_cast<int>(plan.as.size());
    }
  }
  const ColumnNames names(profile, plan);
  // Later ones win, so that '*: categorical' may be followed by exceptions.
  for (std::size_t a = 0; a < plan.as.size(); ++a) {
    const auto assignment = parse_as(plan.as[a]);
    for (const auto& pattern : assignment.patterns) {
      const auto matching = names.matching(pattern);
      for (const auto i : matching) {
        if (pattern == plan.target) {
          throw Error(ErrorKind::usage,
                      fmt::format("{}: \"{}\" is the target", setting("as", plan.as[a]), pattern));
        }
        const auto& [family, parameters] = assignment.first;
        if (data::is_reading_name(family)) {
          read_as(assignment.first, plan.as[a], profile[i], choices[i]);
          continue;
        }
        choices[i] = {family, "", parameters, -1, assignment.more, choices[i].reading};
        if (family != "ignore" && family != "auto" && find_family(family).joins(parameters)) {
          choices[i].group = static_cast<int>(a);
        }
      }
      if (matching.empty()) no_such_column(setting("as"), pattern, profile);
    }
  }
  join_texts(profile, plan, choices);
  leave_headlines(profile, choices);
  return choices;
}

// Numbers whose family is to be told from the rows: of other columns the profile tells enough.
bool open_to_choice(const Choice& choice, const ColumnProfile& column) {
  if (choice.family != "auto" || column.bag || column.text) return false;
  const auto family = infer(column).family;
  return family == usual_family(ColumnLook::numbers).name ||
         family == usual_family(ColumnLook::zero_one).name;
}

void close_choices(const std::vector<ColumnProfile>& profile, const Plan& plan,
                   std::vector<Choice>& choices) {
  for (std::size_t i = 0; i < profile.size(); ++i) {
    if (choices[i].family != "auto") continue;
    const auto& name = profile[i].name;
    const auto found = plan.chosen.find(name);
    if (found != plan.chosen.end()) {
      choices[i] = {found->second.family, found->second.reason, "", -1, {}, choices[i].reading};
    } else if (open_to_choice(choices[i], profile[i]) && name != plan.target &&
               name != plan.weights) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: the rows must be looked at first, by choose_families()",
                              setting("as", name + ": auto")));
    } else {
      choices[i] = infer(profile[i]);
    }
  }
}

// Columns and blocks, as they are chosen one after the other.
struct Planned {
  Schema schema;
  std::vector<BlockSpec> blocks;
  std::map<int, std::size_t> block_of_group = {};

  void add(const ColumnProfile& column, const Choice& choice, const Declared& declared) {
    const std::size_t place = schema.columns.size();
    ColumnSpec spec{column.name, kind_for(choice.family, column), {}, {}};
    if (spec.kind == ColumnKind::number || spec.kind == ColumnKind::amount ||
        spec.kind == ColumnKind::count) {
      spec.reading = choice.reading.value_or(column.reading);
    }
    std::string parameters = choice.parameters;
    if (spec.kind == ColumnKind::text) {
      const auto parts = split_text_parameters(parameters, text::token_option_names());
      spec.tokens = text::to_string(text::parse_token_options(parts.tokens));
      parameters = parts.family;
    }
    if (const auto found = declared.find(spec.name);
        found != declared.end() &&
        (spec.kind == ColumnKind::category || spec.kind == ColumnKind::bag)) {
      spec.values = found->second;
    }
    if (spec.kind == ColumnKind::number && find_family(choice.family).bins_numbers) {
      spec.values = edges_for(column, spec.reading, declared);
    }
    const bool joined = choice.group >= 0 && !column.bag;
    if (joined && block_of_group.contains(choice.group)) {
      blocks[block_of_group[choice.group]].columns.push_back(place);
    } else {
      if (joined) block_of_group[choice.group] = blocks.size();
      blocks.push_back({choice.family, {place}, 1, parameters});
    }
    schema.columns.push_back(std::move(spec));
    for (const auto& [family, more] : choice.more) add(column, {family, "", more}, declared);
  }

  // Each part of the dates or times of a column is a column of words, all of which are known.
  void add_parts(const ColumnProfile& column, const Choice& choice,
                 std::vector<PlannedColumn>* decisions) {
    for (const auto& part : choice.parts) {
      const bool whole = part.kind != data::Reading::Kind::part;
      const std::string family = usual_family(whole ? ColumnLook::numbers : ColumnLook::words).name;
      const std::string name = whole ? column.name : column.name + "." + data::name_of(part.part);
      ColumnSpec spec{name, find_family(family).kinds[0], {}, {}, data::to_string(part)};
      if (!whole) {
        spec.values = data::words_of(part.part);
        spec.from = column.name;
      }
      if (decisions) decisions->push_back({name, family, part.describe()});
      blocks.push_back({family, {schema.columns.size()}, 1, ""});
      schema.columns.push_back(std::move(spec));
    }
  }
};

// Every column but the class is left out: says why the first of them was, if not by Plan::as.
[[noreturn]] void no_column_left(const std::vector<ColumnProfile>& profile,
                                 const std::vector<Choice>& choices, std::size_t target) {
  std::string why;
  for (std::size_t i = 0; i < profile.size() && why.empty(); ++i) {
    if (i == target || choices[i].family != "ignore" || choices[i].reason.empty()) continue;
    why = fmt::format(": \"{}\" has {}", profile[i].name, choices[i].reason);
  }
  throw Error(ErrorKind::usage,
              fmt::format("no column is left to learn from{} (see {})", why, setting("as")));
}

// Scores that are no probabilities say less than they seem to beside the shares of the classes: a
// small class would hardly ever be said. Who names a model means it as it is known.
ClassPrior usual_prior(const std::vector<BlockSpec>& blocks) {
  const bool scores = std::all_of(blocks.begin(), blocks.end(), [](const BlockSpec& block) {
    return find_family(block.family).score(block.parameters).has_value() &&
           !names_text_model(block.parameters);
  });
  return scores ? parse_class_prior("tempered") : ClassPrior{};
}

}  // namespace

PlannedColumn inferred_use(const ColumnProfile& column) {
  const auto choice = infer(column);
  return {column.name, choice.family, choice.reason};
}

std::vector<std::size_t> columns_matching(const std::string& pattern,
                                          const std::vector<ColumnProfile>& profile,
                                          const Plan& plan) {
  return ColumnNames(profile, plan).matching(pattern);
}

Schema open_columns(const std::vector<ColumnProfile>& profile, const Plan& plan) {
  Schema result{{}, plan.target, plan.weights, plan.missing};
  const auto choices = choose(profile, plan, {});
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const auto& name = profile[i].name;
    if (name == plan.target || name == plan.weights) continue;
    if (open_to_choice(choices[i], profile[i])) {
      result.columns.push_back(
          {name, ColumnKind::number, {}, {}, choices[i].reading.value_or(profile[i].reading)});
    }
  }
  return result;
}

Model plan_model(const std::vector<ColumnProfile>& profile, const Plan& plan,
                 std::vector<PlannedColumn>* decisions) {
  if (plan.target.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("which column is the class? name it with {}; the columns are {}",
                            setting("target"), join_some(names_of(profile))));
  }
  const std::size_t target = find_column(setting("target"), plan.target, profile);
  const std::size_t weights = plan.weights.empty()
                                  ? profile.size()
                                  : find_column(setting("weights"), plan.weights, profile);
  if (weights == target) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: \"{}\" is the target", setting("weights"), plan.target));
  }
  auto declared = declared_by(profile, plan);
  auto classes = order_of_classes(profile[target], plan, declared);
  auto choices = choose(profile, plan, declared);
  close_choices(profile, plan, choices);
  Planned planned{{{}, plan.target, plan.weights, plan.missing, std::move(classes)}, {}};
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const auto& choice = choices[i];
    PlannedColumn decision{profile[i].name,
                           choice.parameters.empty()
                               ? choice.family
                               : fmt::format("{}({})", choice.family, choice.parameters),
                           choice.reason};
    for (const auto& [family, parameters] : choice.more) {
      decision.family += fmt::format(" + {}({})", family, parameters);
    }
    if (i == target) {
      decision = {profile[i].name, "target", ""};
    } else if (i == weights) {
      decision = {profile[i].name, "weights", ""};
    } else if (choice.family == "ignore") {
      decision.family = "ignored";
    } else if (!choice.parts.empty()) {
      planned.add_parts(profile[i], choice, decisions);
      continue;
    } else {
      planned.add(profile[i], choice, declared);
    }
    if (decisions) decisions->push_back(std::move(decision));
  }
  if (planned.schema.columns.empty()) no_column_left(profile, choices, target);
  check_shares(plan.settings, planned.schema, planned.blocks);
  give_trust(plan.trust, planned.schema, planned.blocks);
  Settings settings = plan.settings;
  if (settings.prior.kind == ClassPrior::Kind::usual) settings.prior = usual_prior(planned.blocks);
  return {std::move(planned.schema), std::move(planned.blocks), std::move(settings)};
}

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
#include "ask/presences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/source.hpp"

namespace credence {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A statement that is no `has`, or a bare name, of one of the columns.
void collect_whole(const Expression& expression, std::vector<std::string>& names) {
  for (const auto& part : expression.parts) collect_whole(part, names);
  if (expression.parts.empty() && expression.kind != Expression::Kind::has) {
    names.push_back(expression.column);
  }
}

// A word as texts are cut into: "Free" is free.
std::string as_token(const Expression& statement, const std::string& question) {
  Schema schema;
  schema.columns.push_back({"text", ColumnKind::text, {}});
  const auto given = fmt::format("\"text={}\"", statement.value);
  const Chunk row = parse_given(schema, {given});
  const auto& tokens = std::get<Bags>(row.columns[0]);
  if (tokens.features.size() == 1) {
    return tokens.dictionary[static_cast<std::size_t>(tokens.features[0])];
  }
  throw Error(ErrorKind::usage,
              fmt::format("{}: \"{}\" is not one word", question, statement.value));
}

}  // namespace

void Presences::leave_whole(const Question& question) {
  std::vector<std::string> whole = question.columns;
  whole.insert(whole.end(), question.given.begin(), question.given.end());
  if (question.kind == Question::Kind::probability) collect_whole(question.event, whole);
  if (question.condition) collect_whole(*question.condition, whole);
  std::erase_if(texts_, [&](const std::string& text) { return contains(whole, text); });
}

Presences::Holds Presences::holds(const std::string& column) const {
  return contains(sets_, column)    ? Holds::set
         : contains(texts_, column) ? Holds::text
                                    : Holds::one_value;
}

Question Presences::asked(Question question) {
  auto bare = question.columns;
  bare.insert(bare.end(), question.given.begin(), question.given.end());
  for (const auto& name : bare) {
    if (holds(name) == Holds::one_value) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{}: column \"{}\" is not discrete: ask for a word, as in {} has free",
                            question.text, name, spelled(name, true)));
  }
  if (question.kind == Question::Kind::probability) {
    question.event = about_columns(std::move(question.event), question.text);
  }
  if (question.condition) {
    question.condition = about_columns(std::move(*question.condition), question.text);
  }
  return question;
}

Expression Presences::about_columns(Expression expression, const std::string& question) {
  for (auto& part : expression.parts) part = about_columns(std::move(part), question);
  const bool order =
      expression.kind == Expression::Kind::below || expression.kind == Expression::Kind::at_most;
  if (order && readings_.contains(expression.column)) {
    expression.column = add_number(expression.column);
    return expression;
  }
  const Holds what = expression.parts.empty() ? holds(expression.column) : Holds::one_value;
  if (what == Holds::one_value) return expression;
  if (expression.kind == Expression::Kind::has) {
    return {Expression::Kind::equals, add(expression, what, question), "yes", {}};
  }
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: column \"{}\" is a set of words: write {} has {}", question,
                  expression.column, spelled(expression.column, true), spelled(expression.value)));
}

std::string Presences::add(const Expression& statement, Holds what, const std::string& question) {
  const bool text = what == Holds::text;
  const auto word = text ? as_token(statement, question) : statement.value;
  auto name = fmt::format("{} has {}", spelled(statement.column, true), spelled(word));
  const auto kind = text ? ColumnKind::text : ColumnKind::bag;
  if (!find(name)) words_.push_back({name, statement.column, word, "", kind});
  return name;
}

std::string Presences::add_number(const std::string& column) {
  auto name = spelled(column, true) + " as a number";
  if (!find(name)) words_.push_back({name, column, "", readings_.at(column), ColumnKind::number});
  return name;
}

const Presences::Word* Presences::find(const std::string& name) const {
  const auto found = std::find_if(words_.begin(), words_.end(),
                                  [&](const Word& word) { return word.name == name; });
  return found == words_.end() ? nullptr : &*found;
}

Categories presence_of(const Bags& bags, const std::string& word) {
  const auto found = std::find(bags.dictionary.begin(), bags.dictionary.end(), word);
  const auto code = static_cast<std::int32_t>(found - bags.dictionary.begin());
  Categories result{{}, {"no", "yes"}};
  for (std::size_t r = 0; r + 1 < bags.offsets.size(); ++r) {
    bool has = false;
    for (std::size_t i = bags.offsets[r]; i < bags.offsets[r + 1]; ++i) {
      has = has || (bags.features[i] == code && bags.counts[i] > 0);
    }
    result.codes.push_back(bags.missing[r] ? Categories::missing_code : (has ? 1 : 0));
  }
  return result;
}

Categories as_words(const Numbers& numbers) {
  Categories result;
  std::unordered_map<double, std::int32_t> places;
  for (const double value : numbers.values) {
    if (std::isnan(value)) {
      result.codes.push_back(Categories::missing_code);
      continue;
    }
    const auto next = static_cast<std::int32_t>(result.dictionary.size());
    const auto [found, fresh] = places.emplace(value, next);
    if (fresh) result.dictionary.push_back(format_number(value));
    result.codes.push_back(found->second);
  }
  return result;
}

}  // namespace credence

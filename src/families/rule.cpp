// SPDX-License-Identifier: Apache-2.0
#include "credence/rule.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

struct RuleName {
  Rule::Kind kind;
  const char* name;
  double strength;  // when none is written
};

constexpr RuleName rule_names[] = {
    {Rule::Kind::mle, "mle", 0},
    {Rule::Kind::unbiased, "unbiased", 0},
    {Rule::Kind::m_estimate, "m-estimate", 1},
    {Rule::Kind::laplace, "laplace", 1},
    {Rule::Kind::map, "map", 0},
    {Rule::Kind::bayes, "bayes", 1},
};

double parse_strength(std::string_view name, std::string_view text) {
  const auto value = to_number_or_fraction(text);
  if (!value || *value <= 0 || *value > 1e15) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}={}: the strength must be a number above 0, at most 1e15, for example {}=1",
                    name, text, name));
  }
  return *value;
}

}  // namespace

Rule parse_rule(std::string_view text) {
  const auto equals = text.find('=');
  const auto name = trim(text.substr(0, equals));
  std::vector<std::string> names;
  for (const auto& known : rule_names) {
    names.emplace_back(known.name);
    if (name != known.name) continue;
    Rule rule{known.kind, known.strength};
    if (equals != std::string_view::npos) {
      if (!rule.has_prior()) {
        throw Error(ErrorKind::usage, fmt::format("the rule {} takes no number", name));
      }
      rule.strength = parse_strength(name, trim(text.substr(equals + 1)));
    }
    return rule;
  }
  throw Error(ErrorKind::usage,
              fmt::format("no rule \"{}\"{}; the rules are {}", name, suggestion(name, names),
                          "mle, unbiased, m-estimate=m, laplace=a, map, bayes"));
}

std::string to_string(const Rule& rule) {
  for (const auto& known : rule_names) {
    if (rule.kind != known.kind) continue;
    if (rule.strength == known.strength && rule.kind != Rule::Kind::m_estimate &&
        rule.kind != Rule::Kind::laplace) {
      return known.name;
    }
    return fmt::format("{}={}", known.name, format_number(rule.strength));
  }
  return "bayes";
}

ClassPrior parse_class_prior(std::string_view text) {
  const auto trimmed = trim(text);
  if (trimmed == "empirical") return {};
  if (trimmed == "uniform") return {ClassPrior::Kind::uniform, 1, {}};
  if (trimmed == "smoothed") return {ClassPrior::Kind::smoothed, 1, {}};
  if (trimmed.starts_with("smoothed=")) {
    return {ClassPrior::Kind::smoothed, parse_strength("smoothed", trimmed.substr(9)), {}};
  }
  if (trimmed == "tempered") return {ClassPrior::Kind::tempered, 0.5, {}};
  if (trimmed.starts_with("tempered=")) {
    const double power = parse_strength("tempered", trimmed.substr(9));
    if (power <= 1) return {ClassPrior::Kind::tempered, power, {}};
    throw Error(ErrorKind::usage, fmt::format("prior \"{}\": a power from 0 to 1", trimmed));
  }
  ClassPrior prior{ClassPrior::Kind::given, 1, {}};
  double total = 0;
  for (const auto& piece : split(trimmed, ',')) {
    const auto equals = piece.rfind('=');
    const auto share = equals == std::string::npos
                           ? std::nullopt
                           : to_number_or_fraction(std::string_view(piece).substr(equals + 1));
    if (!share || *share < 0) {
      throw Error(ErrorKind::usage,
                  fmt::format("prior \"{}\": \"{}\" is not class=probability (or use empirical, "
                              "uniform, tempered, smoothed)",
                              trimmed, piece));
    }
    prior.shares.emplace_back(trim(std::string_view(piece).substr(0, equals)), *share);
    total += *share;
  }
  if (std::abs(total - 1) > 1e-6) {
    throw Error(ErrorKind::usage, fmt::format("prior \"{}\": the probabilities sum to {}, not to 1",
                                              trimmed, format_number(total)));
  }
  return prior;
}

std::string to_string(const ClassPrior& prior) {
  switch (prior.kind) {
    case ClassPrior::Kind::usual:
    case ClassPrior::Kind::empirical:
      return "empirical";
    case ClassPrior::Kind::tempered:
      return "tempered=" + format_number(prior.strength);
    case ClassPrior::Kind::uniform:
      return "uniform";
    case ClassPrior::Kind::smoothed:
      return "smoothed=" + format_number(prior.strength);
    case ClassPrior::Kind::given:
      break;
  }
  std::vector<std::string> shares;
  for (const auto& [name, share] : prior.shares)
    shares.push_back(name + "=" + format_number(share));
  return join(shares, ",");
}

}  // namespace credence

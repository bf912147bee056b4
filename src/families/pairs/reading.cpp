// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/reading.hpp"

#include <fmt/ranges.h>

#include <span>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/parameters.hpp"

namespace credence {

const char* Reading::name() const {
  switch (kind) {
    case Kind::naive:
      return "naive";
    case Kind::kdb:
      return "kdb=1";
    case Kind::aode:
      return "aode";
    case Kind::linear:
      return "linear";
    default:
      return "tan";
  }
}

namespace {

std::vector<double> parse_trust(const FamilyParameter& p) {
  constexpr double most = 1e6;
  std::vector<double> result;
  for (const auto& text : split(p.value, '|')) {
    result.push_back(
        parameter_number("pairs", {p.name, text}, -most, most, "a number for every column"));
  }
  return result;
}

}  // namespace

std::string with_trust(const std::string& parameters, const std::vector<double>& trust) {
  std::vector<std::string> parts;
  for (const auto& p : parse_parameters(parameters)) {
    if (p.name == "trust" || p.name == "given") continue;
    parts.push_back(p.value.empty() ? p.name : p.name + "=" + p.value);
  }
  const std::size_t columns = trust.size() / (parse_reading(parameters).has_edges() ? 2 : 1);
  const std::span all(trust);
  parts.push_back(fmt::format("trust={}", fmt::join(all.first(columns), "|")));
  if (columns < all.size()) {
    parts.push_back(fmt::format("given={}", fmt::join(all.subspan(columns), "|")));
  }
  return join(parts, ", ");
}

Reading parse_reading(std::string_view parameters) {
  Reading result;
  std::string chosen;
  for (const auto& p : parse_parameters(parameters)) {
    if (p.name == "backoff") {
      result.backoff = parameter_number("pairs", p, 0, 1e15, "a number of rows from 0 on");
      continue;
    }
    if (p.name == "trust" || p.name == "given") {
      (p.name == "trust" ? result.trust : result.given) = parse_trust(p);
      continue;
    }
    if (p.name == "kdb") {
      parameter_number("pairs", p.value.empty() ? FamilyParameter{"kdb", "1"} : p, 1, 1, "kdb=1");
      result.kind = Reading::Kind::kdb;
    } else if (p.name == "tan" && p.value.empty()) {
      result.kind = Reading::Kind::tan;
    } else if (p.name == "aode" && p.value.empty()) {
      result.kind = Reading::Kind::aode;
    } else if (p.name == "linear" && p.value.empty()) {
      result.kind = Reading::Kind::linear;
    } else if (p.name == "naive" && p.value.empty()) {
      result.kind = Reading::Kind::naive;
    } else {
      unknown_parameter(
          "pairs", p,
          {"tan", "aode", "kdb=1", "linear", "naive", "backoff=M", "trust=T|T…", "given=T|T…"});
    }
    if (!chosen.empty()) {
      throw Error(ErrorKind::usage, fmt::format("pairs({}): {} and {} are two readings: choose one",
                                                parameters, chosen, p.name));
    }
    chosen = p.name;
  }
  if (!result.trust.empty() && !result.one_tree()) {
    throw Error(ErrorKind::usage,
                fmt::format("pairs({}): trust is for readings with one tree", parameters));
  }
  if (!result.given.empty() &&
      (result.trust.size() != result.given.size() || !result.has_edges())) {
    throw Error(ErrorKind::usage,
                fmt::format("pairs({}): given is for tan and kdb=1, with as many numbers as trust",
                            parameters));
  }
  return result;
}

}  // namespace credence

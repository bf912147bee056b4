// SPDX-License-Identifier: Apache-2.0
#include "families/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/strings.hpp"
#include "credence/error.hpp"

// One line per family, in the order in which errors name them. NAME_family() describes it, in the
// file of the family.
// clang-format off
#define CREDENCE_FAMILIES(family) \
  family(categorical) \
  family(joint) \
  family(bernoulli) \
  family(multinomial) \
  family(poisson) \
  family(negative_binomial) \
  family(gaussian) \
  family(histogram) \
  family(kernel) \
  family(mixture) \
  family(pairs) \
  family(text)
// clang-format on

namespace credence {

#define CREDENCE_DECLARE(name) Family name##_family();
CREDENCE_FAMILIES(CREDENCE_DECLARE)
#undef CREDENCE_DECLARE

const std::vector<Family>& families() {
#define CREDENCE_CALL(name) name##_family(),
  static const std::vector<Family> all = {CREDENCE_FAMILIES(CREDENCE_CALL)};
#undef CREDENCE_CALL
  return all;
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const auto& family : families()) names.emplace_back(family.name);
  return names;
}

namespace {

// What other programs call a family.
constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"normal", "gaussian"},     {"numeric", "gaussian"},    {"number", "gaussian"},
    {"real", "gaussian"},       {"continuous", "gaussian"}, {"category", "categorical"},
    {"nominal", "categorical"}, {"factor", "categorical"},  {"discrete", "categorical"},
    {"string", "categorical"},  {"word", "categorical"},    {"binary", "bernoulli"},
    {"boolean", "bernoulli"},   {"count", "poisson"},       {"counts", "poisson"},
    {"kde", "kernel"},          {"density", "kernel"},      {"bins", "histogram"},
    {"gmm", "mixture"},         {"bag", "multinomial"},     {"drop", "ignore"},
    {"skip", "ignore"},         {"none", "ignore"},         {"id", "ignore"},
};

std::string family_hint(const std::string& name) {
  if (name.find('(') != std::string::npos) return " (a parenthesis is not closed)";
  for (const auto& [other, here] : other_names) {
    if (name == other) return fmt::format(" (here: {})", here);
  }
  return suggestion(name, family_names());
}

}  // namespace

const Family& find_family(const std::string& name) {
  for (const auto& family : families()) {
    if (name == family.name) return family;
  }
  throw Error(ErrorKind::usage, fmt::format("no family \"{}\"{}; the families are {}", name,
                                            family_hint(name), join(family_names(), ", ")));
}

const Family& usual_family(ColumnLook look) {
  return *std::find_if(families().begin(), families().end(), [&](const Family& family) {
    return std::count(family.usual_for.begin(), family.usual_for.end(), look) > 0;
  });
}

bool reads(const Family& family, ColumnKind kind) {
  return std::count(family.kinds.begin(), family.kinds.end(), kind) > 0;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& model : usual_family(ColumnLook::numbers).models) names.push_back(model.name);
  return names;
}

const NamedModel* find_model(const std::string& name) {
  const auto& models = usual_family(ColumnLook::numbers).models;
  const auto found = std::find_if(models.begin(), models.end(),
                                  [&](const NamedModel& model) { return model.name == name; });
  return found == models.end() ? nullptr : &*found;
}

std::vector<const Family*> suitable_families(const ValueLook& values) {
  std::vector<const Family*> result;
  for (const auto& family : families()) {
    if (family.rank > 0 && family.suits(values)) result.push_back(&family);
  }
  std::sort(result.begin(), result.end(), [](auto* a, auto* b) { return a->rank < b->rank; });
  return result;
}

}  // namespace credence

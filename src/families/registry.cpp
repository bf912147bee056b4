// SPDX-License-Identifier: Apache-2.0
#include "families/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

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

const Family& find_family(const std::string& name) {
  for (const auto& family : families()) {
    if (name == family.name) return family;
  }
  throw Error(ErrorKind::usage,
              fmt::format("no family \"{}\"{}; the families are {}", name,
                          suggestion(name, family_names()), join(family_names(), ", ")));
}

const Family& usual_family(ColumnLook look) {
  return *std::find_if(families().begin(), families().end(), [&](const Family& family) {
    return std::count(family.usual_for.begin(), family.usual_for.end(), look) > 0;
  });
}

bool reads(const Family& family, ColumnKind kind) {
  return std::count(family.kinds.begin(), family.kinds.end(), kind) > 0;
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

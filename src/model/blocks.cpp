// SPDX-License-Identifier: Apache-2.0
#include "model/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "credence/error.hpp"
#include "families/bag_statistics.hpp"
#include "families/categorical.hpp"
#include "families/gaussian_block.hpp"
#include "families/histogram.hpp"
#include "families/kernel.hpp"
#include "families/mixture.hpp"
#include "families/numeric.hpp"
#include "families/parameters.hpp"
#include "families/text.hpp"

namespace credence {
namespace {

using Block = std::unique_ptr<BlockStatistics>;

bool never(const std::string&) { return false; }
bool always(const std::string&) { return true; }

void refuse_parameters(const char* family, const std::string& parameters) {
  if (trim(parameters).empty()) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}({}): {} takes no parameters", family, parameters, family));
}

Block make_bag(const BlockColumns& columns, BagFamily family) {
  return std::make_unique<BagStatistics>(
      BagColumns{columns.indices, columns.names, columns.kind == ColumnKind::bag}, family);
}

}  // namespace

const std::vector<FamilyEntry>& families() {
  static const std::vector<FamilyEntry> table = {
      {"categorical",
       {ColumnKind::category},
       never,
       [](const BlockColumns& c, const std::string& p) -> Block {
         refuse_parameters("categorical", p);
         return make_categorical(c.indices[0], c.names[0], c.values);
       }},
      {"bernoulli",
       {ColumnKind::binary, ColumnKind::bag},
       never,
       [](const BlockColumns& c, const std::string& p) -> Block {
         refuse_parameters("bernoulli", p);
         if (c.kind == ColumnKind::bag) return make_bag(c, BagFamily::bernoulli);
         return make_bernoulli(c.indices[0], c.names[0]);
       }},
      {"multinomial",
       {ColumnKind::amount, ColumnKind::bag},
       always,
       [](const BlockColumns& c, const std::string& p) -> Block {
         refuse_parameters("multinomial", p);
         return make_bag(c, BagFamily::multinomial);
       }},
      {"poisson",
       {ColumnKind::count},
       never,
       [](const BlockColumns& c, const std::string& p) -> Block {
         refuse_parameters("poisson", p);
         return make_poisson(c.indices[0], c.names[0]);
       }},
      {"gaussian",
       {ColumnKind::number},
       [](const std::string& p) { return !trim(p).empty() && !parse_covariance(p).diagonal; },
       [](const BlockColumns& c, const std::string& p) -> Block {
         const auto covariance = parse_covariance(p);
         if (trim(p).empty() || (covariance.diagonal && !covariance.tied)) {
           return make_gaussian(c.indices[0], c.names[0]);
         }
         return make_gaussian_block(c.indices, c.names, covariance);
       }},
      {"histogram",
       {ColumnKind::number},
       never,
       [](const BlockColumns& c, const std::string& p) -> Block {
         return make_histogram(c.indices[0], c.names[0], p);
       }},
      {"kernel",
       {ColumnKind::number},
       never,
       [](const BlockColumns& c, const std::string& p) -> Block {
         return make_kernel(c.indices[0], c.names[0], p);
       }},
      {"mixture",
       {ColumnKind::number},
       always,
       [](const BlockColumns& c, const std::string& p) -> Block {
         return make_mixture(c.indices, c.names, p);
       }},
      {"text",
       {ColumnKind::text},
       never,
       [](const BlockColumns& c, const std::string& p) -> Block {
         return make_text(c.indices[0], c.names[0], p);
       }},
  };
  return table;
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const auto& entry : families()) names.emplace_back(entry.name);
  return names;
}

const FamilyEntry& find_family(const std::string& name) {
  for (const auto& entry : families()) {
    if (name == entry.name) return entry;
  }
  throw Error(ErrorKind::usage,
              fmt::format("no family \"{}\"{}; the families are {}", name,
                          suggestion(name, family_names()), join(family_names(), ", ")));
}

Block make_block(const Schema& schema, const BlockSpec& spec) {
  const auto& family = find_family(spec.family);
  const auto& first = schema.columns.at(spec.columns.at(0));
  BlockColumns columns{spec.columns, {}, first.kind, first.values};
  bool fits =
      spec.columns.size() == 1 || (family.joins(spec.parameters) && first.kind != ColumnKind::bag);
  for (const auto i : spec.columns) {
    const auto& column = schema.columns.at(i);
    columns.names.push_back(column.name);
    fits = fits && column.kind == first.kind &&
           std::find(family.kinds.begin(), family.kinds.end(), column.kind) != family.kinds.end();
  }
  if (!fits) {
    throw Error(
        ErrorKind::model,
        fmt::format("the columns of a {} block are of the wrong kind or number", spec.family));
  }
  return family.make(columns, spec.parameters);
}

}  // namespace credence

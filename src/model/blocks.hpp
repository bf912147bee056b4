// SPDX-License-Identifier: Apache-2.0
// The table of families: what each is called, what columns it reads, how its statistics are made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "credence/model.hpp"
#include "families/family.hpp"

namespace credence {

// The columns of one block, as a family sees them.
struct BlockColumns {
  std::vector<std::size_t> indices;  // in the chunk
  std::vector<std::string> names;
  ColumnKind kind;
  std::vector<std::string> values;  // declared, of the first column
};

struct FamilyEntry {
  const char* name;
  std::vector<ColumnKind> kinds;  // the first one is how a plain column is read for it
  // Whether several columns of one line of Plan::as form one block, with these parameters.
  bool (*joins)(const std::string& parameters);
  std::unique_ptr<BlockStatistics> (*make)(const BlockColumns& columns,
                                           const std::string& parameters);
};

const std::vector<FamilyEntry>& families();
std::vector<std::string> family_names();
// Throws a usage error with a suggestion when there is none of that name.
const FamilyEntry& find_family(const std::string& name);

// The statistics of one block, before any row. Refuses columns the family cannot read.
std::unique_ptr<BlockStatistics> make_block(const Schema& schema, const BlockSpec& spec);

}  // namespace credence

// SPDX-License-Identifier: Apache-2.0
// Rows that come as JSON objects one by one rather than in a file.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/schema.hpp"

namespace credence::data {

// Immutable once it is made for a schema, and safe to use from several threads.
class JsonRows {
 public:
  // labelled: every row must have a value of the target. Else one is read where it is there.
  JsonRows(const Schema& schema, bool labelled);
  ~JsonRows();

  // Each text is one object. A key that is no column of the schema is refused, and what is wrong
  // with the first row is told of "rows:1", or of the number that it has among `numbers`.
  Chunk read(std::span<const std::string_view> rows,
             std::span<const std::size_t> numbers = {}) const;

 private:
  struct Columns;
  std::unique_ptr<const Columns> columns_;
};

}  // namespace credence::data

// SPDX-License-Identifier: Apache-2.0
#include "sources/absent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "core/strings.hpp"
#include "sources/over.hpp"

namespace credence::data {
namespace {

Column all_missing(ColumnKind kind, std::size_t rows) {
  if (kind == ColumnKind::category) {
    return Categories{std::vector<std::int32_t>(rows, Categories::missing_code), {}};
  }
  if (kind == ColumnKind::bag || kind == ColumnKind::text) {
    Bags bags;
    bags.offsets.assign(rows + 1, 0);
    bags.missing.assign(rows, 1);
    return bags;
  }
  return Numbers{std::vector<double>(rows, std::numeric_limits<double>::quiet_NaN())};
}

class AbsentAsMissing final : public SourceOver {
 public:
  using SourceOver::SourceOver;

  void select(const Schema& schema, bool training) override {
    std::unordered_set<std::string_view> known;
    for (const auto& column : profile()) known.insert(column.name);
    Schema there = schema;
    there.columns.clear();
    absent_.clear();
    for (std::size_t i = 0; i < schema.columns.size(); ++i) {
      const auto& column = schema.columns[i];
      if (known.contains(column.in_file())) {
        there.columns.push_back(column);
      } else {
        absent_.push_back({i, column});
      }
    }
    // What is missing is said as ever where nothing of it is there.
    rows_->select(there.columns.empty() ? schema : there, training);
  }
  Chunk parse(const RawChunk& raw) const override {
    Chunk chunk = rows_->parse(raw);
    for (const auto& [place, column] : absent_) {
      chunk.columns.insert(chunk.columns.begin() + static_cast<std::ptrdiff_t>(place),
                           all_missing(column.kind, chunk.rows));
    }
    return chunk;
  }
  std::vector<std::string> notes() const override {
    auto result = rows_->notes();
    std::vector<std::string> names;
    for (const auto& [place, column] : absent_) names.push_back("\"" + column.name + "\"");
    if (!names.empty()) {
      result.insert(
          result.begin(),
          fmt::format("missing in every row, for there is no such column: {}", join_some(names)));
    }
    return result;
  }

 private:
  struct Absent {
    std::size_t place;  // in the schema
    ColumnSpec column;
  };
  std::vector<Absent> absent_;
};

}  // namespace

std::unique_ptr<Source> absent_as_missing(std::unique_ptr<Source> rows) {
  return std::make_unique<AbsentAsMissing>(std::move(rows));
}

}  // namespace credence::data
